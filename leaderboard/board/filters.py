"""The board's state, all of it in the address: filters, columns and order in, links out.

What an address asks for that does not exist is left out, and said in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone
from django.utils.text import slugify

from leaderboard.board.columns import PART, Column
from leaderboard.board.rows import BoardRow
from leaderboard.models import Entry
from leaderboard.rendering.text import strip_invisible
from leaderboard.suites.task_facets import TITLES

MAX_TEXT_CHARS = 80
READINGS = TITLES  # choices of tasks: columns, not rows
MAX_RUNS = 100  # chosen one by one
MAX_RUN_DIGITS = 19

Fits = Callable[[BoardRow, str], bool]

# Size groups by billions of parameters: from (included), to (excluded).
SIZES: Mapping[str, tuple[str, float, float]] = {
    "small": ("under 10B", 0, 10),
    "medium": ("10B to 40B", 10, 40),
    "large": ("40B to 100B", 40, 100),
    "huge": ("100B and more", 100, float("inf")),
}
UNKNOWN_SIZE = "unknown"
PROVENANCES: Mapping[str, str] = {
    slugify(word): word for word in Entry.Provenance.values if word != Entry.Provenance.SCRIPTED
}


@dataclass(frozen=True)
class Choice:
    """A filter that offers a few values."""

    key: str
    title: str
    options: Mapping[str, str]  # value in the address → words on the page
    fits: Fits


def has_size(row: BoardRow, group: str) -> bool:
    size = row.run.entry.parameters_b
    if group == UNKNOWN_SIZE or size is None:
        return group == UNKNOWN_SIZE and size is None
    _, low, high = SIZES[group]
    return low <= size < high


def has_category(row: BoardRow, key: str) -> bool:
    """Every row has every category: the choice changes columns and order, not rows."""
    return True


CHOICES = (
    Choice(
        "size",
        "size",
        {**{key: words for key, (words, _, _) in SIZES.items()}, UNKNOWN_SIZE: "unknown"},
        has_size,
    ),
    Choice(
        "weights",
        "weights",
        {word.value: word.value for word in Entry.Weights},
        lambda row, word: row.run.entry.weights == word,
    ),
    Choice(
        "provenance",
        "provenance",
        PROVENANCES,
        lambda row, word: row.run.entry.provenance == PROVENANCES[word],
    ),
)


def choices_of(
    categories: Sequence[Mapping[str, str]], facets: Mapping[str, Mapping[str, int]]
) -> list[Choice]:
    """The filters of a suite's board."""
    titles = {category["key"]: category["title"] for category in categories}
    by_task = [
        Choice(
            facet,
            title,
            {value: f"{value.replace('-', ' ')} ({n})" for value, n in facets[facet].items()},
            has_category,
        )
        for facet, title in READINGS.items()
        if facets.get(facet)
    ]
    return [*CHOICES, Choice("category", "category", titles, has_category), *by_task]


@dataclass(frozen=True)
class Address:
    """Query of a board address, reduced to names that exist."""

    suite: str = ""  # `name@version`, where there are several
    season: str = ""  # the number of one that ended; "" for the one under way
    chosen: Mapping[str, str] = field(default_factory=dict)  # filter → value
    since: date | None = None
    as_of: date | None = None  # a past day; None: as it is now
    text: str = ""
    runs: tuple[int, ...] = ()  # the only ones to list; () for all
    scripted: str = ""  # baselines: "show" also in charts, "hide" everywhere
    columns: tuple[str, ...] = ()  # chosen ones; () for the usual ones
    sort: str = ""  # a column's key, with "-" for the other way round; "" for the usual
    notes: tuple[str, ...] = ()  # what it asks for that does not exist

    @property
    def category(self) -> str:
        return self.chosen.get("category", "")

    @property
    def part(self) -> str:
        """The name of the tasks that the board is read by, as in "Charts, png"; "" for all."""
        names = [self.chosen[facet].replace("-", " ") for facet in READINGS if facet in self.chosen]
        return ", ".join(names).capitalize()

    @property
    def is_filtered(self) -> bool:
        """True if rows of models are left out."""
        return bool(
            self.chosen.keys() - {"category", *READINGS} or self.since or self.text or self.runs
        )

    def fits(self, row: BoardRow) -> bool:
        """True if the row of a model matches the query."""
        by_key = {choice.key: choice for choice in CHOICES}
        if any(key in by_key and not by_key[key].fits(row, v) for key, v in self.chosen.items()):
            return False
        if self.runs and row.run.pk not in self.runs:
            return False
        if self.since and row.moment.date() < self.since:
            return False
        entry = row.run.entry
        return self.text.casefold() in f"{entry.name} {entry.organisation}".casefold()

    def link(self, **changes: object) -> str:
        """The query of this address with `changes`, as short as can be."""
        return replace(self, **changes).query  # type: ignore[arg-type]

    @property
    def query(self) -> str:
        asked = {
            "suite": self.suite,
            "season": self.season,
            **self.chosen,
            "since": self.since.isoformat() if self.since else "",
            "as_of": self.as_of.isoformat() if self.as_of else "",
            "q": self.text,
            "runs": ",".join(map(str, self.runs)),
            "scripted": self.scripted,
            "columns": ",".join(self.columns),
            "sort": self.sort,
        }
        return urlencode({key: value for key, value in asked.items() if value}, safe="@,")

    @property
    def unfiltered(self) -> str:
        return self.link(chosen={}, since=None, text="", runs=())

    @property
    def draws_baselines(self) -> bool:
        """True if charts draw scripted baselines too, as where runs were chosen one by one."""
        return self.scripted == "show" or bool(self.runs)

    @property
    def toggled(self) -> str:
        """The same with the other choice of what is done with scripted baselines."""
        return self.link(scripted="" if self.scripted else "show")


def read_address(
    asked: QueryDict,
    suite: str,
    columns: Sequence[Column],
    choices: Sequence[Choice],
    *,
    season: str = "",
) -> Address:
    """Read the query `asked` without names that do not exist; `notes` lists those."""
    notes: list[str] = []
    return Address(
        suite=suite,
        season=season,
        chosen=read_choices(asked, choices, notes),
        since=read_since(asked.get("since", ""), notes),
        as_of=read_as_of(asked.get("as_of", ""), timezone.now().date(), notes),
        text=" ".join(strip_invisible(asked.get("q", "")).split())[:MAX_TEXT_CHARS],
        runs=read_runs(asked.getlist("runs"), notes),
        scripted=next((w for w in ("show", "hide") if asked.get("scripted") == w), ""),
        columns=read_columns(asked.getlist("columns"), columns, notes),
        sort=read_sort(asked.get("sort", ""), columns, notes),
        notes=tuple(notes),
    )


def read_choices(asked: QueryDict, choices: Sequence[Choice], notes: list[str]) -> dict[str, str]:
    chosen = {}
    for choice in choices:
        value = asked.get(choice.key, "")
        if value in choice.options:
            chosen[choice.key] = value
        elif value:
            notes.append(f"The filter “{choice.title}” has no {quote(value)}: it is left out.")
    return chosen


def read_as_of(value: str, today: date, notes: list[str]) -> date | None:
    """The past day that is asked for; None for today and for what is no such day."""
    day = read_since(value, notes)
    if day and day > today:
        notes.append(f"{quote(value)} is in the future, so the current board is shown.")
    return day if day and day < today else None


def read_since(value: str, notes: list[str]) -> date | None:
    if not value:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        notes.append(f"{quote(value)} is not a date such as 2026-01-31, so it is ignored.")
        return None


def read_runs(asked: Sequence[str], notes: list[str]) -> tuple[int, ...]:
    """The chosen rows: `runs=1,2` as links have them, `runs=1&runs=2` as the form sends them."""
    words = [word.strip() for part in asked for word in part[:2000].split(",") if word.strip()]
    numbers = {int(w) for w in words if w.isascii() and w.isdigit() and len(w) < MAX_RUN_DIGITS}
    strange = [word for word in words if not (word.isascii() and word.isdigit())][:3]
    notes.extend(f"{quote(word)} is not the number of a run, so it is ignored." for word in strange)
    return tuple(sorted(numbers))[:MAX_RUNS]


def read_columns(
    asked: Sequence[str], columns: Sequence[Column], notes: list[str]
) -> tuple[str, ...]:
    """The chosen columns in the board's order; () when they are the usual ones."""
    words = [word for part in asked for word in part[:2000].split(",") if word]
    known = {column.key for column in columns if not column.is_fixed}
    unknown = sorted({word for word in words if word not in known})[:3]
    notes.extend(f"There is no column {quote(word)}." for word in unknown)
    chosen = tuple(c.key for c in columns if c.key in words and not c.is_fixed)
    usual = tuple(c.key for c in columns if c.is_default and not c.is_fixed)
    return () if chosen == usual else chosen


def read_sort(value: str, columns: Sequence[Column], notes: list[str]) -> str:
    if not value or value.removeprefix("-") in {column.key for column in columns}:
        return value
    notes.append(f"There is no column {quote(value)} to sort by.")
    return ""


def quote(value: str) -> str:
    return f"“{strip_invisible(value)[:40]}”"


def choose_columns(address: Address, columns: Sequence[Column]) -> list[Column]:
    """The columns to show: those chosen, or the usual ones; of categories only the chosen one."""
    return [
        column
        for column in columns
        if (column.is_fixed or is_shown(address, column))
        and not (column.category and is_left_out(address, column))
    ]


def is_left_out(address: Address, column: Column) -> bool:
    """True for categories that are not those asked for."""
    return bool(address.category or address.part) and address.category != column.key


def is_shown(address: Address, column: Column) -> bool:
    if address.category == column.key:
        return True
    return column.key in address.columns if address.columns else column.is_default


def choose_order(address: Address, columns: Sequence[Column]) -> tuple[Column, bool]:
    """By which column, and whether falling. `sort=turns` is the natural way, best first."""
    usual = PART if address.part else address.category or "rate"
    key = address.sort.removeprefix("-") or usual
    column = next(column for column in columns if column.key == key)
    return column, column.is_descending != address.sort.startswith("-")
