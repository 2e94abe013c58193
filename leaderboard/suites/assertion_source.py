"""The statements of a task's check that make an assertion, found by the assertion's name.

A verdict keeps what each assertion is called, not its line. Most names stand in the task's file;
the others are given by functions of the check library, which the task's check calls.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import re2

from leaderboard.models import Task
from leaderboard.suites.task_source import NOT_OF_THE_CHECK, names_of, read_source

LIBRARY = Path(__file__).resolve().parents[2] / "runner" / "checks"
MAX_NAME_CHARS = 300
MAX_STATEMENTS = 3  # that may have made the assertion
MAX_LINES = 16  # of one
MAX_DEPTH = 4  # of calls from the task's check into the library
LEAST_LITERAL = 4  # characters of an f-string that must stand in a name
MAX_FILES = 256  # remembered

Function = ast.FunctionDef | ast.AsyncFunctionDef
Name = tuple[str, str]  # of a module of the library, and of a function in it
Call = tuple[str, str]  # what stands before the dot, "" for nothing; and the function


@dataclass(frozen=True)
class Statement:
    """Lines of a task's file."""

    first_line: int
    text: str
    through: str = ""  # the library's function that gives the name, "" where the task does


@dataclass(frozen=True)
class Words:
    """Texts that a piece of code has: whole, and as patterns where they are f-strings."""

    literals: frozenset[str]
    patterns: tuple[str, ...]

    def name(self, assertion: str) -> bool:
        return assertion in self.literals or any(
            re2.fullmatch(pattern, assertion) for pattern in self.patterns
        )


@dataclass(frozen=True)
class LibraryFunction:
    """A function of the check library, with its words and what it calls."""

    name: Name
    words: Words
    calls: frozenset[Call]


def find_statements(task: Task, assertion: str) -> tuple[Statement, ...]:
    """Statements that may have made the assertion; none where the file is not what was installed.

    Those that have the name itself come alone; else those that call a function of the library
    which has it.
    """
    source = read_source(task)
    if not source or not 0 < len(assertion) <= MAX_NAME_CHARS:
        return ()
    return search(source, assertion)


@lru_cache(maxsize=4 * MAX_FILES)
def search(source: str, assertion: str) -> tuple[Statement, ...]:
    lines, statements = source.splitlines(), statements_of(source)
    found = [node for node, words, _ in statements if words.name(assertion)]
    if found:
        return tuple(read(node, lines) for node in found[:MAX_STATEMENTS])
    for names in callers(assertion):
        called = [(node, called_of(calls, names)) for node, _, calls in statements]
        if found_through := [pair for pair in called if pair[1]]:
            return tuple(read(node, lines, name) for node, name in found_through[:MAX_STATEMENTS])
    return ()


def read(node: ast.stmt, lines: Sequence[str], through: str = "") -> Statement:
    last = min(node.end_lineno or node.lineno, node.lineno + MAX_LINES - 1)
    text = "\n".join(line[node.col_offset :] for line in lines[node.lineno - 1 : last])
    return Statement(node.lineno, text, through)


@lru_cache(maxsize=MAX_FILES)
def statements_of(source: str) -> tuple[tuple[ast.stmt, Words, frozenset[Call]], ...]:
    """Simple statements of the functions of a check, with their words and what they call."""
    tree = ast.parse(source)
    kept = (node for node in tree.body if not NOT_OF_THE_CHECK & names_of(node))
    functions = (node for node in kept if isinstance(node, Function))
    return tuple(
        (statement, words_of(parts), calls_of(parts))
        for function in functions
        for statement, parts in simple_statements(function.body)
    )


def simple_statements(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.stmt, list[ast.AST]]]:
    """Each statement with its own nodes; those of a block have their conditions alone."""
    for statement in body:
        nested = [child for child in ast.iter_child_nodes(statement) if is_block(child)]
        own = [child for child in ast.iter_child_nodes(statement) if not is_block(child)]
        yield statement, [node for child in own for node in ast.walk(child)]
        for child in nested:
            inner = [child] if isinstance(child, ast.stmt) else getattr(child, "body", [])
            yield from simple_statements(inner)


def is_block(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case)


def words_of(nodes: Iterable[ast.AST]) -> Words:
    literals, patterns = set(), []
    nodes = list(nodes)
    pieces = {id(p) for node in nodes if isinstance(node, ast.JoinedStr) for p in node.values}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in pieces:
                literals.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if sum(len(part) for part in parts if isinstance(part, str)) >= LEAST_LITERAL:
                written = (re2.escape(p) if isinstance(p, str) else "(?s:.+)" for p in parts)
                patterns.append("".join(written))
    return Words(frozenset(literals), tuple(patterns))


def calls_of(nodes: Iterable[ast.AST]) -> frozenset[Call]:
    """The functions and classes that are called, as they are written."""
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    plain = {("", target.id) for target in called if isinstance(target, ast.Name)}
    dotted = {
        (target.value.id if isinstance(target.value, ast.Name) else "?", target.attr)
        for target in called
        if isinstance(target, ast.Attribute)
    }
    return frozenset(plain | dotted)


def callers(assertion: str) -> Iterator[frozenset[Name]]:
    """Functions of the library that give this name, then those that call them, and so on."""
    parts = library()
    known = {part.name for part in parts if part.words.name(assertion)}
    level = frozenset(known)
    for _ in range(MAX_DEPTH):
        if not level:
            return
        yield level
        calling = (p.name for p in parts if any(resolve(c, p.name[0]) & level for c in p.calls))
        level = frozenset(name for name in calling if name not in known)
        known |= level


def called_of(calls: Iterable[Call], names: frozenset[Name]) -> str:
    """The first of the library's functions among these calls; "" if there is none."""
    found = (name for call in calls for name in resolve(call, "") & names)
    return min((f"{module}.{function}" for module, function in found), default="")


@cache
def resolve(call: Call, module: str) -> frozenset[Name]:
    """The library's functions that a call in `module` can mean."""
    base, function = call
    of_name, modules = by_function()
    known = of_name.get(function, frozenset())
    if base in modules:
        return frozenset(name for name in known if name[0] == base)
    beside = frozenset(name for name in known if name[0] == module)
    return beside if beside and not base else known


@cache
def by_function() -> tuple[dict[str, frozenset[Name]], frozenset[str]]:
    """The library's functions by their last name, and the names of its modules."""
    names = {part.name for part in library()}
    found: defaultdict[str, set[Name]] = defaultdict(set)
    for name in names:
        found[name[1]].add(name)
    return {key: frozenset(of) for key, of in found.items()}, frozenset(name[0] for name in names)


@cache
def library() -> tuple[LibraryFunction, ...]:
    """Every function of the check library."""
    found = []
    for path in sorted(LIBRARY.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, Function):
                parts = (function.args, *function.body)  # some names are defaults
                nodes = [node for part in parts for node in ast.walk(part)]
                name = (path.stem, function.name)
                found.append(LibraryFunction(name, words_of(nodes), calls_of(nodes)))
    return tuple(found)
