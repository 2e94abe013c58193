"""A reply on which a pattern never ends: other accounts' attempts go on, and leases are renewed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.models import unpack
from leaderboard.tests.support.database_consistency import assert_recomputable, assert_whole
from leaderboard.tests.support.faulty_site import faulty_site
from leaderboard.tests.support.site import LEASE_S, Site
from leaderboard.tests.support.slow_endpoint import slow_endpoint
from leaderboard.tests.support.stuck_reader import TEXT
from runner.model.reply import UNREAD

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]

GIVE_TO_ACCOUNT = """
from django.contrib.auth.models import User
from leaderboard.models import Entry
Entry.objects.update(owner=User.objects.create(username="attacker"))
"""


@pytest.fixture
def site() -> Iterator[Site]:
    with faulty_site(tasks=1) as site:
        yield site


def test_others_go_on_while_a_reply_is_read_for_ever(site: Site) -> None:
    with ExitStack() as stack:
        attackers_url, attacker = stack.enter_context(slow_endpoint())
        url, _ = stack.enter_context(slow_endpoint())
        attacker.epilogue = TEXT
        slow = site.start_run(attackers_url, concurrency=1)
        site.manage("shell", "-c", GIVE_TO_ACCOUNT)
        worker = stack.enter_context(site.worker("leaderboard.tests.support.stuck_reader"))
        stack.enter_context(site.sweeper())
        wait_until(lambda: len(attacker.calls) == 1, "the text was sent", 180)
        before = claim_of(site, slow)
        other = site.start_run(url, "--name", "Another", concurrency=1)
        site.wait_for_end(other)
        assert_whole(site, other)
        assert len(attacker.calls) == 1  # the text is still being read
        assert claim_of(site, slow) == before
        attacker.epilogue = ""  # the next reply is another
        time.sleep(3 * LEASE_S)
        assert claim_of(site, slow) == before  # nobody took it back
        wait_until(lambda: end_reading(worker.pid), "the reader at work is found")
        wait_until(lambda: len(attacker.calls) > 1, "the text was given up", 180)
        site.wait_for_end(slow)
        assert claim_of(site, slow)[1] == 1
    assert_whole(site, slow)
    assert_recomputable(site)
    assert notes_of(site, slow)[0] == ("malformed", [UNREAD])


def end_reading(worker: int) -> bool:
    """Send what reads for a worker the signal that ends it after its CPU time; true if one does."""
    children = Path(f"/proc/{worker}/task").glob("*/children")
    is_found = False
    for pid in {int(word) for path in children for word in path.read_text().split()}:
        with contextlib.suppress(OSError):  # it has ended
            is_reader = b"runner.reading.process" in Path(f"/proc/{pid}/cmdline").read_bytes()
            if is_reader and ") R " in Path(f"/proc/{pid}/stat").read_text():  # not an idle one
                os.kill(pid, signal.SIGPROF)
                is_found = True
    return is_found


def claim_of(site: Site, run: int) -> tuple[object, ...]:
    """Who holds the run's only attempt."""
    [row] = site.rows(f"SELECT token, tries FROM leaderboard_attempt WHERE run_id = {run}")
    return row


def notes_of(site: Site, run: int) -> list[tuple[str, list[str]]]:
    """By step its status and its notes."""
    of_run = f"SELECT id FROM leaderboard_attempt WHERE run_id = {run}"
    bodies = site.rows(
        f'SELECT status, body FROM leaderboard_step WHERE attempt_id IN ({of_run}) ORDER BY "index"'
    )
    return [(status, unpack(body)["notes"]) for status, body in bodies]
