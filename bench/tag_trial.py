"""Writes the figures of the tags' trial: precision and recall against what two readers labelled.

    python -m bench.tag_trial

The readers are two readings of a language model, apart from each other, which labelled the same
attempts by the tags' meanings. What both say counts; where they differ, or one is unsure, the
attempt is disputed for that label and counts for neither precision nor recall. The recorded
attempts are a model's; the scripted ones were written for the trial.

Where PyBench's trajectory.jsonl is at hand (`PYBENCH_UPSTREAM`), the tags of the recorded attempts
are computed anew from it, in a throwaway database; else the ones that are stored are used.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.engine.recorded import look_for_upstream
from bench.pages.site import configure
from leaderboard.failures.facts import AttemptFacts, FileFacts
from leaderboard.failures.tags import TAGS, TAGS_VERSION, tags_of
from runner.run_figures import wilson

LABELS = Path(__file__).parent / "tag_labels"
FIGURES = Path(__file__).parents[1] / "leaderboard/failures/tag_trial.json"
LEAST_POSITIVES = 10  # fewer are not enough for a figure
MATERIALS = ("recorded", "scripted")

# The recorded attempts have no verdict. Two tags that need one are tried as if there had been the
# verdict that they need; the others that need one are not tried on them.
AS_IF_PASSED = {"premature-stop": False, "self-correction": True}
NEEDS_VERDICT = frozenset(
    {"infra-endpoint", "infra-kernel", "false-success", "placeholder", "wrong-value"}
    | {"presentation"}
)
INFRASTRUCTURE = frozenset(tag.key for tag in TAGS if tag.is_infrastructure)
WORDS = {"recovered": "self-correction"}  # as the readers of the recorded attempts called it


@dataclass(frozen=True)
class Reading:
    """One reader's labels of one attempt; a label in neither set is false."""

    true: frozenset[str]
    unsure: frozenset[str]

    def of(self, label: str) -> bool | None:
        return None if label in self.unsure else label in self.true


Readings = Mapping[str, tuple[Reading, Reading]]  # by attempt


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        configure(Path(folder))
        if source := look_for_upstream():
            tags = compute_recorded_tags((source / "trajectory.jsonl").read_bytes())
            write(LABELS / "recorded_tags.json", tags)
        write(FIGURES, compute_trial(read_recorded_tags()))


def write(path: Path, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", "utf-8")


def compute_trial(recorded_tags: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """The figures as they ship and as the method page shows them."""
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
        shown[tag.key] = describe(
            *(count_labels(tag.key, asked[material], tags[material]) for material in MATERIALS)
        )
    return {
        "tags_version": TAGS_VERSION,
        "labels": digest_labels(),
        **{material: len(labels[material]) for material in MATERIALS},
        "least_positives": LEAST_POSITIVES,
        "tags": shown,
    }


def count_labels(
    label: str, readings: Readings, tags: Mapping[str, Collection[str]]
) -> Counter[str]:
    """Attempts by what the readers ("a", "b") and the rule ("tagged") say of one label."""
    counts: Counter[str] = Counter()
    for key, (a, b) in readings.items():
        said = [{True: "yes", False: "no", None: "unsure"}[each.of(label)] for each in (a, b)]
        agreed = said[0] if said[0] == said[1] else ""
        counts.update(["attempts", f"a {said[0]}", f"b {said[1]}", f"both {agreed}"])
        if label in tags[key]:
            counts[f"tagged {agreed if agreed in ('yes', 'no') else 'disputed'}"] += 1
    return counts


def describe(recorded: Counter[str], scripted: Counter[str]) -> dict[str, Any]:
    """One tag's figures."""
    both = recorded + scripted
    found, positives = both["tagged yes"], both["both yes"]
    return {
        "is_enough": positives >= LEAST_POSITIVES,
        "precision": share(found, found + both["tagged no"]),
        "recall": share(found, positives),
        "disputed": both["attempts"] - positives - both["both no"],
        "tagged_disputed": both["tagged disputed"],
        "kappa": cohens_kappa(both),
        **{
            material: {
                "attempts": counts["attempts"],
                "both": counts["both yes"],
                "tagged": counts["tagged yes"] + counts["tagged no"],
                "false": counts["tagged no"],
            }
            for material, counts in zip(MATERIALS, (recorded, scripted), strict=True)
        },
    }


def share(count: int, of: int) -> dict[str, float]:
    """A share of some attempts with Wilson's 95 % interval."""
    rate = count / of if of else 0.0
    low, high = wilson(rate, of)
    return {"count": count, "of": of, "rate": rate, "low": low, "high": high}


def cohens_kappa(counts: Mapping[str, int]) -> float | None:
    """Agreement of two readers beyond chance, "unsure" being an answer as yes and no are.

    J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46. None when both always
    say the same one word: chance then explains everything.
    """
    n, words = counts["attempts"], ("yes", "no", "unsure")
    if n == 0:
        return None
    chance = sum(counts[f"a {word}"] * counts[f"b {word}"] for word in words) / n**2
    same = sum(counts[f"both {word}"] for word in words) / n
    return None if chance == 1 else (same - chance) / (1 - chance)


def read_labels(material: str) -> dict[str, tuple[Reading, Reading]]:
    """Per attempt what both readers said."""
    stored = json.loads((LABELS / f"{material}_labels.json").read_text("utf-8"))
    return {key: (read_one(a), read_one(b)) for key, (a, b) in stored.items()}


def read_one(said: Mapping[str, Sequence[str]]) -> Reading:
    words = [{WORDS.get(word, word) for word in said.get(key, ())} for key in ("true", "unsure")]
    return Reading(frozenset(words[0]), frozenset(words[1]))


def scripted_facts() -> Iterator[tuple[str, AttemptFacts]]:
    """Each scripted attempt's key and facts."""
    with gzip.open(LABELS / "scripted_facts.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            stored = json.loads(line)
            yield stored["key"], facts_from(stored["facts"])


def facts_from(stored: Mapping[str, Any]) -> AttemptFacts:
    """The facts that `dataclasses.asdict` made a dict of."""
    files = stored["files"]
    lists = {name: tuple(stored[name]) for name in ("inputs", "expected")}
    left = None if files is None else [FileFacts(**file) for file in files]
    return AttemptFacts(**{**stored, **lists, "files": left})


def compute_recorded_tags(data: bytes) -> dict[str, list[str]]:
    """The tags of each recorded attempt as the importer stores it, by the index of its task."""
    from leaderboard.failures.tagging import facts_of, list_artifacts
    from leaderboard.trajectories.import_file import import_file, names_for

    run = import_file(data, names_for("trajectory.jsonl")).run
    assert run
    return {
        attempt.task.key: tag_recorded(
            facts_of(attempt, attempt.steps_that_count(), list_artifacts(attempt), None)
        )
        for attempt in run.attempts.select_related("task").order_by("task__position")
    }


def tag_recorded(facts: AttemptFacts) -> list[str]:
    """The tags of a recorded attempt, with those whose verdict is supposed."""
    found = {tag for tag in tags_of(facts) if tag not in AS_IF_PASSED}
    for key, passed in AS_IF_PASSED.items():
        found |= {key} & set(tags_of(replace(facts, passed=passed)))
    return sorted(found)


def read_recorded_tags() -> dict[str, list[str]]:
    """The tags of the recorded attempts, by their index, as they were computed."""
    return json.loads((LABELS / "recorded_tags.json").read_text("utf-8"))  # type: ignore[no-any-return]


def digest_labels() -> str:
    """SHA-256 over the labels and the scripted attempts' facts."""
    names = [*(f"{material}_labels.json" for material in MATERIALS), "scripted_facts.jsonl.gz"]
    return hashlib.sha256(b"".join((LABELS / name).read_bytes() for name in names)).hexdigest()


if __name__ == "__main__":
    main()
