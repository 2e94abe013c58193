"""Fixtures for all tests: files of their own, and real PostgreSQL and Redis children."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from socketserver import BaseServer
from typing import TypeVar

import pytest
from django.core.cache import caches
from django.db import connections
from django.test import TransactionTestCase
from pytest_django.fixtures import Settings
from pytest_django.plugin import DjangoDbBlocker

ROOT = Path(__file__).resolve().parent
START_TIMEOUT_S = 180.0
OneServer = TypeVar("OneServer", bound=BaseServer)
QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"

# To rewrite the asserts of all files takes as long as the rest of a collection: what was written is
# kept, also where PYTHONDONTWRITEBYTECODE is set, and what the site's processes compile.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

pytest_plugins = ("pybench_site.tests.pytest_report",)

UNDER_WAY: list[pytest.Item] = []  # the test that runs


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are made and all of them kept: to look for garbage costs a tenth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    UNDER_WAY[:] = [item]


def only_among_peers() -> None:
    """Refuse other people's servers to a test of the core, which starts none."""
    if not any(item.get_closest_marker("peers") for item in UNDER_WAY):
        pytest.fail("a test that starts other people's servers carries `@pytest.mark.peers`")


def pytest_configure(config: pytest.Config) -> None:
    """Processes that share the tests share a folder: the first that needs a template makes it."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="pb-templates-")
        config.add_cleanup(folder.cleanup)
        os.environ["PYBENCH_TEST_TEMPLATES"] = folder.name


def migrate_command(settings: dict[str, str]) -> None:
    """Make all tables in the database that `settings` names."""
    named = {"DJANGO_SETTINGS_MODULE": "pybench_site.settings"}
    folder = {"PYBENCH_VAR": os.environ["PYBENCH_TEST_TEMPLATES"]}
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, **named, **folder, **settings},
        check=True,
        timeout=300,
    )


@cache
def migrated_database() -> Path:
    """A SQLite database with every table and no row but those that a migration writes."""
    made = Path(os.environ["PYBENCH_TEST_TEMPLATES"], "site.sqlite3")
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            new = made.with_suffix(".new")
            migrate_command({"DATABASE_URL": f"sqlite:///{new}"})
            with contextlib.closing(sqlite3.connect(new)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            new.rename(made)
    return made


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Processes that share the tests copy a database that one of them has made."""
    is_file = connections["default"].settings_dict["ENGINE"].endswith("sqlite3")
    return is_file and "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_keepdb: bool
) -> None:
    """The database is a file, as on a site: threads that share one in memory refuse each other."""
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        path = tmp_path_factory.mktemp("database") / "site.sqlite3"
        if django_db_keepdb:
            path.write_bytes(migrated_database().read_bytes())
        database["TEST"]["NAME"] = str(path)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """After a test that commits, a copy is put back: sooner done than to empty every table."""
    connection = connections["default"]
    if connection.vendor != "sqlite":
        yield
        return
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        untouched = sqlite3.connect(":memory:")
        cursor.connection.backup(untouched)

    def put_back(case: TransactionTestCase) -> None:
        with connection.cursor() as cursor:
            untouched.backup(cursor.connection)

    with pytest.MonkeyPatch.context() as patch, contextlib.closing(untouched):
        patch.setattr(TransactionTestCase, "_fixture_teardown", put_back)
        yield


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    """A site's hashes take a third of a second each, as they should; those of its processes too."""
    settings.PASSWORD_HASHERS = [QUICK_HASHER, *settings.PASSWORD_HASHERS]


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """No test has to wait because of the requests of those before it."""
    caches["default"].clear()


@pytest.fixture(autouse=True)
def own_files(settings: Settings, tmp_path: Path) -> None:
    """Stored files go to the test's own folder, never to the site's."""
    from leaderboard.storage.blobs import KNOWN

    KNOWN.found_s.clear()
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {**storage, "OPTIONS": {"location": tmp_path / "stored"}},
    }


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real Redis, as `make run` starts it."""
    from leaderboard.tests.support.servers import own_redis

    with own_redis() as (_, url):
        yield url


@pytest.fixture(scope="session")
def new_postgres_database() -> Iterator[Callable[[], str]]:
    """A real PostgreSQL; each call makes an empty database and returns its address."""
    from leaderboard.tests.support.servers import create_database, own_postgres

    numbers = count(1)
    with own_postgres(None, "-c", "fsync=off") as (server, _):
        yield lambda: create_database(server, f"test{next(numbers)}")


def as_postgres(home: Path) -> list[str]:
    """PostgreSQL refuses to be root: whoever is root runs it as Debian's user for it."""
    if os.geteuid() != 0:
        return []
    shutil.chown(home, "postgres", "postgres")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


def postgres_program(name: str) -> str:
    only_among_peers()
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(debian[-1]) if debian else shutil.which(name)
    if found is None:
        pytest.fail(f"{name} is missing: apt-get install postgresql")
    return found


def run_command(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd="/")
    assert done.returncode == 0, done.stderr


def wait_until(is_so: Callable[[], bool], what: str, timeout_s: float = START_TIMEOUT_S) -> None:
    """Wait for a condition, looking ten times a second; fail with `what` after the deadline."""
    deadline = time.monotonic() + timeout_s
    while not is_so():
        if time.monotonic() > deadline:
            pytest.fail(f"not so within {timeout_s:.0f} s: {what}")
        time.sleep(0.1)


@contextlib.contextmanager
def served(server: OneServer) -> Iterator[OneServer]:
    """A server at work in a thread until the block ends."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)


def free_port() -> int:
    """A port for a program that binds it later.

    Below those that the kernel gives to whoever asks for any: no other test gets it meanwhile.
    """
    while True:
        port = random.SystemRandom().randrange(12_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
