"""A site on PostgreSQL and Redis of its own, whose processes a test stops, freezes and kills."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from leaderboard.tests.support.servers import own_postgres, own_redis
from leaderboard.tests.support.site import Site, make_site

TASKS = 6


@contextlib.contextmanager
def faulty_site(tasks: int = TASKS, *options: str) -> Iterator[Site]:
    """The site, without a worker or a sweeper; `options` are PostgreSQL's."""
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        _, broker_url = stack.enter_context(own_redis())
        _, database_url = stack.enter_context(own_postgres(None, *options))
        site = make_site(folder, database_url, broker_url, tasks)
        site.environment["PYBENCH_BACKOFF_S"] = "0.5,2,20"
        yield site


def held_by(site: Site, pid: int) -> list[int]:
    """The attempts that a worker process holds, by what the rows say."""
    held = f"status = 'running' AND worker LIKE '%:{pid}'"
    found = site.rows(f"SELECT id FROM leaderboard_attempt WHERE {held} ORDER BY id")
    return [pk for (pk,) in found]
