"""Trajectories to be written and read back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from leaderboard.models import unpack
from leaderboard.storage.attempt_rows import step_body
from leaderboard.trajectories.formats.trajectory import Trajectory
from runner.contract import Output, OutputKind, Step, StepStatus, Usage

CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "execute_python", "arguments": '{"code": "print(1)"}'},
}


def ran(index: int, code: str, printed: str = "", **more: Any) -> Step:
    """A step that ran `code`."""
    outputs = (Output(OutputKind.STDOUT, printed),) if printed else ()
    reply = f"Step {index}.\n\n```python\n{code}\n```"
    step = Step(
        index,
        StepStatus.OK,
        reply,
        thought=f"Step {index}.",
        code=code,
        outputs=outputs,
        observation=printed,
        usage=Usage(10, 5),
        model_s=0.5,
        cell_s=0.25,
        messages=(
            {"role": "assistant", "content": reply},
            {"role": "user", "content": printed},
        ),
    )
    return replace(step, **more)


def answered(index: int, text: str) -> Step:
    message = {"role": "assistant", "content": text}
    return Step(index, StepStatus.ANSWER, text, thought=text, messages=(message,))


def stored(*steps: Step) -> list[dict[str, Any]]:
    """The steps as the database gives them back."""
    return [unpack(step_body(step)) for step in steps]


def trajectory(*steps: Step, **more: Any) -> Trajectory:
    told = Trajectory(
        task="sales-by-region",
        title="Sales by region",
        category="Chart analysis",
        query="Sum `amount` of ./data/sales.csv per region. 按地区求和。",
        opening=[
            {"role": "system", "content": "You solve a task."},
            {"role": "user", "content": "Sum `amount`."},
        ],
        steps=stored(*steps),
        answer="North has 30.",
        inputs=["sales.csv"],
        outputs=["totals.csv"],
        source="Foo-70B on starter v1",
        facts={"outcome": "finished", "passed": True},
    )
    return replace(told, **more)


ERROR = Output(
    OutputKind.ERROR,
    "\x1b[31mKeyError\x1b[0m Traceback (most recent call last)\nKeyError: 'Amount'",
    error_name="KeyError",
    error_value="'Amount'",
)


PLAYED = (
    ran(1, "import pandas as pd\ndf = pd.read_csv('./data/sales.csv')\ndf.shape", "(3, 2)\n"),
    ran(2, "df['Amount'].sum()", status=StepStatus.ERROR, outputs=(ERROR,)),
    ran(3, "totals = df.groupby('region')['amount'].sum()\ntotals.to_csv('./output/totals.csv')"),
    ran(4, "while True: pass", status=StepStatus.TIMEOUT),
    ran(
        5,
        "%matplotlib inline\nimport matplotlib.pyplot as plt\ntotals.plot.bar()\n"
        "plt.savefig('./output/totals.png')\nprint(int(totals['North']))",
        "30\n",
    ),
    answered(6, "North has 30."),
)


FACTS = {
    "run": 7, "attempt": 1, "entry": "Foo-70B", "suite": "starter", "suite_version": "1",
    "outcome": "finished", "passed": True, "wall_s": 9.0,
    "usage": {"prompt_tokens": 60, "completion_tokens": 30, "cached_tokens": None},
    "verdict": {"sentence": "All right.", "assertions": [{"name": "a", "passed": True}]},
}  # fmt: skip


CALLED = ran(
    1,
    "print(1)",
    "1\n",
    reply="Look.",
    messages=(
        {"role": "assistant", "content": "Look.", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "1\n"},
    ),
)


def told_to_inspect() -> Trajectory:
    return trajectory(CALLED, *PLAYED[1:5], answered(6, "North has 30."), facts=FACTS)
