"""Faults that are really done to a site at work, on SQLite and on PostgreSQL.

Killed and sleeping workers, duplicate messages and drains are in test_kill and test_queue.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from kombu import Queue

from conftest import free_port, wait_until
from leaderboard.tests.support.database_consistency import (
    Sealed,
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.servers import Server, own_postgres, own_redis
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import Behaviour, slow_endpoint
from leaderboard.tests.support.web_process import fetch, web
from pybench_site.celery import app

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 4
VICTIM = f"pb-{os.getpid()}"  # what a cell calls its process, so that it can be found from outside
CALL_ITSELF = f"open('/proc/self/comm', 'w').write('{VICTIM}')\nimport time\ntime.sleep(50)"


@dataclass
class World:
    """A site whose worker and sweeper are at work, and the servers under it."""

    site: Site
    broker: Server
    database: Server | None  # None: SQLite


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peers)]
)
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        broker, broker_url = stack.enter_context(own_redis())
        database, database_url = None, ""
        if request.param == "postgresql":
            database, database_url = stack.enter_context(own_postgres())
        site = make_site(folder, database_url, broker_url, TASKS)
        site.environment["PYBENCH_BACKOFF_S"] = "0.5,2,20"  # the last try comes late
        site.environment["PYBENCH_LOOPBACK_PORTS"] = "12000-60999"
        stack.enter_context(site.worker())
        stack.enter_context(site.sweeper())
        yield World(site, broker, database)


def processes_called(name: str) -> list[int]:
    found = []
    for comm in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if comm.read_text().strip() == name:
                found.append(int(comm.parent.name))
    return found


def test_a_kernel_that_is_killed_costs_its_cell_and_no_attempt(world: World) -> None:
    with slow_endpoint() as (base_url, endpoint):
        endpoint.epilogue = CALL_ITSELF
        run = world.site.start_run(base_url, concurrency=1)
        wait_until(lambda: bool(processes_called(VICTIM)), "a cell is under way", 180)
        endpoint.epilogue = ""
        [victim] = processes_called(VICTIM)
        os.kill(victim, signal.SIGKILL)
        world.site.wait_for_end(run)
    assert_whole(world.site, run)
    killed = "SELECT count(*) FROM leaderboard_step s JOIN leaderboard_attempt a"
    joined = f"ON a.id = s.attempt_id WHERE a.run_id = {run} AND s.status = 'killed'"
    assert world.site.one(f"{killed} {joined}") == 1
    tries = world.site.rows(f"SELECT DISTINCT tries FROM leaderboard_attempt WHERE run_id = {run}")
    assert tries == [(1,)]


def start_and_hold(site: Site, base_url: str, endpoint: Behaviour) -> tuple[int, Sealed]:
    """A run with an attempt that is done and another that waits for a reply; what is done."""
    endpoint.hold_finals_after = 1
    run = site.start_run(base_url, concurrency=2)
    wait_until(lambda: site.count(run, "done") == 1, "one is done", 180)
    wait_until(lambda: endpoint.waiting > 0, "another waits for a reply", 180)
    return run, sealed_of(site, run)


def test_a_broker_that_is_killed_and_comes_back_empty_loses_nothing(world: World) -> None:
    with slow_endpoint() as (base_url, endpoint):
        run, before = start_and_hold(world.site, base_url, endpoint)
        world.broker.end(signal.SIGKILL)
        meanwhile = world.site.start_run(base_url, concurrency=2)
        endpoint.may_go_on.set()
        world.broker.start()
        for each in (run, meanwhile):
            world.site.wait_for_end(each)
    assert_whole(world.site, run, before)
    assert_whole(world.site, meanwhile)


def test_a_worker_that_holds_a_message_closes_its_connection_to_a_broker_that_is_gone() -> None:
    """As Celery's consumer does, which ends of any error but those of connections."""
    with own_redis() as (server, url):
        connection = app.connection_for_read(url)
        queue = Queue("jobs")(connection.default_channel)
        queue.declare()
        connection.Producer().publish({}, routing_key="jobs")
        held: list[object] = []
        connection.Consumer([queue], callbacks=[lambda _, message: held.append(message)]).consume()
        connection.drain_events(timeout=60)
        assert len(held) == 1
        server.end(signal.SIGKILL)
        with pytest.raises(connection.connection_errors):
            connection.drain_events(timeout=60)
        connection.transport.close_connection(connection.connection)
        connection.close()


def test_a_database_that_restarts_costs_no_finished_attempt(world: World) -> None:
    if world.database is None:
        pytest.skip("SQLite has no server to restart")
    with slow_endpoint() as (base_url, endpoint):
        run, before = start_and_hold(world.site, base_url, endpoint)
        mark = len(world.site.log())
        world.database.end(signal.SIGQUIT)  # at once, as after a loss of power
        try:
            endpoint.may_go_on.set()
            missed = "the database is away"
            wait_until(lambda: missed in world.site.log()[mark:], "it is missed", 180)
        finally:
            world.database.start()
        wait_until(lambda: can_be_asked(world.site, run), "the database answers", 180)
        world.site.wait_for_end(run)
    assert_whole(world.site, run, before)


def test_a_web_process_that_is_killed_takes_no_run_with_it(world: World) -> None:
    with slow_endpoint() as (base_url, endpoint), web(world.site) as (url, process):
        run, before = start_and_hold(world.site, base_url, endpoint)
        assert fetch(f"{url}/runs/{run}/")[0] == 200
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)
        endpoint.may_go_on.set()
        world.site.wait_for_end(run)
    assert_whole(world.site, run, before)
    with web(world.site) as (url, _):
        assert fetch(f"{url}/runs/{run}/")[0] == 200


def can_be_asked(site: Site, run: int) -> bool:
    with contextlib.suppress(Exception):
        return bool(site.run_status(run))
    return False


def test_an_endpoint_that_goes_away_and_comes_back_spoils_nothing(world: World) -> None:
    port = free_port()  # nobody takes it while the endpoint is away
    with slow_endpoint(port) as (base_url, endpoint):
        run, before = start_and_hold(world.site, base_url, endpoint)
    failed = f"SELECT endpoint_failures FROM leaderboard_run WHERE id = {run}"
    wait_until(lambda: world.site.one(failed) >= 1, "it was missed", 180)
    with slow_endpoint(port):
        world.site.wait_for_end(run)
    assert_whole(world.site, run, before)


def test_after_all_that_every_figure_is_what_the_rows_give(world: World) -> None:
    assert_recomputable(world.site)
