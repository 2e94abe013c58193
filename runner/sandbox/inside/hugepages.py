"""Keeping the zygote's memory in large pages, so that a fork copies a table of hundreds of entries.

A fork copies the page table of all private memory, and its end takes the copy down: several
milliseconds for the hundreds of megabytes that the imported libraries are. In large pages (2 MiB)
there is a five-hundredth of it. What a child then writes to is copied in small pages as before.
Linux 6.1 and later, `madvise(2)`; elsewhere nothing is gained and nothing lost.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path

SIZE_BYTES = 2 << 20
MADV_COLLAPSE = 25
PRIVATE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p 00000000 00:00 0 +(\[heap\]|\[anon.*)?$")


def collapse() -> int:
    """Gather this process' private memory in large pages; the bytes that the system did."""
    libc = ctypes.CDLL(None, use_errno=True)
    done = 0
    for start, end in find_ranges(Path("/proc/self/maps").read_text()):
        for address in range(start, end, SIZE_BYTES):
            range_ = ctypes.c_void_p(address), ctypes.c_size_t(SIZE_BYTES)
            done += SIZE_BYTES if libc.madvise(*range_, MADV_COLLAPSE) == 0 else 0
    return done


def find_ranges(maps: str) -> Iterator[tuple[int, int]]:
    """The aligned part of each private writable range without a file, by /proc/PID/maps (proc(5)).

    >>> list(find_ranges("00300000-00a00000 rw-p 00000000 00:00 0 [heap]"))
    [(4194304, 10485760)]
    """
    for line in maps.splitlines():
        found = PRIVATE.match(line)
        if found:
            start, end = (int(part, 16) for part in found.groups()[:2])
            start = -(-start // SIZE_BYTES) * SIZE_BYTES
            end = end // SIZE_BYTES * SIZE_BYTES
            if start < end:
                yield start, end
