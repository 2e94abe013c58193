"""Logs stay bounded while processes write, and keep every line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pybench_site.local.rotating_log import KEPT, RotatingLog

LINES = 3_000
TALK = f"""
import os, sys
for n in range({LINES}):
    os.write(1 + n % 2, b"%s line %d\\n" % (sys.argv[1].encode(), n))
"""


def files_of(path: Path) -> list[Path]:
    """From the oldest to the newest."""
    aside = [path.with_name(f"{path.name}.{number}") for number in range(9, 0, -1)]
    return [file for file in (*aside, path) if file.exists()]


def talk(log: RotatingLog, name: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", TALK, name]
    return subprocess.Popen(command, stdout=log.inlet, stderr=subprocess.STDOUT)


def test_processes_that_write_by_themselves_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    log = RotatingLog(path, max_bytes=40_000)
    talkers = [talk(log, name) for name in ("first", "second")]  # as a restarted one beside it
    for talker in talkers:
        assert talker.wait(240) == 0
    log.close()
    files = files_of(path)
    assert 2 <= len(files) <= KEPT + 1
    for file in files:
        assert file.stat().st_size < 40_000 + 100
        assert file.read_bytes().endswith(b"\n")
    said = b"".join(file.read_bytes() for file in files).decode().splitlines()
    for name in ("first", "second"):
        assert [line for line in said if line.startswith(name)] == [
            f"{name} line {number}" for number in range(LINES)
        ]


def test_the_oldest_file_goes(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    log = RotatingLog(path, max_bytes=1_000)
    assert talk(log, "one").wait(240) == 0
    log.close()
    assert len(files_of(path)) in (KEPT, KEPT + 1)
    assert sum(file.stat().st_size for file in files_of(path)) < (KEPT + 1) * 1_100
    last = b"".join(file.read_bytes() for file in files_of(path)).splitlines()[-1]
    assert last == b"one line %d" % (LINES - 1)


def test_a_file_that_is_full_already_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "web.log"
    path.write_text("x" * 1_500 + "\n")
    log = RotatingLog(path, max_bytes=1_000)
    assert subprocess.run(["echo", "new"], stdout=log.inlet, timeout=240).returncode == 0
    assert subprocess.run(["echo", "newer"], stdout=log.inlet, timeout=240).returncode == 0
    log.close()
    assert [len(file.read_text().splitlines()) for file in files_of(path)] == [2, 1]


def test_a_disk_that_takes_no_more_holds_nobody_up(tmp_path: Path) -> None:
    log = RotatingLog(tmp_path / "missing" / "web.log", max_bytes=1_000)
    assert talk(log, "one").wait(240) == 0
    log.close()
    assert not log.thread.is_alive()
