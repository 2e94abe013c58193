"""The health of a suite: what its last proof found for each task, beside upstream's own tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from leaderboard.models import Suite, SuiteProof, Task
from runner.contract import Fault, Problem, ProblemError
from runner.suite.proof_file import SHIPPED

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
RIGHT = ("reference", "style")
WRONG = ("wrong", "near miss")
MUTATION_GOAL = 0.9
SORT_TITLES = {
    "reference": "reference solutions",
    "style": "the same in other styles",
    "wrong": "wrong solutions",
    "near miss": "near misses",
}
STRENGTHS = ("content", "partial", "existence")


@dataclass(frozen=True)
class ProvedSolution:
    """One solution in a proof: whether it passed, whether it should, and what upstream says."""

    name: str
    kind: str  # reference | style | wrong | near miss | floor | mutant
    passed: bool | None
    sentence: str
    may_pass: bool
    passes_upstream: bool | None = None  # None: not known
    is_asked: bool = False  # in the proof, on the same outputs; else from our notes

    @property
    def is_violation(self) -> bool:
        if (self.may_pass and self.passed) or (self.kind == "mutant" and self.passed is not None):
            return False
        return self.passed is not (self.kind in RIGHT)

    @property
    def state(self) -> str:
        return "void" if self.passed is None else "passed" if self.passed else "failed"


@dataclass(frozen=True)
class SolutionTally:
    """Solutions of one sort: how many there are, and how many pass here and by upstream's tests."""

    name: str
    played: int = 0
    passed: int = 0
    asked: int = 0  # of those played, how many upstream's tests were asked about
    passed_upstream: int = 0

    @classmethod
    def of(cls, name: str, played: Sequence[ProvedSolution]) -> SolutionTally:
        return cls(
            name,
            len(played),
            sum(one.passed is True for one in played),
            sum(one.passes_upstream is not None for one in played),
            sum(one.passes_upstream is True for one in played),
        )


@dataclass(frozen=True)
class MutationScore:
    """Mutants of references' results, and how many of them the checks refuse."""

    total: int
    refused: int

    @classmethod
    def of(cls, played: Sequence[ProvedSolution]) -> MutationScore:
        mutants = [one for one in played if one.kind == "mutant" and one.passed is not None]
        return cls(len(mutants), sum(one.passed is False for one in mutants))

    @property
    def share(self) -> float:
        return self.refused / self.total if self.total else 0.0

    @property
    def is_met(self) -> bool:
        return self.share >= MUTATION_GOAL


@dataclass(frozen=True)
class TaskHealth:
    """One task: its proof, and our notes on upstream's test of it."""

    key: str
    title: str
    category: str
    strength: str
    holds: bool | None  # None: not proved
    played: tuple[ProvedSolution, ...] = ()
    faults: tuple[str, ...] = ()
    degenerate: str = ""
    guessable: str = ""
    english: str = ""  # title, if its own is foreign
    stand_in: str = ""
    unavailable: str = ""
    upstream: str = ""  # upstream's test in a word
    issues: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)  # {variant not asked about: why}
    made_on: str = ""  # its proof, which is older than the suite's where it was kept

    def of(self, *kinds: str) -> list[ProvedSolution]:
        return [one for one in self.played if one.kind in kinds]

    @property
    def right(self) -> list[ProvedSolution]:
        return self.of(*RIGHT)

    @property
    def wrong(self) -> list[ProvedSolution]:
        return self.of(*WRONG)

    @property
    def floors(self) -> list[ProvedSolution]:
        return self.of("floor")

    @property
    def mutation(self) -> MutationScore:
        return MutationScore.of(self.played)

    @property
    def passing_mutants(self) -> list[str]:
        return [one.name for one in self.of("mutant") if one.passed]

    @property
    def tallies(self) -> list[SolutionTally]:
        """By sort of solution, where upstream's test was asked about any."""
        sorts = (
            ("reference", self.of("reference")),
            ("wrong", self.of("wrong")),
            ("no work", self.floors),
        )
        told = (SolutionTally.of(name, played) for name, played in sorts)
        return [tally for tally in told if tally.asked]


@dataclass(frozen=True)
class Health:
    """All tasks, with the counts over them."""

    tasks: tuple[TaskHealth, ...]
    is_current: bool  # the proof is of this very suite
    seconds: float
    made_on: str = ""  # as 2026-11-22; "" where no date was kept
    seeds: int = 1

    @property
    def has_upstream(self) -> bool:
        """True if the suite was published with tests that we know of."""
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
    def kept_from(self) -> list[str]:
        """The dates of the proofs that were kept from before, a date for each task."""
        return sorted(t.made_on for t in self.tasks if t.made_on and t.made_on < self.made_on)

    @property
    def guessable(self) -> int:
        return sum(bool(task.guessable) for task in self.tasks)

    @property
    def strengths(self) -> list[tuple[str, int]]:
        return [(s, sum(task.strength == s for task in self.tasks)) for s in STRENGTHS]

    @property
    def wrong_count(self) -> int:
        return sum(len(task.wrong) for task in self.tasks)

    @property
    def mutation(self) -> MutationScore:
        return MutationScore.of([one for task in self.tasks for one in task.played])

    @property
    def tallies(self) -> list[SolutionTally]:
        """References and wrong solutions, then each agent without work."""
        floors = [one for task in self.tasks for one in task.floors]
        sorts = {
            title: [one for task in self.tasks for one in task.of(kind)]
            for kind, title in SORT_TITLES.items()
        }
        sorts |= {
            **{name: [] for name in dict.fromkeys(one.name for one in floors)},
        }
        for one in floors:
            sorts[one.name].append(one)
        return [SolutionTally.of(name, played) for name, played in sorts.items() if played]

    @property
    def is_asked(self) -> bool:
        """True if the proof itself ran upstream's tests, on the very outputs that it judged."""
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


def store_shipped(suite: Suite, folder: Path) -> SuiteProof | None:
    """Keep the proof that ships in the suite's `folder`, unless this state has a proof already.

    None where none ships, or one of another state.
    """
    path = folder / SHIPPED
    if not path.is_file() or SuiteProof.objects.filter(suite=suite, digest=suite.digest).exists():
        return None
    facts = json.loads(path.read_text("utf-8"))
    return store(suite, facts) if facts.get("digest") == suite.digest else None


def ship(folder: Path, facts: Mapping[str, Any], is_imported: bool = False) -> Path:
    """Write the proof to ship with the suite in `folder`, as short as pages need it.

    That of an imported suite has no sentences: they quote its tasks, which are not ours to ship.
    """
    path = folder / SHIPPED
    named = {name: facts[name] for name in ("suite", "version", "digest")}
    short = shortened(facts)
    if is_imported:
        for one in (one for proof in short["proofs"] for one in proof["played"]):
            one["sentence"] = ""
    text = json.dumps({**named, **short}, ensure_ascii=False, indent=None)
    path.write_text(text.replace('{"task"', '\n{"task"') + "\n", "utf-8")
    return path


def shortened(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without answers, which are long: of each task the proof with the first seed, and
    what speaks against those with others. Its date is the first seed's that was made."""
    facts_of_task = ("task", "category", "strength", "holds", "faults", "degenerate", "stand_in")
    kept = (*facts_of_task, "left_out", "made_on", "rests_on")
    proofs: dict[str, dict[str, Any]] = {}
    for proof in facts["proofs"]:
        if (first := proofs.get(proof["task"])) is not None:
            first["holds"] = first["holds"] and proof["holds"]
            first["faults"] = [*first["faults"], *against(proof)]
            first["seeds"] += proof.get("seeds", 1)
            first["made_on"] = min(first["made_on"], proof.get("made_on", ""))
            continue
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
        row = {name: proof.get(name, "") for name in kept}
        proofs[proof["task"]] = {**row, "seeds": proof.get("seeds", 1), "played": played}
    known = {"seconds": facts.get("seconds", 0), "made_on": facts.get("made_on", "")}
    return {**known, "seeds": facts.get("seeds", 1), "proofs": list(proofs.values())}


def against(proof: Mapping[str, Any]) -> list[str]:
    """Findings against a proof, each with its seed."""
    if proof["holds"]:
        return []
    wrong = [
        f"{one['kind']} {one['name']}: {one['sentence']}"
        for one in proof["played"]
        if one["kind"] != "mutant" and one["passed"] is not (one["kind"] in RIGHT)
    ]
    return [f"seed {proof['seed']}: {said[:SENTENCE_CHARS]}" for said in (*proof["faults"], *wrong)]


def read_health(suite: Suite) -> Health:
    """Read the health of each task of `suite`, also of those that cannot be played here."""
    proof = SuiteProof.objects.filter(suite=suite).first()
    proofs = {p["task"]: p for p in proof.facts["proofs"]} if proof else {}
    audit = read_audit(suite)
    installed = list(suite.tasks.defer("query"))
    known = {task.key: task for task in installed}
    rows = [(t.key, t.title, t.category, t.strength, "") for t in installed]
    rows += [(t["key"], t["title"], t["category"], "", t["reason"]) for t in suite.unavailable]
    tasks = tuple(
        replace(
            task_health(*row, proofs.get(row[0]), audit.get(index_of(row[0]), {})),
            guessable=known[row[0]].guessable if row[0] in known else "",
            english=known[row[0]].english if row[0] in known else "",
        )
        for row in sorted(rows)
    )
    return Health(
        tasks,
        bool(proof and proof.digest == suite.digest),
        float(proof.facts["seconds"]) if proof else 0.0,
        str(proof.facts.get("made_on", "")) if proof else "",
        int(proof.facts.get("seeds", 1)) if proof else 1,
    )


def read_task_health(task: Task) -> tuple[TaskHealth, bool] | None:
    """The proof of one task, and whether it is of the suite as it is; None without one."""
    proof = SuiteProof.objects.filter(suite=task.suite_id).first()
    if proof is None:
        return None
    mine = next((p for p in proof.facts["proofs"] if p["task"] == task.key), None)
    if mine is None:
        return None
    found = task_health(task.key, task.title, task.category, task.strength, "", mine, {})
    return found, proof.digest == task.suite.digest


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
        left_out=(proof or {}).get("left_out") or {},
        made_on=(proof or {}).get("made_on") or "",
    )


def as_played(one: Mapping[str, Any], noted: Sequence[str] | None) -> ProvedSolution:
    """`noted`: the names that pass upstream's test by our notes, for proofs that did not ask it."""
    asked = one.get("passes_published")
    known = noted is not None and one["name"] in AUDITED
    return ProvedSolution(
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
