"""Tries an own rule on attempts: the newest ones, within bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Sum, Value
from django.db.models.functions import Length

from leaderboard.failures.own_rules import OwnRule, StepOfRule
from leaderboard.models import Step, unpack
from leaderboard.models.packed_json import unpacked_size

MAX_TRIED = 2_000  # attempts
AT_ONCE = 500  # attempts, whose steps are two queries
TEXT_CHARS = 20_000  # of one code, output or reply: the rest is not looked at

# Of all attempts, and of one: a larger one is left out. Bodies are read where a rule needs them.
MAX_STEPS, MAX_STEPS_OF_ONE = 20_000, 2_000
MAX_PACKED_BYTES, MAX_PACKED_BYTES_OF_ONE = 4_000_000, 500_000
MAX_UNPACKED_BYTES, MAX_UNPACKED_BYTES_OF_ONE = 16_000_000, 2_000_000

COLUMNS = {"step": "index", "status": "status", "error.type": "error_name", "duration_s": "cell_s",
           "model_s": "model_s", "prompt_tokens": "prompt_tokens",
           "completion_tokens": "completion_tokens"}  # fmt: skip

Facts = list[StepOfRule]  # of an attempt's steps


@dataclass(frozen=True)
class RuleMatches:
    """The attempts that a rule is true of, in their order."""

    ids: Sequence[int]
    tried: int = 0
    too_large: int = 0  # left out


class RuleTrial:
    """One rule on its way through the attempts, and what it may still read."""

    def __init__(self, rule: OwnRule) -> None:
        self.rule = rule
        self.steps, self.packed, self.unpacked = MAX_STEPS, MAX_PACKED_BYTES, MAX_UNPACKED_BYTES
        self.is_spent = False
        self.matching: list[int] = []
        self.tried = self.too_large = 0

    def look_at(self, ids: Sequence[int]) -> None:
        """Try the rule on the first of these attempts, as many as fit. Two queries."""
        facts = self.read_facts(self.fitting(ids, sizes_of(self.rule, ids)))
        for pk, steps in facts.items():
            if steps is None:
                self.too_large += 1
                continue
            self.tried += 1
            if self.rule.is_true_of(steps):
                self.matching.append(pk)

    def fitting(
        self, ids: Sequence[int], sizes: Mapping[int, tuple[int, int]]
    ) -> dict[int, Facts | None]:
        """Without facts as yet: None for what is too large."""
        found: dict[int, Facts | None] = {}
        for pk in ids:
            steps, packed = sizes.get(pk, (0, 0))
            if steps > MAX_STEPS_OF_ONE or packed > MAX_PACKED_BYTES_OF_ONE:
                found[pk] = None
                continue
            self.steps, self.packed = self.steps - steps, self.packed - packed
            if self.steps < 0 or self.packed < 0:
                self.is_spent = True
                break
            found[pk] = []
        return found

    def read_facts(self, found: dict[int, Facts | None]) -> dict[int, Facts | None]:
        """Fill in the facts of the steps; what comes after the last that fits is taken out."""
        names = [*COLUMNS.values(), *(["body"] if self.rule.needs_bodies else [])]
        asked = [pk for pk, steps in found.items() if steps is not None]
        rows = steps_of(asked).order_by("-attempt__run_id", "attempt_id", "index")
        unpacked: Counter[int] = Counter()
        for pk, *values in rows.values_list("attempt_id", *names).iterator():
            facts = dict(zip(COLUMNS, values, strict=False))
            if self.rule.needs_bodies:
                size = unpacked_size(values[-1])
                unpacked[pk] += size
                if unpacked[pk] > MAX_UNPACKED_BYTES_OF_ONE:
                    found[pk] = None
                    continue
                self.unpacked -= size
                if self.unpacked < 0:
                    self.is_spent = True
                    order = list(found)
                    return {key: found[key] for key in order[: order.index(pk)]}
                facts |= texts_of(unpack(values[-1]))
            steps = found[pk]
            if steps is not None:
                steps.append({fact: v for fact, v in facts.items() if v is not None})
        return found


def try_rule(rule: OwnRule, ids: Sequence[int]) -> RuleMatches:
    """Try the rule on these attempts, newest run first, until a bound is met."""
    trial = RuleTrial(rule)
    ids = ids[:MAX_TRIED]
    for start in range(0, len(ids), AT_ONCE):
        if not trial.is_spent:
            trial.look_at(ids[start : start + AT_ONCE])
    return RuleMatches(trial.matching, trial.tried, trial.too_large)


def steps_of(ids: Sequence[int]) -> Any:
    """The steps of the tries that count."""
    return Step.objects.filter(attempt__in=ids, try_number=F("attempt__tries"))


def sizes_of(rule: OwnRule, ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Steps and packed bytes of each attempt: the latter 0 where the rule needs no bodies."""
    size = Sum(Length("body")) if rule.needs_bodies else Value(0)
    rows = steps_of(ids).order_by().values("attempt_id").annotate(steps=Count("pk"), packed=size)
    return {row["attempt_id"]: (row["steps"], row["packed"] or 0) for row in rows}


def texts_of(step: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of a step by their facts."""
    yield "code", str(step.get("code") or "")[:TEXT_CHARS]
    yield "reply", str(step.get("reply") or "")[:TEXT_CHARS]
    outputs = step.get("outputs") or ()
    yield "output", "\n".join(str(o.get("text") or "")[:TEXT_CHARS] for o in outputs)[:TEXT_CHARS]
    values = [str(o["error_value"])[:TEXT_CHARS] for o in outputs if o.get("error_value")]
    yield "error.message", "\n".join(values)[:TEXT_CHARS]
