"""Tests of the tree's English: words that readers stumble over."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, TokenType

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
# Words that docs/method.md has a better one for; the API keeps some as names of fields.
OTHER_WORDS = re.compile(
    r"\b(?:UT strict|assertions?|void|entry|entries|gamers?|floor agents?|mended|solved|under way"
    r"|laid|asked|turns?|tries|try \d)\b(?![”=])",
    re.IGNORECASE,
)
LEDGER = "templates/changes/ledger"  # has entries of its own
TAG = re.compile(r"<[^<>]*(?:>|$)|^[^<>]*>")
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


def visible_text(source: str) -> Iterator[tuple[int, str]]:
    """Text of a template that a reader sees, with its line: no tag of Django's or of HTML."""
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.TEXT:
            blank = TAG.sub(lambda tag: " " + "\n" * tag[0].count("\n"), token.contents)
            yield token.lineno or 1, blank


def test_pages_use_the_words_of_the_method_page() -> None:
    found = [
        f"{name}:{first + text.count(chr(10), 0, word.start())} {word[0]}"
        for name in tracked()
        if name.startswith("templates/") and not name.startswith(LEDGER)
        for first, text in visible_text((ROOT / name).read_text("utf-8"))
        for word in OTHER_WORDS.finditer(text)
    ]
    assert found == []


def test_other_word_is_found_in_text_and_not_in_tags() -> None:
    source = '<th>Entry</th><p class="void">{{ entry.turns }}\n{% if void %}2 void{% endif %}</p>'
    found = [OTHER_WORDS.findall(text) for _, text in visible_text(source)]
    assert found == [["Entry"], [], ["void"], []]


def test_stumble_is_found_in_prose_and_not_in_names() -> None:
    source = 'told = 1  # of ours\nprint(f"{told} --dearest")\n"""Nobody\'s.\n\nTold."""\n'
    assert list(stumbles("a.py", source)) == [(1, "of ours"), (3, "Nobody's"), (5, "Told")]
    assert list(stumbles("a.html", "{{ told }}\nLet go")) == [(2, "Let go")]
