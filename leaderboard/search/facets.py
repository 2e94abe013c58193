"""Facets of a search: each with its most frequent values, counted exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from leaderboard.failures.tags import BY_KEY
from leaderboard.search.filters import FIRST_STEPS, OUTCOMES, TURNS, Filter
from leaderboard.search.results import Found, Scope, name_entries, name_suites

MAX_OPTIONS = 12  # shown of one facet
NUMBERED = ("step", "turns")  # in their order; at most MAX_OPTIONS
OPEN = ("tag", "outcome", "step", "turns")  # names of others may belong to private runs
CHIPS = ("outcome", "step")  # short ones, which are shown as chips


@dataclass(frozen=True)
class Option:
    """One value of a facet, and where choosing it leads."""

    value: str
    title: str
    count: int
    query: str
    is_chosen: bool
    hint: str = ""


@dataclass(frozen=True)
class Facet:
    """One way to divide what was found."""

    key: str
    title: str
    options: tuple[Option, ...]
    more: int  # values that are not shown

    @property
    def has_chips(self) -> bool:
        return self.key in CHIPS

    @property
    def is_chosen(self) -> bool:
        return any(option.is_chosen for option in self.options)


def list_facets(found: Found) -> tuple[Facet, ...]:
    """Each facet over what the other parts of the filter leave. Four queries, one more for each
    chosen value, and one for names."""
    suites = dict(name_suites(found.scope).values())
    titles: dict[str, tuple[str, Mapping[str, str]]] = {
        "tag": ("Failure tag", {key: tag.title for key, tag in BY_KEY.items()}),
        "outcome": ("Outcome", OUTCOMES),
        "step": ("First failed step", FIRST_STEPS),
        "exception": ("Exception", {}),
        "category": ("Category", title_categories(found.scope)),
        "task": ("Task", longest((t.key, t.title) for t in found.scope.tasks.values())),
        "turns": ("Steps", TURNS),
    }
    return (
        *(
            make_facet(found.wanted, key, title, names, found.count(key))
            for key, (title, names) in titles.items()
        ),
        make_entry_facet(found),
        make_facet(found.wanted, "suite", "Suite", suites, found.count("suite")),
    )


def make_entry_facet(found: Found) -> Facet:
    """There may be many thousands: the names of those that are shown are looked up alone."""
    counts = found.add_up("entry")
    ordered = sorted(counts, key=lambda pk: (-counts[pk], pk))
    shown = [pk for n, pk in enumerate(ordered) if n < MAX_OPTIONS or pk == found.scope.entry]
    names = name_entries(shown)
    facet = make_facet(
        found.wanted,
        "entry",
        "Model",
        dict(names.values()),
        {names[pk][0]: counts[pk] for pk in shown if pk in names},
    )
    return replace(facet, more=len(ordered) - len(shown))


def title_categories(scope: Scope) -> dict[str, str]:
    categories = (one for suite in scope.suites.values() for one in suite.categories)
    return {category["key"]: category["title"] for category in categories}


def longest(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The title of each key; where several rows share it, the longest of theirs."""
    titles: dict[str, str] = {}
    for key, title in pairs:
        titles[key] = max(titles.get(key, ""), title, key=len)
    return titles


def make_facet(
    wanted: Filter, key: str, title: str, names: Mapping[str, str], counts: Mapping[str, int]
) -> Facet:
    """The most frequent values, or numbers in order, and the chosen one wherever it stands."""
    chosen = getattr(wanted, key)
    ordered = sorted(counts, key=lambda value: (-counts[value], names.get(value, value)))
    if key in NUMBERED:
        ordered = [value for value in names if value in counts]
    shown = [value for n, value in enumerate(ordered) if n < MAX_OPTIONS or value == chosen]
    more = len(ordered) - len(shown)
    if chosen and chosen not in shown:
        shown.append(chosen)
    options = tuple(
        Option(
            value,
            names.get(value, value) if value in counts or key in OPEN else value,
            counts.get(value, 0),
            wanted.query(**{key: "" if value == chosen else value}),
            value == chosen,
            BY_KEY[value].meaning if key == "tag" and value in BY_KEY else "",
        )
        for value in shown
    )
    return Facet(key, title, options, more)
