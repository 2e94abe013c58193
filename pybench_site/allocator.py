"""Settings of the C library's allocator: what the threads of a web process free goes back."""

from __future__ import annotations

import ctypes
import os

# From glibc's malloc.h. Setting one of the thresholds also keeps it from growing by itself.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
KEPT_BYTES = 128 * 1024


def hold_little() -> None:
    """One heap for all threads; what is large goes back as soon as it is freed.

    By itself glibc gives each thread heaps of its own and keeps what was freed in them. Threads
    that take turns at the interpreter's lock gain nothing from that. A C library without `mallopt`
    is left as it is. To be called before there are threads, and before numpy is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # buffers for threads that never work here
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES)
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
