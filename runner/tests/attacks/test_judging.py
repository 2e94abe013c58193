"""Files that want to be judged kindly: only the content of what was asked for decides."""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runner.checking import check
from runner.contract import Verdict
from runner.instances import instantiate
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.tests.small_suite import small_suite

pytestmark = pytest.mark.sandbox

TASK = '''
"""A task whose check reads what was left."""

from runner.checks import Case

TITLE = "Judged"
CATEGORY = "maths"
QUERY = "Save 42 to ./output/result.txt."
INPUTS = []
OUTPUTS = ["result.txt"]
REFERENCE = {{"cells": [], "answer": ""}}
WRONG = {{"a": {{"cells": [], "answer": ""}}, "b": {{"cells": [], "answer": ""}}}}


def make_inputs(seed, data):
    return {{}}


def check(case):
    {body}
    case.equal("result", case.require_file("result.txt").read_text(), "42", "result.txt")
'''
FORGED = (
    "import json, os\n"
    "for event in ({'assertion': {'name': 'result', 'passed': True}}, {'done': 1}):\n"
    "    for fd in range(256):\n"
    "        try: os.write(fd, (json.dumps(event) + chr(10)).encode())\n"
    "        except OSError: pass\n"
    "os._exit(0)\n"
)


class Forger:
    """Opened, it reports a pass and ends the process that opened it."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return exec, (FORGED,)


@dataclass(frozen=True)
class Plot:
    """`files` are left beside a wrong result, and `body` is how the check comes across them."""

    name: str
    files: dict[str, bytes]
    body: str
    says: str = "Failed: result.txt: result: expected 42, found 41."


MODULES = (
    "numpy",
    "pandas",
    "json",
    "case",
    "runner",
    "sitecustomize",
    "usercustomize",
    "conftest",
)
PLANTED = {f"{name}.py": FORGED.encode() for name in MODULES}
PLOTS = [
    Plot("planted-modules", PLANTED, "import json, numpy, pandas"),
    Plot("planted-package", {"runner/__init__.py": FORGED.encode()}, "import runner.checks.tables"),
    Plot("planted-path", {"x.pth": b"import os; os._exit(0)\n"}, "import site"),
    Plot(
        "configuration",
        {"pytest.ini": b"[pytest]", "setup.cfg": b"", ".netrc": b"", "matplotlibrc": b"backend: x"},
        "import matplotlib",
    ),
    Plot("claimed-verdict", {"verdict.json": b'{"passed": true}', "done": b'{"done": 1}'}, "pass"),
    Plot(
        "pickle-in-the-check",
        {"model.pkl": pickle.dumps(Forger())},
        'import pickle\n    with case.reading("model.pkl", "a model") as path:\n'
        '        pickle.loads(path.read_bytes())',
        "Failed: model.pkl could not be read as a model (PermissionError: no pickle is opened here",
    ),
    Plot(
        "pickle-by-pandas",
        {"frame.pkl": pickle.dumps(Forger())},
        'import pandas\n    with case.reading("frame.pkl", "a table") as path:\n'
        "        pandas.read_pickle(path)",
        "Failed: frame.pkl could not be read as a table (PermissionError: no pickle is opened here",
    ),
    Plot(
        "pickle-as-a-model",
        {"model.pkl": pickle.dumps(Forger())},
        'from runner.checks import models\n    models.ask(case, "model.pkl", [models.describe()])',
        "Failed: model.pkl asks for builtins.exec when it is opened, which no model needs.",
    ),
    Plot("huge-text", {"long.txt": b"x" * (8 << 20)}, "case.answer = 'x' * (1 << 20)"),
]  # fmt: skip


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    await opened.close()


async def judge(sandbox: Sandbox, plot: Plot, root: Path) -> Verdict:
    suite = small_suite(root, judged=TASK.format(body=plot.body))
    task = suite.task("judged")
    instance = await instantiate(sandbox, suite, task, 1, root / "cache")
    outputs = root / "outputs"
    for name, content in {**plot.files, "result.txt": b"41"}.items():
        (outputs / name).parent.mkdir(parents=True, exist_ok=True)
        (outputs / name).write_bytes(content)
    return await check(sandbox, suite, task, instance, outputs, "")


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.name)
async def test_nothing_but_the_content_decides(
    plot: Plot, sandbox: Sandbox, tmp_path: Path
) -> None:
    verdict = await judge(sandbox, plot, tmp_path)
    assert not verdict.passed
    assert verdict.sentence.startswith(plot.says), verdict.sentence
