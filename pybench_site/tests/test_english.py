"""Tests of the tree's English: words that readers stumble over."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Published queries and their replies are data, and the prompt is part of what
# is measured: other words would make other runs.
DATA = re.compile(
    r"suites/\w+/tasks/|tests/rendering/files/|suites/pybench/.*\.json$|runner/model/prompts\.py$"
)
TEXTS = {".css", ".html", ".js", ".md", ".mjs", ".py", ".sh", ".service", ".toml", ".txt", ".yaml"}
FOREIGN = re.compile(r"static/vendor/|(?:^|/)requirements[\w-]*\.txt$")
THIS = Path(__file__).relative_to(ROOT).as_posix()

STUMBLES = re.compile(
    r"\b(?:told(?! apart)|asked of|of ours|let(?:s|ting)? go|dear(?:er|est)?|besides|meanwhile it"
    r"|turn(?:s|ed)? round|(?:that|what) is none|nobody['’]s|offered are|take leave|contestant)\b",
    re.IGNORECASE,
)
NAMES = re.compile(r"\{[^{}]*\}|--[\w-]+|`[^`\n]*`")  # fields of a template, options, code


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def prose_of(source: str) -> Iterator[tuple[int, str]]:
    """Comments and strings of a Python file with the number of their first line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield token.start[0], token.string


def stumbles(name: str, source: str) -> Iterator[tuple[int, str]]:
    if not STUMBLES.search(source):
        return
    texts = prose_of(source) if name.endswith(".py") else [(1, source)]
    for first, text in texts:
        plain = NAMES.sub(lambda field: "\n" * field[0].count("\n"), text)
        for found in STUMBLES.finditer(plain):
            yield first + plain.count("\n", 0, found.start()), found[0]


def test_no_text_uses_a_word_that_readers_stumble_over() -> None:
    found = [
        f"{name}:{line} {word}"
        for name in tracked()
        if Path(name).suffix in TEXTS
        and name != THIS
        and not DATA.search(name)
        and not FOREIGN.search(name)
        for line, word in stumbles(name, (ROOT / name).read_text("utf-8"))
    ]
    assert found == []


def test_stumble_is_found_in_prose_and_not_in_names() -> None:
    source = 'told = 1  # of ours\nprint(f"{told} --dearest")\n"""Nobody\'s.\n\nTold."""\n'
    assert list(stumbles("a.py", source)) == [(1, "of ours"), (3, "Nobody's"), (5, "Told")]
    assert list(stumbles("a.html", "{{ told }}\nLet go")) == [(2, "Let go")]
