"""Redis and PostgreSQL servers that a test kills, stops and starts again."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from conftest import as_postgres, migrate_command, postgres_program, run_command, wait_until
from leaderboard.tests.support.warm import start_program

MIGRATED = "migrated"  # the database that others are copies of


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
    run_command(["cp", "-a", str(migrated_cluster()), str(home)])
    own = postgres_in(home, *options)
    with started(own, folder, signal.SIGQUIT):  # which ends it at once
        wait_for_postgres(own)
        yield own, create_database(own, "faults")


@cache
def migrated_cluster() -> Path:
    """The folder of a PostgreSQL that is not running, with all tables in its database `migrated`.

    Made once for all processes that share the tests.
    """
    made = Path(os.environ["PYBENCH_TEST_TEMPLATES"], "pg")
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made.exists():
            return made
        made.parent.chmod(0o755)
        home = made.with_suffix(".new")
        home.mkdir()
        initdb = [postgres_program("initdb"), "-D", str(home), "-U", "postgres", "-A", "trust"]
        run_command([*as_postgres(home), *initdb, "-N", "-E", "UTF8", "--locale=C.UTF-8"])
        server = postgres_in(home, "-c", "fsync=off")
        server.start()
        try:
            wait_for_postgres(server)
            migrate_command({"DATABASE_URL": create_database(server, MIGRATED)})
        finally:
            server.end(signal.SIGINT)  # once what was asked is written
        home.rename(made)
    return made


def postgres_in(home: Path, *options: str) -> Server:
    program = [*as_postgres(home), postgres_program("postgres")]
    command = [*program, "-D", str(home), "-k", str(home), "-c", "listen_addresses=", *options]
    return Server(command, home / ".s.PGSQL.5432")


def create_database(server: Server, name: str) -> str:
    """An empty database of the server; its address."""
    home = server.socket_path.parent
    run_command([postgres_program("createdb"), "-h", str(home), "-U", "postgres", name])
    return f"postgres://postgres@/{home}/{name}"


def fill_with_tables(address: str) -> None:
    """Make the empty database at an address of `create_database` one with all tables."""
    home, _, name = address.partition("@/")[2].rpartition("/")
    reach = ["-h", home, "-U", "postgres"]
    run_command([postgres_program("dropdb"), *reach, name])
    run_command([postgres_program("createdb"), *reach, "-T", MIGRATED, name])


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
