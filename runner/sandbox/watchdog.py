"""Watching a sandbox's memory where no cgroup can be had: it may overshoot before it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

PERIOD_S = 0.25


async def watch(init_pid: int, memory_bytes: int, died: asyncio.Event) -> bool:
    """Whether the tree of `init_pid` went over its memory before it died."""
    while not died.is_set():
        if measure(init_pid, memory_bytes) > memory_bytes:
            return True
        try:
            async with asyncio.timeout(PERIOD_S):
                await died.wait()
        except TimeoutError:
            continue
    return False


def measure(init_pid: int, memory_bytes: int) -> int:
    """Bytes of pid 1 of a sandbox and of all processes under it.

    Resident pages first, which is cheap but counts shared ones in every fork; only when those pass
    the limit, the proportional ones.
    """
    pids = [init_pid, *descend(init_pid)]
    resident = sum(read_kib(pid, "status", ("RssAnon", "RssShmem")) for pid in pids)
    if resident << 10 <= memory_bytes:
        return resident << 10
    return sum(read_kib(pid, "smaps_rollup", ("Pss",)) for pid in pids) << 10


def descend(pid: int) -> Iterator[int]:
    """Every process below `pid`: orphans are adopted by pid 1 of their namespace."""
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for task in list_folder(f"/proc/{parent}/task"):
            for child in read_words(task / "children"):
                waiting.append(int(child))
                yield int(child)


def list_folder(path: str) -> list[Path]:
    try:
        return list(Path(path).iterdir())
    except OSError:
        return []


def read_words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def read_kib(pid: int, file: str, names: tuple[str, ...]) -> int:
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.partition(":")[0] in names)
