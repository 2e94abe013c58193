"""Measures CPU seconds and peak memory of this process and everything it starts."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PERIOD_S = 0.05
MEMORY_EVERY = 5  # PSS is expensive to read: every fifth look


@dataclass(frozen=True)
class ProcessTimes:
    """CPU time of one process, with what tells it from a later one of its number."""

    parent: int
    started: int  # clock ticks since boot: tells a reused process number from the old one
    cpu_s: float


def read_times(pid: int) -> ProcessTimes | None:
    """Times of one process from /proc/PID/stat (proc(5)); None when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return ProcessTimes(
        int(fields[1]), int(fields[19]), (int(fields[11]) + int(fields[12])) / TICKS_PER_S
    )


def read_pss_bytes(pid: int) -> int:
    """Proportional set size: shared pages are divided among those who share them."""
    try:
        with Path(f"/proc/{pid}/smaps_rollup").open() as lines:
            return next((int(x.split()[1]) << 10 for x in lines if x.startswith("Pss:")), 0)
    except OSError:
        return 0


def read_all_times() -> dict[int, ProcessTimes]:
    """Times of every process on this host, by process number."""
    numbers = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return {pid: times for pid in numbers if (times := read_times(pid))}


def below(root: int, times: Mapping[int, ProcessTimes], without: Collection[int] = ()) -> list[int]:
    """`root`, where it is alive, and all its descendants but those `without` and below them."""
    children: dict[int, list[int]] = {}
    for pid, facts in times.items():
        children.setdefault(facts.parent, []).append(pid)
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        if pid in without:
            continue
        if pid in times:
            found.append(pid)
        todo += children.get(pid, [])
    return found


def descendants_of(pid: int) -> list[int]:
    """The processes below `pid`, without itself."""
    return [found for found in below(pid, read_all_times()) if found != pid]


class TreeMeter:
    """Looks at the process tree below `root` many times a second, for as long as it is entered.

    CPU is summed over every process ever seen, each with its last reading, without what the looks
    themselves take; a process that lives for less than the period between two may be missed.
    Processes `without` are left out, with all that they start.
    """

    def __init__(self, root: int | None = None, without: Collection[int] = ()) -> None:
        self.root = root or os.getpid()
        self.without = frozenset(without)
        self.seen: dict[tuple[int, int], float] = {}
        self.before: dict[tuple[int, int], float] = {}
        self.peak_pss_bytes = 0
        self.wall_s = 0.0
        self.looking_s = 0.0  # CPU of the looks that are counted in
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def cpu_s(self) -> float:
        total = sum(cpu - self.before.get(key, 0.0) for key, cpu in self.seen.items())
        return max(0.0, total - self.looking_s)

    def __enter__(self) -> TreeMeter:
        self.look()
        self.before = dict(self.seen)
        self._started = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.wall_s = time.monotonic() - self._started
        self._done.set()
        self._thread.join(5)
        self.look()

    def look(self, memory: bool = False) -> None:
        """Read every process below the root once."""
        cpu_s = time.thread_time()
        times = read_all_times()
        pss = 0
        for pid in below(self.root, times, self.without):
            self.seen[pid, times[pid].started] = times[pid].cpu_s
            if memory:
                pss += read_pss_bytes(pid)
        self.peak_pss_bytes = max(self.peak_pss_bytes, pss)
        if self.before:
            self.looking_s += time.thread_time() - cpu_s

    def _watch(self) -> None:
        looks = 0
        while not self._done.wait(PERIOD_S):
            looks += 1
            self.look(memory=looks % MEMORY_EVERY == 0)
