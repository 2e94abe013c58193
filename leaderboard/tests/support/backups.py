"""Sites to be backed up and restored."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from conftest import wait_until
from leaderboard.tests.support.site import Site
from leaderboard.tests.support.warm import ROOT

FIELD_KEY = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ="
SIGNING_KEY = "a-signing-key-of-the-first-site"
EVIDENCE_KEY = "an evidence key of the first site, which signs"
PAGES = """
import hashlib
from django.test import Client
for address in ("/board.json?suite=small", "/?suite=small", "/board.csv", "/runs/1.json"):
    answer = Client().get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    print(address, hashlib.sha256(answer.content).hexdigest(), len(answer.content))
"""


def make_environment(var: Path, database_url: str, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": database_url or f"sqlite:///{var}/site.sqlite3",
        "PYBENCH_VAR": str(var),
        "PYBENCH_BROKER_URL": f"redis+socket://{var}/none.sock",
        "PYBENCH_SECRET_KEY": SIGNING_KEY,
        "PYBENCH_FIELD_KEYS": FIELD_KEY,
        "PYBENCH_EVIDENCE_KEYS": EVIDENCE_KEY,
        **more,
    }


@contextlib.contextmanager
def busy(site: Site, folder: Path) -> Iterator[None]:
    """Attempts are claimed, played and judged meanwhile; at least one run is over before."""
    folder.mkdir(exist_ok=True)
    stop, log = folder / "stop", folder / "log"
    stop.unlink(missing_ok=True)
    with log.open("wb") as output:
        command = [
            sys.executable,
            "-m",
            "leaderboard.tests.support.busy_site",
            str(folder),
            str(stop),
        ]
        worker = subprocess.Popen(
            command, cwd=ROOT, env=site.environment, stdout=output, stderr=output
        )
    try:
        wait_until(lambda: b"run " in log.read_bytes() or worker.poll() is not None, "a run")
        assert worker.poll() is None, log.read_text()
        yield
    finally:
        stop.touch()
        worker.wait(240)
    assert worker.returncode == 0, log.read_text()


def look(site: Site) -> str:
    return site.manage("shell", "-v", "0", "-c", PAGES)
