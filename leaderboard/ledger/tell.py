"""Entries of the ledger in words, with the page that each is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_entries import PublicEntry

MAX_CHARS = 300
Facts = Mapping[str, Any]


def tell_entry(shown: PublicEntry) -> dict[str, Any]:
    """The entry as its page shows it. `words` are "" for a payload that is withheld."""
    told, entry = shown.told, shown.entry
    facts = told["facts"] if isinstance(told["facts"], dict) else {}
    words = WORDS.get(told["kind"], say_reason)(facts)
    return {
        "number": entry.number,
        "at": datetime.fromisoformat(entry.at),
        "kind": told["kind"],
        "subject": told["subject"],
        "actor": told["actor"],
        "words": words[:MAX_CHARS],
        "url": find_address(shown, facts),
        "chain": entry.chain,
        "is_withheld": shown.is_withheld,
        "was_private": shown.was_private,
    }


def find_address(shown: PublicEntry, facts: Facts) -> str:
    """Page of the run or the suite that the entry is about; "" if nobody may read it."""
    if shown.run_number is not None:
        return reverse("run", args=[shown.run_number])
    if isinstance(suite := facts.get("suite"), str):
        return f"{reverse('board')}?{urlencode({'suite': suite}, safe='@')}"
    return ""


def say_reason(facts: Facts) -> str:
    return str(facts.get("reason", ""))


def say_sealed(facts: Facts) -> str:
    letters = "".join(str(facts.get("outcomes", "")).split())
    passed, void = letters.count("p"), letters.count("v")
    words = f"{facts.get('name', '')} on {facts.get('suite', '')}: {passed} of "
    words += f"{len(letters.replace('-', ''))} attempts passed"
    return f"{words}, {void} void" if void else words


def say_suite(facts: Facts) -> str:
    return f"{facts.get('what', '')}, with {len(facts.get('tasks', ()))} tasks"


def say_start(facts: Facts) -> str:
    return f"{facts.get('entry', '')} on {facts.get('suite', '')}, seed {facts.get('seed', '')}"


def say_review(facts: Facts) -> str:
    ruling = facts.get("review") or facts.get("ruling") or ""
    return f"review {ruling}" if "review" in facts else str(ruling)


def say_rescored(facts: Facts) -> str:
    return (
        f"from run {facts.get('before', '')}: {facts.get('changed', '')} of "
        f"{facts.get('judged', '')} verdicts changed"
    )


def say_verified(facts: Facts) -> str:
    words = "equal" if facts.get("equal") is True else "not equal"
    return f"{words}, {facts.get('attempts', '')} attempts judged again"


def say_judged(facts: Facts) -> str:
    letters = "".join(str(facts.get("verdicts", "")).split())
    scripted = ", scripted" if facts.get("is_scripted") is True else ""
    words = f"by {facts.get('judge', '')}{scripted}: pass {letters.count('p')}, "
    words += f"fail {letters.count('f')}, cannot tell {letters.count('c')}, "
    return f"{words}judge error {letters.count('e')}"


def say_judged_anew(facts: Facts) -> str:
    return f"by {facts.get('judge', '')}, {facts.get('reason', '')}"


def say_prices(facts: Facts) -> str:
    words = (("new", "added"), ("old", "corrected"), ("gone", "removed"))
    counts = [f"{len(facts[key])} {word}" for key, word in words if facts.get(key)]
    return "; ".join([*counts, say_reason(facts)])


def say_snapshot(facts: Facts) -> str:
    return f"season {facts.get('season', '')}, {facts.get('rows', '')} rows"


WORDS: Mapping[str, Callable[[Facts], str]] = {
    ActKind.SUITE: say_suite,
    ActKind.SEASON: say_suite,
    ActKind.ENTRY: lambda facts: str(facts.get("name", "")),
    ActKind.STARTED: say_start,
    ActKind.SEALED: say_sealed,
    ActKind.RULING: say_review,
    ActKind.RESCORED: say_rescored,
    ActKind.JUDGED: say_judged,
    ActKind.JUDGED_ANEW: say_judged_anew,
    ActKind.VERIFIED: say_verified,
    ActKind.PRICES: say_prices,
    ActKind.SNAPSHOT: say_snapshot,
}
