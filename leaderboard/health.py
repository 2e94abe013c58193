"""The health of a suite: what its last proof found for each task, beside upstream's own tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from leaderboard.models import Suite, SuiteProof
from runner.contract import Fault, Problem, ProblemError

SENTENCE_CHARS = 300
AUDIT = "upstream_audit.json"  # of a suite's folder: our notes on the tests it was published with
AUDITED = frozenset(  # solutions whose outputs the notes know the published tests' verdict on
    (
        "reference",
        "silent",
        "empty-file",
        "keyword-stuffer",
        "confident-liar",
        "junk-file",
        "copy-the-input",
        "stuffer-with-junk",
        "recorded-answer",
    )
)
STRENGTHS = ("content", "partial", "existence")


@dataclass(frozen=True)
class Played:
    """One solution in a proof: whether it passed, whether it should, and what upstream says."""

    name: str
    kind: str  # reference | wrong | floor
    passed: bool | None
    sentence: str
    may_pass: bool
    passes_upstream: bool | None = None  # None: not known
    is_asked: bool = False  # in the proof, on the same outputs; else from our notes

    @property
    def is_violation(self) -> bool:
        if self.may_pass and self.passed:
            return False
        return self.passed is not (self.kind == "reference")

    @property
    def state(self) -> str:
        return "void" if self.passed is None else "passed" if self.passed else "failed"


@dataclass(frozen=True)
class Tally:
    """Solutions of one sort: how many there are, and how many pass here and by upstream's tests."""

    name: str
    played: int = 0
    passed: int = 0
    asked: int = 0  # of those played, how many upstream's tests were asked about
    passed_upstream: int = 0

    @classmethod
    def of(cls, name: str, played: Sequence[Played]) -> Tally:
        return cls(
            name,
            len(played),
            sum(one.passed is True for one in played),
            sum(one.passes_upstream is not None for one in played),
            sum(one.passes_upstream is True for one in played),
        )


@dataclass(frozen=True)
class TaskHealth:
    """One task: its proof, and our notes on upstream's test of it."""

    key: str
    title: str
    category: str
    strength: str
    holds: bool | None  # None: not proved
    played: tuple[Played, ...] = ()
    faults: tuple[str, ...] = ()
    degenerate: str = ""
    stand_in: str = ""
    unavailable: str = ""
    upstream: str = ""  # upstream's test in a word
    issues: tuple[str, ...] = ()

    def of(self, kind: str) -> list[Played]:
        return [one for one in self.played if one.kind == kind]

    @property
    def reference(self) -> list[Played]:
        return self.of("reference")

    @property
    def wrong(self) -> list[Played]:
        return self.of("wrong")

    @property
    def floors(self) -> list[Played]:
        return self.of("floor")

    @property
    def tallies(self) -> list[Tally]:
        """By sort of solution, where upstream's test was asked about any."""
        sorts = (("reference", self.reference), ("wrong", self.wrong), ("no work", self.floors))
        told = (Tally.of(name, played) for name, played in sorts)
        return [tally for tally in told if tally.asked]


@dataclass(frozen=True)
class Health:
    """All tasks, with the counts over them."""

    tasks: tuple[TaskHealth, ...]
    is_current: bool  # the proof is of this very suite
    seconds: float

    @property
    def has_upstream(self) -> bool:
        """Whether the suite was published with tests that we know of."""
        return any(task.upstream or task.tallies for task in self.tasks)

    @property
    def proved(self) -> int:
        return sum(task.holds is not None for task in self.tasks)

    @property
    def held(self) -> int:
        return sum(task.holds is True for task in self.tasks)

    @property
    def violated(self) -> int:
        return sum(task.holds is False for task in self.tasks)

    @property
    def strengths(self) -> list[tuple[str, int]]:
        return [(s, sum(task.strength == s for task in self.tasks)) for s in STRENGTHS]

    @property
    def wrong_count(self) -> int:
        return sum(len(task.wrong) for task in self.tasks)

    @property
    def tallies(self) -> list[Tally]:
        """References and wrong solutions, then each agent without work."""
        floors = [one for task in self.tasks for one in task.floors]
        sorts = {
            "reference solutions": [one for task in self.tasks for one in task.reference],
            "wrong solutions": [one for task in self.tasks for one in task.wrong],
            **{name: [] for name in dict.fromkeys(one.name for one in floors)},
        }
        for one in floors:
            sorts[one.name].append(one)
        return [Tally.of(name, played) for name, played in sorts.items() if played]

    @property
    def is_asked(self) -> bool:
        """Whether the proof itself asked upstream's tests, on the very outputs that it judged."""
        return any(one.is_asked for task in self.tasks for one in task.played)


def store(suite: Suite, facts: object) -> SuiteProof:
    """Keep what `prove_suite --json` wrote. ProblemError when it is not of this very `suite`."""
    if not isinstance(facts, dict) or not isinstance(facts.get("proofs"), list):
        raise refusal("The file holds no proof.", "Write one: manage.py prove_suite … --json FILE")
    if (facts.get("suite"), facts.get("digest")) != (suite.name, suite.digest):
        raise refusal(
            f"The proof is of {facts.get('suite')}, digest {str(facts.get('digest'))[:12]}; "
            f"{suite} has {suite.digest[:12]}.",
            "Install the suite and prove it again, both from the same folder.",
        )
    proof, _ = SuiteProof.objects.update_or_create(
        suite=suite, defaults={"facts": shortened(facts), "digest": str(facts["digest"])}
    )
    return proof


def refusal(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "no_proof", what, next_step))


def shortened(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without answers, which are long and are the suite's secret."""
    kept = ("task", "category", "strength", "holds", "faults", "degenerate", "stand_in")
    proofs = []
    for proof in facts["proofs"]:
        played = [
            {
                "name": one["name"],
                "kind": one["kind"],
                "passed": one["passed"],
                "sentence": one["sentence"][:SENTENCE_CHARS],
                "may_pass": one.get("may_pass", False),
                "passes_published": one.get("passes_published"),
            }
            for one in proof["played"]
        ]
        proofs.append({**{name: proof.get(name, "") for name in kept}, "played": played})
    return {"seconds": facts.get("seconds", 0), "proofs": proofs}


def read_health(suite: Suite) -> Health:
    """What is known of each task of `suite`, also of those that cannot be played here."""
    proof = SuiteProof.objects.filter(suite=suite).first()
    proofs = {p["task"]: p for p in proof.facts["proofs"]} if proof else {}
    audit = read_audit(suite)
    rows = [(t.key, t.title, t.category, t.strength, "") for t in suite.tasks.defer("query")]
    rows += [(t["key"], t["title"], t["category"], "", t["reason"]) for t in suite.unavailable]
    tasks = tuple(
        task_health(*row, proofs.get(row[0]), audit.get(index_of(row[0]), {}))
        for row in sorted(rows)
    )
    return Health(
        tasks,
        bool(proof and proof.digest == suite.digest),
        float(proof.facts["seconds"]) if proof else 0.0,
    )


def task_health(
    key: str,
    title: str,
    category: str,
    strength: str,
    unavailable: str,
    proof: Mapping[str, Any] | None,
    audit: Mapping[str, Any],
) -> TaskHealth:
    played = tuple(
        as_played(one, audit.get("passes")) for one in (proof["played"] if proof else ())
    )
    return TaskHealth(
        key=key,
        title=title,
        category=category,
        strength=proof["strength"] if proof else strength,
        holds=proof["holds"] if proof else None,
        played=played,
        faults=tuple(proof["faults"]) if proof else (),
        degenerate=proof["degenerate"] if proof else "",
        stand_in=proof["stand_in"] if proof else "",
        unavailable=unavailable,
        upstream=str(audit.get("verdict", "")).replace("_", " "),
        issues=tuple(issue.replace("_", " ") for issue in audit.get("issues", ())),
    )


def as_played(one: Mapping[str, Any], noted: Sequence[str] | None) -> Played:
    """`noted`: the names that pass upstream's test by our notes, for proofs that did not ask it."""
    asked = one.get("passes_published")
    known = noted is not None and one["name"] in AUDITED
    return Played(
        name=one["name"],
        kind=one["kind"],
        passed=one["passed"],
        sentence=one["sentence"],
        may_pass=one["may_pass"],
        passes_upstream=asked if asked is not None or not known else one["name"] in (noted or ()),
        is_asked=asked is not None,
    )


def index_of(key: str) -> str:
    """The upstream index that a task's key begins with, "" when it begins with none."""
    head = key.partition("-")[0]
    return str(int(head)) if head.isdigit() else ""


def read_audit(suite: Suite) -> dict[str, Any]:
    """Our notes on the tests that the suite was published with; none for a suite of our own."""
    path = Path(settings.SUITES) / suite.name / AUDIT
    found = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found if isinstance(found, dict) else {}
