"""Several tries checked at once, some of them on the same outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.sandbox.factory import open_sandbox
from runner.task_code.inputs import instantiate
from runner.task_code.verdict import check_many
from runner.tests.support.small_suite import small_suite

pytestmark = pytest.mark.sandbox

TASK = '''
"""A folder and an answer."""

from runner.checks import Case

TITLE = "Folder"
CATEGORY = "maths"
QUERY = "?"
INPUTS = []
OUTPUTS = []
REFERENCE = {"cells": [], "answer": ""}
WRONG = {"a": {"cells": [], "answer": ""}, "b": {"cells": [], "answer": ""}}


def make_inputs(seed, data):
    return {}


def check(case):
    case.expect("folder", (case.output / "site" / "index.html").is_file(), message="No folder.")
    case.equal("answer", case.answer, "right")
'''


async def test_tries_that_share_their_outputs_are_each_judged_on_them(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, folder=TASK)
    task = suite.task("folder")
    full, bare = tmp_path / "full", tmp_path / "bare"
    (full / "site").mkdir(parents=True)
    (full / "site" / "index.html").write_text("<p>")
    bare.mkdir()
    sandbox = open_sandbox()
    try:
        instance = await instantiate(sandbox, suite, task, 1, tmp_path / "cache")
        tries = [(full, "right"), (bare, "right"), (full, "wrong"), (full, "right")]
        verdicts = await check_many(sandbox, suite, task, instance, tries)
    finally:
        await sandbox.close()
    assert [verdict and verdict.passed for verdict in verdicts] == [True, False, False, True]
