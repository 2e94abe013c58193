"""Reads a Jupyter notebook (nbformat 3 and 4): a step for each cell of code.

After nbformat's published schemas. What our own export writes is read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    attempt_of,
    mapping,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.conversation import Said, Unusable, joined
from leaderboard.trajectories.readers.json_documents import Document
from runner.contract import Output, OutputKind, Step, StepStatus

LOSSES = (
    "A notebook has no conversation: the text above a cell stands for the model's reply, and the "
    "outputs of the cell for what it was sent.",
    "A notebook has no times, no tokens and no files that a step changed.",
)
MAX_CELLS = 20_000
MAX_OUTPUTS = 2_000  # of one cell
MIMES = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml", "text/plain",
     "text/html", "text/markdown", "text/latex"}
)  # fmt: skip
FILES = "\n\nFiles in `./data`: "
STOPPED = "\n\nThis cell was stopped: "
ENDINGS = {
    "it ran into its time limit": StepStatus.TIMEOUT,
    "it ended its kernel; variables were lost": StepStatus.KILLED,
}
PREPARING = "prepare"  # id of the cell of our own that makes the working folder


def recognises(value: object) -> bool:
    return (
        isinstance(value, dict)
        and "nbformat" in value
        and bool({"cells", "worksheets"} & value.keys())
    )


def read(documents: Sequence[Document]) -> AttemptReading:
    rows: list[Row] = []
    errors: list[LineError] = []
    name, cut = "", ""
    for document in documents:
        book = mapping(document.value)
        name = name_of(book)
        cells = cells_of(book)
        cut = f"{document.damage} at cell {len(cells)}" if document.damage else ""
        try:
            rows.append(read_notebook(book, cells, document.line))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, name, LOSSES, "line", cut)


def name_of(book: Mapping[str, Any]) -> str:
    major, minor = text(book.get("nbformat"))[:6], text(book.get("nbformat_minor"))[:6]
    return f"a Jupyter notebook (nbformat {major}.{minor})" if minor else "a Jupyter notebook"


def cells_of(book: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    sheets = [book, *(mapping(sheet) for sheet in sequence(book.get("worksheets")))]
    return [
        cell for sheet in sheets for cell in sequence(sheet.get("cells")) if isinstance(cell, dict)
    ]


def read_notebook(book: Mapping[str, Any], cells: list[Mapping[str, Any]], number: int) -> Row:
    if len(cells) > MAX_CELLS:
        raise Unusable(f"There are more than {MAX_CELLS:,} cells.")
    language = text(mapping(mapping(book.get("metadata")).get("kernelspec")).get("language"))
    if language.lower() not in ("", "python", "python3", "ipython"):
        raise Unusable(f"The notebook's language is {language[:40]}, not Python.")
    above, rest = split_opening(cells)
    title, query, inputs = task_of(above)
    steps = tuple(read_cells(rest))
    if not steps:
        raise Unusable("The notebook has no cell of code.")
    facts = ForeignFacts(number=number, title=title, query=query, inputs=inputs)
    return attempt_of((Said("user", query),) if query else (), steps, facts)


def split_opening(
    cells: list[Mapping[str, Any]],
) -> tuple[list[str], list[Mapping[str, Any]]]:
    """The texts of the task, and the cells that follow them."""
    end = 0
    if cells and cells[0].get("id") == "task":  # our own
        end = 2 if len(cells) > 1 and cells[1].get("id") == PREPARING else 1
        return [source_of(cells[0])], cells[end:]
    while end < len(cells) and cells[end].get("cell_type") != "code":
        end += 1
    heads = min(1, end) if end < len(cells) else end
    return [source_of(cell) for cell in cells[:heads]], cells[heads:]


def task_of(above: Sequence[str]) -> tuple[str, str, tuple[str, ...]]:
    """Title, query and names of inputs, as far as the text has them."""
    told = "\n\n".join(above).strip()
    title = ""
    if told.startswith("# "):
        head, _, told = told.partition("\n")
        title, told = head.removeprefix("# ").strip(), told.strip()
    query, marker, files = told.rpartition(FILES)
    if not marker:
        return title, told, ()
    names = files.partition("\n")[0].split("`")[1::2]
    safe = (name for name in names if not name.startswith("/") and ".." not in name.split("/"))
    return title, query, tuple(safe)


def read_cells(cells: Sequence[Mapping[str, Any]]) -> Iterator[Step]:
    """A step for each cell of code with the text above it; text at the end is the answer."""
    waiting: list[str] = []
    index = 0
    for cell in cells:
        source = source_of(cell)
        if cell.get("cell_type") != "code":
            ours = own_step(source, index + 1)
            if ours is not None:
                index += 1
                yield ours
            elif source.strip():
                waiting.append(without_heading(source))
        elif source.strip():
            index += 1
            yield step_of(index, "\n\n".join(waiting), source, cell)
            waiting = []
    if any(part.strip() for part in waiting):
        answer = "\n\n".join(waiting)
        message = Said("assistant", answer).message
        yield Step(index + 1, StepStatus.ANSWER, answer, answer.strip(), messages=(message,))


def own_step(source: str, index: int) -> Step | None:
    """A step that our own export shows as text: one that ran no code, or was stopped."""
    head, marker, reply = source.partition(": no code was run\n\n")
    if marker and head.startswith("## Step ") and head[8:].isdigit():
        message = Said("assistant", reply).message
        return Step(index, StepStatus.MALFORMED, reply, reply.strip(), messages=(message,))
    above, marker, rest = source.partition(STOPPED)
    ending, _, fenced = rest.partition(".\n\n")
    if not marker or ending not in ENDINGS:
        return None
    code = fenced.strip("`\n").removeprefix("python\n")
    made = step_of(index, without_heading(above), code, {})
    return replace(made, status=ENDINGS[ending])


def without_heading(source: str) -> str:
    """Text without the heading that our own export gives it."""
    head, _, rest = source.partition("\n")
    words = head.removeprefix("## ")
    is_ours = head.startswith("## ") and (
        words == "Answer" or (words[5:].isdigit() and words[:5] == "Step ")
    )
    return rest.strip("\n") if is_ours else source


def step_of(index: int, thought: str, code: str, cell: Mapping[str, Any]) -> Step:
    shown = sequence(cell.get("outputs"))
    outputs = tuple(
        output
        for told in shown[:MAX_OUTPUTS]
        if isinstance(told, dict)
        for output in output_of(told)
    )
    observation = "\n".join(part for output in outputs if (part := output.text.strip("\n")))
    has_raised = any(output.kind is OutputKind.ERROR for output in outputs)
    reply = joined(thought, f"```python\n{code}\n```")
    left = len(shown) - MAX_OUTPUTS
    said = (Said("assistant", reply), Said("user", observation))
    return Step(
        index=index,
        status=StepStatus.ERROR if has_raised else StepStatus.OK,
        reply=reply,
        thought=thought.strip(),
        code=code,
        outputs=outputs,
        observation=observation,
        notes=(f"{left:,} more outputs are left out",) if left > 0 else (),
        messages=tuple(one.message for one in said),
    )


def output_of(told: Mapping[str, Any]) -> Iterator[Output]:
    """One output of a cell, in nbformat's words."""
    kind = told.get("output_type")
    if kind == "stream":
        name = told.get("name", told.get("stream"))
        yield Output(
            OutputKind.STDERR if name == "stderr" else OutputKind.STDOUT, lines_of(told.get("text"))
        )
    elif kind in ("error", "pyerr"):
        name, value = text(told.get("ename")) or "Error", text(told.get("evalue"))
        lines = [line for line in sequence(told.get("traceback")) if isinstance(line, str)]
        trace = "\n".join(lines) or f"{name}: {value}"
        yield Output(OutputKind.ERROR, trace, error_name=name[:200], error_value=value)
    elif kind in ("execute_result", "display_data", "pyout"):
        bundle = mapping(told.get("data"))
        data = {mime: lines_of(value) for mime, value in bundle.items() if mime in MIMES}
        plain = data.pop("text/plain", "") or lines_of(told.get("text"))
        is_result = kind != "display_data"
        if data or plain:
            yield Output(OutputKind.RESULT if is_result else OutputKind.DISPLAY, plain, data)


def source_of(cell: Mapping[str, Any]) -> str:
    return lines_of(cell.get("source", cell.get("input")))


def lines_of(value: object) -> str:
    """Text that nbformat may keep as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""
