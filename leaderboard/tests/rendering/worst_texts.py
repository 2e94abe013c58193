"""The worst texts for what renders."""

from __future__ import annotations

from leaderboard.operations import bad_request_middleware
from leaderboard.rendering import csv_response, diffs, outputs
from leaderboard.rendering.ansi import show_ansi
from leaderboard.rendering.html_tables import show_table
from leaderboard.rendering.text import show_plain
from leaderboard.rendering.tracebacks import fold_traceback
from leaderboard.templatetags import pybench
from leaderboard.trajectories.formats import notebook
from leaderboard.upkeep import named_images
from runner.tests.support.worst_texts import K, Reader, TextOf, repeated

FILTERS = pybench.register.filters
CELL = "<table><tr><td>"


def misnested(tag: str, then: str) -> TextOf:
    """Half the text opens elements, no two alike; the other half makes the parser go back."""

    def make(chars: int) -> str:
        opened = "".join(f"<{tag} a{n}>" for n in range(chars // 2 // (len(tag) + 8)))
        return f"{CELL}{opened}{then * (chars // 2 // len(then))}"

    return make


def many_attributes(chars: int) -> str:
    return f"<table {' '.join(f'a{n}' for n in range(chars // 7))}>"


def compare_lines(text: str) -> object:
    """With a version in which every other line is another one."""
    lines = text.splitlines()
    other = [line if n % 2 else f"x{n}" for n, line in enumerate(lines)]
    few = "\n".join(lines[:200])
    return diffs.diff_files("a.txt", few.encode(), "\n".join(other).encode())


def compare_json(text: str) -> object:
    return diffs.diff_files("a.json", text.encode(), f"{text} ".encode())


def numbered(line: str) -> TextOf:
    """Lines, every other one like no other."""

    def make(chars: int) -> str:
        count = min(chars // (2 * len(line) + 8), 700)
        return "".join(f"{line}\n{n}\n" for n in range(count))

    return make


def deep(piece: str, levels: int = 450) -> TextOf:
    return repeated(f"{piece},", before="[" * levels, after="1" + "]" * levels)


READERS = (
    Reader(
        "leaderboard.rendering.csv_response.guard",
        csv_response.guard,
        4 * K,  # the longest text of a CSV file: a failed assertion's sentence
        {
            "separators": repeated(";"),
            "formulas": repeated(";="),
            "invisible": repeated("\u200b;"),
            "quotes": repeated('"', ";"),
        },
        ("leaderboard.rendering.csv_response.SEPARATORS",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.rendering.ansi.show_ansi",
        show_ansi,
        64 * 1024,
        {"escapes": repeated("\x1b]"), "C1": repeated("\x9b"), "digits": repeated("0", "\x1b[")},
        ("leaderboard.rendering.ansi.SEQUENCE",),
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.rendering.text.show_plain",
        show_plain,
        64 * 1024,
        {"controls": repeated("\x00"), "invisible": repeated("\u200b")},
        ("leaderboard.rendering.text.INVISIBLE",),
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.rendering.tracebacks.fold_traceback",
        fold_traceback,
        64 * 1024,
        {"frames": repeated("File x\n"), "words": repeated("a "), "one line": repeated("a")},
        (
            "leaderboard.rendering.tracebacks.OWN_FRAME",
            "leaderboard.rendering.tracebacks.ANY_FRAME",
            "leaderboard.rendering.tracebacks.RULER",
        ),
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.rendering.html_tables.show_table",
        show_table,
        64 * 1024,
        {
            "formatting and paragraphs": misnested("b", "<p>"),
            "fonts and ends of paragraphs": misnested("font", "</p>"),
            "unknown elements and items": misnested("x", "<li>"),
            "attributes": many_attributes,
            "open elements": repeated("<i>", before=CELL, after="</p>" * 1000),
            "tables": repeated(CELL),
            "paragraphs beside cells": repeated("<tr><p>", before="<table>"),
            "ends beside cells": repeated("</td><br>", before="<table><tr><td>"),
            "text beside cells": repeated("<tr>a", before="<table>" + "<b>" * 100),
            "quotes": repeated("<x a='", before=CELL),
            "two quotes": repeated("<x a=\"'", before=CELL),
            "spans": repeated("colspan =", before="<table><td "),
            "entities": repeated("&nbs", before=CELL),
        },
        (
            "leaderboard.rendering.html_tables.START_TAG",
            "leaderboard.rendering.html_tables.BESIDE_CELLS",
            "leaderboard.rendering.html_tables.SPAN",
        ),
    ),
    Reader(
        "leaderboard.rendering.diffs.diff_files (lines)",
        compare_lines,
        16 * K,
        {"alike": repeated("a\n"), "alike and not": numbered("a"), "blank": repeated("\n")},
        is_whole=True,
    ),
    Reader(
        "leaderboard.rendering.diffs.diff_files (JSON)",
        compare_json,
        diffs.DIFF_BYTES - 1,
        {
            "deep numbers": deep("1"),
            "deep lists": deep("[]"),
            "deep objects": deep("{}", 900),
            "flat": repeated("1,", before="[", after="1]"),
        },
        is_whole=True,
    ),
    Reader(
        "the filter “markdown”",
        FILTERS["markdown"],
        64 * K,
        {
            "pipes": repeated("|", before="|a|b|\n|-|-|\n"),
            "rows": repeated("|||||\n", before="|a|b|c|d|\n|-|-|-|-|\n"),
            "brackets": repeated("["),
            "quotes": repeated("> a\n", before="> " * 200),
            "lists": repeated("- a\n"),
            "stars": repeated("*a"),
            "backticks": repeated("`a "),
            "addresses": repeated("<http://a.b> "),
            "spaces before a block": repeated(" ", after="- a"),
            "definitions": repeated("[a]: b\n"),
            "links in links": repeated("[a](b"),
            "emphasis of two kinds": repeated("*_"),
            "unclosed titles": repeated('[a]: b "\n'),
            "lists in lists": repeated("- "),
            "accents": repeated("a\u0301\u0316"),
            "comments": repeated("<!--"),
            "headings by underline": repeated("a\n", after="="),
            "columns": repeated("|-", before="a\n"),
        },
        ("leaderboard.rendering.budget.BLOCK",),
    ),
    Reader(
        "the filter “python”",
        FILTERS["python"],
        64 * K,
        {
            "names": repeated("a b "),
            "signs": repeated("+-"),
            "quotes": repeated("'"),
            "braces": repeated("f'{"),
            "blank lines": repeated(" \n"),
            "indented blank lines": repeated("\t\n"),
            "texts in three quotes": repeated('"""a\n\'\'\'b\n'),
            "backslashes and lines": repeated("\\\n"),
            "decorators": repeated("@a."),
            "astral letters": repeated("𝒳"),
            "names of characters": repeated('"\\N{'),
        },
        ("leaderboard.rendering.budget.TOKEN", "leaderboard.rendering.budget.BLANKS"),
    ),
    Reader(
        "the filter “ansi”",
        FILTERS["ansi"],
        200 * K,
        {"colours": repeated("\x1b[1ma"), "many codes": repeated("\x1b[1;1;1;1;1m")},
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.rendering.outputs.fold",
        outputs.fold,
        200 * K,
        {"line breaks": repeated("\n"), "frames": repeated("File x\n")},
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.upkeep.named_images.images_of",
        lambda text: named_images.NAMED.findall(text.encode()),
        300 * K,
        {"names": repeated('"blob":"'), "digits": repeated('"blob":"' + "a" * 63)},
        ("leaderboard.upkeep.named_images.NAMED",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.formats.notebook.fenced",
        lambda text: (notebook.fenced(text), notebook.UNPRINTABLE.sub("", text)),
        300 * K,
        {"backticks": repeated("`a"), "runs": repeated("`"), "controls": repeated("\x00a")},
        (
            "leaderboard.trajectories.formats.notebook.fenced",
            "leaderboard.trajectories.formats.notebook.UNPRINTABLE",
        ),
        is_whole=True,
    ),
    Reader(
        "leaderboard.templatetags.pybench.without_verdict",
        pybench.without_verdict,
        300 * K,
        {"spaces": repeated(" ", before="Failed:"), "verdicts": repeated("Failed: ")},
        ("leaderboard.templatetags.pybench.without_verdict",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.operations.bad_request_middleware.ENDLESS_NUMBER",
        bad_request_middleware.ENDLESS_NUMBER.search,
        64 * 1024,
        {"digits": repeated("1", before="/", after="x"), "slashes": repeated("/1")},
        ("leaderboard.operations.bad_request_middleware.ENDLESS_NUMBER",),
        is_cut_before=True,
    ),
)  # fmt: skip
