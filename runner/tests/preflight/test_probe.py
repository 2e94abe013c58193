"""A preflight over real connections and a real kernel: every answer becomes a sentence in time."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from conftest import served
from runner.contract import ActionFormat, EndpointSpec, Limits, SandboxUnavailable
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.guarded_transport import GuardedTransport
from runner.preflight.look import EndpointLook
from runner.preflight.probe import preflight
from runner.preflight.report import Check, Report, State, as_json
from runner.preflight.tiny_task import TINY_TASKS
from runner.reading.readers import UnreadableText, readers
from runner.sandbox.base import Sandbox, Session, ToolJob
from runner.sandbox.factory import open_sandbox
from runner.scripted.server import ScriptedServer
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import Answer, Handler, completion, misbehaving, said

pytestmark = pytest.mark.sandbox

KEY = "sk-the-key-of-a-submitter"
CODE = "open('output/letters.txt', 'w').write('9')"


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    sandbox = open_sandbox()
    try:
        await sandbox.run_tool(ToolJob(["python", "-c", "0"]))  # its service is warm
        yield sandbox
    finally:
        await sandbox.close()


def states(report: Report) -> dict[str, State]:
    return {check.name: check.state for check in report.checks}


def find(report: Report, name: str) -> Check:
    return next(check for check in report.checks if check.name == name)


@pytest.mark.parametrize("action_format", list(ActionFormat))
async def test_a_model_that_works_passes_every_check(
    sandbox: Sandbox, action_format: ActionFormat
) -> None:
    with served(ScriptedServer()) as server:
        spec = EndpointSpec(server.base_url, "reference", action_format=action_format)
        report = await preflight(spec, sandbox, total_s=60.0)
    assert set(states(report).values()) == {State.OK}
    assert list(states(report)) == [
        "reachable",
        "authorised",
        "model",
        "streaming",
        "format",
        "task",
    ]
    assert report.is_usable
    assert report.measures.turns == 2
    assert report.measures.prompt_tokens
    assert report.measures.reply_s is not None


CALL = json.dumps({"name": "execute_python", "arguments": {"code": CODE}})
HERMES = f"<tool_call>\n{CALL}\n</tool_call>"
LEFT = "The server leaves tool calls in the {} of replies. "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HERMES, LEFT.format("text") + "A run reads them from there."),
        (f"<think>I look.\n{HERMES}", LEFT.format("reasoning") + "A run reads them from there."),
        (HERMES.replace(": {", " {"), LEFT.format("text") + "The first cannot be read."),
    ],
)
async def test_server_that_leaves_calls_in_the_text_is_told_its_option(
    text: str, words: str, sandbox: Sandbox
) -> None:
    with misbehaving(said(text)) as server:
        spec = EndpointSpec(server.base_url, "some-model", action_format=ActionFormat.TOOLS)
        report = await preflight(spec, sandbox, total_s=60.0)
    check = find(report, "format")
    assert (check.state, check.said) == (State.WARNING, words)
    assert "--reasoning-parser" in check.next_step
    assert "--enable-auto-tool-choice --tool-call-parser hermes, " in check.next_step
    assert "SGLang with --tool-call-parser qwen25, " in check.next_step
    assert report.is_usable


async def test_code_that_no_call_holds_is_named(sandbox: Sandbox) -> None:
    with misbehaving(said(f"```python\n{CODE}\n```")) as server:
        spec = EndpointSpec(server.base_url, "some-model", action_format=ActionFormat.TOOLS)
        report = await preflight(spec, sandbox, total_s=60.0)
    assert find(report, "format").said.startswith("The model wrote code without a call")


@pytest.mark.parametrize(
    ("message", "finish", "words", "advice"),
    [
        ({"content": ""}, "stop", "The first reply was empty.", "chat template"),
        (
            {"content": "", "reasoning": "Hm."}, "stop",
            "The first reply held reasoning alone.", "chat template",
        ),
        (
            {"content": "", "reasoning": "Hm."}, "length",
            "The first reply was cut at the limit of tokens.", "Raise the tokens per reply",
        ),
        (
            {"content": "```python\nnum"}, "length",
            "The first reply was cut at the limit of tokens.", "Raise the tokens per reply",
        ),
        (
            {"content": ""}, "content_filter",
            "The endpoint's content filter withheld the first reply, or a part of it.", "Switch",
        ),
    ],
)  # fmt: skip
async def test_first_reply_without_code_or_answer_is_named(
    message: dict[str, str], finish: str, words: str, advice: str, sandbox: Sandbox
) -> None:
    with misbehaving(completion(message, finish)) as server:
        report = await preflight(EndpointSpec(server.base_url, "some-model"), sandbox, total_s=60.0)
    check = find(report, "format")
    assert (check.state, check.said) == (State.WARNING, words)
    assert advice in check.next_step


async def test_three_tiny_tasks_are_started_together(sandbox: Sandbox) -> None:
    meeting = threading.Barrier(3)

    def answer_when_three_wait(handler: Handler) -> None:
        meeting.wait(120)  # broken unless all three have asked before any got a reply
        said(f"```python\n{CODE}\n```")(handler)

    answers = [answer_when_three_wait] * 3 + [said("Done.")]
    with misbehaving(*answers) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=100.0)
        first = [str(body["messages"]) for body in server.bodies[:3]]
    assert not meeting.broken
    for task in TINY_TASKS:
        assert sum(task.suite_task.spec.query in asked for asked in first) == 1
    # Each wrote the file of the first task.
    assert find(report, "task").said == "2 of 3 ended without the expected file."
    assert find(report, "task").state is State.WARNING


async def test_tiny_tasks_beyond_the_time_are_not_seen_and_not_failed(sandbox: Sandbox) -> None:
    begun = threading.Lock()

    def one_at_a_time(handler: Handler) -> None:
        """Serve the first task alone, as a server with one slot; the others wait."""
        query = TINY_TASKS[0].suite_task.spec.query
        messages = handler.body["messages"]
        if not any(query in str(message["content"]) for message in messages):
            handler.server.let_go.wait(120)
            return
        with begun:
            is_first = messages[-1]["role"] == "user" and query in messages[-1]["content"]
            said(f"```python\n{CODE}\n```" if is_first else "9")(handler)

    with misbehaving(one_at_a_time) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=6.0)
    task = find(report, "task")
    assert (
        task.said == "Passed 1 of 3 in real kernels with 2 replies. 2 not seen to the end in time."
    )
    assert task.state is State.OK
    assert report.measures.turns == 2
    assert report.is_usable


async def test_replies_to_some_of_three_name_the_refusal_of_the_others(sandbox: Sandbox) -> None:
    limited = endpoint_server.status(429, "one at a time", {"Retry-After": "99"})

    def first_alone(handler: Handler) -> None:
        query = TINY_TASKS[0].suite_task.spec.query
        is_first = any(query in str(message["content"]) for message in handler.body["messages"])
        (said(f"```python\n{CODE}\n```") if is_first else limited)(handler)

    with misbehaving(first_alone) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=60.0)
    together = find(report, "together")
    assert together.said.startswith("2 of 3 started together failed: ")
    assert together.state is State.WARNING
    assert find(report, "task").state is State.OK
    assert report.is_usable


async def test_server_that_ends_a_reply_when_another_is_asked_for_is_tried_alone(
    sandbox: Sandbox,
) -> None:
    """As llama_cpp.server does by its defaults."""
    cut_off = [endpoint_server.hang_up] * 9  # each of three asks three times
    answers = [*cut_off, said(f"```python\n{CODE}\n```"), said("9")]
    with misbehaving(*answers) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=60.0)
    together = find(report, "together")
    assert together.said == "All 3 started together were cut off, so one was tried alone."
    assert together.state is State.WARNING
    assert find(report, "task").said == "Passed 1 of 1 in real kernels with 2 replies."
    assert report.is_usable


async def test_a_model_that_ignores_the_format_is_warned_of(sandbox: Sandbox) -> None:
    with served(ScriptedServer()) as server:
        report = await preflight(EndpointSpec(server.base_url, "silent"), sandbox)
    assert find(report, "format").state is State.WARNING
    assert "without running any code" in find(report, "format").said
    assert report.is_usable


async def test_the_other_format_is_noticed(sandbox: Sandbox) -> None:
    with misbehaving(said(f"```python\n{CODE}\n```")) as server:
        spec = EndpointSpec(server.base_url, "m", action_format=ActionFormat.TOOLS)
        report = await preflight(spec, sandbox)
    assert find(report, "format").state is State.WARNING


async def test_a_model_the_endpoint_does_not_know(sandbox: Sandbox) -> None:
    with served(ScriptedServer()) as server:
        report = await preflight(EndpointSpec(server.base_url, "nope"), sandbox)
    assert find(report, "model").state is State.FAILED
    assert find(report, "model").next_step
    assert not report.is_usable


async def test_key_of_an_endpoint_that_only_answers_is_not_seen(sandbox: Sandbox) -> None:
    busy = endpoint_server.status(500, "oops", {"Retry-After": "99"})
    with misbehaving(busy) as server:
        report = await preflight(EndpointSpec(server.base_url, "m", api_key="sk-x"), sandbox)
        listing = await preflight(EndpointSpec(server.base_url, "", api_key="sk-x"), None)
    for each in (report, listing):
        assert find(each, "reachable").state is State.OK
        assert find(each, "authorised").state is State.UNSEEN


@pytest.mark.parametrize(
    ("answer", "name", "state", "words"),
    [
        (endpoint_server.status(401, "expired"), "authorised", State.FAILED, "refused the API key"),
        (endpoint_server.status(403, "no"), "authorised", State.FAILED, "does not allow"),
        (endpoint_server.status(404, "nothing"), "reply", State.FAILED, "There is nothing at"),
        (endpoint_server.status(400, "bad top_p"), "reply", State.FAILED, "refused the request"),
        (
            endpoint_server.status(500, "oops", {"Retry-After": "99"}),
            "reply",
            State.WARNING,
            "failed (500)",
        ),
        (
            endpoint_server.status(429, "later", {"Retry-After": "99"}),
            "reply",
            State.WARNING,
            "limits the",
        ),
        (
            endpoint_server.raw(200, "text/html", b"<h1>Hi</h1>"),
            "reply",
            State.FAILED,
            "a web page",
        ),
        (endpoint_server.raw(200, "application/json", b"{"), "reply", State.FAILED, "not JSON"),
        (
            endpoint_server.raw(200, "application/json", b"{}"),
            "reply",
            State.FAILED,
            "no choices",
        ),
        (
            endpoint_server.raw(302, "text/plain", b"", {"Location": "/x"}),
            "reply",
            State.FAILED,
            "redirects",
        ),
    ],
)
async def test_each_failure_is_one_sentence_with_what_to_do(
    sandbox: Sandbox, answer: Answer, name: str, state: State, words: str
) -> None:
    with misbehaving(answer) as server:
        report = await preflight(EndpointSpec(server.base_url, "m", KEY), sandbox)
    found = find(report, name)
    assert found.state is state
    assert words in found.said
    assert found.next_step
    assert report.checks[-1] == found
    assert KEY not in str(as_json(report))
    assert report.is_usable is (state is State.WARNING)


async def test_nobody_there() -> None:
    report = await preflight(EndpointSpec("http://127.0.0.1:9/v1", "m"), None)
    assert states(report) == {"reachable": State.FAILED}
    assert "the connection was refused" in report.checks[0].said


async def test_a_silent_endpoint_costs_no_more_than_the_time_there_is(sandbox: Sandbox) -> None:
    with misbehaving(endpoint_server.silence) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=4.0)
        assert not server.let_go.is_set()  # it said nothing until the report stood
    assert find(report, "format").state is State.UNSEEN
    assert find(report, "task").state is State.UNSEEN
    assert "15 minutes" in find(report, "format").next_step
    assert report.is_usable


class StuckSandbox:
    """Opens no kernel, and does not stop when it is called off either."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()

    async def open(self, data: Path, limits: Limits) -> Session:
        while not self.may_end.is_set():
            with suppress(asyncio.CancelledError):
                await self.may_end.wait()
        raise SandboxUnavailable("it never came")


async def test_report_does_not_wait_for_work_that_will_not_stop() -> None:
    stuck = StuckSandbox()
    # Should the deadline not be kept, the test fails after a minute instead of hanging.
    asyncio.get_running_loop().call_later(60, stuck.may_end.set)
    with served(ScriptedServer()) as server:
        spec = EndpointSpec(server.base_url, "reference")
        report = await preflight(spec, cast(Sandbox, stuck), total_s=30.0, kernel_s=0.5)
        assert not stuck.may_end.is_set()
        assert find(report, "reachable").state is State.OK  # what was seen until then is reported
        assert find(report, "task").state is State.SKIPPED
        assert report.is_usable
        stuck.may_end.set()


class LateSandbox:
    """A sandbox that is only just starting, as on a new worker."""

    def __init__(self, sandbox: Sandbox, late_s: float) -> None:
        self.sandbox, self.late_s = sandbox, late_s

    async def open(self, inputs: Path, limits: Limits) -> Session:
        await asyncio.sleep(self.late_s)
        return await self.sandbox.open(inputs, limits)


async def test_a_kernel_that_comes_late_costs_the_endpoint_no_time(sandbox: Sandbox) -> None:
    late = LateSandbox(sandbox, 2.0)
    began_s = time.monotonic()
    with served(ScriptedServer()) as server:
        spec = EndpointSpec(server.base_url, "reference")
        report = await preflight(spec, cast(Sandbox, late), total_s=60.0, kernel_s=60.0)
    assert find(report, "task").state is State.OK
    assert report.took_s < time.monotonic() - began_s - 1.9


@pytest.mark.parametrize("comes", [True, False])
async def test_the_clock_stands_still_while_a_kernel_is_waited_for(comes: bool) -> None:
    look, event = EndpointLook(time.monotonic() + 100.0), asyncio.Event()
    waiting = asyncio.create_task(look.wait_for(event, 60.0 if comes else 2.0))
    await asyncio.sleep(0)
    if comes:
        asyncio.get_running_loop().call_later(2.0, event.set)
    assert look.left_s() > 101.0  # for whoever waits for the whole look meanwhile
    await waiting
    assert 70 < look.left_s() <= 100.0
    assert look.waited_s >= 1.9


class BrokenSandbox:
    async def open(self, inputs: Path, limits: Limits) -> Session:
        raise OSError("no space left on device")


async def test_a_kernel_that_breaks_on_our_side_is_ours(caplog: pytest.LogCaptureFixture) -> None:
    with served(ScriptedServer()) as server:
        spec = EndpointSpec(server.base_url, "reference")
        report = await preflight(spec, cast(Sandbox, BrokenSandbox()))
    assert "on our side" in find(report, "task").said
    assert report.is_usable
    assert "no space left on device" in caplog.text


async def test_absent_endpoint_is_reported_without_waiting_for_a_kernel() -> None:
    stuck = StuckSandbox()
    asyncio.get_running_loop().call_later(60, stuck.may_end.set)
    spec = EndpointSpec("http://127.0.0.1:1/v1", "m")
    report = await preflight(spec, cast(Sandbox, stuck), kernel_s=30.0)
    assert not stuck.may_end.is_set()
    assert states(report) == {"reachable": State.FAILED}
    stuck.may_end.set()


async def test_code_that_never_ends_is_ended(sandbox: Sandbox) -> None:
    with misbehaving(said("```python\nwhile True: pass\n```")) as server:
        report = await preflight(EndpointSpec(server.base_url, "m"), sandbox, total_s=7.0)
    assert find(report, "format").state is State.OK
    assert find(report, "task").state is not State.OK


async def test_report_without_a_kernel_still_has_the_rest() -> None:
    with served(ScriptedServer()) as server:
        report = await preflight(EndpointSpec(server.base_url, "reference"), None)
    assert find(report, "model").state is State.OK
    assert find(report, "task").state is State.SKIPPED
    assert report.is_usable


@pytest.mark.parametrize(
    "base_url", ["http://127.0.0.1:8001/v1", "https://10.0.0.1/v1", "https://[::1]/v1"]
)
async def test_the_guard_holds_for_preflights(base_url: str) -> None:
    report = await preflight(EndpointSpec(base_url, "m"), None, GuardedTransport(AddressPolicy()))
    assert states(report) == {"reachable": State.FAILED}
    assert not report.is_usable


async def test_slow_text_of_another_account_stops_no_preflight(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.reading.readers.CPU_S", 600.0)
    endless = (re.match, "(a+)+$", "a" * 60 + "b")
    with served(ScriptedServer()) as server:
        attack = asyncio.create_task(readers().read("attacker", *endless))
        spec = EndpointSpec(server.base_url, "reference")
        report = await preflight(spec, sandbox, total_s=60.0)
        assert find(report, "task").state is State.OK
        assert not attack.done()
        for reader in list(readers().busy):
            reader.process.kill()
        with suppress(UnreadableText):
            await attack
