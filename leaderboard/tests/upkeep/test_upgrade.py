"""A site that the first version filled is upgraded: nothing is lost, and it goes on.

`data/first_version.tar.xz` holds what the first version wrote into SQLite and into PostgreSQL:
three runs of four tasks twice, one of them half played, one attempt void, an entry with an owner,
keys encrypted under FIELD_KEY.
"""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from conftest import postgres_program
from leaderboard.tests.support.backups import make_environment
from leaderboard.tests.support.site import Site

FIRST = Path(__file__).parents[1] / "data" / "first_version.tar.xz"
ROWS = {"run": 3, "attempt": 24, "step": 36, "verdict": 17, "statuschange": 43, "blob": 2}
ROWS |= {"stepfile": 72, "failuretag": 12, "attempttext": 17, "entry": 3, "endpoint": 3}

PAGES = """
from django.test import Client
from leaderboard.models import Attempt, Run
runs = [f"/runs/{run.pk}/" for run in Run.objects.all()]
replays = [attempt.get_absolute_url() for attempt in Attempt.objects.exclude(outcome="")[:4]]
words = ["/failures/?q=print", "/failures/?q=rows"]
pages = ["/", "/board.json", "/failures/", "/tasks/small/", "/charts/", "/api/v1/runs/"]
for address in pages + runs + replays + words:
    status = Client().get(address).status_code
    if status != 200:
        print(address, status)
"""
GO_ON = """
from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.storage import encryption
from leaderboard.models import Endpoint, Run
from leaderboard.tests.support.jobs import claim, judged, step
run = Run.objects.latest("pk")
keys = {encryption.decrypt(row.encrypted_key) for row in Endpoint.objects.all()}
assert keys == {"sk-first"}
while jobs := claim(run.pk, 2, "new"):
    for job in jobs:
        attempts.step(job, step(1))
        attempts.record_result(job, judged(True))
sweep_queue()
run.refresh_from_db()
print(run.status, run.attempts.filter(passed=True).count())
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peers)])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    with tarfile.open(FIRST) as archive:
        archive.extractall(tmp_path, filter="data")
    is_served = request.param == "postgresql"
    url = request.getfixturevalue("new_postgres_database")() if is_served else ""
    if url:
        home, _, name = url.removeprefix("postgres://postgres@/").rpartition("/")
        psql = [
            postgres_program("psql"),
            "-h",
            home,
            "-U",
            "postgres",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
        ]
        subprocess.run([*psql, "-f", tmp_path / "site.sql", name], check=True, timeout=120)
    return Site(tmp_path, make_environment(tmp_path, url))


@pytest.mark.services
def test_data_of_the_first_version_is_carried_over(site: Site) -> None:
    site.manage("migrate", "--verbosity", "0")
    found = {table: site.one(f"SELECT count(*) FROM leaderboard_{table}") for table in ROWS}
    assert found == ROWS
    site.manage("sweep")
    said = site.manage("recompute", "--dry-run")
    assert " 0 with figures that differed" in said, said
    assert site.manage("shell", "-v", "0", "-c", PAGES) == ""
    said = site.manage("shell", "-v", "0", "-c", GO_ON)
    assert said.startswith("done "), said
    assert site.manage("verify").endswith("no faults found\n")
