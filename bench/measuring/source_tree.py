"""A source tree as its syntax shows it: modules, what they import, classes, functions, excepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

BROAD = frozenset({"Exception", "BaseException"})


@dataclass(frozen=True)
class Module:
    """One file. `name` is dotted; a package has the name of its folder."""

    name: str
    path: Path
    folder: str  # relative to the root, with slashes
    text: str

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    def classes(self) -> Iterator[str]:
        """Names of the classes that other modules can import."""
        return (node.name for node in self.tree.body if isinstance(node, ast.ClassDef))

    def functions(self) -> Iterator[tuple[str, int]]:
        """Every function and method with its lines, decorators left out."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1

    def broad_excepts(self) -> int:
        handlers = (node for node in ast.walk(self.tree) if isinstance(node, ast.ExceptHandler))
        return sum(is_broad(handler.type) for handler in handlers)


def is_broad(caught: ast.expr | None) -> bool:
    """Hold for `except:`, `except Exception` and a tuple that has it."""
    match caught:
        case None:
            return True
        case ast.Name(id=name):
            return name in BROAD
        case ast.Tuple(elts=parts):
            return any(is_broad(part) for part in parts)
    return False


class SourceTree:
    """The modules below some folders of `root`; those of tests and migrations apart."""

    def __init__(self, root: Path, tops: Sequence[str]) -> None:
        self.root = root
        found = [(root, path) for top in tops for path in sorted((root / top).rglob("*.py"))]
        read = [read_module(root, path) for root, path in found]
        self.tests = [module for module in read if "tests" in module.folder.split("/")]
        out = ("tests", "migrations")
        self.sources = [m for m in read if not set(out) & set(m.folder.split("/"))]
        self.names = {module.name for module in self.sources}

    def imports(self, module: Module, at_start_only: bool = False) -> set[str]:
        """The modules of this tree that the module imports (`at_start_only`: when it is loaded)."""
        nodes = loaded_with(module.tree) if at_start_only else ast.walk(module.tree)
        wanted = (name for node in nodes for name in imported(node, self.names))
        return {name for name in wanted if name in self.names} - {module.name}

    def graph(self) -> dict[str, set[str]]:
        return {module.name: self.imports(module, at_start_only=True) for module in self.sources}

    def room_graph(self) -> dict[str, set[str]]:
        """Folders and what they import; a module that has folders beside it is a room itself."""
        packages = {module.name for module in self.sources if module.is_package}
        with_folders = {name.rpartition(".")[0] for name in packages}

        def room(name: str) -> str:
            above = name.rpartition(".")[0]
            return name if name in packages or above in with_folders else above

        needs: dict[str, set[str]] = {}
        for module in self.sources:
            own = room(module.name)
            needs.setdefault(own, set()).update({room(n) for n in self.imports(module)} - {own})
        return needs


def read_module(root: Path, path: Path) -> Module:
    place = path.relative_to(root)
    name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
    return Module(name, path, place.parent.as_posix(), path.read_text("utf-8"))


def loaded_with(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that run when a module is loaded: no function bodies, nothing for types alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def imported(node: ast.AST, names: set[str]) -> Iterator[str]:
    """Imports of a node: the module itself where a name is one, else the module it is from."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield whole if whole in names else node.module or ""


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of two nodes or more that all reach each other."""
    reached = {node: reach(graph, node) for node in graph}
    groups = {frozenset({a, *(b for b in reached[a] if a in reached[b])}) for a in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def reach(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = {node for node in graph[waiting.pop()] if node in graph} - found
        found |= new
        waiting += new
    return found


def longest_chain(graph: Mapping[str, set[str]]) -> list[str]:
    """The longest path on which no node comes twice, from who imports to who imports nothing.

    In a graph with circles it is a path of that length or a shorter one.
    """
    known: dict[str, list[str]] = {}

    def below(node: str, above: frozenset[str]) -> list[str]:
        if node not in known:
            nexts = (below(other, above | {node}) for other in sorted(graph[node] - above - {node}))
            known[node] = [node, *max(nexts, key=len, default=[])]
        return known[node]

    return max((below(node, frozenset()) for node in sorted(graph)), key=len, default=[])
