"""Measures of the house: how the sources are sorted, beside the goals for each.

    python -m bench.house [--list]

It reads the syntax of the files alone; nothing of the project is imported. `--list` names what each
missed goal rests on.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measuring.source_tree import Module, SourceTree, circles, longest_chain

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("leaderboard", "runner", "pybench_site")
LISTS = ("views", "api", "commands")  # folders with one module per page, resource or command
PRESCRIBED = frozenset({"Command", "Meta", "Migration"})  # names that a framework asks for
MOST_MODULES = 14
MOST_FUNCTION_LINES = 80


@dataclass(frozen=True)
class Measure:
    """A figure and its goal; `rests_on` names what was counted."""

    name: str
    value: float
    goal: float | None = None
    at_least: bool = False
    rests_on: Sequence[str] = ()

    @property
    def is_met(self) -> bool:
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def line(self) -> str:
        sign = "≥" if self.at_least else "≤"
        goal = "" if self.goal is None else f"{sign} {number(self.goal)}"
        said = "" if self.goal is None else "met" if self.is_met else "MISSED"
        return f"{self.name:<52} {number(self.value):>8}  {goal:>8}  {said}".rstrip()


def number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:,.0f}"


def measure(root: Path, tops: Sequence[str] = PRODUCT) -> list[Measure]:
    """All measures of the tree below `root`."""
    tree = SourceTree(root, tops)
    rows: Sequence[Callable[[SourceTree], list[Measure]]] = (
        folders,
        imports,
        names,
        sizes,
        excepts,
    )
    return [found for row in rows for found in row(tree)]


def folders(tree: SourceTree) -> list[Measure]:
    counts = Counter(m.folder for m in tree.sources if not m.is_package)
    plain = {name: n for name, n in counts.items() if name.rpartition("/")[2] not in LISTS}
    over = [f"{name}: {n}" for name, n in sorted(plain.items()) if n > MOST_MODULES]
    most = max(plain.values(), default=0)
    return [
        Measure("modules in the largest folder (but views, api, commands)", most, MOST_MODULES),
        Measure(f"folders of more than {MOST_MODULES} modules", len(over), 0, rests_on=over),
    ]


def imports(tree: SourceTree) -> list[Measure]:
    graph = tree.graph()
    chain = longest_chain(graph)
    rooms = [" ⇄ ".join(circle) for circle in circles(tree.room_graph())]
    modules = [" ⇄ ".join(circle) for circle in circles(graph)]
    return [
        Measure("modules in the longest chain of imports", len(chain), 10, rests_on=chain),
        Measure("circles of packages", len(rooms), 0, rests_on=rooms),
        Measure("circles of modules", len(modules), 0, rests_on=modules),
    ]


def names(tree: SourceTree) -> list[Measure]:
    places: dict[str, list[str]] = {}
    for module in tree.sources:
        for name in module.classes():
            places.setdefault(name, []).append(module.name)
    shared = {n: p for n, p in places.items() if len(p) > 1 and n not in PRESCRIBED}
    listed = [f"{name}: {', '.join(where)}" for name, where in sorted(shared.items())]
    return [Measure("class names used twice or more", len(shared), 9, rests_on=listed)]


def sizes(tree: SourceTree) -> list[Measure]:
    source, tests = lines(tree.sources), lines(tree.tests)
    # Cases of the checks, played by `make prove`.
    rows = sum(p.read_text("utf-8").count("\n") for p in tree.root.glob("suites/*/proofs/*.py"))
    helpers = [module for module in tree.tests if not module.path.name.startswith("test_")]
    largest = sorted(helpers, key=lambda module: module.lines, reverse=True)
    long = [
        f"{module.name}.{name}: {count}"
        for module in tree.sources
        for name, count in module.functions()
        if count > MOST_FUNCTION_LINES
    ]
    return [
        Measure("source lines", source),
        Measure("lines of tests to one of source", tests / max(source, 1)),
        Measure(
            "the same with the proofs' rows", (tests + rows) / max(source, 1), 0.8, at_least=True
        ),
        Measure(
            "lines of the tests' helpers",
            lines(helpers),
            3500,
            rests_on=[f"{module.name}: {module.lines}" for module in largest if module.lines],
        ),
        Measure(f"functions over {MOST_FUNCTION_LINES} lines", len(long), 0, rests_on=long),
    ]


def lines(modules: Sequence[Module]) -> int:
    return sum(module.lines for module in modules)


def excepts(tree: SourceTree) -> list[Measure]:
    runner = [module for module in tree.sources if module.name.split(".")[0] == "runner"]
    counts = {module.name: module.broad_excepts() for module in runner}
    share = 1000 * sum(counts.values()) / max(lines(runner), 1)
    listed = [f"{name}: {count}" for name, count in counts.items() if count]
    what = "broad excepts in the runner, per 1,000 lines"
    return [Measure(what, share, 0.6, rests_on=listed)]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.house", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name what each missed goal rests on")
    options = parser.parse_args(argv)
    found = measure(ROOT)
    for one in found:
        print(one.line())
        if options.list and not one.is_met:
            print("".join(f"    {name}\n" for name in one.rests_on), end="")
    missed = sum(not one.is_met for one in found)
    print(f"{missed} goals missed." if missed else "Every goal is met.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
