"""Runs inside, before all else of the library: lets it be imported from memory.

Executed with `modules` in its namespace, {name: (is a package, file name, source, code or b"")}.
Code that another Python compiled is left out by whoever executes this, and compiled here.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import marshal
import sys
import types
from collections.abc import Mapping, Sequence

Modules = Mapping[str, tuple[bool, str, str, bytes]]


class Importer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds and loads the modules that it was given, and no others."""

    def __init__(self, known: Modules) -> None:
        self.known = known
        self.is_compiled = all(code for *_, code in known.values())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.known:
            return None
        is_package, file, _, _ = self.known[fullname]
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=file, is_package=is_package)
        spec.has_location = True
        return spec

    def get_code(self, fullname: str) -> types.CodeType:
        _, file, source, code = self.known[fullname]
        made: types.CodeType = marshal.loads(code) if code else compile(source, file, "exec")
        return made

    def get_source(self, fullname: str) -> str:
        return self.known[fullname][2]

    def is_package(self, fullname: str) -> bool:
        return self.known[fullname][0]


if "modules" in globals():
    sys.meta_path.insert(0, Importer(globals()["modules"]))
