"""`python -m runner.leavings [SCRATCH]`: removes what processes that were killed left.

That is folders and cgroups of sandboxes whose worker or service is gone, and of SCRATCH the
folders of attempts. The next worker or service to start would do the same.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from runner.sandbox.host.runtime_folders import runtime_folder, sweep
from runner.worker.scratch_folders import Scratch

TRIES = 5  # while the last processes are on their way out
PAUSE_S = 0.1


def main() -> None:
    folder = runtime_folder()
    for _ in range(TRIES):
        if sweep(folder):
            break
        time.sleep(PAUSE_S)
    for scratch in map(Path, sys.argv[1:]):
        Scratch(scratch).close()


if __name__ == "__main__":
    main()
