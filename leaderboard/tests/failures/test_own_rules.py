"""Own rules: what they mean, and how they are refused."""

from __future__ import annotations

import pytest

from leaderboard.failures.own_rules import MAX_DEPTH, MAX_RULE_CHARS, RuleError, read_rule

STEPS: list[dict[str, str | float]] = [
    {"step": 1, "status": "ok", "error.type": "", "output": "Reading\nrows", "duration_s": 0.5},
    {"step": 2, "status": "error", "error.type": "KeyError", "error.message": "'a \"b\"'"},
    {"step": 3, "status": "timeout", "error.type": "", "duration_s": 30.5, "code": "a\\b"},
]

TRUE = [
    'error.type == "KeyError"',
    'error.type == "KeyError" and step == 2',
    'error.type != "KeyError"',
    "step>=3",
    "(((step <= 1)))",
    "any(duration_s > 30)",
    "all(step > 0)",
    "not all(step > 1)",
    'not any(output contains "saved")',
    'output contains "READING"',
    r'error.message contains "a \"b\""',
    r'code == "a\\b"',
    'status == "ok" and any(status == "timeout")',
    'step > 9 or status == "ok" and step < 2',
    "not step > 1",
    "prompt_tokens < 5 or step == 1",
]
FALSE = [
    'error.type == "keyerror"',
    'error.type == "KeyError" and step > 2',
    "any(duration_s > 31)",
    "all(step > 1)",
    'any(output contains "rows") and not any(output contains "rows")',
    "prompt_tokens < 5",  # not known
    "not step > 0",
    '(step > 9 or status == "ok") and step > 1',
    "step > 9 and step < 2 or step == 0",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_rule_is_true(text: str) -> None:
    assert read_rule(text).is_true_of(STEPS)


@pytest.mark.parametrize("text", FALSE)
def test_a_rule_is_false(text: str) -> None:
    assert not read_rule(text).is_true_of(STEPS)


def test_of_no_steps_only_a_denial_is_true() -> None:
    assert read_rule('not any(output contains "x")').is_true_of([])
    assert read_rule("all(step > 5)").is_true_of([])
    assert not read_rule("not step > 5").is_true_of([])
    assert not read_rule('any(output contains "")').is_true_of([])


def test_a_rule_names_the_facts_that_it_needs() -> None:
    assert not read_rule('status == "ok" or any(step > 2)').needs_bodies
    assert read_rule('status == "ok" or any(code contains "x")').needs_bodies


WRONG = [
    ("", 1, "A fact was expected"),
    ("   ", 1, "A fact was expected"),
    ("step", 5, "step is a number"),
    ("step >", 7, "step is compared with a number"),
    ("step > 3 and", 13, "A fact was expected"),
    ("step > 3 step < 4", 10, "“and” or “or” was expected"),
    ("(step > 3", 10, "“)” was expected"),
    ("step > 3)", 9, "“and” or “or” was expected"),
    ('step contains "3"', 6, "step is a number"),
    ('step == "3"', 9, "step is compared with a number"),
    ("output > 3", 8, "output is a text"),
    ("output == 3", 11, "output is compared with a text"),
    ('output == "abc', 11, "This text has no end"),
    ("output == 'abc'", 11, "' means nothing here"),
    ("any step > 3", 5, "“(” was expected"),
    ("any(any(step > 3))", 5, "do not nest"),
    ("any(not (all(step > 3)))", 10, "do not nest"),
    ("__class__ == 3", 1, "A fact was expected"),
    ("step.__class__ == 3", 1, "A fact was expected"),
    ("step > 1; import os", 9, "; means nothing here"),
    ("step == -1", 9, "- means nothing here"),
    ("step = 1", 6, "= means nothing here"),
    ('"x" == output', 1, "A fact was expected"),
    (r'output contains "\d+"', 17, "This text has no end"),
    ("step > 1 \u202e", 10, "means nothing here"),
]


@pytest.mark.parametrize(("text", "place", "said"), WRONG)
def test_a_wrong_rule_is_refused_with_its_place(text: str, place: int, said: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_rule(text)
    assert refused.value.place == place
    assert said in str(refused.value)
    assert f"at character {place}" in str(refused.value)


def test_depth_and_length_are_bounded() -> None:
    read_rule("(" * MAX_DEPTH + "step > 1" + ")" * MAX_DEPTH)
    read_rule("not " * MAX_DEPTH + "step > 1")
    for deep in ("(" * 9 + "step > 1" + ")" * 9, "not " * 9 + "step > 1", "(not " * 50):
        with pytest.raises(RuleError, match="8 deep"):
            read_rule(deep)
    with pytest.raises(RuleError, match="at most 300 characters"):
        read_rule("step > 1 or " * 100 + "step > 1")
    most = "step > 1" + " or step > 1" * 24
    assert len(most) <= MAX_RULE_CHARS
    assert read_rule(most).is_true_of(STEPS)


def test_numbers_of_any_size_are_compared() -> None:
    assert read_rule("step < " + "9" * 290).is_true_of(STEPS)
    assert read_rule("duration_s == 30.50").is_true_of(STEPS)
