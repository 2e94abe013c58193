"""Whole attempts: real endpoint over HTTP, real sandbox, real check; every way they can end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from runner.attempt import AttemptPlace, Playing, in_slot, play
from runner.cancellation import Stopped
from runner.contract import (
    ActionFormat,
    AttemptResult,
    CellResult,
    EndpointSpec,
    Fenced,
    KernelLost,
    Limits,
    Outcome,
    OutputKind,
    SandboxUnavailable,
    Step,
    StepStatus,
)
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import open_http
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host_tools import TOOLS, HostTool
from runner.suite.reader import Suite
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import Answer, misbehaving, said
from runner.tests.support.small_suite import DOUBLE, Watcher, scripted, small_suite

pytestmark = pytest.mark.sandbox


def runs(code: str) -> Answer:
    return said(f"I try this.\n```python\n{code}\n```")


@dataclass
class Stage:
    """Setting in which a test plays attempts."""

    suite: Suite
    place: AttemptPlace
    folder: Path
    played: int = 0

    async def play(
        self,
        base_url: str,
        *,
        model: str = "model",
        task: str = "double",
        watcher: Watcher | None = None,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        **spec: Any,
    ) -> tuple[AttemptResult, Watcher]:
        watcher = watcher or Watcher()
        self.played += 1
        outputs = self.folder / str(self.played)
        outputs.mkdir()
        async with open_http() as http:
            chat = EndpointClient(EndpointSpec(base_url, model, **spec), http, first_pause_s=0.01)
            playing = Playing(
                suite=self.suite,
                task=self.suite.task(task),
                seed=self.suite.seed,
                limits=limits or self.suite.limits,
                chat=chat,
                listener=watcher,
                outputs=outputs,
            )
            place = replace(self.place, sandbox=sandbox or self.place.sandbox)
            return await play(playing, place), watcher

    async def hear(self, *answers: Answer, **more: Any) -> tuple[AttemptResult, Watcher]:
        """Play against a model that says these things."""
        with misbehaving(*answers) as server:
            return await self.play(server.base_url, **more)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    sandbox = open_sandbox()
    place = AttemptPlace(sandbox, tmp_path / "instances", asyncio.Semaphore(2))
    (tmp_path / "outputs").mkdir()
    yield Stage(small_suite(tmp_path), place, tmp_path / "outputs")
    await sandbox.close()


def statuses(watcher: Watcher) -> list[StepStatus]:
    return [step.status for step in watcher.steps]


@pytest.mark.parametrize("action_format", list(ActionFormat))
async def test_the_reference_passes_in_every_format(
    stage: Stage, action_format: ActionFormat
) -> None:
    with scripted(stage.suite) as server:
        result, watcher = await stage.play(
            server.base_url, model="reference", action_format=action_format
        )
    assert result.outcome == Outcome.FINISHED, result.problem and result.problem.what
    assert result.verdict
    assert result.verdict.passed, result.verdict.sentence
    assert (result.answer, result.turns, result.problem) == ("It is 42.", 2, None)
    assert [f.path for f in result.harvest.files] == ["double.txt"]
    assert result.harvest.files[0].location.read_text() == "42"
    assert statuses(watcher) == [StepStatus.OK, StepStatus.ANSWER]
    assert watcher.steps[0].observation == "double: 42"
    assert [(c.path, c.kind) for c in watcher.steps[0].changes] == [
        ("output/double.txt", "created")
    ]
    assert result.usage.prompt_tokens
    assert result.environment["sandbox"] == "zygote"


async def test_placeholders_reach_the_model_filled_in(stage: Stage) -> None:
    with scripted(stage.suite) as server:
        result, watcher = await stage.play(server.base_url, model="reference", task="greet")
    assert result.verdict
    assert result.verdict.passed
    assert watcher.opening
    assert "Hello guest-7" in str(watcher.opening.messages[1]["content"])
    assert watcher.opening.parameters == {"name": "guest-7"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.key)
async def test_attempt_whose_check_needs_a_missing_tool_asks_no_model(
    tool: HostTool, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports = f"def check(case):\n    {min(tool.names)!r}  # by which the tool is known"
    needing = DOUBLE.replace("def check(case):", imports)
    stage.suite = small_suite(tmp_path / "needing", double=needing)
    monkeypatch.setattr("runner.sandbox.host_tools.USR", tmp_path)
    with scripted(stage.suite) as server:
        result, watcher = await stage.play(server.base_url, model="reference")
        other, _ = await stage.play(server.base_url, model="reference", task="greet")
    assert result.outcome.is_void
    assert result.problem
    assert (result.problem.fault, result.problem.code) == ("us", f"host_lacks_{tool.key}")
    assert tool.title in result.problem.what
    assert f"apt-get install {tool.package}" in result.problem.next_step
    assert (watcher.opening, watcher.steps) == (None, [])
    assert other.verdict
    assert other.verdict.passed


@pytest.mark.parametrize("model", ["silent", "empty-file", "confident-liar", "keyword-stuffer"])
async def test_floors_fail(stage: Stage, model: str) -> None:
    with scripted(stage.suite) as server:
        result, _ = await stage.play(server.base_url, model=model)
    assert result.outcome == Outcome.FINISHED
    assert result.verdict
    assert not result.verdict.passed


async def test_the_messages_kept_are_the_messages_sent(stage: Stage) -> None:
    answers = [said("<think>hm</think>```python\nprint(1)\n```"), said("```bash\nls\n```"),
               said("Done.")]  # fmt: skip
    with misbehaving(*answers) as server:
        _, watcher = await stage.play(server.base_url)
    assert watcher.opening
    kept = [*watcher.opening.messages, *(m for step in watcher.steps for m in step.messages)]
    assert server.bodies[-1]["messages"] == kept[:-1]
    assert kept[-1] == {"role": "assistant", "content": "Done."}
    assert "hm" not in str(kept)
    assert watcher.steps[0].reply == "<think>hm</think>```python\nprint(1)\n```"
    assert statuses(watcher) == [StepStatus.OK, StepStatus.MALFORMED, StepStatus.ANSWER]
    assert "not bash" in watcher.steps[1].observation


async def test_variables_stay_from_cell_to_cell(stage: Stage) -> None:
    _, watcher = await stage.hear(runs("a = 41"), runs("a + 1"), said("Done."))
    assert [step.observation.split("\n")[0] for step in watcher.steps] == [
        "[The cell ran and printed nothing.]", "42", "",
    ]  # fmt: skip


async def test_out_of_turns_leaves_no_answer_but_a_verdict(stage: Stage) -> None:
    result, watcher = await stage.hear(runs("print('It is 42.')"))
    assert result.outcome == Outcome.OUT_OF_TURNS
    assert (result.answer, result.turns) == (None, 3)
    assert result.verdict
    assert not result.verdict.passed
    assert "One reply is left" in watcher.steps[1].observation
    assert "One reply is left" not in watcher.steps[0].observation


async def test_a_refused_output_is_named_with_the_reason(stage: Stage) -> None:
    link = runs("import os\nos.symlink('/etc/hostname', 'output/double.txt')")
    result, _ = await stage.hear(link, said("It is there."))
    assert result.verdict is not None
    assert "double.txt was not taken: it is a symbolic link." in result.verdict.sentence
    assert [a.actual for a in result.verdict.assertions] == ["refused"]


async def test_error_is_reported_and_survived(stage: Stage) -> None:
    _, watcher = await stage.hear(runs("a = 1\n{}['x']"), runs("a"), said("Done."))
    assert statuses(watcher) == [StepStatus.ERROR, StepStatus.OK, StepStatus.ANSWER]
    assert watcher.steps[0].observation.endswith("KeyError: 'x'")
    assert "\x1b" not in watcher.steps[0].observation
    assert "\x1b" in watcher.steps[0].outputs[-1].text


async def test_hanging_cell_is_stopped_and_the_model_informed(stage: Stage) -> None:
    limits = replace(stage.suite.limits, cell_timeout_s=3.0)
    _, watcher = await stage.hear(
        runs("a = 5\nwhile True: pass"), runs("a"), said("Done."), limits=limits
    )
    assert statuses(watcher) == [StepStatus.TIMEOUT, StepStatus.OK, StepStatus.ANSWER]
    assert "interrupted" in watcher.steps[0].observation
    assert watcher.steps[1].observation.startswith("5")


async def test_dead_kernel_is_replaced_and_the_model_informed(stage: Stage) -> None:
    code = "a = 1\nopen('output/kept.txt', 'w').write('kept')\nimport os; os._exit(1)"
    result, watcher = await stage.hear(
        runs(code), runs("print(open('output/kept.txt').read(), 'a' in globals())"), said("Done.")
    )
    assert statuses(watcher) == [StepStatus.KILLED, StepStatus.OK, StepStatus.ANSWER]
    assert "variables are lost" in watcher.steps[0].observation
    assert "kept False" in watcher.steps[1].observation
    assert result.outcome == Outcome.FINISHED


async def test_wall_time_ends_an_attempt_with_a_verdict(stage: Stage) -> None:
    limits = replace(stage.suite.limits, attempt_timeout_s=8.0)
    result, watcher = await stage.hear(runs("import time; time.sleep(60)"), limits=limits)
    assert result.outcome == Outcome.OUT_OF_TIME
    assert result.verdict
    assert not result.verdict.passed
    assert statuses(watcher) == [StepStatus.TIMEOUT]
    assert result.problem
    assert result.problem.code == "out_of_time"


async def test_a_reply_that_does_not_end_is_the_endpoints_failure(stage: Stage) -> None:
    limits = replace(stage.suite.limits, reply_timeout_s=0.5)
    result, _ = await stage.hear(endpoint_server.dripping, limits=limits)
    assert result.outcome == Outcome.ENDPOINT_FAILED
    assert result.verdict is None
    assert result.problem
    assert result.problem.code == "endpoint_timeout"


async def test_slow_replies_leave_the_attempts_time_to_its_cells(stage: Stage) -> None:
    limits = replace(stage.suite.limits, attempt_timeout_s=6.0)
    result, watcher = await stage.hear(endpoint_server.slowly(7.0, said("Done.")), limits=limits)
    assert result.outcome == Outcome.FINISHED
    assert result.model_s > limits.attempt_timeout_s
    assert statuses(watcher) == [StepStatus.ANSWER]


async def test_an_endpoint_that_fails_makes_the_attempt_void(stage: Stage) -> None:
    result, watcher = await stage.hear(runs("print(1)"), endpoint_server.status(401, "revoked"))
    assert result.outcome == Outcome.ENDPOINT_FAILED
    assert result.outcome.is_void
    assert (result.verdict, result.answer, result.turns) == (None, None, 1)
    assert result.problem
    assert result.problem.code == "endpoint_unauthorised"
    assert statuses(watcher) == [StepStatus.OK]


async def test_a_full_context_is_the_models_end_but_not_its_beginning(stage: Stage) -> None:
    full = endpoint_server.status(400, "This model's maximum context length is 8 tokens.")
    later, _ = await stage.hear(runs("print(1)"), full)
    assert later.outcome == Outcome.CONTEXT_FULL
    assert later.verdict
    first, _ = await stage.hear(full)
    assert first.outcome == Outcome.ENDPOINT_FAILED
    assert first.verdict is None


@pytest.mark.parametrize("answer", [endpoint_server.silence, runs("import time; time.sleep(60)")])
async def test_an_attempt_can_be_cancelled_while_it_waits(stage: Stage, answer: Answer) -> None:
    watcher = Watcher()
    asyncio.get_running_loop().call_later(1.0, watcher.stop.set)
    result, _ = await stage.hear(answer, watcher=watcher)
    assert result.outcome == Outcome.CANCELLED
    assert result.verdict is None


class Fence(Watcher):
    async def step(self, step: Step) -> None:
        raise Fenced("somebody else has it")


async def test_a_fence_ends_the_attempt_and_leaves_nothing(stage: Stage) -> None:
    opened: list[Session] = []
    with pytest.raises(Fenced):
        await stage.hear(
            runs("print(1)"), watcher=Fence(), sandbox=Spying(stage.place.sandbox, opened)
        )
    with pytest.raises(KernelLost):
        await opened[0].run("1", 5)


@dataclass
class Spying:
    """A sandbox that remembers its sessions."""

    inner: Sandbox
    opened: list[Session]
    kind: str = "spying"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def run_tool(self, job: Any) -> Any:
        return await self.inner.run_tool(job)

    def environment(self) -> dict[str, str]:
        return self.inner.environment()

    async def close(self) -> None:
        """Whoever opened the inner one closes it."""

    async def open(self, inputs: Path, limits: Limits) -> Session:
        session = await self.inner.open(inputs, limits)
        self.opened.append(session)
        return session


@dataclass
class Losing(Spying):
    """A sandbox whose kernels do not start."""

    async def open(self, inputs: Path, limits: Limits) -> Session:
        session = await super().open(inputs, limits)

        async def run(code: str, timeout_s: float) -> CellResult:
            raise KernelLost("no room")

        session.run = run  # type: ignore[method-assign]
        return session


@dataclass
class Absent(Spying):
    """A sandbox that this host does not have."""

    async def open(self, inputs: Path, limits: Limits) -> Session:
        raise SandboxUnavailable("bwrap is missing.")


@pytest.mark.parametrize(
    ("kind", "code"), [(Losing, "kernel_lost"), (Absent, "sandbox_unavailable")]
)
async def test_a_lost_kernel_is_void(stage: Stage, kind: type[Spying], code: str) -> None:
    result, _ = await stage.hear(runs("1"), sandbox=kind(stage.place.sandbox, []))
    assert (result.outcome, result.verdict) == (Outcome.KERNEL_LOST, None)
    assert result.problem
    assert result.problem.code == code


BROKEN = [
    ('def check(case):\n    raise RuntimeError("oops")', "def check(case):"),
    (
        'def make_inputs(seed, data):\n    raise RuntimeError("oops")',
        "def make_inputs(seed, data):",
    ),
]


@pytest.mark.parametrize(("broken", "head"), BROKEN)
async def test_a_broken_task_is_void(stage: Stage, tmp_path: Path, broken: str, head: str) -> None:
    stage.suite = small_suite(tmp_path / "other", double=DOUBLE.replace(head, f"{broken}\n    "))
    result, _ = await stage.hear(said("Done."))
    assert (result.outcome, result.verdict) == (Outcome.CHECK_CRASHED, None)
    assert result.problem
    assert "oops" in result.problem.what


async def test_pictures_are_kept_for_the_viewer(stage: Stage) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    _, watcher = await stage.hear(runs(code), said("Done."))
    (picture,) = [o for o in watcher.steps[0].outputs if o.kind == OutputKind.DISPLAY]
    assert picture.data["image/png"].startswith("iVBOR")
    assert "cannot see it" in watcher.steps[0].observation


async def test_attempts_share_slots(stage: Stage) -> None:
    """With one slot, three attempts at once all end well."""
    stage.place = replace(stage.place, slots=asyncio.Semaphore(1))
    with scripted(stage.suite) as server:
        played: Sequence[tuple[AttemptResult, Watcher]] = await asyncio.gather(
            *(stage.play(server.base_url, model="reference") for _ in range(3))
        )
    assert [r.verdict.passed for r, _ in played if r.verdict] == [True] * 3


async def test_work_that_takes_its_time_to_clear_up_is_left_to_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called off in a slot, it ends by itself; closing it would break what it is at."""
    monkeypatch.setattr("runner.cancellation.LET_GO_S", 0.01)
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.1)
            ended.set()

    watcher = Watcher()
    watcher.stop.set()
    playing = cast(Playing, SimpleNamespace(listener=watcher))
    monkeypatch.setattr("runner.cancellation.POLL_S", 0.05)
    with pytest.raises(Stopped):
        await in_slot(playing, stage.place, work())
    async with asyncio.timeout(30):
        await ended.wait()
