"""One of several processes that claim and finish a run's attempts as fast as they can.

`python -m leaderboard.tests.claim_race RUN` prints the attempts that it finished, one per line.
"""

from __future__ import annotations

import sys

import django


def main(run: int) -> None:
    django.setup()
    from leaderboard import handoff
    from leaderboard.tests.queue_rows import judged

    while jobs := handoff.claim(run, 3, "racer"):
        for job in jobs:
            handoff.record_result(job, judged(True))
            print(job.attempt_id)


if __name__ == "__main__":
    main(int(sys.argv[1]))
