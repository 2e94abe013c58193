"""A PostgreSQL of the benchmarks' own, and the CPU that its processes use."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measuring.process_tree import TICKS_PER_S

START_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Server:
    """A running server with its socket in `folder`."""

    folder: Path
    postmaster: int

    def create(self, name: str) -> str:
        """The address of a database, made where there is none."""
        address = f"postgres://postgres@/{self.folder}/{name}"
        client = ["-h", str(self.folder), "-U", "postgres"]
        found = run([program("psql"), *client, "-lqtAF|"])
        if name not in [line.partition("|")[0] for line in found.splitlines()]:
            run([program("createdb"), *client, name])
        return address


def program(name: str) -> str:
    """A program of PostgreSQL."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(debian[-1]) if debian else shutil.which(name)
    if found is None:
        raise SystemExit(f"{name} is missing: apt-get install postgresql")
    return found


def unprivileged() -> list[str]:
    """PostgreSQL refuses to be root: whoever is root runs it as Debian's user for it."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


def run(command: Sequence[str]) -> str:
    """Run a PostgreSQL program and return its output."""
    done = subprocess.run(
        [*unprivileged(), *command],
        check=True,
        timeout=120,
        cwd="/",
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


@contextlib.contextmanager
def postgres() -> Iterator[Server]:
    """A new server with its defaults, flushing what it commits, gone with the block."""
    folder = Path(tempfile.mkdtemp(prefix="pb-pg-"))
    try:
        with postgres_in(folder) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def postgres_in(folder: Path, *settings: str) -> Iterator[Server]:
    """A server whose data are in `folder`, made where there are none, and stay there."""
    data = folder / "data"
    if not data.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        make = [program("initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"]
        run([*make, "-N", "-E", "UTF8", "--locale=C.UTF-8"])
    options = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
    process = subprocess.Popen(
        [*unprivileged(), program("postgres"), "-D", str(data), "-k", str(folder), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        await_server(folder, process)
        yield Server(folder, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def await_server(folder: Path, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    ask = [program("pg_isready"), "-q", "-h", str(folder)]
    while subprocess.run(ask, check=False, timeout=60).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("PostgreSQL did not start.")
        time.sleep(0.1)


def cpu_of(postmaster: int) -> float:
    """CPU seconds that the server and all its processes, also those that ended, have used."""
    used = ticks(postmaster, with_ended=True)
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return (used + sum(ticks(int(child)) for child in children)) / TICKS_PER_S


def ticks(pid: int, *, with_ended: bool = False) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0  # it ended meanwhile: the server has its time
    return sum(map(int, fields[11:15] if with_ended else fields[11:13]))
