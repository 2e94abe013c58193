"""The Python environment that model code sees: where it is, and what identifies it."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.host.account import find_closed_folder
from runner.sandbox.host.commands import LINK, show_commands

REPOSITORY = Path(__file__).resolve().parents[3]
RECIPE = REPOSITORY / "suites" / "environment"
RECIPE_FILES = ("*.txt", "*.py", "*.pth")  # the locks, and our own modules in the environment
INSIDE = "/opt/env"
PYTHON_INSIDE = "/opt/env/bin/python"


@dataclass(frozen=True)
class KernelEnvironment:
    """A virtual environment on the host, shown inside at `/opt/env`."""

    folder: Path
    base: Path  # the prefix of the interpreter it was made from, "/usr" as a rule
    python_version: str

    @property
    def commands(self) -> Path:
        """The folder of the programs that are shown in place of the host's, as they are now."""
        return (self.folder / LINK).resolve()

    def binds(self) -> dict[Path, str]:
        """Read-only {host path: path inside}; `/usr` is there anyway."""
        binds = {self.folder: INSIDE}
        if not self.base.is_relative_to("/usr"):
            binds[self.base] = str(self.base)
        return binds

    def digest(self) -> str:
        """SHA-256 over the files it was made from and the interpreter's version."""
        made_from = b"\0".join(path.read_bytes() for path in recipe_files())
        return hashlib.sha256(made_from + b"\0" + self.python_version.encode()).hexdigest()


def recipe_files(folder: Path = RECIPE) -> list[Path]:
    """Files that decide the contents of a kernel environment, in a fixed order."""
    return sorted(path for pattern in RECIPE_FILES for path in folder.glob(pattern))


def find_kernel_environment() -> KernelEnvironment:
    """Raises SandboxUnavailable when there is none that the sandbox's user can read."""
    named = os.environ.get("PYBENCH_KERNEL_ENV") or REPOSITORY / "var" / "kernel-env"
    folder = Path(named).resolve()
    config = read_config(folder / "pyvenv.cfg")
    python = folder / "bin" / "python"
    if not config or not python.exists():
        raise SandboxUnavailable(
            f"There is no kernel environment at {folder}. "
            "`make run` makes it; or point PYBENCH_KERNEL_ENV at one."
        )
    base = python.resolve().parent.parent
    for path in (folder / "bin", base / "bin"):
        closed = find_closed_folder(path)
        if closed:
            raise SandboxUnavailable(
                f"The sandbox's user cannot read {path}, because {closed} is closed to others. "
                f"Run `chmod o+x {closed}`, or move the checkout to a folder such as /srv."
            )
    show_commands(folder)
    return KernelEnvironment(folder, base, config.get("version", "unknown"))


def read_config(path: Path) -> dict[str, str]:
    try:
        text = path.read_text("utf-8")
    except OSError:
        return {}
    return dict(re.findall(r"^(\w[\w-]*)\s*=\s*(.+?)\s*$", text, re.MULTILINE))
