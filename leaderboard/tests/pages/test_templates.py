"""Templates lie in the folder of their page; each is used, and each that is named is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Engine

FOLDER = Path(settings.BASE_DIR) / "templates"
TEMPLATES = [path.relative_to(FOLDER).as_posix() for path in sorted(FOLDER.rglob("*.html"))]
FRAMEWORK = {"403.html", "403_csrf.html"}  # looked for by Django under these names
ERRORS = {f"{status}.html" for status in (400, 404, 405, 429, 500, 503)} | FRAMEWORK
AT_THE_ROOT = {"base.html"} | ERRORS
SIGN_IN = {"account/login.html", "account/signup.html", "account/password_reset.html"}  # allauth's
ALLAUTHS = {"socialaccount/snippets/login.html"}  # which ours include
NAMED_IN_TEMPLATE = re.compile(r'{%\s*(?:include|extends)\s+"([^"]+)"')
NAMED_IN_CODE = re.compile(r'"([a-z_/0-9]+\.html)"')


def named_in_templates() -> set[str]:
    texts = [(FOLDER / name).read_text("utf-8") for name in TEMPLATES]
    return {name for text in texts for name in NAMED_IN_TEMPLATE.findall(text)}


def named_in_code() -> set[str]:
    code = Path(settings.BASE_DIR) / "leaderboard"
    files = [path for path in code.rglob("*.py") if "tests" not in path.parts]
    return {name for path in files for name in NAMED_IN_CODE.findall(path.read_text("utf-8"))}


def test_every_template_is_understood(subtests: pytest.Subtests) -> None:
    for name in TEMPLATES:
        with subtests.test(name=name):
            assert Engine.get_default().get_template(name).origin.name == str(FOLDER / name)


def test_every_template_that_is_named_is_there() -> None:
    assert named_in_templates() - set(TEMPLATES) == ALLAUTHS
    assert named_in_code() - set(TEMPLATES) == set()


def test_every_template_is_used() -> None:
    ours = {name for name in TEMPLATES if not name.startswith("allauth/")}
    assert ours - named_in_templates() - named_in_code() == FRAMEWORK | SIGN_IN


def test_the_root_holds_the_frame_and_the_refusals_alone() -> None:
    assert {name for name in TEMPLATES if "/" not in name} == AT_THE_ROOT


def test_no_other_template_takes_the_place_of_one_of_allauths() -> None:
    """Both sides have a folder `account/`, and the project's is looked into first."""
    import allauth

    theirs = Path(allauth.__file__).parent / "templates"
    names = {path.relative_to(theirs).as_posix() for path in theirs.rglob("*.html")}
    taken = {name for name in names & set(TEMPLATES) if not name.startswith("allauth/")}
    assert taken == SIGN_IN
