"""Processes with a library loaded before all others."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from leaderboard.tests.support.site import Site

SOURCES = Path(__file__).parents[1] / "support"


def with_preloaded(site: Site, source: str, **environment: str) -> Site:
    """The site whose processes load `source`, a file of the support, compiled in its folder."""
    if not shutil.which("cc"):
        pytest.fail("cc is missing: apt-get install gcc libc6-dev")
    library = site.folder / f"{source}.so"
    if not library.exists():
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCES / source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
    return site.with_environment(LD_PRELOAD=str(library), **environment)
