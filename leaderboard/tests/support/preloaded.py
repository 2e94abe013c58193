"""Small C libraries that a test loads into one process before the C library."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from leaderboard.tests.support.site import Site

HERE = Path(__file__).parent


def with_preloaded(site: Site, source: str, **environment: str) -> Site:
    """The site whose processes load `source`, a file beside this one, compiled in its folder."""
    if not shutil.which("cc"):
        pytest.fail("cc is missing: apt-get install gcc libc6-dev")
    library = site.folder / f"{source}.so"
    if not library.exists():
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
    return site.with_environment(LD_PRELOAD=str(library), **environment)
