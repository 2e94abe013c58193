"""A failed attempt with everything in it, and files of the kinds that pages show."""

from __future__ import annotations

import base64
import io
import wave

from django.db import transaction
from PIL import Image, ImageDraw

from leaderboard.models import Artifact, Attempt, pack
from leaderboard.storage import attempt_rows
from leaderboard.tests.support.rows.runs import end_judged
from leaderboard.tests.support.rows.steps import (
    add_file,
    add_step,
    change,
    make_step,
    printed,
    raised,
    show,
)
from runner.contract import (
    Assertion,
    ChangeKind,
    Output,
    OutputKind,
    Step,
    StepStatus,
    Usage,
    Verdict,
)

TABLE_HTML = """<div>
<style scoped>.dataframe tbody tr th { vertical-align: top; }</style>
<table border="1" class="dataframe"><thead><tr style="text-align: right;">
<th></th><th>quarter</th><th>amount</th><th>share</th></tr></thead><tbody>
<tr><th>0</th><td>Q1</td><td>12,480.50</td><td>0.21</td></tr>
<tr><th>1</th><td>Q2</td><td>15,910.00</td><td>0.27</td></tr>
<tr><th>2</th><td>Q3</td><td>14,002.75</td><td>0.24</td></tr>
<tr><th>3</th><td>Q4</td><td>16,433.20</td><td>0.28</td></tr>
</tbody></table><p>4 rows × 3 columns</p></div>"""


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


@transaction.atomic
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
    attempt_rows.save_verdict(attempt.pk, attempt.tries, failing_verdict())
    return attempt
