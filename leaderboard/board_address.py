"""The board's state, all of it in the address: filters, columns and order in, links out.

What an address asks for that does not exist is left out, and said in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.text import slugify

from leaderboard.board import BoardRow
from leaderboard.board_columns import Column
from leaderboard.models import Entry
from leaderboard.rendering.text import strip_invisible

MAX_TEXT_CHARS = 80

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


def choices_of(categories: Sequence[Mapping[str, str]]) -> list[Choice]:
    """The filters of a suite's board."""
    titles = {category["key"]: category["title"] for category in categories}
    return [*CHOICES, Choice("category", "category", titles, has_category)]


@dataclass(frozen=True)
class Address:
    """What an address asks of the board; only what exists."""

    suite: str = ""  # `name@version`, where there are several
    chosen: Mapping[str, str] = field(default_factory=dict)  # filter → value
    since: date | None = None
    text: str = ""
    hides_scripted: bool = False
    columns: tuple[str, ...] = ()  # chosen ones; () for the usual ones
    sort: str = ""  # a column's key, with "-" for the other way round; "" for the usual
    notes: tuple[str, ...] = ()  # what it asks for that does not exist

    @property
    def category(self) -> str:
        return self.chosen.get("category", "")

    @property
    def is_filtered(self) -> bool:
        """Whether rows of models are left out."""
        return bool(self.chosen.keys() - {"category"} or self.since or self.text)

    def fits(self, row: BoardRow) -> bool:
        """Whether the row of a model is among those asked for."""
        by_key = {choice.key: choice for choice in CHOICES}
        if any(key in by_key and not by_key[key].fits(row, v) for key, v in self.chosen.items()):
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
            **self.chosen,
            "since": self.since.isoformat() if self.since else "",
            "q": self.text,
            "scripted": "hide" if self.hides_scripted else "",
            "columns": ",".join(self.columns),
            "sort": self.sort,
        }
        return urlencode({key: value for key, value in asked.items() if value}, safe="@,")

    @property
    def unfiltered(self) -> str:
        return self.link(chosen={}, since=None, text="")

    @property
    def toggled(self) -> str:
        """The same with scripted baselines shown or hidden."""
        return self.link(hides_scripted=not self.hides_scripted)


def read_address(
    asked: QueryDict, suite: str, columns: Sequence[Column], choices: Sequence[Choice]
) -> Address:
    """What `asked` says, without what does not exist; `notes` tells what that was."""
    notes: list[str] = []
    return Address(
        suite=suite,
        chosen=read_choices(asked, choices, notes),
        since=read_since(asked.get("since", ""), notes),
        text=" ".join(strip_invisible(asked.get("q", "")).split())[:MAX_TEXT_CHARS],
        hides_scripted=asked.get("scripted", "") == "hide",
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


def read_since(value: str, notes: list[str]) -> date | None:
    if not value:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        notes.append(f"{quote(value)} is no date such as 2026-01-31: it is left out.")
        return None


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
        and not (column.category and address.category not in ("", column.key))
    ]


def is_shown(address: Address, column: Column) -> bool:
    if address.category == column.key:
        return True
    return column.key in address.columns if address.columns else column.is_default


def choose_order(address: Address, columns: Sequence[Column]) -> tuple[Column, bool]:
    """By which column, and whether falling. `sort=turns` is the natural way, best first."""
    key = address.sort.removeprefix("-") or address.category or "rate"
    column = next(column for column in columns if column.key == key)
    return column, column.is_descending != address.sort.startswith("-")
