"""Realistic rows for the tests of the pages, written through the door's own recording functions."""

from __future__ import annotations

import base64
import io
import wave
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from PIL import Image, ImageDraw

from leaderboard import blobs, recording
from leaderboard.models import Artifact, Attempt, Entry, Run, Suite, Task, pack
from leaderboard.models import Step as StepRow
from leaderboard.summaries import summarise
from runner.contract import (
    Assertion,
    ChangeKind,
    Fault,
    FileChange,
    Outcome,
    Output,
    OutputKind,
    Status,
    Step,
    StepStatus,
    Usage,
    Verdict,
)

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LONG_NAME = "Extraordinarily-Verbose-Research-Preview-70B-Instruct-v2.1-x"  # 60 characters

CATEGORIES = [
    {"key": "chart", "title": "Chart analysis"},
    {"key": "text", "title": "Text analysis"},
    {"key": "image", "title": "Image & audio editing"},
    {"key": "maths", "title": "Complex maths"},
    {"key": "software", "title": "Software & website development"},
]
TASKS = [
    ("quarterly-sales", "Sales by quarter", "chart", "en", ["sales.csv"], ["quarters.csv"]),
    ("station-temperatures", "Warmest station of each month", "chart", "en", ["t.xlsx"], ["w.csv"]),
    ("word-frequency", "Most frequent words of a novel", "text", "en", ["book.txt"], ["top.json"]),
    ("news-digest", "新闻摘要与关键词", "text", "zh", ["news.md"], ["keywords.txt"]),
    ("rotate-photo", "Turn a photograph upright", "image", "en", ["in.png"], ["upright.png"]),
    ("trim-silence", "Trim the silence of a recording", "image", "en", ["a.wav"], ["b.wav"]),
    ("shortest-route", "Shortest delivery route", "maths", "en", ["map.json"], []),
    ("static-page", "A page from a price list", "software", "en", ["p.tsv"], ["index.html"]),
]

TABLE_HTML = """<div>
<style scoped>.dataframe tbody tr th { vertical-align: top; }</style>
<table border="1" class="dataframe"><thead><tr style="text-align: right;">
<th></th><th>quarter</th><th>amount</th><th>share</th></tr></thead><tbody>
<tr><th>0</th><td>Q1</td><td>12,480.50</td><td>0.21</td></tr>
<tr><th>1</th><td>Q2</td><td>15,910.00</td><td>0.27</td></tr>
<tr><th>2</th><td>Q3</td><td>14,002.75</td><td>0.24</td></tr>
<tr><th>3</th><td>Q4</td><td>16,433.20</td><td>0.28</td></tr>
</tbody></table><p>4 rows × 3 columns</p></div>"""

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


def make_png(colour: str = "#0072b2", size: tuple[int, int] = (320, 200)) -> bytes:
    """A small bar chart."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for index, share in enumerate((0.5, 0.75, 0.62, 0.9)):
        left = 30 + index * 70
        draw.rectangle((left, size[1] * (1 - share) + 10, left + 44, size[1] - 20), fill=colour)
    draw.line((20, size[1] - 20, size[0] - 10, size[1] - 20), fill="black")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def make_wav(seconds: float = 0.2) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\x00\x10" * int(8000 * seconds))
    return buffer.getvalue()


TaskFacts = tuple[str, str, str, str, list[str], list[str]]


def make_suite(name: str = "starter", tasks: Sequence[TaskFacts] = TASKS) -> Suite:
    suite = Suite.objects.create(
        name=name,
        version="1",
        title=f"{name.title()} suite",
        description="Everyday file tasks whose inputs are generated from a seed.",
        digest="ab" * 32,
        seed=20261121,
        categories=CATEGORIES,
        limits={"max_turns": 10},
    )
    for position, (key, title, category, language, inputs, outputs) in enumerate(tasks, 1):
        Task.objects.create(
            suite=suite,
            key=key,
            position=position,
            title=title,
            category=category,
            language=language,
            query=query_of(language),
            inputs=inputs,
            outputs=outputs,
            digest="cd" * 32,
        )
    return suite


def query_of(language: str) -> str:
    if language == "zh":
        return "读 ./data/news.md，把最常见的五个关键词存到 ./output/keywords.txt。"
    return (
        "Sum the column `amount` of ./data/sales.csv by quarter of `date` and save "
        "./output/quarters.csv with the columns quarter and amount, in order."
    )


def make_entry(
    name: str = "Foo 70B", *, is_scripted: bool = False, organisation: str = ""
) -> Entry:
    return Entry.objects.create(
        slug=f"entry-{Entry.objects.count() + 1}",
        name=name,
        organisation=organisation,
        model_name=name.lower(),
        provenance=Entry.Provenance.SCRIPTED if is_scripted else Entry.Provenance.RUN_HERE,
    )


def make_run(suite: Suite, entry: Entry | None = None, *, is_public: bool = True) -> Run:
    """A queued run with one queued attempt for each task."""
    run = Run.objects.create(
        entry=entry or make_entry(),
        suite=suite,
        seed=suite.seed,
        limits={"max_turns": 10, "cell_timeout_s": 60.0},
        environment={"sandbox": "bwrap", "kernel environment": "ef" * 32},
        is_public=is_public,
    )
    Attempt.objects.bulk_create(
        Attempt(run=run, task=task, category=task.category) for task in suite.tasks.all()
    )
    return run


def finish_run(run: Run, solved: int, void: int = 0) -> Run:
    """The first `solved` tasks passed, the last `void` void, the rest failed."""
    attempts = list(run.attempts.select_related("task").order_by("task__position"))
    for index, attempt in enumerate(attempts):
        if index >= len(attempts) - void:
            end_void(attempt)
        else:
            end_judged(attempt, passed=index < solved)
    run.status = Status.DONE
    run.started_at, run.finished_at = NOW, NOW + timedelta(minutes=7)
    run.save()
    summarise(run)
    return run


def end_judged(attempt: Attempt, *, passed: bool, sentence: str = "") -> Attempt:
    attempt.status, attempt.outcome = Status.DONE, Outcome.FINISHED
    attempt.passed, attempt.tries, attempt.turns = passed, 1, 3
    attempt.sentence = sentence or (
        "Passed: 4 assertions held."
        if passed
        else "Failed: quarters.csv has 5 rows, the query asks for 4."
    )
    attempt.prompt_tokens, attempt.completion_tokens = 4210, 612
    attempt.model_s, attempt.cell_s, attempt.wall_s = 9.4, 1.2, 11.9
    attempt.started_at, attempt.finished_at = NOW, NOW + timedelta(seconds=12)
    attempt.closing = pack({"answer": "The totals are saved.", "environment": {}})
    attempt.save()
    return attempt


def end_void(attempt: Attempt) -> Attempt:
    attempt.status, attempt.outcome = Status.DONE, Outcome.ENDPOINT_FAILED
    attempt.tries, attempt.void_tries = 4, 4
    attempt.fault, attempt.problem_code = Fault.SUBMITTER, "endpoint_overloaded"
    attempt.problem = "The endpoint answered 503 to every request for 3 minutes."
    attempt.next_step = "Start the run again when the endpoint is up."
    attempt.save()
    return attempt


def add_step(attempt: Attempt, step: Step, try_number: int = 1) -> StepRow:
    attempt.tries = try_number
    attempt.save(update_fields=["tries"])
    return recording.save_step(
        attempt, step, recording.step_body(step), recording.keep_changes(step)
    )


def add_file(
    attempt: Attempt, path: str, content: bytes, role: Artifact.Role = Artifact.Role.OUTPUT
) -> None:
    recording.save_artifacts(attempt, role, [(path, blobs.keep_bytes(content, path))])


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


def tell_failure(attempt: Attempt) -> Attempt:
    """A failed attempt with everything in it: an error, a table, a picture, a wrong file."""
    end_judged(attempt, passed=False)
    attempt.opening = pack(
        {
            "query": attempt.task.query,
            "seed": attempt.run.seed,
            "messages": [
                {"role": "system", "content": "You are given a Python interpreter.\nUse it."},
                {"role": "user", "content": attempt.task.query},
            ],
        }
    )
    attempt.save()
    sales = "date,amount\n" + "".join(f"2025-{m:02d}-03,$1,{m}40.50\n" for m in range(1, 13))
    add_file(attempt, "sales.csv", sales.encode(), Artifact.Role.INPUT)
    for step in failing_steps():
        add_step(attempt, step)
    add_file(attempt, "quarters.csv", QUARTERS)
    add_file(attempt, "plot.png", make_png("#e69f00"))
    recording.save_verdict(attempt, failing_verdict())
    return attempt


QUARTERS = (
    "quarter,amount\nQ1,12480.50\nQ2,15910.00\nQ3,14002.75\nQ4,16433.20\n合计,58826.45\n".encode()
)


def failing_steps() -> list[Step]:
    picture = base64.b64encode(make_png()).decode()
    return [
        make_step(
            1,
            thought="First I look: are the **amounts** clean?\n\n- dates\n- `amount`",
            code="import pandas as pd\n\nsales = pd.read_csv('data/sales.csv')\nsales.head()",
            outputs=[
                printed(
                    "         date     amount\n0  2025-01-03  $1,140.50\n1  2025-02-03  $1,240.50"
                )
            ],
        ),
        make_step(
            2,
            thought="The amounts carry a sign. I clean them and count by quarter.",
            code="sales['amount'] = clean(sales)\ntotals = sales['quarter'].value_counts()",
            outputs=[raised()],
            status=StepStatus.ERROR,
        ),
        make_step(
            3,
            thought="The same once more.",
            code="totals = sales['quarter'].value_counts()",
            outputs=[raised()],
            status=StepStatus.ERROR,
            notes=["1 more code block was not run."],
        ),
        make_step(
            4,
            thought="There is no such column: I derive it.",
            code="# 按季度汇总\nsales['quarter'] = pd.to_datetime(sales['date']).dt.quarter\n"
            "totals = sales.groupby('quarter', as_index=False)['amount'].sum()\ntotals",
            outputs=[show({"text/html": TABLE_HTML}, "  quarter  amount")],
            changes=[change("output/plot.png", make_png())],
        ),
        make_step(
            5,
            thought="Now the table with its total, and a better chart.",
            code="totals.to_csv('output/quarters.csv', index=False)\nplot(totals)",
            outputs=[
                Output(OutputKind.STDERR, text="UserWarning: Glyph 21512 missing from font"),
                show({"image/png": picture, "text/plain": "<Figure>"}),
            ],
            changes=[
                change("output/quarters.csv", QUARTERS),
                change("output/plot.png", make_png("#e69f00"), ChangeKind.CHANGED),
                change("scratch.tmp", None, ChangeKind.DELETED),
            ],
        ),
        Step(
            index=6,
            status=StepStatus.ANSWER,
            reply="The totals are saved.",
            thought="",
            usage=Usage(1400, 44),
            model_s=0.9,
        ),
    ]


def failing_verdict() -> Verdict:
    return Verdict(
        passed=False,
        sentence="Failed: quarters.csv has 5 rows, the query asks for 4.",
        check_version="v1",
        assertions=(
            Assertion("file", True, "quarters.csv", "quarters.csv", file="quarters.csv"),
            Assertion(
                "rows",
                False,
                "4",
                "5",
                "quarters.csv has 5 rows, the query asks for 4.",
                "quarters.csv",
            ),
            Assertion("total", True, "58826.45", "58826.45", file="quarters.csv"),
            Assertion("names the best quarter", False, "Q4", "", "The answer does not name Q4."),
        ),
    )
