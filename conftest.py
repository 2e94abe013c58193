"""Fixtures for all tests: files of their own, and real PostgreSQL and Redis children."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import connections
from pytest_django.fixtures import Settings

START_TIMEOUT_S = 30.0


# Files that take long, mostly waiting, the longest first: none is left alone at the end.
LONG = (
    "test_attacks",
    "test_bad_endpoints",
    "test_gateway_work",
    "test_faults",
    "test_kill",
    "test_queue",
    "test_gateway_life",
    "test_gateway_cells",
    "test_checks_models",
    "test_pdf_pages_live",
    "test_faults_disk",
    "test_sandbox_life",
    "test_faults_hosts",
    "test_sandboxd",
    "test_checks_media",
    "test_submit_journey",
    "test_observing",
    "test_charts_browser",
    "test_postgres",
    "test_canary",
    "test_serve",
    "test_hostile_content",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Needs `--no-loadscope-reorder` where files are shared among processes."""
    place = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: place.get(item.path.stem, len(LONG)))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The database is a file, as on a site: threads that share one in memory refuse each other."""
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "site.sqlite3")


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """No test is told to wait for the requests of those before it."""
    caches["default"].clear()


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Stored files go to the test's own folder, never to the site's."""
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**storage, "OPTIONS": {"location": tmp_path / "stored"}},
    }


@pytest.fixture(scope="session")
def socket_folder() -> Iterator[Path]:
    """A folder with a short name, since a unix socket's path has 107 characters at most."""
    folder = Path(tempfile.mkdtemp(prefix="pb-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def redis_url(socket_folder: Path) -> Iterator[str]:
    """A real Redis, as `make run` starts it."""
    path = socket_folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(path), "--save", ""]
    with child([*command, "--appendonly", "no", "--dir", str(socket_folder)], path.exists):
        yield f"redis+socket://{path}"


@pytest.fixture(scope="session")
def new_postgres_database(socket_folder: Path) -> Iterator[Callable[[], str]]:
    """A real PostgreSQL; each call makes an empty database and returns its address."""
    home = socket_folder / "pg"
    home.mkdir()
    unprivileged = as_postgres(home)
    server = [*unprivileged, postgres_program("postgres"), "-D", str(home), "-k", str(home)]
    initdb = [postgres_program("initdb"), "-D", str(home), "-U", "postgres", "-A", "trust", "-N"]
    run([*unprivileged, *initdb, "-E", "UTF8", "--locale=C.UTF-8"])
    count = 0

    def create() -> str:
        nonlocal count
        count += 1
        name = f"test{count}"
        client = ["createdb", "-h", str(home), "-U", "postgres", name]
        run([*unprivileged, postgres_program(client[0]), *client[1:]])
        return f"postgres://postgres@/{home}/{name}"

    with child(
        [*server, "-c", "listen_addresses=", "-c", "fsync=off"],
        (home / ".s.PGSQL.5432").exists,
        signal.SIGINT,
    ):
        yield create


def as_postgres(home: Path) -> list[str]:
    """PostgreSQL refuses to be root: whoever is root runs it as Debian's user for it."""
    if os.geteuid() != 0:
        return []
    shutil.chown(home, "postgres", "postgres")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


def postgres_program(name: str) -> str:
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(debian[-1]) if debian else shutil.which(name)
    if found is None:
        pytest.fail(f"{name} is missing: apt-get install postgresql")
    return found


def run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd="/")
    assert done.returncode == 0, done.stderr


@contextlib.contextmanager
def child(
    command: Sequence[str], is_up: Callable[[], bool], end: signal.Signals = signal.SIGTERM
) -> Iterator[subprocess.Popen[bytes]]:
    """A child process in a group of its own, up when entered and ended with the block."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )
    try:
        wait_until(lambda: is_up() or process.poll() is not None, f"{command[0]} is up")
        assert process.poll() is None, f"{command[0]} ended with {process.returncode}"
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, end)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)


def wait_until(is_so: Callable[[], bool], what: str, timeout_s: float = START_TIMEOUT_S) -> None:
    """Wait for a condition, looking ten times a second; fail with `what` after the deadline."""
    deadline = time.monotonic() + timeout_s
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"not so within {timeout_s:.0f} s: {what}")
        time.sleep(0.1)
