"""Own rules: small expressions over the facts of an attempt's steps, read with bounds.

    rule  = and { "or" and } ;    and = not { "and" not } ;    not = "not" not | part ;
    part  = "(" rule ")" | ("any" | "all") "(" rule ")" | fact comparison value ;

A rule is true of an attempt if one step fulfils it. `any(…)` and `all(…)` speak of all its steps,
so that `not any(output contains "x")` is true where no step shows it; they do not nest.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

MAX_RULE_CHARS = 300
MAX_DEPTH = 8  # of parentheses and "not"

StepOfRule = Mapping[str, str | float]  # values of FACTS, those that are known
# Of the parts that speak of all steps what came out, by their place, and the step in question.
Test = Callable[[Sequence[bool], StepOfRule], bool]

# Each fact of a step: True where it is a text.
FACTS: Mapping[str, bool] = {
    "step": False,  # its number, from 1
    "status": True,
    "error.type": True,
    "error.message": True,
    "code": True,
    "output": True,
    "reply": True,
    "duration_s": False,  # of the cell
    "model_s": False,  # of the wait for the reply
    "prompt_tokens": False,
    "completion_tokens": False,
}
IN_BODY = frozenset({"error.message", "code", "output", "reply"})  # else a step's columns hold it

TOKEN = re.compile(
    r'\s*+(?:(?P<text>"(?:[^"\\]|\\["\\])*+")|(?P<number>\d++(?:\.\d++)?)'
    r"|(?P<word>[A-Za-z_][\w.]*+)|(?P<sign>==|!=|<=|>=|<|>|\(|\)))"
)
SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
ESCAPED = re.compile(r"\\(.)")


class RuleError(ValueError):
    """A rule that cannot be read: the reason, and the place from 1."""

    def __init__(self, said: str, place: int) -> None:
        super().__init__(f"{said} (at character {place})")
        self.place = place


@dataclass(frozen=True)
class OwnRule:
    """A rule that was read."""

    test: Test
    of_all: Sequence[tuple[bool, Test]]  # the parts any(…), which is False, and all(…)
    is_of_steps: bool  # speaks of a step beside these parts
    facts: frozenset[str]

    @property
    def needs_bodies(self) -> bool:
        return bool(self.facts & IN_BODY)

    def is_true_of(self, steps: Sequence[StepOfRule]) -> bool:
        whole = [
            all(test((), step) for step in steps)
            if is_all
            else any(test((), step) for step in steps)
            for is_all, test in self.of_all
        ]
        if not self.is_of_steps:
            return self.test(whole, {})
        return any(self.test(whole, step) for step in steps)


@dataclass(frozen=True)
class RuleToken:
    """A word, sign, number or text of a rule; `kind` is "end" after the last."""

    kind: str
    text: str
    place: int  # from 1


def read_rule(text: str) -> OwnRule:
    """Raises RuleError."""
    if len(text) > MAX_RULE_CHARS:
        raise RuleError(f"A rule has at most {MAX_RULE_CHARS} characters", MAX_RULE_CHARS + 1)
    reader = RuleReader(tokens_of(text))
    test = reader.read_or(0)
    if reader.next.kind != "end":
        raise RuleError(f"“and” or “or” was expected, not {reader.next.text}", reader.next.place)
    return OwnRule(test, reader.of_all, reader.is_of_steps, frozenset(reader.facts))


def tokens_of(text: str) -> list[RuleToken]:
    tokens, at, end = [], 0, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if not found or not found.lastgroup:
            at += len(text[at:]) - len(text[at:].lstrip())
            what = "This text has no end" if text[at] == '"' else f"{text[at]} means nothing here"
            raise RuleError(what, at + 1)
        kind = found.lastgroup
        tokens.append(RuleToken(kind, found[kind], found.start(kind) + 1))
        at = found.end()
    return [*tokens, RuleToken("end", "the end", end + 1)]


class RuleReader:
    """Reads the tokens from left to right."""

    def __init__(self, tokens: Sequence[RuleToken]) -> None:
        self.tokens = tokens
        self.at = 0
        self.facts: set[str] = set()
        self.of_all: list[tuple[bool, Test]] = []
        self.is_in_all = False
        self.is_of_steps = False

    @property
    def next(self) -> RuleToken:
        return self.tokens[self.at]

    def take(self) -> RuleToken:
        token = self.next
        self.at += token.kind != "end"
        return token

    def has(self, text: str) -> bool:
        """True if the next word or sign is `text`, which is then taken."""
        is_next = self.next.kind in ("word", "sign") and self.next.text == text
        self.at += is_next
        return is_next

    def read_or(self, depth: int) -> Test:
        tests = [self.read_and(depth)]
        while self.has("or"):
            tests.append(self.read_and(depth))
        return tests[0] if len(tests) == 1 else join_tests(any, tests)

    def read_and(self, depth: int) -> Test:
        tests = [self.read_not(depth)]
        while self.has("and"):
            tests.append(self.read_not(depth))
        return tests[0] if len(tests) == 1 else join_tests(all, tests)

    def read_not(self, depth: int) -> Test:
        if depth > MAX_DEPTH:
            raise RuleError(f"Nested more than {MAX_DEPTH} deep", self.next.place)
        if self.has("not"):
            denied = self.read_not(depth + 1)
            return lambda whole, one: not denied(whole, one)
        if self.has("("):
            return self.read_inner(depth)
        if self.next.text in ("any", "all"):
            return self.read_of_all(depth)
        return self.read_comparison()

    def read_inner(self, depth: int) -> Test:
        test = self.read_or(depth + 1)
        if not self.has(")"):
            raise RuleError(f"“)” was expected, not {self.next.text}", self.next.place)
        return test

    def read_of_all(self, depth: int) -> Test:
        word = self.take()
        if self.is_in_all:
            raise RuleError("any(…) and all(…) do not nest", word.place)
        if not self.has("("):
            raise RuleError(f"“(” was expected, not {self.next.text}", self.next.place)
        self.is_in_all = True
        self.of_all.append((word.text == "all", self.read_inner(depth)))
        self.is_in_all = False
        place = len(self.of_all) - 1
        return lambda whole, one: whole[place]

    def read_comparison(self) -> Test:
        fact = self.take()
        if fact.text not in FACTS or fact.kind != "word":
            known = ", ".join(FACTS)
            raise RuleError(f"A fact was expected ({known}), not {fact.text}", fact.place)
        self.facts.add(fact.text)
        self.is_of_steps |= not self.is_in_all
        sign, value = self.take(), self.take()
        if FACTS[fact.text]:
            return text_test(fact.text, sign, value)
        return number_test(fact.text, sign, value)


def join_tests(joined: Callable[[Iterator[bool]], bool], tests: Sequence[Test]) -> Test:
    return lambda whole, one: joined(test(whole, one) for test in tests)


def text_test(fact: str, sign: RuleToken, value: RuleToken) -> Test:
    if sign.text not in ("==", "!=", "contains"):
        raise RuleError(f"{fact} is a text: ==, != or contains, not {sign.text}", sign.place)
    if value.kind != "text":
        raise RuleError(f'{fact} is compared with a text in "…", not {value.text}', value.place)
    wanted = ESCAPED.sub(r"\1", value.text[1:-1])
    if sign.text == "contains":
        lower = wanted.lower()
        return lambda _, one: lower in str(one.get(fact, "")).lower()
    is_equal = sign.text == "=="
    return lambda _, one: (one.get(fact, "") == wanted) is is_equal


def number_test(fact: str, sign: RuleToken, value: RuleToken) -> Test:
    compare = SIGNS.get(sign.text)
    if not compare:
        raise RuleError(f"{fact} is a number: {' '.join(SIGNS)}, not {sign.text}", sign.place)
    if value.kind != "number":
        raise RuleError(f"{fact} is compared with a number, not {value.text}", value.place)
    wanted = float(value.text)

    def test(_: Sequence[bool], one: StepOfRule) -> bool:
        known = one.get(fact)
        return isinstance(known, int | float) and compare(known, wanted)

    return test
