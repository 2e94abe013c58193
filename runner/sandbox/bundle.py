"""The sandbox's own code as one archive in memory, for processes that cannot read the project."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

RUNNER = Path(__file__).resolve().parents[1]
PARTS = ("__init__.py", "contract.py", "sandbox/**/*.py")
MAIN = "__main__.py"
FILTER = "seccomp.bpf"  # compiled on the host: libseccomp is not seen inside
SERVICE = "from runner.sandbox.sandboxd.service import main; main()"
ENTER_RANGE = "from runner.sandbox.host.users import main; main()"
ZYGOTE = "from runner.sandbox.inside.zygote_main import main; main()"


def make_bundle(main: str, files: Mapping[str, bytes] | None = None) -> bytes:
    """A zip file that Python can run, which does `main` (one line of source), with these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in {MAIN: main.encode(), **(files or {})}.items():
            archive.writestr(name, data)
        for pattern in PARTS:
            for path in sorted(RUNNER.glob(pattern)):
                archive.write(path, f"runner/{path.relative_to(RUNNER)}")
    return content.getvalue()


def read_own_bundle(main: str) -> bytes:
    """The archive that this process runs from, made to do `main`."""
    content = io.BytesIO()
    with zipfile.ZipFile(sys.path[0]) as own, zipfile.ZipFile(content, "w") as archive:
        archive.writestr(MAIN, main)
        for name in own.namelist():
            if name != MAIN:
                archive.writestr(name, own.read(name))
    return content.getvalue()


def read_own_file(name: str) -> bytes:
    """One file of the archive that this process runs from."""
    with zipfile.ZipFile(sys.path[0]) as own:
        return own.read(name)
