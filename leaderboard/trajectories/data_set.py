"""A run, or a part of it, as a data set: an archive with a card that says what it is."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings

from leaderboard.models import Attempt, Run
from leaderboard.storage.pieces import Pieces
from leaderboard.trajectories.export import trajectory_of
from leaderboard.trajectories.formats.pybench_jsonl import pybench_line
from runner.suite.canary import CANARY

LINES = "data/train.jsonl"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"))


@dataclass(frozen=True)
class DataSetPart:
    """The attempts of a run that a data set holds."""

    state: str = ""  # "passed" or "failed"; "" for all
    tag: str = ""  # a failure tag

    def words(self) -> str:
        state = f"{self.state} attempts" if self.state else "all attempts that are over"
        return f"{state} with the tag “{self.tag}”" if self.tag else state


def write_data_set(
    run: Run, attempts: Iterable[Attempt], part: DataSetPart, address: str
) -> Iterator[bytes]:
    """The archive, made while it is sent: a line for each attempt, then the card."""
    sink = Pieces()
    states: Counter[str] = Counter()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(LINES, "w", force_zip64=True) as lines:
            for attempt in attempts:
                states[attempt.state] += 1
                lines.write(pybench_line(trajectory_of(attempt)).encode())
                yield sink.take()
        archive.writestr("README.md", card(run, part, states, address))
    yield sink.take()


def card(run: Run, part: DataSetPart, states: Counter[str], address: str) -> str:
    """The card as the Hugging Face Hub reads it: facts in YAML, then words."""
    count = states.total()
    size = next((name for most, name in SIZES if count < most), "10K<n<100K")
    title = f"{run.entry.name} on {run.suite}"
    facts = {
        "pretty_name": title,
        "license": str(settings.DATA_LICENCE).lower(),
        "language": sorted(set(run.suite.tasks.values_list("language", flat=True))),
        "tags": ["pybench", "agent-trajectories", "benchmark"],
        "size_categories": [size],
        "configs": [{"config_name": "default",
                     "data_files": [{"split": "train", "path": LINES}]}],
    }  # fmt: skip
    front = "\n".join(f"{name}: {json.dumps(value)}" for name, value in facts.items())
    counted = "\n".join(f"| {state} | {number} |" for state, number in sorted(states.items()))
    heading = json.dumps(title, ensure_ascii=False).strip('"').replace("<", "&lt;")
    return f"""---
{front}
---

# {heading}

{count} attempts: {part.words()} of [this run]({address}), as lines of PyBench jsonl. What the
format has no name for is under `pybench_site`: outcome, verdict with its assertions, tags, tokens,
times and the files that each step changed. Contents of files and pictures are not included.

| state | attempts |
|---|---|
{counted}

Suite {run.suite}, digest `{run.suite.digest}`, seed {run.seed}.

## Licence and use

The licence is {settings.DATA_LICENCE}. Tasks may include material of others under their own terms.
These are attempts at a benchmark: a model that is trained on them cannot be measured by it. Keep
this canary with every copy, so that it can be found: {CANARY}
"""
