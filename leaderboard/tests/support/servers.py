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

from conftest import as_postgres, postgres_program, run_command, wait_until
from leaderboard.tests.support.warm import start_program


@dataclass
class Server:
    """A server on a unix socket, in a process group of its own."""

    command: Sequence[str]
    socket_path: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.process = start_program(self.command, os.environ, Path(os.devnull), folder=Path("/"))
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
            self.process.wait(60)
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
def own_postgres(under: Path | None = None, *options: str) -> Iterator[tuple[Server, str]]:
    """A PostgreSQL that keeps what was committed, and the address of an empty database.

    Its folder lies `under` another; `options` are more of its command line.
    """
    folder = Path(tempfile.mkdtemp(prefix="pb-pg-", dir=under))
    folder.chmod(0o755)
    home = folder / "pg"
    home.mkdir()
    unprivileged = as_postgres(home)
    initdb = [postgres_program("initdb"), "-D", str(home), "-U", "postgres", "-A", "trust", "-N"]
    run_command([*unprivileged, *initdb, "-E", "UTF8", "--locale=C.UTF-8"])
    server = [*unprivileged, postgres_program("postgres"), "-D", str(home), "-k", str(home)]
    command = [*server, "-c", "listen_addresses=", *options]
    at_once = signal.SIGQUIT
    with started(Server(command, home / ".s.PGSQL.5432"), folder, at_once) as own:
        wait_for_postgres(own)
        yield own, create_database(own, "faults")


def create_database(server: Server, name: str) -> str:
    """An empty database of the server; its address."""
    home = server.socket_path.parent
    run_command([postgres_program("createdb"), "-h", str(home), "-U", "postgres", name])
    return f"postgres://postgres@/{home}/{name}"


def wait_for_postgres(server: Server) -> None:
    """Wait until it answers, also after it recovered from its log."""
    probe = [postgres_program("pg_isready"), "-q", "-h", str(server.socket_path.parent)]
    wait_until(lambda: not subprocess.run(probe, timeout=60).returncode, "PostgreSQL is ready")


@contextlib.contextmanager
def started(server: Server, folder: Path, ending: signal.Signals) -> Iterator[Server]:
    try:
        server.start()
        yield server
    finally:
        server.end(ending)
        shutil.rmtree(folder, ignore_errors=True)
