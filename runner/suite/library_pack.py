"""The check library as one piece, compiled, for tools: no file shows it where they run."""

from __future__ import annotations

import importlib.util
import marshal
from functools import lru_cache
from pathlib import Path
from types import CodeType

INSIDE = "/opt/pybench"  # where its files seem to lie
HERE = Path(__file__).resolve().parents[1]
LENGTH_BYTES = 8

# What a tool's Python is started with: the pack is read to its last byte and no further, since
# what follows on stdin is the job.
BOOT = f"""
import importlib.util, marshal, os
def read(count):
    parts = []
    while count:
        parts.append(os.read(0, count))
        if not parts[-1]:
            raise EOFError("the check library is cut off")
        count -= len(parts[-1])
    return b"".join(parts)
magic, importer, modules = marshal.loads(read(int.from_bytes(read({LENGTH_BYTES}), "little")))
names = {{"modules": modules if magic == importlib.util.MAGIC_NUMBER else
    {{name: (*facts[:3], b"") for name, facts in modules.items()}}}}
exec(importer, names)
"""


def check_library() -> list[Path]:
    """The files that decide verdicts beside a task's own."""
    root = HERE / "checks"
    subjects = (path for path in root.iterdir() if path.is_dir() and path.name != "__pycache__")
    folders = (root, *sorted(subjects))
    return list(listed(tuple((folder, folder.stat().st_mtime_ns) for folder in folders)))


@lru_cache(maxsize=2)
def listed(folders: tuple[tuple[Path, int], ...]) -> tuple[Path, ...]:
    """Kept while no file comes or goes."""
    return tuple(sorted(path for folder, _ in folders for path in folder.glob("*.py")))


def pack() -> bytes:
    """The library, its length before it.

    Marshalled: (magic number of the Python that compiled it, source of the importer,
    {module: (is a package, file name, source, code)}).
    """
    files = [HERE / "__init__.py", *check_library()]
    return packed(tuple((path, path.stat().st_mtime_ns) for path in files))


@lru_cache(maxsize=2)
def packed(files: tuple[tuple[Path, int], ...]) -> bytes:
    """Kept while no file changes."""
    modules = {name_of(path): facts_of(path) for path, _ in files}
    importer = modules["runner.checks.harness.importer"][2]
    body = marshal.dumps((importlib.util.MAGIC_NUMBER, importer, modules))
    return len(body).to_bytes(LENGTH_BYTES, "little") + body


def name_of(path: Path) -> str:
    parts = path.relative_to(HERE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def facts_of(path: Path) -> tuple[bool, str, str, bytes]:
    source = path.read_text("utf-8")
    file = f"{INSIDE}/{path.relative_to(HERE.parent)}"
    return path.name == "__init__.py", file, source, marshal.dumps(compiled(source, file))


def compiled(source: str, file: str) -> CodeType:
    """Without the `from __future__` of this module."""
    code: CodeType = compile(source, file, "exec", dont_inherit=True)
    return code
