"""Fills a site's database with a public run whose file and exports are larger than any buffer."""

from __future__ import annotations

import json
import random

import django

django.setup()

from leaderboard.handoff.sweep import sweep_queue  # noqa: E402
from leaderboard.ledger.entries import number_acts  # noqa: E402
from leaderboard.models import Artifact, LedgerAct  # noqa: E402
from leaderboard.tests.support.rows import (  # noqa: E402
    add_file,
    add_step,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
)

FILE_BYTES = 8 << 20


def main() -> None:
    """Print the addresses of what is large."""
    noise = random.Random(7)
    run = make_run(make_suite())
    first = run.attempts.order_by("task__position").first()
    assert first is not None
    add_file(first, "large.bin", noise.randbytes(FILE_BYTES))
    for index in range(1, 5):
        add_step(first, make_step(index, outputs=(printed(noise.randbytes(1 << 20).hex()),)))
    finish_run(run, 3)
    sweep_queue()
    for number in range(300):
        LedgerAct.objects.enter(
            "snapshot_made", f"{number}", {"words": noise.randbytes(16_000).hex()}
        )
    number_acts()
    sha256 = Artifact.objects.get(path="large.bin").blob_id
    paths = {
        "file": f"/files/{sha256}/large.bin",
        "artifact": f"/api/v1/artifacts/{Artifact.objects.get(path='large.bin').pk}/content/",
        "attempt": f"{first.get_absolute_url()}attempt.json",
        "step": f"{first.get_absolute_url()}steps/1.json",
        "export": f"{run.get_absolute_url()}export/pybench",
        "bundle": f"{run.get_absolute_url()}bundle.zip",
        "ledger": "/ledger.jsonl",
    }
    print(json.dumps(paths))


if __name__ == "__main__":
    main()
