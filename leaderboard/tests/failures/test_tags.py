"""Failure tags: for each, attempts that get it and attempts that look alike and do not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from leaderboard.failures.tags import BY_KEY, TAGS, AttemptFacts, FileFacts, tags_of
from leaderboard.tests.support.attempt_facts import (
    FAILED,
    PASSED,
    VOID,
    WANTS,
    after,
    cell,
    failing,
    said,
)
from runner.contract import (
    KILLED_NOTICES,
    CellResult,
    CellStatus,
    Limits,
    Output,
    OutputKind,
)
from runner.model.observation import observe


def killed(reason: str, lost: str = "") -> dict[str, Any]:
    """A step whose kernel was killed, as the runner reports it; `lost`: the sandbox notes it."""
    notice = Output(OutputKind.NOTICE, f"{KILLED_NOTICES[reason]} {lost}")
    outputs = (notice,) if lost else ()
    told = observe(CellResult(CellStatus.KILLED, outputs, reason=reason), Limits())
    return cell(status="killed", observation=told)


UNCALLED = said() | {"notes": ["code in the answer was not run: in a fence, without a call"]}


def changed(path: str, kind: str = "created") -> dict[str, Any]:
    return cell(changes=[{"path": path, "kind": kind}])


def file(path: str = "a.csv", size_bytes: int = 10, **more: Any) -> FileFacts:
    return FileFacts(path, size_bytes, **more)


def judged(expected: str, actual: str, path: str = "a.csv", passed: bool = False) -> dict[str, Any]:
    return {
        "name": "total", "passed": passed, "expected": expected, "actual": actual, "file": path
    }  # fmt: skip


WANTS_TWO = replace(WANTS, expected=("a.csv", "b.png"), files=[file("a.csv")])
PANDAS = "/usr/lib/python3/site-packages/pandas/compat/__init__.py"


def answering(answer: str, *steps: dict[str, Any], **more: Any) -> AttemptFacts:
    return replace(FAILED, steps=[*steps, said(answer)], answer=answer, **more)


YES = [
    ("infra-endpoint", VOID),
    ("infra-kernel", replace(VOID, outcome="kernel_lost")),
    ("infra-kernel", replace(VOID, outcome="worker_lost")),
    (
        "infra-environment",
        after(
            failing(
                "ImportError",
                f"cannot import name 'pa_version_under1p01' from 'pandas.compat' ({PANDAS})",
                "import pandas as pd",
            )
        ),
    ),
    (
        "infra-environment",
        after(
            failing(
                "ValueError",
                "numpy.dtype size changed, may indicate binary incompatibility. Expected 96",
                "import pandas as pd",
            )
        ),
    ),
    (
        "infra-environment",
        after(failing("ModuleNotFoundError", "No module named 'numpy._core'", "import pandas")),
    ),
    (
        "infra-environment",
        after(failing("ImportError", "Matplotlib requires numpy>=1.23; you have 1.21.4")),
    ),
    (
        "infra-environment",
        after(failing("AttributeError", "module 'pandas' has no attribute 'read_csv'")),
    ),
    ("infra-input", replace(WANTS, given={})),
    ("infra-input", replace(WANTS, given={"other.csv": "ab"})),
    (
        "infra-input",
        after(
            failing("FileNotFoundError", "[Errno 2] No such file or directory: './data/in.csv'"),
            of=WANTS,
        ),
    ),
    ("package-missing", after(failing("ModuleNotFoundError", "No module named 'geopandas'"))),
    (
        "package-missing",
        after(failing("ImportError", "Missing optional dependency 'openpyxl'. Use pip.")),
    ),
    (
        "no-network",
        after(
            failing("URLError", "<urlopen error [Errno -3] Temporary failure in name resolution>")
        ),
    ),
    ("no-network", after(failing("gaierror", "[Errno -2] Name or service not known"))),
    (
        "no-network",
        after(
            cell(
                "!pip install geopandas",
                "WARNING: Retrying after: Failed to establish a new connection: [Errno 101]",
            )
        ),
    ),
    ("call-in-text", after(cell(notes=["call found in text (Hermes)"]))),
    ("call-in-text", after(cell(notes=["call found in reasoning, not run (Hermes)"]))),
    (
        "call-in-text",
        after(cell(status="malformed", code=None, notes=["call in text cannot be read (JSON)"])),
    ),
    ("no-code", replace(FAILED, steps=[said()])),
    ("no-code", replace(FAILED, steps=[said(), said()])),
    ("format", after(cell(status="malformed", code=None))),
    ("format", replace(FAILED, steps=[UNCALLED])),
    ("format", after(cell(notes=["2 more code blocks were not run"]))),
    ("format", after(cell(notes=["1 more tool call was not run"]))),
    ("format", after(cell(finish_reason="length"))),
    ("premature-stop", after(failing("KeyError", "'a'"))),
    ("premature-stop", after(cell(printed="1"), cell(status="timeout"))),
    ("premature-stop", after(failing("KeyError", "'a'"), cell("# Restart the kernel"))),
    ("out-of-turns", replace(FAILED, outcome="out_of_turns", answer=None)),
    (
        "repeated-error",
        after(failing("KeyError", "'a'", "one"), failing("KeyError", "'a'", "two")),
    ),
    (
        "repeated-error",
        after(
            failing("ValueError", "could not convert row 17 at 0x7f01", "one"),
            cell("looks"),
            failing("ValueError", "could not convert row 18 at 0x7fff", "two"),
        ),
    ),
    ("repeated-error", after(cell("loop()", status="timeout"), cell("loop()\n", status="timeout"))),
    (
        "wrong-path",
        after(failing("FileNotFoundError", "[Errno 2] No such file or directory: 'in.csv'")),
    ),
    ("wrong-path", replace(WANTS, files=[file("A.CSV")])),
    ("wrong-path", replace(WANTS, files=[file("a.xlsx")])),
    ("wrong-path", replace(WANTS, files=[file("sub/a.csv")])),
    ("wrong-path", after(changed("a.csv"), of=WANTS)),
    ("wrong-column", after(failing("KeyError", "'amount'"))),
    (
        "wrong-column",
        after(failing("ValueError", "Usecols do not match columns, columns expected")),
    ),
    ("wrong-column", after(failing("IndexError", "\"['a'] not in index\""))),
    ("cell-timeout", after(cell(status="timeout"))),
    ("cell-timeout", after(killed("timeout"))),
    ("cell-timeout", after(killed("timeout", "The kernel is gone."))),
    ("out-of-memory", after(failing("MemoryError", "Unable to allocate 7 GiB"))),
    ("out-of-memory", after(killed("memory"))),
    ("kernel-crash", after(killed("died"))),
    ("kernel-crash", after(killed("died", "The kernel is gone."))),
    ("false-success", replace(WANTS, answer="I have saved the table to ./output/a.csv.")),
    ("false-success", replace(WANTS, answer="结果已保存到 ./output/a.csv。")),
    ("false-success", replace(WANTS_TWO, answer="`a.csv` and `./output/b.png` are saved.")),
    ("false-success", replace(WANTS_TWO, answer="All files were saved.")),
    (
        "false-success",
        replace(WANTS, answer="The file is now available.", files=[file(size_bytes=0)]),
    ),
    ("unsupported-number", answering("The total is 12,345.60.", cell(printed="12345.9"))),
    ("unsupported-number", answering("It grew by 37.5 %.", cell(printed="rows: 120"))),
    ("unsupported-number", answering("The total is 4711.")),
    ("unsupported-number", answering("It is 1 234.5 in all.", cell(printed="234"))),
    ("empty-observation", after(cell("save()"), cell("save_again()"))),
    ("placeholder", replace(WANTS, files=[file(is_placeholder=True)])),
    (
        "placeholder",
        replace(WANTS, files=[file(sha256="ab" * 32)], given={"in.csv": "ab" * 32}),
    ),
    ("input-modified", after(changed("data/in.csv", "changed"), of=WANTS)),
    ("input-modified", after(changed("data/in.csv", "deleted"), of=WANTS)),
    ("wrong-value", replace(WANTS, files=[file()], assertions=[judged("4", "5")])),
    ("wrong-value", replace(FAILED, assertions=[judged("4", "5", path="")])),
    ("wrong-value", answering("It is\n5.", assertions=[judged("4", "It is 5.", path="")])),
    ("wrong-value", answering("In May, I think.", assertions=[judged("June", "In May", path="")])),
    ("wrong-value", replace(FAILED, assertions=[judged("4 kg", "4 mm", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1234.5", "$1,234.50", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1234.5", "1 234,5 EUR", path="")])),
    (
        "presentation",
        replace(FAILED, assertions=[judged("North America", "north-america", path="")]),
    ),
    ("presentation", replace(FAILED, assertions=[judged("42", "４２ 个", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1250.50", "1.250,50", path="")])),
    ("self-correction", after(failing("KeyError", "'a'"), cell(printed="1"), of=PASSED)),
]

NO = [
    ("infra-endpoint", FAILED),
    ("infra-endpoint", replace(VOID, outcome="kernel_lost")),
    ("infra-kernel", replace(VOID, outcome="check_crashed")),
    ("infra-kernel", after(killed("died"))),
    (
        "infra-environment",  # the model's own mistake: it asked for that name
        after(
            failing(
                "ImportError",
                f"cannot import name 'read_xls' from 'pandas' ({PANDAS})",
                "from pandas import read_xls",
            )
        ),
    ),
    (
        "infra-environment",
        after(failing("ModuleNotFoundError", "No module named 'geopandas'", "import geopandas")),
    ),
    (
        "infra-environment",
        after(failing("ModuleNotFoundError", "No module named 'cv2.x'", "import cv2.x")),
    ),
    (
        "infra-environment",
        after(failing("AttributeError", "module 'pandas' has no attribute 'read_cvs'")),
    ),
    ("infra-environment", after(cell(printed="numpy.dtype size changed, may indicate"))),
    ("infra-input", replace(WANTS, given={"in.csv": "ab"})),
    (
        "infra-input",
        after(
            failing("FileNotFoundError", "[Errno 2] No such file or directory: './data/in.csv'"),
            of=WANTS,
            given={"in.csv": "ab"},
        ),
    ),
    (
        "infra-input",
        after(
            failing("FileNotFoundError", "[Errno 2] No such file or directory: 'in.csv'"), of=WANTS
        ),
    ),
    (
        "infra-input",
        after(
            cell("import os; os.chdir('/tmp')"),
            failing("FileNotFoundError", "[Errno 2] No such file or directory: 'data/in.csv'"),
            of=WANTS,
        ),
    ),
    ("package-missing", after(failing("ModuleNotFoundError", "No module named 'pandas.oi'"))),
    ("package-missing", after(failing("ImportError", "cannot import name 'x' from 'y' (z.py)"))),
    ("package-missing", after(cell(printed="No module named 'geopandas'"))),
    ("no-network", after(cell("print(mail)", "Network is unreachable, wrote the customer"))),
    ("no-network", after(cell("!pip install pandas", "Requirement already satisfied: pandas"))),
    ("call-in-text", FAILED),
    ("call-in-text", after(cell(notes=["1 more tool call was not run"]))),
    ("no-code", FAILED),
    ("no-code", replace(FAILED, steps=[])),
    ("no-code", after(cell(status="malformed", code=None))),
    ("no-code", replace(FAILED, steps=[UNCALLED])),
    ("format", FAILED),
    ("format", replace(FAILED, steps=[cell(), UNCALLED])),
    ("format", after(cell(notes=["interrupted"], finish_reason="stop"))),
    ("format", after(cell(status="malformed", code=None, finish_reason="content_filter"))),
    ("premature-stop", after(failing("KeyError", "'a'"), of=PASSED)),
    ("premature-stop", after(failing("KeyError", "'a'"), cell(printed="1"))),
    ("premature-stop", after(failing("KeyError", "'a'"), outcome="out_of_turns")),
    ("premature-stop", after(failing("KeyError", "'a'"), answer=None)),
    ("out-of-turns", FAILED),
    ("out-of-turns", replace(FAILED, outcome="out_of_time")),
    (
        "repeated-error",
        after(failing("KeyError", "'a'", "one"), failing("KeyError", "'b'", "two")),
    ),
    (
        "repeated-error",
        after(
            failing("KeyError", "'a'", "one"),
            failing("ValueError", "'a'", "two"),
            failing("KeyError", "'a'", "three"),
        ),
    ),
    ("repeated-error", after(cell("df.head()"), cell("df.head()"))),
    ("wrong-path", replace(WANTS, files=[file("a.csv"), file("A.csv")])),
    ("wrong-path", replace(WANTS, files=[file("notes.txt")])),
    ("wrong-path", replace(WANTS, files=None)),
    ("wrong-path", after(changed("output/a.csv"), of=WANTS)),
    (
        "wrong-path",
        after(failing("FileNotFoundError", "[Errno 2] No such file or directory: 'ffmpeg'")),
    ),
    (
        "wrong-path",
        after(
            failing("FileNotFoundError", "[Errno 2] No such file or directory: './data/in.csv'"),
            of=WANTS,
            given={},
        ),
    ),
    ("wrong-column", after(failing("ValueError", "time data '1' does not match format"))),
    ("wrong-column", after(cell(printed="KeyError"))),
    ("cell-timeout", after(killed("memory"))),
    ("cell-timeout", after(failing("TimeoutError", "timed out"))),
    ("out-of-memory", after(killed("timeout"))),
    ("out-of-memory", after(killed("died"))),
    ("kernel-crash", after(killed("flood"))),
    ("kernel-crash", after(killed("timeout"))),
    ("false-success", replace(WANTS, answer="I could not save the file ./output/a.csv.")),
    ("false-success", replace(WANTS, answer="The file was not saved. The total is 4.")),
    ("false-success", replace(WANTS, answer="文件没有保存。")),
    ("false-success", replace(WANTS, answer="Nothing was saved.")),
    ("false-success", replace(WANTS, answer="I saved no table.")),
    ("false-success", replace(WANTS_TWO, answer="I saved `./output/a.csv`. The rest is open.")),
    ("false-success", replace(WANTS, answer="Saved to ./output/a.csv.", files=[file()])),
    ("false-success", replace(WANTS, answer="Saved to ./output/a.csv.", files=None)),
    ("false-success", replace(WANTS, answer="Saved to ./output/a.csv.", passed=True)),
    ("false-success", replace(WANTS, answer="The total is 4.")),
    ("false-success", replace(WANTS, answer="Please put the totals into ./output/a.csv.")),
    ("unsupported-number", replace(FAILED, steps=(), answer="The total is 4711.")),
    ("unsupported-number", answering("The total is 12,345.60.", cell(printed="12345.6"))),
    ("unsupported-number", answering("The mean is 3.14.", cell(printed="3.14159265"))),
    ("unsupported-number", answering("The share is 37.5 %.", cell(printed="0.3751"))),
    ("unsupported-number", answering("It fell by 250.5.", cell(printed="change: -250.5"))),
    ("unsupported-number", answering("There are 12 rows in 3 groups.", cell(printed="ok"))),
    ("unsupported-number", answering("Saved ./output/chart_2024.png and 4711.csv.")),
    ("unsupported-number", answering("In 2024 it rose.", query="What happened in 2024?")),
    ("unsupported-number", answering("The threshold was 0.75.", cell("t = 0.75"))),
    ("unsupported-number", answering("The total is 4711.", cell(printed="[… 9 characters cut …]"))),
    ("unsupported-number", answering("Times are 540 600 630.", cell(printed="[540, 600, 630]"))),
    ("unsupported-number", answering("It is 1 234.5 in all.", cell(printed="1234.5"))),
    ("unsupported-number", answering("12. The first point\n13. The second")),
    ("empty-observation", after(cell("save()"), cell("look()", "3 rows"))),
    ("empty-observation", after(failing("KeyError", "'a'"))),
    ("empty-observation", replace(FAILED, steps=[said()])),
    (
        "empty-observation",
        after(cell(outputs=[{"kind": "display", "text": "", "data": {"image/png": "…"}}])),
    ),
    ("placeholder", replace(WANTS, files=[file(is_placeholder=False)])),
    ("placeholder", replace(WANTS, files=[file("notes.txt", is_placeholder=True)])),
    ("placeholder", replace(WANTS, files=[file(is_placeholder=True)], passed=True)),
    ("placeholder", replace(WANTS, files=[file(sha256="cd")], given={"in.csv": "ab"})),
    ("placeholder", replace(WANTS, files=[file(size_bytes=0)], given={"in.csv": ""})),
    ("input-modified", after(changed("data/in.csv"), of=WANTS)),
    ("input-modified", after(changed("data/tmp.csv", "changed"), of=WANTS)),
    ("input-modified", after(changed("output/in.csv", "changed"), of=WANTS)),
    ("wrong-value", replace(WANTS, assertions=[judged("4", "5")])),
    ("wrong-value", replace(WANTS, files=[file()], assertions=[judged("there", "missing")])),
    ("wrong-value", answering("I stop.", assertions=[judged("4.5", "I stop.", path="")])),
    ("wrong-value", answering("No idea.", assertions=[judged("June", "No idea.", path="")])),
    ("wrong-value", replace(WANTS, files=[file()], assertions=[judged("3.2", "3.2kg")])),
    ("wrong-value", replace(WANTS, files=[file(size_bytes=0)], assertions=[judged("4", "")])),
    ("wrong-value", replace(WANTS, files=[file()], assertions=[judged("4", "5", passed=True)])),
    ("wrong-value", replace(FAILED, answer=None, assertions=[judged("4", "None", path="")])),
    ("wrong-value", replace(PASSED, assertions=[judged("4", "5", path="")])),
    ("wrong-value", replace(FAILED, assertions=[judged("1234.5", "1,234.50", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1234.5", "1,234.51", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("4 kg", "4 mm", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("-4", "4", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1250.50", "1.250.50", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("1250.50", "12.50,50", path="")])),
    ("presentation", replace(FAILED, assertions=[judged("", "", path="")])),
    ("self-correction", after(failing("KeyError", "'a'"), cell(printed="1"))),
    ("self-correction", after(cell(printed="1"), of=PASSED)),
    ("self-correction", after(failing("KeyError", "'a'"), cell("# Wait"), of=PASSED)),
    ("self-correction", after(cell(printed="1"), failing("KeyError", "'a'"), of=PASSED)),
]


def test_the_tag_is_given(subtests: pytest.Subtests) -> None:
    for key, facts in YES:
        with subtests.test(key=key, facts=facts):
            assert key in tags_of(facts)


def test_the_tag_is_not_given(subtests: pytest.Subtests) -> None:
    for key, facts in NO:
        with subtests.test(key=key, facts=facts):
            assert key in BY_KEY
            assert key not in tags_of(facts)


def test_every_tag_has_examples_of_both_kinds() -> None:
    keys = {tag.key for tag in TAGS}
    assert {key for key, _ in YES} == keys
    assert {key for key, _ in NO} == keys


def test_every_tag_is_explained_in_one_sentence() -> None:
    for tag in TAGS:
        assert tag.title
        assert re.fullmatch(r"[A-Z][^\n]*[^.]\.", tag.meaning)
    assert len(BY_KEY) == len(TAGS) == 25
