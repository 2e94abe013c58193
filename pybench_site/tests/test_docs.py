"""Tests of the documents: links lead somewhere, settings and tags are those of the code."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.failures.tags import TAGS
from runner.proof import command

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("", "docs", "bench", "deploy", "deploy/kubernetes")
DOCS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))]
CODE = ("pybench_site", "leaderboard", "runner", "suites", "bench")

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
VARIABLE = re.compile(r"PYBENCH_[A-Z0-9_]+")
CODE_SPAN = re.compile(r"`([^`]+)`")


def prose(path: Path) -> str:
    """A document without its code blocks, whose brackets are no links."""
    return FENCED.sub("", path.read_text("utf-8"))


def anchors(path: Path) -> set[str]:
    """Valid targets of "#...": the headings, as GitHub spells them."""
    return {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")
        for title in HEADING.findall(prose(path))
    }


def broken_links(path: Path) -> Iterator[str]:
    for link in LINK.findall(prose(path)):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield link


def code_files() -> list[Path]:
    return [
        path
        for folder in CODE
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "tests" not in path.relative_to(ROOT).parts
    ]


def test_named_tests_exist(subtests: pytest.Subtests) -> None:
    """A document names them by the end of their path."""
    for path in DOCS:
        with subtests.test(path=path):
            named = re.findall(r"[\w/]*\btest_\w+\.py", prose(path))
            ends = [each.as_posix() for each in ROOT.glob("*/tests/**/test_*.py")]
            assert [
                name for name in named if not any(end.endswith(f"/{name}") for end in ends)
            ] == []


def test_links_lead_somewhere(subtests: pytest.Subtests) -> None:
    for path in DOCS:
        with subtests.test(path=path):
            assert list(broken_links(path)) == []


def test_the_readme_leads_to_every_document() -> None:
    linked = set(LINK.findall((ROOT / "README.md").read_text("utf-8")))
    others = {path.relative_to(ROOT).as_posix() for path in DOCS} - {"README.md"}
    assert others - linked == set()


def test_every_environment_variable_is_documented_and_none_is_made_up() -> None:
    read = {name for path in code_files() for name in VARIABLE.findall(path.read_text("utf-8"))}
    said = set(VARIABLE.findall((ROOT / "docs" / "operating.md").read_text("utf-8")))
    assert read - said == set()
    assert said - read == set()


def test_every_failure_tag_is_documented_in_the_words_of_the_pages() -> None:
    method = (ROOT / "docs" / "method.md").read_text("utf-8")
    missing = [tag.key for tag in TAGS if f"| {tag.title} | {tag.meaning} |" not in method]
    assert missing == []


def test_the_check_library_has_what_its_table_names() -> None:
    text = (ROOT / "docs" / "writing-a-task.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`[\w.]+`(?:, )?)+) \| [^|]+ \| (.+) \|$", text, re.MULTILINE)
    library = ROOT / "runner" / "checks"
    assert len(rows) > 20
    for modules, described in rows:
        paths = [library / f"{name.replace('.', '/')}.py" for name in CODE_SPAN.findall(modules)]
        source = "\n".join(path.read_text("utf-8") for path in paths)
        for span in CODE_SPAN.findall(described):
            name = re.match(r"\w+", span)
            assert name, span
            defined = re.compile(rf"^ *(?:def |class )?{name[0]}\b", re.MULTILINE)
            assert defined.search(source), f"{modules}: {span}"


@pytest.mark.sandbox
def test_the_example_is_a_proved_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "writing-a-task.md").read_text("utf-8")
    example = re.search(r"## A whole task\n\n```python\n(.*?)```", text, re.DOTALL)
    assert example
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "rainy_days.py").write_text(example[1], "utf-8")
    shutil.copy(ROOT / "suites" / "starter" / "suite.toml", tmp_path)
    code = command.main([str(tmp_path), "--seeds", "2"])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("half", ["leaderboard", "runner"])
def test_architecture_names_every_folder_and_no_other(half: str) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = text.split(f"| in `{half}/` |", 1)[1].split("\n\n", 1)[0]
    first_cells = "".join(line.split("|")[1] for line in table.splitlines()[2:])
    named = {name.rstrip("/") for name in CODE_SPAN.findall(first_cells) if name.endswith("/")}
    folders = {path.parent.name for path in (ROOT / half).glob("*/__init__.py")}
    assert named == folders - {"tests", "migrations"}
