"""Several workers on several hosts: each has folders of its own, all share only what is served."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import free_port, wait_until
from leaderboard.tests.support.database_consistency import (
    assert_recomputable,
    assert_whole,
    sealed_of,
)
from leaderboard.tests.support.s3_server import connect, s3_server
from leaderboard.tests.support.servers import own_postgres, own_redis
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import slow_endpoint
from leaderboard.tests.support.warm import Process
from leaderboard.tests.support.web_process import is_ready

pytestmark = [pytest.mark.services, pytest.mark.sandbox, pytest.mark.peers]

TASKS = 8
READ_ALL = """
from leaderboard.models import Blob
from leaderboard.storage.blobs import read_head
import hashlib
for blob in Blob.objects.all():
    assert hashlib.sha256(read_head(blob, 1 << 20)).hexdigest() == blob.sha256
print(Blob.objects.count())
"""


@pytest.fixture
def shared() -> Iterator[Site]:
    """An installation whose database, broker and storage are served."""
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        _, broker_url = stack.enter_context(own_redis())
        _, database_url = stack.enter_context(own_postgres())
        s3_url = stack.enter_context(s3_server("artifacts"))
        site = make_site(folder, database_url, broker_url, TASKS)
        of_s3 = {
            "PYBENCH_S3_BUCKET": "artifacts",
            "PYBENCH_S3_ENDPOINT": s3_url,
            "PYBENCH_S3_REGION": "us-east-1",
            "PYBENCH_S3_KEY_ID": "id",
            "PYBENCH_S3_SECRET": "secret",
            "PYBENCH_FIELD_KEYS": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=",
        }
        yield site.with_environment(**of_s3)


@contextlib.contextmanager
def worker_on(site: Site, host: str) -> Iterator[Process]:
    """A worker with a `var`, a runtime folder and a copy of the suites of its own."""
    root = site.folder / host
    shutil.copytree(site.folder / "suites", root / "suites")
    own = {
        "PYBENCH_VAR": str(root / "var"),
        "PYBENCH_SUITES": str(root / "suites"),
        "PYBENCH_SANDBOX_DIR": str(root / "run"),
    }
    with site.with_environment(**own).worker() as worker:
        yield worker


def test_hosts_without_a_shared_disk_take_over_from_a_dead_one(shared: Site) -> None:
    site, port = shared, free_port()
    with slow_endpoint() as (base_url, endpoint), site.sweeper():
        endpoint.hold_finals_after = 2
        run = site.start_run(base_url, concurrency=3)
        with worker_on(site, "a") as doomed:
            its = f"FROM leaderboard_attempt WHERE run_id = {run} AND worker LIKE '%:{doomed.pid}'"
            held = f"SELECT id {its} AND status = 'running'"
            wait_until(lambda: endpoint.waiting > 0, "the first host holds an attempt", 180)
            wait_until(lambda: site.count(run, "done") == 2, "it has finished two", 180)
            with worker_on(site.with_environment(PYBENCH_WORKER_PORT=str(port)), "b"):
                wait_until(lambda: is_ready(port), "the second host is at work", 180)
                os.kill(doomed.pid, signal.SIGKILL)
                doomed.wait(60)
                orphans = site.rows(held)
                before = sealed_of(site, run)
                endpoint.may_go_on.set()
                with worker_on(site, "c"):
                    site.wait_for_end(run)
        kept = site.rows(f"SELECT id {its}")
    assert_whole(site, run, before)
    assert orphans
    assert [orphan for orphan in orphans if orphan in kept] == []
    assert not list(site.folder.glob("*/var/files/*"))
    bucket = connect(site.environment["PYBENCH_S3_ENDPOINT"]).Bucket("artifacts")
    stored = len(list(bucket.objects.all()))
    assert 0 < stored == int(site.manage("shell", "-v", "0", "-c", READ_ALL))
    assert_recomputable(site)
