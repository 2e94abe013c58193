"""Reads one upload within limits of memory and CPU time; started by `confined.read_confined`.

Arguments: the file with what is to be called, the file for the answer, CPU seconds, bytes of
memory.
"""

from __future__ import annotations

import os
import pickle
import resource
import sys
from pathlib import Path

MAX_ANSWER_BYTES = 1 << 30
NICE = 5


def main(task: str, answer: str, cpu_s: int, memory_bytes: int) -> None:
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_AS, memory_bytes)
    limit(resource.RLIMIT_CPU, cpu_s + 1, cpu_s)  # which SIGXCPU tells from a kill
    limit(resource.RLIMIT_FSIZE, MAX_ANSWER_BYTES)
    os.nice(NICE)
    read, arguments = pickle.loads(Path(task).read_bytes())
    with Path(answer).open("wb") as file:
        try:
            for part in read(*arguments):
                pickle.dump(part, file, pickle.HIGHEST_PROTOCOL)
        except MemoryError:
            sys.exit("An upload takes more memory than it may.")


def limit(kind: int, value: int, soft: int | None = None) -> None:
    """Set a limit that the process cannot raise again, below the one it was started with."""
    _, most = resource.getrlimit(kind)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(kind, (value if soft is None else min(soft, value), value))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
