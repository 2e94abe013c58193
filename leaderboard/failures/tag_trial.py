"""The trial of the failure tags: precision and recall against what two readers labelled.

The readers are two readings of a language model, apart from each other, which labelled the same
attempts by the tags' meanings. What both say counts; where they differ, or one is unsure, the
attempt is disputed for that label and counts for neither precision nor recall. The recorded
attempts are a model's; the scripted ones were written for the trial.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from leaderboard.failures.facts import AttemptFacts, FileFacts
from leaderboard.failures.tags import TAGS, TAGS_VERSION, tags_of
from runner.run_figures import wilson

FOLDER = Path(__file__).parent / "trial"
LEAST_POSITIVES = 10  # fewer are not enough for a figure
LEAST_PRECISION = 0.8  # a tag below it is mended or withdrawn
MATERIALS = ("recorded", "scripted")

# The recorded attempts have no verdict. Two tags that need one are tried as if there had been the
# verdict that they need; the others that need one are not tried on them.
AS_IF_PASSED = {"premature-stop": False, "self-correction": True}
NEEDS_VERDICT = frozenset(
    {"infra-endpoint", "infra-kernel", "false-success", "placeholder", "wrong-value"}
    | {"presentation"}
)
INFRASTRUCTURE = frozenset(tag.key for tag in TAGS if tag.is_infrastructure)


@dataclass(frozen=True)
class Reading:
    """One reader's labels of one attempt; a label in neither set is false."""

    true: frozenset[str]
    unsure: frozenset[str]

    def of(self, label: str) -> bool | None:
        return None if label in self.unsure else label in self.true


@dataclass(frozen=True)
class TrialCounts:
    """Attempts of one material by what the readers and the rule say of one tag."""

    attempts: int = 0
    both: int = 0  # both readers say yes
    neither: int = 0  # both say no
    both_unsure: int = 0
    a_true: int = 0
    a_unsure: int = 0
    b_true: int = 0
    b_unsure: int = 0
    found: int = 0  # both say yes, and the rule too
    false: int = 0  # both say no, and the rule says yes
    tagged_disputed: int = 0  # the rule says yes where the readers do not both say yes or no

    @property
    def disputed(self) -> int:
        return self.attempts - self.both - self.neither

    @property
    def tagged(self) -> int:
        return self.found + self.false

    def __add__(self, other: TrialCounts) -> TrialCounts:
        mine, theirs = asdict(self), asdict(other)
        return TrialCounts(**{name: mine[name] + theirs[name] for name in mine})


@dataclass(frozen=True)
class TrialShare:
    """A share of some attempts with Wilson's 95 % interval."""

    count: int
    of: int

    @property
    def rate(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.rate, self.of)

    @property
    def low(self) -> float:
        return self.interval[0]

    @property
    def high(self) -> float:
        return self.interval[1]


@dataclass(frozen=True)
class TriedTag:
    """One tag's figures."""

    key: str
    title: str
    recorded: TrialCounts
    scripted: TrialCounts

    @property
    def all(self) -> TrialCounts:
        return self.recorded + self.scripted

    @property
    def is_enough(self) -> bool:
        return self.all.both >= LEAST_POSITIVES

    @property
    def precision(self) -> TrialShare:
        return TrialShare(self.all.found, self.all.tagged)

    @property
    def recall(self) -> TrialShare:
        return TrialShare(self.all.found, self.all.both)

    @property
    def disputed(self) -> int:
        """Attempts of which the readers do not both say yes or both no."""
        return self.all.disputed

    @property
    def kappa(self) -> float | None:
        return cohens_kappa(self.all)


def cohens_kappa(counts: TrialCounts) -> float | None:
    """Agreement of two readers beyond chance, "unsure" being an answer as yes and no are.

    J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46. None when both always
    say the same one word: chance then explains everything.
    """
    n = counts.attempts
    if n == 0:
        return None
    a, b = (
        (yes / n, unsure / n, 1 - (yes + unsure) / n)
        for yes, unsure in ((counts.a_true, counts.a_unsure), (counts.b_true, counts.b_unsure))
    )
    chance = sum(x * y for x, y in zip(a, b, strict=True))
    same = (counts.both + counts.neither + counts.both_unsure) / n
    return None if chance == 1 else (same - chance) / (1 - chance)


def count_labels(
    label: str, readings: Mapping[str, Sequence[Reading]], tags: Mapping[str, Collection[str]]
) -> TrialCounts:
    """The counts of one label over the attempts of `readings`, two readings each."""
    counts = TrialCounts()
    for key, (a, b) in readings.items():
        counts += one_attempt(a.of(label), b.of(label), label in tags[key])
    return counts


def one_attempt(a: bool | None, b: bool | None, is_tagged: bool) -> TrialCounts:
    is_agreed = a is b and a is not None
    return TrialCounts(
        attempts=1,
        both=is_agreed and a is True,
        neither=is_agreed and a is False,
        both_unsure=a is None and b is None,
        a_true=a is True,
        a_unsure=a is None,
        b_true=b is True,
        b_unsure=b is None,
        found=is_tagged and is_agreed and a is True,
        false=is_tagged and is_agreed and a is False,
        tagged_disputed=is_tagged and not is_agreed,
    )


def read_labels(material: str) -> dict[str, tuple[Reading, Reading]]:
    """Per attempt what both readers said."""
    stored = json.loads((FOLDER / f"{material}_labels.json").read_text("utf-8"))
    return {key: (reading_of(a), reading_of(b)) for key, (a, b) in stored.items()}


def reading_of(said: Mapping[str, Sequence[str]]) -> Reading:
    words = [{WORDS.get(word, word) for word in said.get(key, ())} for key in ("true", "unsure")]
    return Reading(frozenset(words[0]), frozenset(words[1]))


WORDS = {"recovered": "self-correction"}  # as the readers of the recorded attempts called it


def scripted_facts() -> Iterator[tuple[str, AttemptFacts]]:
    """Each scripted attempt's key and facts."""
    with gzip.open(FOLDER / "scripted_facts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            stored = json.loads(line)
            yield stored["key"], facts_from(stored["facts"])


def facts_from(stored: Mapping[str, Any]) -> AttemptFacts:
    """The facts that `dataclasses.asdict` made a dict of."""
    files = stored["files"]
    lists = {name: tuple(stored[name]) for name in ("inputs", "expected")}
    left = None if files is None else [FileFacts(**file) for file in files]
    return AttemptFacts(**{**stored, **lists, "files": left})


def recorded_tags_of(facts: AttemptFacts) -> list[str]:
    """The tags of a recorded attempt, with those whose verdict is supposed."""
    found = {tag for tag in tags_of(facts) if tag not in AS_IF_PASSED}
    for key, passed in AS_IF_PASSED.items():
        found |= {key} & set(tags_of(replace(facts, passed=passed)))
    return sorted(found)


def compute_trial(recorded_tags: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """The figures as they ship: the counts of each tag in both materials."""
    facts = dict(scripted_facts())
    tags = {
        "recorded": recorded_tags,
        "scripted": {key: tags_of(of_one) for key, of_one in facts.items()},
    }
    labels = {material: read_labels(material) for material in MATERIALS}
    voids = {key for key, of_one in facts.items() if of_one.is_void}
    shown = {}
    for tag in TAGS:
        asked = {"scripted": labels["scripted"], "recorded": labels["recorded"]}
        if tag.key not in INFRASTRUCTURE:  # nothing else is said of a void attempt
            asked["scripted"] = {k: v for k, v in asked["scripted"].items() if k not in voids}
        if tag.key in NEEDS_VERDICT:
            asked["recorded"] = {}
        if tag.key in AS_IF_PASSED:  # without an answer there is no verdict to suppose
            asked["recorded"] = {
                k: v for k, v in asked["recorded"].items() if "out-of-turns" not in recorded_tags[k]
            }
        shown[tag.key] = {
            material: non_zero(count_labels(tag.key, asked[material], tags[material]))
            for material in MATERIALS
        }
    return {
        "tags_version": TAGS_VERSION,
        "labels": labels_digest(),
        "attempts": {material: len(labels[material]) for material in MATERIALS},
        "tags": shown,
    }


def non_zero(counts: TrialCounts) -> dict[str, int]:
    return {name: int(count) for name, count in asdict(counts).items() if count}


def labels_digest() -> str:
    """SHA-256 over the labels and the scripted attempts' facts."""
    names = [*(f"{material}_labels.json" for material in MATERIALS), "scripted_facts.jsonl.gz"]
    return hashlib.sha256(b"".join((FOLDER / name).read_bytes() for name in names)).hexdigest()


def read_recorded_tags() -> dict[str, list[str]]:
    """The tags of the recorded attempts, by their index, as they were computed."""
    return json.loads((FOLDER / "recorded_tags.json").read_text("utf-8"))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class TagTrial:
    """The figures of all tags, as the method page shows them."""

    tags_version: int
    labels: str
    recorded: int  # attempts
    scripted: int
    tags: tuple[TriedTag, ...]
    least_positives: int = LEAST_POSITIVES


@lru_cache(1)
def read_trial() -> TagTrial:
    """The figures that ship with the rules."""
    stored = json.loads((FOLDER / "figures.json").read_text("utf-8"))
    return TagTrial(
        stored["tags_version"],
        stored["labels"],
        stored["attempts"]["recorded"],
        stored["attempts"]["scripted"],
        tuple(
            TriedTag(
                tag.key,
                tag.title,
                *(TrialCounts(**stored["tags"][tag.key][material]) for material in MATERIALS),
            )
            for tag in TAGS
        ),
    )
