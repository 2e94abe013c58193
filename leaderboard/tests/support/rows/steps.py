"""Steps and files of attempts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leaderboard.models import Artifact, Attempt
from leaderboard.models import Step as StepRow
from leaderboard.storage import attempt_rows, blobs
from leaderboard.tests.support.rows.runs import NOW
from runner.contract import ChangeKind, FileChange, Output, OutputKind, Step, StepStatus, Usage

TRACEBACK = (
    "\x1b[31m---------------------------------------------------------------------------\x1b[39m\n"
    "\x1b[31mKeyError\x1b[39m                                  Traceback (most recent call last)\n"
    "\x1b[36mFile \x1b[39m\x1b[32m/opt/kernel/lib/python3.11/site-packages/pandas/core/indexes/"
    "base.py:3812\x1b[39m, in \x1b[36mIndex.get_loc\x1b[39m\x1b[34m(self, key)\x1b[39m\n"
    "\x1b[32m   3811\x1b[39m \x1b[38;5;28;01mtry\x1b[39;00m:\n"
    "\x1b[32m-> 3812\x1b[39m     \x1b[38;5;28;01mreturn\x1b[39;00m \x1b[38;5;28mself\x1b[39m"
    "._engine.get_loc(casted_key)\n\n"
    "\x1b[36mFile \x1b[39m\x1b[32mpandas/_libs/index.pyx:167\x1b[39m, in "
    "\x1b[36mpandas._libs.index.IndexEngine.get_loc\x1b[39m\x1b[34m()\x1b[39m\n\n"
    "\x1b[31mKeyError\x1b[39m: 'quarter'\n\n"
    "The above exception was the direct cause of the following exception:\n\n"
    "\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[2]\x1b[39m\x1b[32m, line 3\x1b[39m\n"
    "\x1b[32m      1\x1b[39m sales = pd.read_csv('data/sales.csv')\n"
    "\x1b[32m      2\x1b[39m sales['amount'] = clean(sales['amount'])\n"
    "\x1b[32m----> 3\x1b[39m totals = \x1b[43msales\x1b[49m\x1b[43m[\x1b[49m"
    "\x1b[33;43m'quarter'\x1b[39;49m\x1b[43m]\x1b[49m.value_counts()\n\n"
    "\x1b[36mFile \x1b[39m\x1b[32m/opt/kernel/lib/python3.11/site-packages/pandas/core/frame.py"
    ":4107\x1b[39m, in \x1b[36mDataFrame.__getitem__\x1b[39m\x1b[34m(self, key)\x1b[39m\n"
    "\x1b[32m-> 4107\x1b[39m indexer = \x1b[38;5;28mself\x1b[39m.columns.get_loc(key)\n\n"
    "\x1b[31mKeyError\x1b[39m: 'quarter'"
)


def add_step(attempt: Attempt, step: Step, try_number: int = 1) -> StepRow:
    attempt.tries = try_number
    attempt.save(update_fields=["tries"])
    body, kept = attempt_rows.step_body(step), attempt_rows.keep_changes(step)
    attempt_rows.save_step(attempt, step, body, kept)
    return attempt.steps.get(try_number=try_number, index=step.index)


def add_file(
    attempt: Attempt, path: str, content: bytes, role: Artifact.Role = Artifact.Role.OUTPUT
) -> None:
    files = [(path, blobs.keep_digest(content, path))]
    kept = attempt_rows.kept_files(attempt.pk, attempt.tries, role, files)
    Artifact.objects.bulk_create(kept)


def change(path: str, content: bytes | None, kind: ChangeKind = ChangeKind.CREATED) -> FileChange:
    size = len(content) if content is not None else 0
    return FileChange(path, kind, size, size_before_bytes=812, sha256="0" * 64, content=content)


def make_step(
    index: int,
    *,
    code: str = "print('hello')",
    thought: str = "",
    outputs: Sequence[Output] = (),
    changes: Sequence[FileChange] = (),
    status: StepStatus = StepStatus.OK,
    notes: Sequence[str] = (),
) -> Step:
    return Step(
        index=index,
        status=status,
        reply=f"{thought}\n```python\n{code}\n```",
        thought=thought,
        code=code,
        outputs=tuple(outputs),
        changes=tuple(changes),
        notes=tuple(notes),
        usage=Usage(prompt_tokens=1200, completion_tokens=204),
        model_s=2.31,
        cell_s=0.42,
        started_at=NOW.timestamp(),
    )


def show(data: Mapping[str, str], text: str = "") -> Output:
    return Output(OutputKind.DISPLAY, text=text, data=data)


def printed(text: str, cut_chars: int = 0) -> Output:
    return Output(OutputKind.STDOUT, text=text, cut_chars=cut_chars)


def raised(text: str = TRACEBACK, name: str = "KeyError", value: str = "'quarter'") -> Output:
    return Output(OutputKind.ERROR, text=text, error_name=name, error_value=value)
