"""Likeness of an attempt's code to published solutions: by its syntax, whatever names it gives.

Pure, and without Django: strangers' code is parsed in a process of its own
(`runner.reading.readers`). Code is turned into the sequence of its syntax nodes, without names of
variables, comments, layout and values; a *gram* is a run of GRAM such nodes. The method is that of
MOSS and its kin (Schleimer, Wilkerson and Aiken, 2003), with all grams kept.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Collection, Iterable, Iterator

GRAM = 8
LEAST_GRAMS = 40  # of a solution: shorter ones are written alike by many
MAX_CODE_CHARS = 40_000

Grams = frozenset[int]


def grams_of(codes: Iterable[str]) -> Grams:
    """The grams of cells that are valid Python; others have none. At most MAX_CODE_CHARS."""
    found: set[int] = set()
    left = MAX_CODE_CHARS
    for code in codes:
        left -= len(code)
        if left < 0:
            break
        try:
            nodes = [*words_of(ast.parse(code))]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for start in range(len(nodes) - GRAM + 1):
            found.add(zlib.crc32("\0".join(nodes[start : start + GRAM]).encode()))
    return frozenset(found)


def words_of(tree: ast.AST) -> Iterator[str]:
    """A word for each node, from the outside in and in the order of the source."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.expr_context):
            yield word_of(node)
            waiting += reversed([*ast.iter_child_nodes(node)])


def word_of(node: ast.AST) -> str:
    """Its kind; with the names that a library gave, and without those that an author gave."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    if isinstance(node, ast.alias):
        return f"import {node.name}"
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    return type(node).__name__


def resemblance(codes: Iterable[str], published: Collection[Grams]) -> float | None:
    """The share of a published solution's grams that is found in `codes`, of the one most alike.

    None where no solution is long enough to be recognised.
    """
    known = [grams for grams in published if len(grams) >= LEAST_GRAMS]
    if not known:
        return None
    found = grams_of(codes)
    return max(len(found & grams) / len(grams) for grams in known)
