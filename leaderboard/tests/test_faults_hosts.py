"""Several workers on several hosts: each has folders of its own, all share only what is served."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.s3_server import Objects, s3_server
from leaderboard.tests.servers import own_postgres, own_redis
from leaderboard.tests.site import Site, make_site
from leaderboard.tests.slow_endpoint import slow_endpoint
from leaderboard.tests.wholeness import assert_recomputable, assert_whole, sealed_of

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 8
READ_ALL = """
from leaderboard.models import Blob
from leaderboard.stored import read_head
import hashlib
for blob in Blob.objects.all():
    assert hashlib.sha256(read_head(blob, 1 << 20)).hexdigest() == blob.sha256
print(Blob.objects.count())
"""


@pytest.fixture
def shared() -> Iterator[tuple[Site, Objects]]:
    """An installation whose database, broker and storage are served."""
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        _, broker_url = stack.enter_context(own_redis())
        _, database_url = stack.enter_context(own_postgres())
        s3_url, objects = stack.enter_context(s3_server())
        site = make_site(folder, database_url, broker_url, TASKS)
        of_s3 = {
            "PYBENCH_S3_BUCKET": "artifacts",
            "PYBENCH_S3_ENDPOINT": s3_url,
            "PYBENCH_S3_REGION": "here",
            "PYBENCH_S3_KEY_ID": "id",
            "PYBENCH_S3_SECRET": "secret",
            "PYBENCH_FIELD_KEYS": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=",
        }
        yield replace(site, environment={**site.environment, **of_s3}), objects


@contextlib.contextmanager
def worker_on(site: Site, host: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with a `var`, a runtime folder and a copy of the suites of its own."""
    root = site.folder / host
    shutil.copytree(site.folder / "suites", root / "suites")
    own = {
        "PYBENCH_VAR": str(root / "var"),
        "PYBENCH_SUITES": str(root / "suites"),
        "PYBENCH_SANDBOX_DIR": str(root / "run"),
    }
    with replace(site, environment={**site.environment, **own}).worker() as worker:
        yield worker


def test_hosts_that_share_no_disk_play_one_run_and_take_over_from_a_dead_one(
    shared: tuple[Site, Objects],
) -> None:
    site, objects = shared
    with slow_endpoint() as (base_url, endpoint), site.sweeper():
        endpoint.delay_s = 0.5
        run = site.start_run(base_url, concurrency=3)
        with worker_on(site, "a") as doomed, worker_on(site, "b"):
            its = f"FROM leaderboard_attempt WHERE run_id = {run} AND worker LIKE '%:{doomed.pid}'"
            held = f"SELECT id {its} AND status = 'running'"
            wait_until(lambda: bool(site.rows(held)), "the first host plays", 180)
            os.kill(doomed.pid, signal.SIGKILL)
            doomed.wait(10)
            orphans = site.rows(held)
            before = sealed_of(site, run)
            with worker_on(site, "c"):
                site.wait_for_end(run, 180)
        kept = site.rows(f"SELECT id {its}")
    assert_whole(site, run, before)
    assert orphans
    assert [orphan for orphan in orphans if orphan in kept] == []
    assert not list(site.folder.glob("*/var/files/*"))
    assert objects
    assert int(site.manage("shell", "-v", "0", "-c", READ_ALL)) == len(objects)
    assert_recomputable(site)
