"""Structured replies of judges: their JSON schemas, and a reader that refuses all else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from runner.judge.prompts import CRITERIA
from runner.judge.shown_attempt import ShownAttempt

YES, NO, CANNOT_TELL = "yes", "no", "cannot tell"
PASS, FAIL, ERROR = "pass", "fail", "judge error"
ANSWERS, VERDICTS = (YES, NO, CANNOT_TELL), (PASS, FAIL, CANNOT_TELL)
BACKED = "answer_backed"
MAX_REPLY_CHARS = 64_000
MAX_REASON_CHARS = 600
MAX_CITED = 50
THOUGHT_END = "</think>"


@dataclass(frozen=True)
class Criterion:
    """A judge's answer to one criterion."""

    key: str
    answer: str  # yes | no | cannot tell
    steps: tuple[int, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class JudgeOpinion:
    """A judge's valid reply on one attempt."""

    verdict: str  # pass | fail | cannot tell
    reason: str
    criteria: tuple[Criterion, ...] = ()  # none in the pairwise form
    extra: Mapping[str, Any] = field(default_factory=dict)  # of the pairwise form: both agents


class InvalidReply(ValueError):
    """A reply that is no verdict. The message is our own sentence: it quotes nothing."""


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }


def _criterion() -> dict[str, Any]:
    return _object(
        {
            "answer": {"type": "string", "enum": list(ANSWERS)},
            "steps": {"type": "array", "items": {"type": "integer"}},
            "why": {"type": "string"},
        }
    )


SCHEMAS: dict[str, dict[str, Any]] = {
    "single": _object(
        {
            "criteria": _object({key: _criterion() for key in CRITERIA}),
            "verdict": {"type": "string", "enum": list(VERDICTS)},
            "reason": {"type": "string"},
        }
    ),
    "pairwise": _object(
        {
            "analysis": {"type": "string"},
            "agent_1": {"type": "string", "enum": ["Pass", "Failed"]},
            "agent_2": {"type": "string", "enum": ["Pass", "Failed"]},
            "preference": {"type": "integer", "enum": [0, 1]},
        }
    ),
}


def read_reply(form: str, text: str, shown: ShownAttempt) -> JudgeOpinion:
    """The verdict in a reply. Raises InvalidReply for anything but the asked-for JSON object."""
    found = read_object(text)
    return read_single(found, shown) if form == "single" else read_pairwise(found)


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in a reply: alone, in a fenced block, or with words around it."""
    if len(text) > MAX_REPLY_CHARS:
        raise InvalidReply(f"It is longer than {MAX_REPLY_CHARS:,} characters.")
    if text.find("{") < text.rfind(THOUGHT_END) < text.rfind("}"):
        for rest in (text, text.partition(THOUGHT_END)[2]):  # the object may quote the mark
            with suppress(InvalidReply):
                return parse_object(rest)
    return parse_object(text.rpartition(THOUGHT_END)[2])


def parse_object(text: str) -> dict[str, Any]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise InvalidReply("It holds no JSON object.")
    try:
        found = json.loads(text[start : end + 1], object_pairs_hook=refuse_twice)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidReply):
            raise
        raise InvalidReply("It holds no valid JSON object.") from None
    assert isinstance(found, dict)
    return found


def refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidReply("A key is given twice.")
    return found


def read_single(found: Mapping[str, Any], shown: ShownAttempt) -> JudgeOpinion:
    require_keys(found, ("criteria", "verdict", "reason"), "The object")
    given = found["criteria"]
    if not isinstance(given, dict):
        raise InvalidReply("“criteria” must be an object.")
    require_keys(given, tuple(CRITERIA), "“criteria”")
    criteria = tuple(read_criterion(key, given[key], shown) for key in CRITERIA)
    verdict = read_choice(found["verdict"], VERDICTS, "“verdict”")
    has_no = any(one.answer == NO for one in criteria)
    if verdict == PASS and has_no:
        raise InvalidReply("The verdict is “pass” though a criterion is answered with “no”.")
    if verdict == FAIL and not has_no:
        raise InvalidReply("The verdict is “fail” though no criterion is answered with “no”.")
    return JudgeOpinion(verdict, read_text(found["reason"], "“reason”"), criteria)


def read_criterion(key: str, found: Any, shown: ShownAttempt) -> Criterion:
    name = f"“{key}”"
    if not isinstance(found, dict):
        raise InvalidReply(f"{name} must be an object.")
    require_keys(found, ("answer", "steps", "why"), name)
    answer = read_choice(found["answer"], ANSWERS, name)
    steps = read_steps(found["steps"], name, shown)
    if key == BACKED and answer == YES and not shown.executed_steps & set(steps):
        raise InvalidReply(f"A “yes” to {name} must name a step whose code was executed.")
    return Criterion(key, answer, steps, read_text(found["why"], name))


def read_steps(found: Any, name: str, shown: ShownAttempt) -> tuple[int, ...]:
    if not isinstance(found, list) or len(found) > MAX_CITED:
        raise InvalidReply(f"“steps” of {name} must be a list of at most {MAX_CITED} numbers.")
    if any(type(step) is not int for step in found):
        raise InvalidReply(f"“steps” of {name} must be whole numbers.")
    if not set(found) <= shown.step_numbers:
        raise InvalidReply(f"“steps” of {name} names a step that does not exist.")
    return tuple(sorted(set(found)))


def read_pairwise(found: Mapping[str, Any]) -> JudgeOpinion:
    require_keys(found, ("analysis", "agent_1", "agent_2", "preference"), "The object")
    both = {
        name: read_choice(found[name], ("Pass", "Failed"), f"“{name}”")
        for name in ("agent_1", "agent_2")
    }
    preference = found["preference"]
    if type(preference) is not int or preference not in (0, 1):
        raise InvalidReply("“preference” must be 0 or 1.")
    verdict = PASS if both["agent_2"] == "Pass" else FAIL
    analysis = read_text(found["analysis"], "“analysis”")
    return JudgeOpinion(verdict, analysis, (), {**both, "preference": preference})


def require_keys(found: Mapping[str, Any], keys: tuple[str, ...], name: str) -> None:
    if set(found) != set(keys):
        raise InvalidReply(f"{name} must have exactly these keys: {', '.join(keys)}.")


def read_choice(found: Any, choices: tuple[str, ...], name: str) -> str:
    if not isinstance(found, str) or found not in choices:
        raise InvalidReply(f"{name} must be one of: {', '.join(choices)}.")
    return found


def read_text(found: Any, name: str) -> str:
    if not isinstance(found, str):
        raise InvalidReply(f"The reason of {name} must be text.")
    return found[:MAX_REASON_CHARS]
