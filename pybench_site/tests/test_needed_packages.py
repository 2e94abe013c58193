"""Sandboxes, kernels, checks and the doctor ask for nothing but the packages of `make run`."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pybench_site.local.install import KERNEL_ENV, PACKAGES, ROOT, packages_for
from runner.checks.programs.browser import CHROMIUM
from runner.sandbox.host.bubblewrap import NEEDED
from runner.sandbox.host_tools import TOOLS, USR
from runner.suite.reader import load_suite
from runner.task_code.needed_tools import tools_of

RUN = {package.name for package in packages_for("run")}
APT = re.compile(r"apt-get install ([a-z0-9.+ -]+)")
# Prints the commands that libraries of the kernel environment call.
CALLED = """
import graphviz, pytesseract, graphviz.backend.execute, graphviz.backend.dot_command
print(pytesseract.pytesseract.tesseract_cmd, graphviz.backend.dot_command.DOT_BINARY)
import pydub.utils
print(pydub.utils.get_encoder_name(), pydub.utils.get_prober_name())
"""


def packages_with(path: str) -> set[str]:
    """Debian's packages that bring a file; `*` stands for anything."""
    found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
    lines = [line for line in found.stdout.splitlines() if not line.startswith("diversion")]
    return {name.split(":")[0] for line in lines for name in line.split(": ")[0].split(", ")}


def is_in_every_debian(name: str) -> bool:
    query = ["dpkg-query", "--show", "--showformat", "${Essential} ${Priority}", name]
    said = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    return said.startswith("yes") or said.endswith("required")


def comes_with_run(command: str) -> bool:
    owners = packages_with(f"*/bin/{command}")
    return bool(owners & RUN) or any(map(is_in_every_debian, owners))


def test_every_purpose_has_all_packages_of_the_site() -> None:
    for purpose in ("test", "test-peers", "prove"):
        assert {package.name for package in packages_for(purpose)} >= RUN
    assert {purpose for package in PACKAGES for purpose in package.needed_for} == {
        "run",
        "test",
        "test-peers",
        "prove",
    }


def test_run_has_the_commands_of_sandboxes() -> None:
    assert [command for command in NEEDED if not comes_with_run(command)] == []


def test_run_has_what_the_doctor_and_the_checks_advise() -> None:
    advised: dict[str, set[str]] = {}
    for folder in ("runner/sandbox", "runner/checks"):
        for path in (ROOT / folder).rglob("*.py"):
            for names in APT.findall(path.read_text("utf-8")):
                for name in names.rstrip(".").split():
                    advised.setdefault(name, set()).add(path.name)
    assert {"uidmap", "bubblewrap", "libseccomp2", "chromium-headless-shell"} <= advised.keys()
    unknown = {name for name in advised if name not in RUN and not is_in_every_debian(name)}
    assert unknown == set()
    assert {tool.package for tool in TOOLS} <= RUN


def test_run_has_the_commands_that_checks_call() -> None:
    """Each is a tool that tasks wait for where it is missing."""
    called = set[str]()
    for path in (ROOT / "runner" / "checks").rglob("*.py"):
        source = path.read_text("utf-8")
        if "import subprocess" in source:
            lists = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.List))
            called |= {first_word(node) for node in lists} - {""}
    assert called == {"ffmpeg", "ffprobe"}
    assert called <= {name for tool in TOOLS for name in tool.names}
    assert all(map(comes_with_run, called))


def first_word(command: ast.List) -> str:
    """The program that a list of arguments calls by its name; "" of other lists."""
    words = [node.value for node in command.elts if isinstance(node, ast.Constant)]
    is_command = len(words) > 1 and re.fullmatch(r"[a-z][a-z0-9-]*", str(words[0]))
    return str(words[0]) if is_command and str(words[1]).startswith("-") else ""


def test_run_has_the_commands_that_libraries_of_kernels_call() -> None:
    python = KERNEL_ENV / "bin" / "python"
    done = subprocess.run(
        [python, "-I", "-W", "ignore", "-c", CALLED], capture_output=True, text=True, check=True
    )
    called = set(done.stdout.split())
    assert called == {"tesseract", "dot", "ffmpeg", "ffprobe"}
    assert all(map(comes_with_run, called))


def test_browser_of_checks_is_the_one_that_run_brings() -> None:
    [chromium] = [tool for tool in TOOLS if tool.key == "chromium"]
    seen = tuple(path for path in CHROMIUM if not path.startswith("/usr/bin/"))  # by sandboxes
    assert tuple(str(USR / name) for name in chromium.files) == seen
    best = str(USR / chromium.files[0])
    shell = shutil.which("chromium-headless-shell")
    assert shell, "make test brings it"
    assert packages_with(best) == packages_with(shell) == {chromium.package}


@pytest.mark.parametrize("name", ["starter", "pybench"])
def test_tasks_that_open_pages_are_those_that_need_the_browser(name: str) -> None:
    for task in map(Path, sorted((ROOT / "suites" / name / "tasks").glob("*.py"))):
        needs = {tool.key for tool in tools_of(task)}
        assert ("BROWSER = True" in task.read_text("utf-8")) == ("chromium" in needs), task


def test_tools_of_a_task_are_read_through_the_check_library() -> None:
    needs = {
        task.spec.key: {tool.key for tool in tools_of(task.path)}
        for task in load_suite("starter", ROOT / "suites").tasks
    }
    assert needs["mix-tracks"] == {"ffmpeg"}
    assert needs["qr-poster"] == {"zbar"}
    assert needs["scale-calibration"] == set()
    assert needs["access-log"] == set()
