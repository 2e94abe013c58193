"""Contents of a notice: what a webhook is sent, and the words of an e-mail."""

from __future__ import annotations

import json
from typing import Any

from leaderboard.models import Notice, Run
from leaderboard.money.ceiling import use_of
from leaderboard.scoring.figures import OVERALL

WORDS = {
    "run.ended": "has ended",
    "run.stopped_at_ceiling": "stopped at its ceiling",
    "run.needs_owner": "needs you: its endpoint failed",
    "verdict.disputed": "has a verdict that somebody disputes",
    "dispute.ruled": "has a new ruling on a disputed verdict",
}


def describe(run: Run, site: str) -> dict[str, Any]:
    """Facts of a run, without anything secret; `site` is the site's address."""
    overall = run.summaries.filter(category=OVERALL).first()
    use = use_of(run)
    names = ("attempts", "passed", "failed", "void", "open", "rate", "low", "high")
    return {
        "id": run.pk,
        "address": f"{site}{run.get_absolute_url()}",
        "entry": run.entry.slug,
        "name": run.entry.name,
        "suite": str(run.suite),
        "status": str(run.status),
        "is_public": run.is_public,
        "figures": {name: getattr(overall, name) for name in names} if overall else None,
        "ceiling": use.words if use else None,
    }


def site_of(notice: Notice) -> str:
    wishes = getattr(notice.owner, "notice_wishes", None)
    return wishes.site if wishes else ""


def body_of(notice: Notice) -> bytes:
    """The body of a webhook's request."""
    content = {
        "event": notice.event,
        "delivery": notice.pk,
        "run": describe(notice.run, site_of(notice)),
    }
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


def mail_of(notice: Notice) -> tuple[str, str]:
    """Subject and text of an e-mail."""
    facts = describe(notice.run, site_of(notice))
    name = " ".join(str(facts["name"]).split())[:80]
    said = WORDS.get(notice.event, "has ended")
    figures = facts["figures"] or {}
    lines = [
        f"Run {facts['id']} of {name} on {facts['suite']} {said}.",
        "",
        f"Passed {figures.get('passed', 0)}, failed {figures.get('failed', 0)}, "
        f"did not count {figures.get('void', 0)}, of {figures.get('attempts', 0)} attempts.",
    ]
    if facts["ceiling"]:
        lines.append(f"Ceiling: {facts['ceiling']}.")
    lines += ["", str(facts["address"]), "", "You can switch these e-mails off under Notices."]
    return f"PyBench: {name} {said}", "\n".join(lines)
