"""The floor: the same cells in one long-lived process with everything imported.

Reads {"imports": [modules], "cell_timeout_s", "jobs": [{"data": folder, "cells": [...]}]} from
stdin and prints {"cells", "cpu_s", "wall_s"}: of the cells alone, what they start included.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PATH = list(sys.path)


class TooLong(BaseException):
    """A cell went past its time."""


def cpu_s() -> float:
    """CPU seconds of this process and of every child that was waited for."""
    parts = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def ring(*_: object) -> None:
    raise TooLong


def play(shell: Any, job: dict[str, Any], timeout_s: float) -> tuple[float, float]:
    """One conversation's cells in a namespace and a folder of their own: (CPU, wall) seconds."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(job["data"], folder / "data")
    (folder / "output").mkdir()
    os.chdir(folder)
    shell.reset(new_session=False)
    cpu_before_s, started_s = cpu_s(), time.monotonic()
    for code in job["cells"]:
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        with contextlib.suppress(BaseException):  # a cell may raise anything, SystemExit too
            try:
                shell.run_cell(code, store_history=False)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    spent = cpu_s() - cpu_before_s, time.monotonic() - started_s
    close_figures()
    sys.path[:] = PATH  # some cells cut it, and later ones could import nothing more
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)
    gc.collect()
    return spent


def close_figures() -> None:
    with contextlib.suppress(Exception):
        import matplotlib.pyplot

        matplotlib.pyplot.close("all")


def main() -> None:
    order = json.load(sys.stdin)
    report = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    for name in order["imports"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    signal.signal(signal.SIGALRM, ring)
    sys.stdin = io.StringIO()
    spent = [play(shell, job, order["cell_timeout_s"]) for job in order["jobs"]]
    told = {
        "cells": sum(len(job["cells"]) for job in order["jobs"]),
        "cpu_s": sum(cpu for cpu, _ in spent),
        "wall_s": sum(wall for _, wall in spent),
    }
    json.dump(told, report)
    report.flush()
    os._exit(0)  # whatever the cells left running


if __name__ == "__main__":
    main()
