"""Judges at real endpoints on loopback: good ones, hostile ones, and ways of asking for JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from conftest import served
from runner.endpoint.errors import EndpointError
from runner.endpoint.http import open_http
from runner.endpoint.limiter import ConcurrencyLimit, Gate
from runner.judge.asking import AtCeiling, JudgeAnswer, JudgeCaller, ReplyFormat, spec_of
from runner.judge.profile import JudgeForm, JudgeProfile
from runner.scripted.server import ScriptedRefusal
from runner.tests.judge.shown import make_shown
from runner.tests.support.odd_judges import OddHandler, OddServer


@dataclass
class CountingPurse:
    left: int = 10**9
    spent: int = 0
    reserved: int = 0

    def reserve(self, prompt_tokens: int, completion_tokens: int) -> bool:
        wanted = prompt_tokens + completion_tokens
        if self.spent + wanted > self.left:
            return False
        self.reserved += 1
        return True

    def settle(self, reserved: tuple[int, int], taken: tuple[int, int]) -> None:
        self.reserved -= 1
        self.spent += sum(taken)


class PickyServer(OddServer):
    """Refuses the named kinds of `response_format`, and notes what was asked for."""

    def __init__(self, *refused: str) -> None:
        super().__init__()
        self.refused, self.asked = refused, list[str]()
        self.current: dict[str, Any] = {}

    def reply(self, model: str, messages: Any) -> Any:
        kind = self.current.get("response_format", {}).get("type", "text")
        self.asked.append(kind)
        if kind in self.refused:
            raise ScriptedRefusal(400, "unsupported", "response_format is not supported.")
        return super().reply(model, messages)


@pytest.fixture
def server() -> Iterator[PickyServer]:
    with serve(PickyServer()) as server:
        yield server


@contextmanager
def serve(server: PickyServer) -> Iterator[PickyServer]:
    class Noting(OddHandler):
        def read_request(self) -> dict[str, Any]:
            server.current = super().read_request()
            return server.current

    server.RequestHandlerClass = Noting
    with served(server):
        yield server


def judge(
    server: PickyServer, model: str, purse: CountingPurse | None = None, **more: Any
) -> tuple[JudgeAnswer, JudgeCaller]:
    form = more.pop("form", JudgeForm.SINGLE)
    reference = make_shown() if form is JudgeForm.PAIRWISE else None
    purse = purse or CountingPurse()

    async def ask() -> tuple[JudgeAnswer, JudgeCaller]:
        profile = JudgeProfile(model, form)
        async with open_http() as http:
            spec = spec_of(profile, server.base_url)
            gate = Gate(ConcurrencyLimit(2))
            caller = JudgeCaller(profile, spec, http, gate, purse, **more)
            return await caller.judge(make_shown(), reference), caller

    result = asyncio.run(ask())
    assert purse.reserved == 0
    return result


def test_careful_judge_gives_verdict_criteria_and_usage(server: PickyServer) -> None:
    purse = CountingPurse()
    answer, _ = judge(server, "judge", purse)
    assert (answer.verdict, answer.replies, server.asked) == ("pass", 1, ["json_schema"])
    assert answer.opinion is not None
    assert answer.opinion.criteria[2].steps == (2,)
    assert purse.spent == (answer.usage.prompt_tokens or 0) + (answer.usage.completion_tokens or 0)
    assert purse.spent > 100
    answer, _ = judge(server, "judge", form=JudgeForm.PAIRWISE)
    assert answer.opinion is not None
    assert answer.opinion.extra == {"agent_1": "Pass", "agent_2": "Pass", "preference": 1}


@pytest.mark.parametrize(
    ("refused", "asked"),
    [
        (("json_schema",), ["json_schema", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "text"]),
    ],
    ids=["object", "text"],
)
def test_endpoint_without_a_response_format_is_asked_more_plainly(
    refused: tuple[str, ...], asked: list[str]
) -> None:
    with serve(PickyServer(*refused)) as server:
        answer, caller = judge(server, "judge")
        assert answer.verdict == "pass"
        assert server.asked == asked
        assert caller.reply_format == asked[-1]
        judge(server, "judge", reply_format=ReplyFormat(asked[-1]))
        assert server.asked == [*asked, asked[-1]]


def test_endpoint_that_refuses_everything_is_no_judge_error() -> None:
    with (
        serve(PickyServer("json_schema", "json_object", "text")) as server,
        pytest.raises(EndpointError, match="refused the request"),
    ):
        judge(server, "judge")


@pytest.mark.parametrize(
    ("model", "words"),
    [("judge-invalid-json", "no JSON object"), ("judge-invents-steps", "does not exist")],
    ids=["invalid-json", "invents-steps"],
)
def test_hostile_judge_is_asked_once_more_and_then_in_error(
    server: PickyServer, model: str, words: str
) -> None:
    answer, _ = judge(server, model)
    assert (answer.verdict, answer.replies, answer.opinion) == ("judge error", 2, None)
    assert words in answer.problem
    assert answer.raw


def test_judge_that_is_clear_at_the_second_reply_counts(server: PickyServer) -> None:
    answer, _ = judge(server, "judge-late-json")
    assert (answer.verdict, answer.replies, answer.problem) == ("pass", 2, "")


def test_judge_that_never_ends_is_in_error_within_its_time(server: PickyServer) -> None:
    answer, _ = judge(server, "judge-endless", timeout_s=0.3)
    assert answer.verdict == "judge error"
    assert "did not finish a reply" in answer.problem


def test_nothing_is_asked_above_the_ceiling(server: PickyServer) -> None:
    with pytest.raises(AtCeiling):
        judge(server, "judge", CountingPurse(left=1_000))
    assert server.asked == []


def test_pictures_reach_an_endpoint_without_a_system_role(server: PickyServer) -> None:
    from runner.endpoint.client import without_system
    from runner.judge.messages import build_messages

    shown = replace(make_shown(picture="data:image/png;base64,AAAA"), names=())
    merged = without_system(build_messages("single", shown, takes_images=True))
    kinds = [part["type"] for part in merged[0]["content"]]  # type: ignore[attr-defined]
    assert len(merged) == 1
    assert (kinds[0], "image_url" in kinds) == ("text", True)
    assert "You judge one recorded attempt" in json.dumps(merged[0])
