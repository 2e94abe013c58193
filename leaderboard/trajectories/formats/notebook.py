"""A trajectory as a Jupyter notebook (nbformat 4.5) that can be run again."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from leaderboard.models import clean
from leaderboard.trajectories.formats.trajectory import Trajectory
from runner.contract import OutputKind, StepStatus
from runner.suite.canary import CANARY

ReadBlob = Callable[[str], bytes | None]  # by SHA-256

STOPPED = {
    StepStatus.TIMEOUT: "it ran into its time limit",
    StepStatus.KILLED: "it ended its kernel; variables were lost",
}
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
TEXTS = frozenset({"text/plain", "text/html", "text/markdown", "text/latex"})
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]")  # but the colours' escape

PREPARE = """\
from pathlib import Path

Path("output").mkdir(exist_ok=True)
missing = [name for name in {inputs} if not (Path("data") / name).is_file()]
print("Put these files into ./data first:", ", ".join(missing)) if missing else print("Ready.")"""


def write_notebook(trajectory: Trajectory, read_blob: ReadBlob = lambda sha256: None) -> bytes:
    """The notebook's file. Thoughts are markdown, code is code with the outputs it had.

    A cell that raised is tagged so that a run goes on after it; one that had to be stopped is
    shown as text, since it would have to be stopped again.

    The format's own library checks the whole of it once, and writes it. Its makers of cells check
    each cell as well, which takes 0.6 ms a step where all of this takes 0.1.
    """
    import nbformat  # takes 4 MB, which few web processes need
    from nbformat import v4

    book = nbformat.from_dict(notebook(trajectory, read_blob))  # type: ignore[no-untyped-call]
    nbformat.validate(book)
    text: str = v4.writes(book, split_lines=False)  # type: ignore[no-untyped-call]
    return text.encode() + b"\n"


def notebook(trajectory: Trajectory, read_blob: ReadBlob) -> dict[str, Any]:
    cells = [*opening_cells(trajectory)]
    for position, step in enumerate(trajectory.steps, 1):
        cells += step_cells(step, position, read_blob)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "canary": CANARY,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def opening_cells(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """Cells with the query, and one that makes the working folder."""
    files = ", ".join(f"`{name}`" for name in trajectory.inputs) or "none"
    parts = [f"# {trajectory.title}", trajectory.query, f"Files in `./data`: {files}"]
    yield markdown("task", "\n\n".join([*parts, trajectory.source]).strip())
    yield code("prepare", PREPARE.format(inputs=ascii(list(trajectory.inputs))), [], None)


def step_cells(
    step: Mapping[str, Any], position: int, read_blob: ReadBlob
) -> Iterator[dict[str, Any]]:
    """The cells of one step: what was thought, then what was run."""
    source, status = str(step.get("code") or ""), step.get("status")
    if not source.strip() or status == StepStatus.MALFORMED:
        title = "Answer" if status == StepStatus.ANSWER else f"Step {position}: no code was run"
        yield markdown(
            f"step-{position}", f"## {title}\n\n{step.get('reply') or step.get('left_out') or ''}"
        )
        return
    thought = str(step.get("thought") or "")
    heading = f"## Step {position}"
    if status in STOPPED:
        told = f"This cell was stopped: {STOPPED[StepStatus(status)]}."
        yield markdown(f"step-{position}", f"{heading}\n\n{thought}\n\n{told}\n\n{fenced(source)}")
        return
    yield markdown(f"step-{position}", f"{heading}\n\n{thought}".strip())
    outputs = [
        shown
        for output in step.get("outputs") or ()
        if (shown := cell_output(output, position, read_blob))
    ]
    cell = code(f"code-{position}", source, outputs, position)
    if status == StepStatus.ERROR:
        cell["metadata"]["tags"] = ["raises-exception"]
    yield cell


def markdown(cell_id: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": printable(text)}


def code(
    cell_id: str, source: str, outputs: list[dict[str, Any]], count: int | None
) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": cell_id,
        "metadata": {},
        "source": printable(source),
        "outputs": outputs,
        "execution_count": count,
    }


def fenced(source: str) -> str:
    """`source` in a fence longer than any that it holds."""
    longest = max((len(run) for run in re.findall("`+", source)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{source}\n{fence}"


def printable(text: str) -> str:
    """Text that every JSON reader and page takes."""
    return clean(UNPRINTABLE.sub("", text))


def cell_output(
    output: Mapping[str, Any], count: int, read_blob: ReadBlob
) -> dict[str, Any] | None:
    """One stored output as nbformat has it; None when nothing of it can be shown."""
    kind, text = output.get("kind"), printable(str(output.get("text") or ""))
    match kind:
        case OutputKind.STDOUT | OutputKind.STDERR:
            return stream(str(kind), text)
        case OutputKind.NOTICE:
            return stream("stderr", f"[{text}]\n")
        case OutputKind.ERROR:
            return {
                "output_type": "error",
                "ename": printable(str(output.get("error_name") or "Error")),
                "evalue": printable(str(output.get("error_value") or "")),
                "traceback": text.split("\n"),
            }
    data = bundle(output.get("data") or {}, read_blob)
    if text:
        data.setdefault("text/plain", text)
    if not data:
        return None
    if kind == OutputKind.RESULT:
        return {
            "output_type": "execute_result",
            "data": data,
            "metadata": {},
            "execution_count": count,
        }
    return {"output_type": "display_data", "data": data, "metadata": {}}


def stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def bundle(data: Mapping[str, Any], read_blob: ReadBlob) -> dict[str, str]:
    """The pictures and texts of a MIME bundle; nothing that runs."""
    kept: dict[str, str] = {}
    for mime, value in data.items():
        if isinstance(value, Mapping):
            raw = read_blob(str(value.get("blob") or ""))
            if raw is None:
                continue
            is_text = mime not in PICTURES
            value = raw.decode("utf-8", "replace") if is_text else base64.b64encode(raw).decode()
        if isinstance(value, str) and mime in PICTURES | TEXTS | {"image/svg+xml"}:
            kept[mime] = value if mime in PICTURES else printable(value)
    return kept
