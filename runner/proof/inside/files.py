"""Runs in a kernel: the reference's files, in ./data, written changed under ./output/SORT NAME.

Every other file is copied beside the changed one, so that each folder is a whole result.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Writers = dict[str, Callable[[Path], Any]]


def vary_files(sorts: dict[str, Sequence[Callable[[Path], Writers]]]) -> None:
    """Write what each maker of each sort makes of each file; what cannot be read is left alone."""
    given = sorted(path for path in Path("data").rglob("*") if path.is_file())
    for sort, makers in sorts.items():
        made: dict[str, dict[Path, Callable[[Path], Any]]] = {}
        for path in given:
            for maker in makers:
                for name, write in read_by(maker, path).items():
                    made.setdefault(name, {})[path] = write
        for name, writers in made.items():
            write_folder(Path("output") / f"{sort} {name}", given, writers)


def read_by(maker: Callable[[Path], Writers], path: Path) -> Writers:
    try:
        return maker(path)
    except (ValueError, TypeError, KeyError, IndexError, OSError, AttributeError):
        return {}  # a file of another build: the change says nothing of it


def write_folder(
    folder: Path, given: Sequence[Path], writers: dict[Path, Callable[[Path], Any]]
) -> None:
    for path in given:
        target = folder / path.relative_to("data")
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in writers:
            writers[path](target)
        else:
            shutil.copyfile(path, target)
