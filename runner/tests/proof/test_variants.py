"""Variants of a reference: other styles and mutants, and the rows that a task adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.contract import ProblemError
from runner.proof import answers, command
from runner.suite.proof_file import ProofRows, read_proof_rows
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import DOUBLE, write_small

ROWS = """
STYLES = {
    "with-pathlib": {
        "why": "writes with pathlib",
        "edits": {
            "open('output/double.txt', 'w').write(":
            "__import__('pathlib').Path('output/double.txt').write_text("
        },
    },
}
NEAR_MISSES = {
    "trebled": {"why": "trebles", "edits": {"2 * n": "3 * n"}},
    "said-only": {"why": "says it", "cells": [], "answer": "It is 42."},
}
"""


def write_rows(root: Path, rows: str, task: str = DOUBLE) -> Path:
    folder = write_small(root, double=task)
    (folder / "proofs").mkdir()
    (folder / "proofs" / "double.py").write_text(rows)
    return folder


def read_rows(root: Path, rows: str, task: str = DOUBLE) -> ProofRows:
    return read_proof_rows(load_suite(write_rows(root, rows, task)).task("double"))


def test_edits_are_made_in_the_references_cells_and_answer(tmp_path: Path) -> None:
    rows = read_rows(tmp_path, ROWS)
    near, said = rows.solutions["near miss"]
    assert near.cells[0].count("3 * n") == 2
    assert near.answer == "It is «double»."
    assert said.cells == ()


def test_a_task_without_such_a_file_has_no_rows(tmp_path: Path) -> None:
    assert read_proof_rows(load_suite(write_small(tmp_path)).task("double")) == ProofRows()


MALFORMED = [
    ("STYLES = {'a': {'why': 'x', 'edits': {'absent': 'y'}}}", "which is not there"),
    ("STYLES = {'a': {'edits': {'2': '3'}}}", "needs `why`"),
    ("STYLES = {'a': {'why': 'x', 'cell': []}}", "needs `why`"),
    ("STYLES = {'a': {'why': 'x', 'cells': [1]}}", "must be made of strings"),
    ("STYLES = ['a']", "`STYLES` must be a dict"),
    ("STYLE = {}", "nothing reads `STYLE`"),
    ("STYLES = dict()", "is not a plain literal"),
    ("STYLES = {", "not valid Python"),
    ("LEFT_OUT = {'drop-row': ''}", "must give a reason for each name"),
]


@pytest.mark.parametrize(("rows", "says"), MALFORMED)
def test_a_malformed_file_says_what_is_wrong(rows: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"proofs/double\.py") as told:
        read_rows(tmp_path, rows)
    assert says in str(told.value)


@pytest.mark.sandbox
def test_rows_of_each_sort_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures = tmp_path / "proof.json"
    folder = write_rows(tmp_path, ROWS)
    code = command.main([str(folder), "--tasks", "double", "--json", str(figures)])
    assert code == 0, capsys.readouterr().out
    (proof,) = json.loads(figures.read_text())["proofs"]
    played = {(one["kind"], one["name"]): one["passed"] for one in proof["played"]}
    assert played["style", "with-pathlib"] is True
    assert played["near miss", "trebled"] is False
    assert played["near miss", "said-only"] is False


LENIENT = DOUBLE.replace(
    """    want = str(case.seed * 6)
    case.equal("double", case.require_file("double.txt").read_text(), want, "double.txt")
    case.expect("answer", want in case.answer, want, case.answer)
""",
    """    case.expect("long", len(case.require_file("double.txt").read_text()) > 1, "2")
""",
).replace("\"cells\": [\"open('output/double.txt', 'w').write('1')\"]", '"cells": []')
VIOLATIONS = [
    (ROWS, LENIENT, "near miss trebled: Passed: all 2 checks passed."),
    (
        "STYLES = {'wrong': {'why': 'x', 'edits': {'2 * n': '4 * n'}}}",
        DOUBLE,
        "style wrong: Failed: double.txt",
    ),
    (
        "LEFT_OUT = {'answer-as-formula': 'numbers'}",
        DOUBLE,
        "names “answer-as-formula”, and there is no such solution",
    ),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("rows", "task", "says"), VIOLATIONS)
def test_violation(
    rows: str, task: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_rows(tmp_path, rows, task)
    assert command.main([str(folder), "--tasks", "double"]) == 1
    assert says in capsys.readouterr().out


DRAWN = '''
"""Draw sales by town, and save them as a table."""

TITLE = "Sales"
CATEGORY = "text"
QUERY = "Draw ./data/sales.csv as ./output/sales.png, and sort it into ./output/sorted.csv."
INPUTS = ["sales.csv"]
OUTPUTS = ["sales.png", "sorted.csv"]
REFERENCE = {
    "cells": [
        """
import pandas as pd
import matplotlib.pyplot as plt
sales = pd.read_csv("data/sales.csv").sort_values("sales")
plt.bar(sales["town"], sales["sales"], label="sales")
plt.savefig("output/sales.png")
sales.to_csv("output/sorted.csv", index=False)
"""
    ],
    "answer": "Saved. Ulm sold 3.",
}
WRONG = {
    "none": {"why": "writes nothing", "cells": ["1"], "answer": "2"},
    "nothing": {"why": "writes nothing", "cells": ["1"], "answer": "2"},
}


def make_inputs(seed, data):
    (data / "sales.csv").write_text("town,sales,costs\\\\nBonn,7,1\\\\nUlm,3,2\\\\nKiel,5,3\\\\n")
    return {}


def check(case):
    from PIL import Image
    from runner.checks.charts import figures, series
    from runner.checks.data import tables

    rows = [{"town": "Ulm", "sales": 3}, {"town": "Kiel", "sales": 5}, {"town": "Bonn", "sales": 7}]
    tables.match(case, tables.read(case, "sorted.csv"), rows, extra_columns=True)
    with case.reading("sales.png", "PNG") as path:
        size = Image.open(path).size
    case.demand("size", size[0] > 100, "more than 100", str(size), "sales.png")
    figure = figures.read(case, "sales.png")
    if figure.note:
        series.expect_bar_values(case, figure, {row["town"]: row["sales"] for row in rows})
    else:
        case.expect("no note", True, "pixels alone")
'''.replace("\\\\n", "\\n")


@pytest.mark.sandbox
def test_figures_and_tables_are_changed_in_every_way_that_fits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = tmp_path / "proof.json"
    folder = write_small(tmp_path, double=DRAWN)
    command.main([str(folder), "--tasks", "double", "--json", str(figures)])
    printed = capsys.readouterr().out
    assert " mutants are refused, " in printed
    (proof,) = json.loads(figures.read_text())["proofs"]
    played = [(one["kind"], one["name"], one["passed"]) for one in proof["played"]]
    styles = {name for kind, name, passed in played if kind == "style" and passed}
    assert styles == {
        "answer-as-markdown",
        "index-column",
        "other-look",
        "quoted-with-mark",
        "saved-again",
    }
    mutants = [name for kind, name, _ in played if kind == "mutant"]
    assert sorted(mutants) == sorted(
        [
            *("blank-area", "change-word", "drop-row", "reverse-order", "scale-by-10"),
            *("swap-labels", "change-word", "drop-row", "reverse-order", "scale-by-10"),
            *("swap-labels", "exchange-columns"),
        ]
    )


REWRITTEN = [
    (answers.as_markdown, "A 1.5. On 2024-05-01, 3.",
     "## Result\n\n- A **1.5**.\n- On 2024-05-01, **3**."),
    (answers.as_formula, "It is 1,234.50 kg.", r"It is \(1,234.50\) kg."),
    (answers.in_full_width, "共 42 天", "共 ４２ 天"),
    (answers.scaled, "It is 4.2, not 3.", "It is 42.0, not 30."),
    (answers.exchanged, "a: 1, b: 1, c: 2", "a: 2, b: 1, c: 1"),
    (answers.exchanged, "a: 1", "a: 1"),
    (answers.cut, "First this. Then a longer one.", "First this."),
]  # fmt: skip


def test_answers_are_rewritten(subtests: pytest.Subtests) -> None:
    for rewrite, answer, becomes in REWRITTEN:
        with subtests.test(rewrite=rewrite, answer=answer, becomes=becomes):
            assert rewrite(answer) == becomes
