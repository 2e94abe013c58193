"""Redis and PostgreSQL servers that a test kills, stops and starts again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conftest import as_postgres, postgres_program, run, wait_until


@dataclass
class Server:
    """A server on a unix socket, in a process group of its own."""

    command: Sequence[str]
    socket_path: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        wait_until(self.accepts, f"{self.command[0]} accepts connections")

    def accepts(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(str(self.socket_path))
            return True
        return False

    def end(self, sign: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)
            self.process.wait(20)
            self.process = None


@contextlib.contextmanager
def own_redis() -> Iterator[tuple[Server, str]]:
    """A Redis that keeps nothing when it dies, and its address for Celery."""
    folder = Path(tempfile.mkdtemp(prefix="pb-redis-"))
    path = folder / "redis.sock"
    keep_nothing = ["--save", "", "--appendonly", "no", "--dir", str(folder)]
    command = ["redis-server", "--port", "0", "--unixsocket", str(path), *keep_nothing]
    with started(Server(command, path), folder, signal.SIGKILL) as server:
        yield server, f"redis+socket://{path}"


@contextlib.contextmanager
def own_postgres() -> Iterator[tuple[Server, str]]:
    """A PostgreSQL that keeps what was committed, and the address of an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="pb-pg-"))
    folder.chmod(0o755)
    home = folder / "pg"
    home.mkdir()
    unprivileged = as_postgres(home)
    initdb = [postgres_program("initdb"), "-D", str(home), "-U", "postgres", "-A", "trust", "-N"]
    run([*unprivileged, *initdb, "-E", "UTF8", "--locale=C.UTF-8"])
    server = [*unprivileged, postgres_program("postgres"), "-D", str(home), "-k", str(home)]
    command = [*server, "-c", "listen_addresses="]
    at_once = signal.SIGQUIT
    with started(Server(command, home / ".s.PGSQL.5432"), folder, at_once) as own:
        created = [postgres_program("createdb"), "-h", str(home), "-U", "postgres", "faults"]
        wait_until(lambda: is_ready(home), "PostgreSQL is ready")
        run([*unprivileged, *created])
        yield own, f"postgres://postgres@/{home}/faults"


def is_ready(home: Path) -> bool:
    probe = [postgres_program("pg_isready"), "-q", "-h", str(home)]
    return subprocess.run(probe, timeout=20, check=False).returncode == 0


@contextlib.contextmanager
def started(server: Server, folder: Path, ending: signal.Signals) -> Iterator[Server]:
    try:
        server.start()
        yield server
    finally:
        server.end(ending)
        shutil.rmtree(folder, ignore_errors=True)
