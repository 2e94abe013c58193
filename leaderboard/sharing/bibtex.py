"""BibTeX of a run, of its row on the board, and of the paper that posed the tasks."""

from __future__ import annotations

import re
from datetime import date

from leaderboard.board.rows import BoardRow
from leaderboard.rendering.text import strip_invisible
from leaderboard.sharing.badge import say_run, suite_of

PAPER = """@misc{zhang2024pybench,
  title = {{PyBench}: Evaluating {LLM} Agent on various real-world coding tasks},
  author = {Zhang, Yaolun and Pan, Yinxu and Wang, Yudong and Cai, Jie},
  year = {2024},
  eprint = {2407.16732},
  archivePrefix = {arXiv},
}
"""
LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "^": r"\^{}", "_": r"\_", "~": r"\~{}", "%": r"\%", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip
SPECIAL = re.compile("[" + re.escape("".join(LATEX)) + "]")
IN_ADDRESS = re.compile(r"[^A-Za-z0-9:/?=&@.,+_~%-]")


def escape_latex(text: str) -> str:
    """A name as LaTeX prints it: nothing in it is a command, and its braces are balanced."""
    plain = " ".join(strip_invisible(text).split())
    return SPECIAL.sub(lambda found: LATEX[found[0]], plain)


def cite(row: BoardRow, run_url: str, board_url: str, day: date) -> str:
    """The run; its row where it has a place; the paper."""
    entries = [cite_run(row, run_url)]
    if row.standing and row.standing.run_id == row.run.pk:
        entries.append(cite_row(row, board_url, day))
    return "\n".join([*entries, PAPER])


def cite_run(row: BoardRow, url: str) -> str:
    digest = row.run.suite.digest
    note = f"{say_run(row)}. Suite digest {digest}"
    return write("run", row, f"run {row.run.pk}", row.moment.date(), url, note)


def cite_row(row: BoardRow, url: str, day: date) -> str:
    note = f"{say_run(row)}, as of {day}"
    return write("row", row, f"row of run {row.run.pk} on the board", day, url, note)


def write(kind: str, row: BoardRow, what: str, day: date, url: str, note: str) -> str:
    title = f"{{{escape_latex(row.run.entry.name)}}} on {{PyBench}} {escape_latex(suite_of(row))}"
    fields = {
        "title": f"{title}: {what}",
        "author": "{PyBench site}",
        "year": str(day.year),
        "month": f"{day:%b}".lower(),
        "howpublished": f"\\url{{{IN_ADDRESS.sub('', url)}}}",
        "note": escape_latex(note),
    }
    lines = [
        f"  {name} = {value if name == 'month' else f'{{{value}}}'},"
        for name, value in fields.items()
    ]
    return "\n".join([f"@misc{{pybench-{kind}-{row.run.pk},", *lines, "}", ""])
