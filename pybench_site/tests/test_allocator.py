"""The threads of a web process share one heap."""

from __future__ import annotations

import subprocess
import sys

WORK = """
import ctypes, sys, threading
from pybench_site import allocator
if sys.argv[1:]:
    allocator.hold_little()
together = threading.Barrier(4)
def work():
    together.wait()
    kept = [bytes(50_000) for _ in range(20)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc = ctypes.CDLL(None)
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


def count_heaps(*arguments: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", WORK, *arguments],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return done.stdout.count("<heap nr=")


def test_threads_share_one_heap() -> None:
    assert count_heaps() > 1  # as glibc does by itself
    assert count_heaps("hold little") == 1
