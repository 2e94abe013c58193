"""Silent failures: a frozen worker, silent connections, ended sessions."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from conftest import free_port, wait_until
from leaderboard.tests.support.database_consistency import (
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.faulty_site import faulty_site, held_by
from leaderboard.tests.support.site import LEASE_S, Site
from leaderboard.tests.support.slow_endpoint import CELLS, slow_endpoint
from leaderboard.tests.support.web_process import fetch

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]

SOCKET = ".s.PGSQL.5432"
FROZEN = "pb-frozen"  # what the session of the worker that stands still is called


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with faulty_site() as site:
        yield site


def session_state(site: Site, name: str) -> list[tuple[object, ...]]:
    return site.rows(
        "SELECT state, wait_event_type FROM pg_stat_activity "
        f"WHERE application_name = '{name}' AND xact_start IS NOT NULL"
    )


def freeze_in_transaction(site: Site, run: int, pid: int, go_on: threading.Event) -> None:
    """Stop a worker for certain while it holds the run's row.

    We hold that row until the worker waits for it in a transaction, stop the worker, then release:
    PostgreSQL gives the row to a session that never says another word.
    """
    home = site.environment["DATABASE_URL"].removeprefix("postgres://postgres@/")
    folder, _, name = home.rpartition("/")
    with psycopg.connect(host=folder, user="postgres", dbname=name) as ours:
        ours.execute(b"SELECT 1 FROM leaderboard_run WHERE id = %s FOR UPDATE", [run])
        go_on.set()
        waits = ("active", "Lock")
        wait_until(lambda: waits in session_state(site, FROZEN), "the worker waits for the row")
        os.kill(pid, signal.SIGSTOP)
    idle = ("idle in transaction", "Client")
    wait_until(lambda: idle in session_state(site, FROZEN), "the stopped worker holds the row")


def test_a_worker_that_stands_still_in_a_transaction_stops_nobody(site: Site) -> None:
    quick = site.with_environment(PYBENCH_DB_IDLE_S="2", PYBENCH_DB_LOCK_S="1")
    # Frozen it keeps the row for long enough that we see it hold it.
    doomed = quick.with_environment(
        PGAPPNAME=FROZEN, PYBENCH_DB_LOCK_S="90", PYBENCH_DB_IDLE_S="15"
    )
    with slow_endpoint() as (base_url, endpoint), doomed.worker() as frozen:
        endpoint.hold_after = CELLS + 2  # one attempt may be done, the others wait for a reply
        run = site.start_run(base_url, concurrency=2)
        wait_until(lambda: endpoint.waiting > 0, "an attempt waits for a reply", 180)
        freeze_in_transaction(site, run, frozen.pid, endpoint.may_go_on)
        stopped_s = time.monotonic()
        held, before = held_by(site, frozen.pid), sealed_of(site, run)
        with quick.worker() as other, quick.sweeper():
            healthy = site.start_run(base_url, concurrency=2)
            for each in (run, healthy):  # both end while the other stands still
                site.wait_for_end(each, 180)
            wait_until(lambda: time.monotonic() > stopped_s + 3 * LEASE_S, "three leases", 60)
            assert held
            assert [pk for pk in held if pk in held_by(site, frozen.pid)] == []
            after = sealed_of(site, run)
            os.kill(frozen.pid, signal.SIGCONT)
            wait_until(lambda: "fenced" in site.log(), "its late writes are refused", 180)
            assert other.poll() is None
            again = site.start_run(base_url, concurrency=2)
            site.wait_for_end(again, 180)
    assert_whole(site, run, before)
    assert sealed_of(site, run) == after  # nothing that it said late counts
    assert_whole(site, healthy)
    lost = f"SELECT count(*) FROM leaderboard_attempt WHERE run_id = {healthy} AND tries > 1"
    assert site.one(lost) == 0
    assert_whole(site, again)
    assert_recomputable(site)


class CutProxy:
    """A proxy before PostgreSQL whose open connections fall silent, as after a failover.

    It passes bytes both ways; `drop` swallows those of all connections that are open by then.
    """

    def __init__(self, listener: socket.socket, target: Path) -> None:
        self.listener = listener
        self.target = target
        self.standing: list[threading.Event] = []  # set: this connection is silent
        self.pumps: list[threading.Thread] = []

    def drop(self) -> int:
        """Silence what is connected; how many connections. New ones pass."""
        dropped, self.standing = self.standing, []
        for is_silent in dropped:
            is_silent.set()
        return len(dropped)

    def serve(self) -> None:
        with contextlib.suppress(OSError):  # closed: the end
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self.target))
                is_silent = threading.Event()
                self.standing.append(is_silent)
                pass_on = threading.Thread(target=pump, args=(client, server, is_silent))
                pass_on.start()
                self.pumps.append(pass_on)


def pump(client: socket.socket, server: socket.socket, is_silent: threading.Event) -> None:
    """Move bytes until a side ends; a silent connection passes and reports nothing more."""
    with client, server, contextlib.suppress(OSError):
        while True:
            for source in select.select([client, server], [], [])[0]:
                data = source.recv(65536)
                if not data and not (is_silent.is_set() and source is server):
                    return
                if not is_silent.is_set():
                    (server if source is client else client).sendall(data)


@contextlib.contextmanager
def proxied(database_url: str) -> Iterator[tuple[str, CutProxy]]:
    """The database's address through a proxy, and the proxy."""
    home, _, name = database_url.removeprefix("postgres://postgres@/").rpartition("/")
    with (
        tempfile.TemporaryDirectory(prefix="pb-proxy-") as folder,
        socket.socket(socket.AF_UNIX) as listener,
    ):
        listener.bind(f"{folder}/{SOCKET}")
        listener.listen(64)
        proxy = CutProxy(listener, Path(home) / SOCKET)
        serving = threading.Thread(target=proxy.serve)
        serving.start()
        try:
            yield f"postgres://postgres@/{folder}/{name}", proxy
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for thread in (serving, *proxy.pumps):
                thread.join(20)


def says_that_it_waits(ready: str) -> bool:
    status, text = fetch(ready)
    return status == 503 and "waits for the database" in text


def test_worker_with_silent_connections_says_so_and_ends_on_sigterm(site: Site) -> None:
    port = free_port()
    with contextlib.ExitStack() as stack:
        base_url, endpoint = stack.enter_context(slow_endpoint())
        through_url, proxy = stack.enter_context(proxied(site.environment["DATABASE_URL"]))
        through = site.with_environment(DATABASE_URL=through_url, PYBENCH_WORKER_PORT=str(port))
        stack.enter_context(site.sweeper())
        worker = stack.enter_context(through.worker())
        endpoint.hold_after = CELLS + 2
        run = site.start_run(base_url, concurrency=2)
        wait_until(lambda: endpoint.waiting > 0, "an attempt waits for a reply", 180)
        before = sealed_of(site, run)
        assert proxy.drop() > 0
        endpoint.may_go_on.set()
        ready = f"http://127.0.0.1:{port}/readyz"
        wait_until(lambda: says_that_it_waits(ready), "it says so", 180)
        os.kill(worker.pid, signal.SIGTERM)
        worker.wait(60)
        with site.worker():
            site.wait_for_end(run, 180)
    assert_whole(site, run, before)
    assert_recomputable(site)


def wait_for_done(site: Site, run: int, attempts: int) -> None:
    wait_until(lambda: site.count(run, "done") >= attempts, "attempts are done", 180)


def test_sessions_that_are_ended_three_times_cost_no_try(site: Site) -> None:
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    with slow_endpoint() as (base_url, endpoint), site.worker(), site.sweeper():
        endpoint.delay_s = 0.4
        run = site.start_run(base_url, concurrency=3)
        ended = f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE {others}"
        for done in (1, 2, 3):
            wait_for_done(site, run, done)
            wait_until(lambda: site.one(ended) > 0, "there are sessions to end", 60)
        before = sealed_of(site, run)
        site.wait_for_end(run)
    assert_whole(site, run, before)
    tries = site.rows(f"SELECT DISTINCT tries FROM leaderboard_attempt WHERE run_id = {run}")
    assert tries == [(1,)]
    assert_recomputable(site)
