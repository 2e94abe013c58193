"""Every third-party library that is imported is declared where it is installed, and pinned."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pybench_site.local.install import ROOT

OURS = {"bench", "conftest", "leaderboard", "pybench_site", "runner", "suites"}
BESIDE = {"pip"} | {path.stem for path in (ROOT / "suites" / "environment").glob("*.py")}

# Distributions whose import has another name.
NAMED_ELSEWISE = {
    "IPython": "ipython",
    "_pytest": "pytest",
    "PIL": "pillow",
    "allauth": "django-allauth",
    "bs4": "beautifulsoup4",
    "csp": "django-csp",
    "cv2": "opencv-python-headless",
    "docx": "python-docx",
    "environ": "django-environ",
    "markdown_it": "markdown-it-py",
    "pptx": "python-pptx",
    "rest_framework": "djangorestframework",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}

APPLICATION = "requirements.in"
TOOLS = "requirements-dev.in"
KERNELS = "suites/environment/requirements.in"
OF_KERNELS = (
    "runner/checks/",
    "runner/previews/inside/",
    "runner/proof/inside/",
    "runner/sandbox/inside/",
    "suites/",
)
SOURCES = ("bench", "deploy", "leaderboard", "pybench_site", "runner", "suites")


def environment_of(place: str) -> tuple[str, ...]:
    """The declarations that a file may rely on, by its place in the tree."""
    if place.startswith(OF_KERNELS) and "/tests/" not in place:
        return (KERNELS,)
    if "/tests/" in place or place.startswith("bench/") or place == "conftest.py":
        return (APPLICATION, TOOLS)
    return (APPLICATION,)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(name: str) -> set[str]:
    """The distributions that a requirements file names, without extras, bounds and comments."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    found = (re.match(r"[A-Za-z0-9][\w.-]*", line) for line in lines)
    return {plain(one[0]) for one in found if one}


def imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def third_party(text: str) -> set[str]:
    names = set(imported(text)) - sys.stdlib_module_names - OURS - BESIDE
    return {plain(NAMED_ELSEWISE.get(name, name)) for name in names}


def files() -> Iterator[Path]:
    yield from (ROOT / "conftest.py", ROOT / "manage.py")
    for folder in SOURCES:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_every_library_that_is_imported_is_declared() -> None:
    known = {name: declared(name) for name in (APPLICATION, TOOLS, KERNELS)}
    lacking = set()
    for path in files():
        place = path.relative_to(ROOT).as_posix()
        environment = environment_of(place)
        names = set[str]().union(*(known[name] for name in environment))
        for missing in third_party(path.read_text("utf-8")) - names:
            lacking.add(f"{missing}, for {place}: {' or '.join(environment)}")
    assert sorted(lacking) == []


@pytest.mark.parametrize("name", [APPLICATION, TOOLS, KERNELS, "requirements-s3.in"])
def test_every_library_that_is_declared_is_pinned(name: str) -> None:
    lock = (ROOT / name).with_suffix(".txt").read_text("utf-8")
    pinned = {plain(one) for one in re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==", lock, re.MULTILINE)}
    assert declared(name) - pinned == set()


def test_an_import_is_found_wherever_it_stands() -> None:
    text = (
        "import os.path, yaml\ndef late():\n    from PIL.Image import open\n    from . import x\n"
    )
    assert third_party(text) == {"pyyaml", "pillow"}
