"""A database that takes no more connections for a while, in the middle of a run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg
import pytest

from conftest import wait_until
from leaderboard.tests.support.database_consistency import (
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.faulty_site import TASKS, faulty_site
from leaderboard.tests.support.site import Site
from leaderboard.tests.support.slow_endpoint import slow_endpoint

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]

SLOTS = 16
OTHERS = b"datname = current_database() AND application_name <> 'greedy'"
END_OTHERS = b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + OTHERS


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    limits = ("-c", f"max_connections={SLOTS}", "-c", "superuser_reserved_connections=0")
    with faulty_site(TASKS, *limits) as site:
        yield site


@contextlib.contextmanager
def every_slot_taken(site: Site) -> Iterator[None]:
    """End the site's sessions and take their slots, until it has none left."""
    home = site.environment["DATABASE_URL"].removeprefix("postgres://postgres@/")
    folder, _, name = home.rpartition("/")
    with contextlib.ExitStack() as stack:
        ours: list[psycopg.Connection[tuple[object, ...]]] = []

        def take() -> bool:
            if ours:
                ours[0].execute(END_OTHERS)
            with contextlib.suppress(psycopg.OperationalError):  # the slot is not free yet
                while len(ours) < SLOTS:
                    one = psycopg.connect(
                        host=folder, user="postgres", dbname=name, autocommit=True,
                        application_name="greedy",
                    )  # fmt: skip
                    ours.append(stack.enter_context(one))
            return len(ours) == SLOTS

        wait_until(take, "every slot is ours")
        with pytest.raises(psycopg.OperationalError, match="too many clients"):
            psycopg.connect(host=folder, user="postgres", dbname=name)
        yield


def test_database_without_free_connections_loses_and_doubles_nothing(site: Site) -> None:
    with slow_endpoint() as (base_url, endpoint), site.worker() as worker, site.sweeper():
        endpoint.hold_finals_after = 2
        run = site.start_run(base_url, concurrency=4)
        wait_until(lambda: site.count(run, "done") == 2, "two attempts are done")
        wait_until(lambda: endpoint.waiting > 0, "another waits for its last reply")
        before, mark = sealed_of(site, run), len(site.log())
        with every_slot_taken(site):
            endpoint.may_go_on.set()  # results come, and nobody takes them
            missed = "the database is away"
            wait_until(lambda: missed in site.log()[mark:], "the worker misses it")
            wait_until(lambda: "too many clients" in site.log()[mark:], "it knows why")
        site.wait_for_end(run)
        again = site.start_run(base_url, concurrency=4)
        site.wait_for_end(again)
        assert worker.poll() is None
    assert_whole(site, run, before)
    assert_whole(site, again)
    assert_recomputable(site)
