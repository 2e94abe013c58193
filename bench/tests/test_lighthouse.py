"""Reports of Lighthouse are read right, and a page is judged by the program itself."""

from __future__ import annotations

from typing import Any

import pytest

from bench.pages.lighthouse import CATEGORIES, GOAL, PROGRAM, ask, read_report
from leaderboard.tests.support.page_tools import find_tool, require_node
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite


def report_of(seo: float | None, blocked_ms: float = 12.5) -> dict[str, Any]:
    rules = [{"id": "title", "weight": 1}, {"id": "hint", "weight": 0}, {"id": "met", "weight": 1}]
    return {
        "categories": {
            name: {
                "score": seo if name == "seo" else 1,
                "auditRefs": rules if name == "seo" else [],
            }
            for name in CATEGORIES
        },
        "audits": {
            "title": {"score": 0},
            "hint": {"score": 0},
            "met": {"score": 1},
            "total-blocking-time": {"numericValue": blocked_ms},
        },
    }


def test_report_names_the_rules_below_the_goal_alone() -> None:
    good, bad = read_report(report_of(1)), read_report(report_of(0.5))
    assert (good.lowest, good.faults, good.blocked_ms) == (1, (), 12.5)
    assert (bad.lowest, bad.faults) == (0.5, ("seo: title",))
    assert read_report(report_of(None)).lowest == 0  # it could not be scored


@pytest.mark.peers
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_lighthouse_finds_the_board_accessible_and_sound(live_server: Any) -> None:
    """Speed is measured by `python -m bench.pages.lighthouse` on a quiet machine."""
    require_node(20, 19)
    suite = make_suite()
    for name, solved in (("Foo", 7), ("Bar", 3)):
        finish_run(make_run(suite, make_entry(name)), solved)
    report = ask(
        find_tool(str(PROGRAM.relative_to("node_modules"))), live_server.url, is_hidden=False
    )
    for name in ("accessibility", "best-practices", "seo"):
        assert report.scores[name] >= GOAL, report.faults
