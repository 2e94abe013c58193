"""The proof command: it holds for honest tasks and names what is wrong with others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.proof import command
from runner.scripted import floor_agents
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import DOUBLE, GREET, small_suite, write_small

pytestmark = pytest.mark.sandbox


def test_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, figures = write_small(tmp_path), tmp_path / "proof.json"
    code = command.main([str(folder), "--seeds", "2", "--json", str(figures)])
    printed = capsys.readouterr().out
    assert code == 0, printed
    assert "4 of 4 proofs hold" in printed
    facts = json.loads(figures.read_text())
    assert facts["holds"]
    seeds = {proof["seed"] for proof in facts["proofs"]}
    assert len(seeds) == 2
    assert 7 in seeds
    for proof in facts["proofs"]:
        played = [(p["kind"], p["passed"]) for p in proof["played"]]
        assert played[:3] == [("reference", True), *[("wrong", False)] * 2]
        assert played[-8:] == [("floor", False)] * 8
        varied = {("style", True)} if proof["seed"] == 7 else set()
        assert set(played[3:-8]) == varied


VIOLATIONS = [
    (
        DOUBLE.replace("str(2 * n))", "str(3 * n))"),
        "reference reference: Failed: double.txt: double: expected 42, found 63.",
    ),
    (
        DOUBLE.replace('"cells": ["1"], "answer": "2"', '"cells": [], "answer": "2"')
        .replace('case.require_file("double.txt").read_text()', '"42"')
        .replace("want in case.answer", "True"),
        "floor silent: Passed",
    ),
    (
        DOUBLE.replace("It is «double».", "It is «treble»."),
        "reference leaves «treble» open: its cells printed no line “treble: …”",
    ),
    (
        DOUBLE.replace("Double the number", "Double the «adjective» number"),
        "the query leaves «adjective» open: make_inputs returned no parameter",
    ),
    (
        DOUBLE.replace("'data/number.txt'", "'data/numbers.txt'"),
        "reference: its cell 1 raised FileNotFoundError: [Errno 2] No such file or directory",
    ),
    (DOUBLE.replace('"cells": ["1"]', '"cells": ["1", "l"]'), "none: its cell 2 raised NameError"),
    (
        DOUBLE.replace('"cells": ["1"]', '"cells": ["import os; os._exit(0)"]'),
        "none: its cell 1 was ended: died",
    ),
    (
        DOUBLE.replace('OUTPUTS = ["double.txt"]', 'OUTPUTS = ["double.txt", "twice.txt"]'),
        "OUTPUTS names twice.txt, which the reference does not leave",
    ),
    (
        DOUBLE.replace("str(seed * 3)", "str(__import__('time').time_ns())"),
        "number.txt differs between two makings",
    ),
    (DOUBLE.replace("want = str", "want = nonsense"), "reference reference: The check of double"),
    (DOUBLE.replace("return {}", "raise OSError('full')"), "OSError: full"),
]


@pytest.mark.parametrize(("source", "says"), VIOLATIONS)
def test_violation(
    source: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert source != DOUBLE
    folder = write_small(tmp_path, double=source)
    assert command.main([str(folder), "--tasks", "double"]) == 1
    printed = capsys.readouterr().out
    assert "VIOLATED" in printed
    assert says in printed
    assert "0 of 1 proofs hold" in printed


def test_fault_that_ends_every_check_alike_is_listed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_small(tmp_path, double=DOUBLE.replace("want = str", "want = nonsense"))
    assert command.main([str(folder), "--tasks", "double", "--sentences"]) == 1
    printed = capsys.readouterr().out
    assert printed.count("NameError: name 'nonsense' is not defined") == 1
    assert printed.count("The same as of reference.") == 11


def test_sentences_are_those_of_all_that_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_small(tmp_path, double=DOUBLE.replace("str(2 * n))", "str(3 * n))"))
    assert command.main([str(folder), "--tasks", "double", "--sentences"]) == 1
    printed = capsys.readouterr().out
    assert printed.count("    reference reference: Failed: double.txt") == 1
    assert printed.count("    wrong same: Failed: double.txt") == 1
    assert printed.count("\n    floor ") == 8


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["absent"], "There is no suite “absent”."),
        (["starter", "--tasks", "absent"], "has no task “absent”"),
        (["starter", "--tasks", "access_log"], "Did you mean “access-log”? Its tasks are "),
    ],
)
def test_bad_input(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert says in capsys.readouterr().err


def test_floor_agents_do_nothing_of_use(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, greet=GREET)
    solutions = {name: floor(suite.task("double")) for name, floor in floor_agents.FLOORS.items()}
    assert list(solutions) == ["silent", "empty-file", "keyword-stuffer", "confident-liar"]
    assert [name for name, s in solutions.items() if s.cells] == ["empty-file"]
    assert "double.txt" in solutions["empty-file"].cells[0]
    assert {"Double", "number", "200"} <= set(solutions["keyword-stuffer"].answer.split())
    assert "./output/double.txt" in solutions["confident-liar"].answer


def test_seeds_begin_with_the_suites_own() -> None:
    suite = load_suite("starter")
    assert command.seeds_for(suite, 3) == command.seeds_for(suite, 4)[:3]
    assert command.seeds_for(suite, 1) == [suite.seed]


def test_a_proof_that_was_interrupted_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, figures = write_small(tmp_path), tmp_path / "proof.json"
    whole = [str(folder), "--json", str(figures), "--resume"]
    assert command.main([*whole, "--seeds", "1"]) == 0
    begun = json.loads(figures.read_text())
    first = begun["proofs"]
    capsys.readouterr()
    assert command.main([*whole, "--seeds", "2"]) == 0
    printed = capsys.readouterr().out
    assert "2 proofs are kept: nothing they rest on has changed." in printed
    assert printed.count("holds\n") == 2
    assert "4 of 4 proofs hold" in printed
    facts = json.loads(figures.read_text())
    assert facts["seeds"] == 2
    assert facts["proofs"][:2] == first
    assert facts["seconds"] > begun["seconds"]
    # What a word draws is played again.
    keys = {(proof["task"], proof["seed"]) for proof in first}
    word = next(
        str(n)
        for n in range(999)
        if [command.is_drawn(*key, str(n)) for key in keys].count(True) == 1
    )
    assert command.main([*whole, "--seeds", "1", "--draw", word]) == 0
    printed = capsys.readouterr().out
    assert "1 proofs are kept" in printed
    assert printed.count("holds\n") == 1
    # A proof of another check says nothing of this one.
    task = folder / "tasks" / "double.py"
    task.write_text(task.read_text("utf-8") + "\n# changed\n", "utf-8")
    assert command.main([*whole, "--seeds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "1 proofs are kept" in printed
    assert [line.split()[0] for line in printed.splitlines() if " holds" in line] == ["double"]
