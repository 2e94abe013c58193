"""Watching a sandbox's memory where no cgroup can be had: it may overshoot before it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

from runner.sandbox.host.memory_budget import BUDGET

PERIOD_S = 0.25


async def watch(init_pid: int, memory_bytes: int, died: asyncio.Event) -> bool:
    """True if the tree of `init_pid` must end: it went over its memory, or all of them over theirs.

    False once it died.
    """
    sandbox = object()
    # Beyond what it shares with its parent from its fork on, which each look would count again.
    own_at_first = proportional(init_pid) - resident(init_pid)
    try:
        while not died.is_set():
            used_bytes = resident(init_pid)
            is_over = used_bytes > memory_bytes and proportional(init_pid) > memory_bytes
            if is_over or BUDGET.must_end(sandbox, max(0, used_bytes + own_at_first)):
                return True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PERIOD_S):
                    await died.wait()
        return False
    finally:
        BUDGET.forget(sandbox)


def resident(init_pid: int) -> int:
    """Bytes of pid 1 of a sandbox and of all processes under it.

    Cheap, but pages that they share are counted in each.
    """
    pids = [init_pid, *descend(init_pid)]
    return sum(read_kib(pid, "status", ("RssAnon", "RssShmem")) for pid in pids) << 10


def proportional(init_pid: int) -> int:
    """The same with shared pages divided among those who share them; expensive."""
    pids = [init_pid, *descend(init_pid)]
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
