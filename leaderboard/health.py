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
AUDITED = frozenset(  # agents that were tried on the published tests as well
    (
        "silent",
        "empty-file",
        "keyword-stuffer",
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

    @property
    def is_violation(self) -> bool:
        if self.may_pass and self.passed:
            return False
        return self.passed is not (self.kind == "reference")

    @property
    def state(self) -> str:
        return "void" if self.passed is None else "passed" if self.passed else "failed"


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


@dataclass(frozen=True)
class Health:
    """All tasks, with the counts over them. `floors`: {name: (pass ours, pass upstream's)}."""

    tasks: tuple[TaskHealth, ...]
    is_current: bool  # the proof is of this very suite
    seconds: float
    floors: Mapping[str, tuple[int, int | None]]

    @property
    def has_upstream(self) -> bool:
        """Whether the suite was published with tests that we have notes on."""
        return any(task.upstream for task in self.tasks)

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
        count_floors(tasks, bool(audit)),
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
    known = audit.get("passes")  # the names of those that pass upstream's test
    played = tuple(
        Played(
            name=one["name"],
            kind=one["kind"],
            passed=one["passed"],
            sentence=one["sentence"],
            may_pass=one["may_pass"],
            passes_upstream=one["name"] in known
            if known is not None and one["name"] in AUDITED
            else None,
        )
        for one in (proof["played"] if proof else ())
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


def index_of(key: str) -> str:
    """The upstream index that a task's key begins with, "" when it begins with none."""
    head = key.partition("-")[0]
    return str(int(head)) if head.isdigit() else ""


def read_audit(suite: Suite) -> dict[str, Any]:
    """Our notes on the tests that the suite was published with; none for a suite of our own."""
    path = Path(settings.SUITES) / suite.name / AUDIT
    found = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found if isinstance(found, dict) else {}


def count_floors(tasks: Sequence[TaskHealth], has_audit: bool) -> dict[str, tuple[int, int | None]]:
    """How many tasks each floor agent passes here, and how many of them by upstream's tests."""
    found: dict[str, tuple[int, int | None]] = {}
    names = dict.fromkeys(one.name for task in tasks for one in task.floors)
    for name in names:
        played = [one for task in tasks for one in task.floors if one.name == name]
        theirs = sum(one.passes_upstream is True for one in played)
        found[name] = (
            sum(one.passed is True for one in played),
            theirs if has_audit and name in AUDITED else None,
        )
    return found
