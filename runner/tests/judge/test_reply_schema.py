"""Replies of judges, right, wrong and hostile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runner.judge.prompts import CRITERIA
from runner.judge.reply_schema import MAX_REPLY_CHARS, InvalidReply, read_reply
from runner.tests.judge.shown import make_shown


def reply(verdict: str = "pass", **answers: Any) -> dict[str, Any]:
    given = {key: {"answer": "yes", "steps": [1], "why": "seen"} for key in CRITERIA}
    return {"criteria": {**given, **answers}, "verdict": verdict, "reason": "ok"}


def no(*steps: Any) -> dict[str, Any]:
    return {"answer": "no", "steps": list(steps), "why": "missing"}


def test_reads_a_verdict_alone_fenced_and_after_thoughts() -> None:
    text = json.dumps(reply())
    for said in (text, f"```json\n{text}\n```", f"<think>{{no}}</think>\nHere: {text} Done."):
        opinion = read_reply("single", said, make_shown())
        assert opinion.verdict == "pass"
        assert [one.key for one in opinion.criteria] == list(CRITERIA)
        assert opinion.criteria[2].steps == (1,)
    quoting = reply("fail", files_produced={**no(), "why": "It prints </think> and {}."})
    for said in (json.dumps(quoting), f"<think>{text}</think>{json.dumps(quoting)}"):
        assert read_reply("single", said, make_shown()).verdict == "fail"
    with pytest.raises(InvalidReply, match="no JSON object"):
        read_reply("single", f"<think>{text}</think>I cannot say.", make_shown())
    failed = reply("fail", files_produced=no())
    assert read_reply("single", json.dumps(failed), make_shown()).verdict == "fail"
    unsure = {"answer": "cannot tell", "steps": [], "why": ""}
    both = reply("cannot tell", content_meets_request=unsure)
    assert read_reply("single", json.dumps(both), make_shown()).verdict == "cannot tell"


BAD: dict[str, tuple[Any, str]] = {
    "empty": ("", "no JSON object"),
    "words": ("It passes.", "no JSON object"),
    "broken": ('{"criteria": {', "no JSON object"),
    "brace order": ("} {", "no JSON object"),
    "not JSON": ("{pass}", "no valid JSON"),
    "two objects": (json.dumps(reply()) * 2, "no valid JSON"),
    "deep": ('{"a":' * 20_000 + "1" + "}" * 20_000, "longer|no valid JSON"),
    "huge": (" " * MAX_REPLY_CHARS + "{}", "longer than"),
    "a key twice": ('{"verdict": "fail", "verdict": "pass"}', "key is given twice"),
    "a key too many": ({**reply(), "note": 1}, "exactly these keys"),
    "a criterion too few": ({**reply(), "criteria": {}}, "exactly these keys"),
    "criteria as a list": ({**reply(), "criteria": []}, "must be an object"),
    "criterion as text": (reply(files_produced="yes"), "must be an object"),
    "verdict in capitals": (reply("PASS"), "must be one of"),
    "verdict true": ({**reply(), "verdict": True}, "must be one of"),
    "answer as a list": (reply(files_produced={**no(), "answer": ["no"]}), "must be one of"),
    "invented step": (reply("fail", files_produced=no(9_999)), "does not exist"),
    "step zero": (reply("fail", files_produced=no(0)), "does not exist"),
    "step as text": (reply("fail", files_produced=no("1")), "whole numbers"),
    "step true": (reply("fail", files_produced=no(True)), "whole numbers"),
    "step infinite": ('{"criteria": Infinity, "verdict": "pass", "reason": ""}', "an object"),
    "too many steps": (reply("fail", files_produced=no(*[1] * 99)), "at most 50"),
    "pass with a no": (reply("pass", files_produced=no()), "“pass” though"),
    "fail without a no": (reply("fail"), "“fail” though"),
    "reason missing": ({**reply(), "reason": None}, "must be text"),
    "backed by no step": (
        reply(answer_backed={"answer": "yes", "steps": [], "why": ""}),
        "code was executed",
    ),
    "backed by a step without code": (
        reply(answer_backed={"answer": "yes", "steps": [3], "why": ""}),
        "code was executed",
    ),
}


def test_bad_reply_is_refused_in_our_own_words(subtests: pytest.Subtests) -> None:
    for name in sorted(BAD):
        with subtests.test(name=name):
            said, words = BAD[name]
            text = said if isinstance(said, str) else json.dumps(said)
            with pytest.raises(InvalidReply, match=words):
                read_reply("single", text, make_shown())


def test_pairwise_verdict_is_that_of_the_second_agent() -> None:
    both = {"analysis": "a", "agent_1": "Pass", "agent_2": "Failed", "preference": 0}
    opinion = read_reply("pairwise", json.dumps(both), make_shown())
    assert (opinion.verdict, opinion.criteria) == ("fail", ())
    for wrong in ({"preference": True}, {"preference": 2}, {"agent_2": "pass"}, {"x": 1}):
        with pytest.raises(InvalidReply):
            read_reply("pairwise", json.dumps({**both, **wrong}), make_shown())
