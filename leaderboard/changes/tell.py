"""Sentences on what changed, with names looked up as they can be shown now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from leaderboard.models import PublicChange, Run
from leaderboard.rendering.text import strip_invisible

MAX_NAME_CHARS = 80
MAX_NAMED = 3  # models of a change of prices


@dataclass(frozen=True)
class ToldChange:
    """A change as it is shown: `who` is a name or a number, and `words` what came of it."""

    number: int
    at: datetime
    kind: str
    suite: str  # name@version
    who: str
    words: str
    reason: str
    url: str = ""  # "" where nothing can be shown any more
    run: int | None = None

    @property
    def day(self) -> str:
        """As 2026-11-22, in UTC."""
        return self.at.astimezone(UTC).date().isoformat()

    @property
    def sentence(self) -> str:
        because = f": {self.reason}" if self.reason else ""
        return f"{self.who} {self.words}{because}."


def tell_changes(changes: Sequence[PublicChange]) -> list[ToldChange]:
    """One query for the runs that everybody can read."""
    numbers = {change.run_number for change in changes if change.run_number}
    runs = Run.objects.published().filter(pk__in=numbers).select_related("entry")
    shown = {run.pk: run for run in runs}
    return [tell(change, shown) for change in changes]


def tell(change: PublicChange, shown: Mapping[int, Run]) -> ToldChange:
    run = shown.get(change.run_number or 0)
    if change.run_number:
        who = show_entry_name(run) if run else f"Run {change.run_number}"
        url = run.get_absolute_url() if run else ""
    else:
        who, url = WHO[change.kind], board_of(change.suite)
        if number := change.facts.get("erratum"):
            url = reverse("erratum", args=[number])
    words = WORDS[change.kind](change.facts, change.suite)
    return ToldChange(
        number=change.pk,
        at=change.at,
        kind=change.kind,
        suite=change.suite,
        who=who,
        words=words,
        reason=strip_invisible(change.reason),
        url=url,
        run=run.pk if run else None,
    )


def show_entry_name(run: Run) -> str:
    name = " ".join(strip_invisible(run.entry.name).split())
    return name if len(name) <= MAX_NAME_CHARS else f"{name[: MAX_NAME_CHARS - 1]}…"


def board_of(suite: str) -> str:
    return f"{reverse('board')}?{urlencode({'suite': suite}, safe='@')}" if suite else ""


def say_added(facts: Mapping[str, Any], suite: str) -> str:
    low, high = facts.get("rank_low"), facts.get("rank_high")
    place = "" if low is None else f"rank {low}" if low == high else f"rank {low}–{high}"
    if facts.get("counts_with"):
        counts = f"{place}," if place else "it counts"
        return f"has another run on {suite}: {counts} by the mean of its runs"
    # Of runs placed before entries ranked by the mean.
    again = f", in place of its run {facts['replaces']}" if facts.get("replaces") else ""
    return f"enters {suite}{place and f' at {place}'}{again}"


def say_rescored(facts: Mapping[str, Any], suite: str) -> str:
    changed, judged = facts.get("changed"), facts.get("judged")
    verdicts = "verdict" if judged == 1 else "verdicts"
    return (
        f"is run {facts.get('before')} judged again by the checks of {suite}: "
        f"{changed} of {judged} {verdicts} changed"
    )


def say_erratum(facts: Mapping[str, Any], suite: str) -> str:
    tasks = [str(key) for key in facts.get("tasks", ())]
    named = ", ".join(tasks) if len(tasks) <= MAX_NAMED else f"{len(tasks)} tasks"
    changed, judged = facts.get("changed"), facts.get("judged")
    return (
        f"{facts.get('erratum')} corrects the check of {named} of {suite}: "
        f"{changed} of {judged} stored results have another verdict"
    )


def say_suite(facts: Mapping[str, Any], suite: str) -> str:
    what = facts.get("what")
    if what == "season":
        return f"{suite} begins season {facts.get('season')}, with inputs that nobody has seen"
    if what == "unavailable":
        return f"{suite} has {facts.get('tasks')} tasks that cannot be played here"
    return f"{suite} was {what}, with {facts.get('tasks')} tasks"


def say_prices(facts: Mapping[str, Any], suite: str) -> str:
    parts = [
        f"{facts.get(what)} {what}{name_models([(r['provider'], r['model']) for r in rows])}"
        for what, rows in (
            ("added", facts.get("new", ())),
            ("corrected", facts.get("old", ())),
            ("removed", facts.get("gone", ())),
        )
        if facts.get(what)
    ]
    return " and ".join(parts)


def name_models(rows: Iterable[Sequence[str]]) -> str:
    """As in " (OpenAI gpt-5, OpenAI gpt-5-mini)"; "" for more than a sentence should hold."""
    named = [f"{provider} {model}".strip() for provider, model in rows]
    return f" ({strip_invisible(', '.join(named))})" if 0 < len(named) <= MAX_NAMED else ""


WHO: Mapping[str, str] = {
    PublicChange.Kind.SUITE: "Suite",
    PublicChange.Kind.ERRATUM: "Erratum",
    PublicChange.Kind.PRICES: "Prices:",
}
WORDS: Mapping[str, Callable[[Mapping[str, Any], str], str]] = {
    PublicChange.Kind.ADDED: say_added,
    PublicChange.Kind.WITHDRAWN: lambda facts, suite: f"left {suite}",
    PublicChange.Kind.RESCORED: say_rescored,
    PublicChange.Kind.SUITE: say_suite,
    PublicChange.Kind.PRICES: say_prices,
    PublicChange.Kind.ERRATUM: say_erratum,
}
