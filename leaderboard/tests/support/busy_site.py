"""Plays attempts into the site's database until a file appears: work beside a backup.

`python -m leaderboard.tests.support.busy_site FOLDER STOP_FILE` prints a line for each finished
run.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import django

from runner.contract import Harvest, StoredFile


def main(folder: Path, stop: Path) -> None:
    django.setup()
    from leaderboard.handoff import attempts
    from leaderboard.models import Suite
    from leaderboard.submissions.run_actions import start
    from leaderboard.tests.support.jobs import claim, judged, step
    from leaderboard.tests.support.rows import make_suite, register_entry

    suite = Suite.objects.filter(name="small").first() or make_suite("small", 4)
    number = 0
    while not number or not stop.exists():
        number += 1
        run = start(register_entry(f"Model {number}", api_key="sk-secret"), suite)
        for index, job in enumerate(claim(run.pk, 4, "busy")):
            attempts.step(job, step(1))
            path = folder / f"{number}-{index}.csv"
            attempts.record_result(job, judged(index % 3 > 0, harvest=one_file(path)))
        print(f"run {run.pk}", flush=True)


def one_file(path: Path) -> Harvest:
    content = f"a,b\n{path.parent.name},{path.stem}\n".encode()
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return Harvest(files=(StoredFile("output/a.csv", len(content), digest, path),))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
