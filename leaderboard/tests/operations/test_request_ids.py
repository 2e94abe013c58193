"""A page that fails leaves a traceback in the log of every format, with the id that it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASK = """
import sys
import django
django.setup()
from django.test import Client

client = Client(raise_request_exception=False)
for _ in range(2):
    print(client.get(sys.argv[1], headers={"Host": "127.0.0.1"}).content.decode())
"""


@pytest.mark.parametrize("log", ["text", "json"])
@pytest.mark.parametrize("path", ["/", "/api/v1/runs/", "/runs/1/"])
def test_a_failure_is_in_the_log_with_its_id(path: str, log: str, tmp_path: Path) -> None:
    settings = {
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3",  # without a table
        "PYBENCH_VAR": str(tmp_path),
        "PYBENCH_LOG": log,
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK, path],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = re.findall(r"request is ([0-9a-f]{12})\.|as request ([0-9a-f]{12})\.", done.stdout)
    ids = {one or other for one, other in told}
    assert len(ids) == 2
    for each in ids:
        assert each in done.stderr
    assert done.stderr.count("Traceback") >= 2
