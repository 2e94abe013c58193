"""Truths about a run that hold after any fault: nothing lost, nothing twice, nothing stuck."""

from __future__ import annotations

from leaderboard.tests.support.site import Site

Sealed = list[tuple[object, ...]]


def sealed_of(site: Site, run: int) -> Sealed:
    """The finished attempts with all that may never change again."""
    return site.rows(
        "SELECT id, token, tries, passed, finished_at, sentence FROM leaderboard_attempt "
        f"WHERE run_id = {run} AND status = 'done' ORDER BY id"
    )


def assert_whole(site: Site, run: int, before: Sealed = []) -> None:  # noqa: B006 - only read
    """The run is over and its rows agree; what was finished `before` the fault is as it was."""
    of_run = f"FROM leaderboard_attempt a WHERE a.run_id = {run}"
    after = sealed_of(site, run)
    changed = [row for row in before if row not in after]
    assert changed == [], changed
    statuses = site.rows(f"SELECT status FROM leaderboard_run WHERE id = {run}")
    assert statuses == [("done",)], statuses
    odd = "a.status <> 'done' OR a.lease_until IS NOT NULL OR a.passed IS NULL OR a.problem <> ''"
    stuck = site.rows(f"SELECT a.id, a.status, a.lease_until, a.problem {of_run} AND ({odd})")
    assert stuck == [], stuck
    twice = "SELECT {} FROM leaderboard_{} x WHERE x.attempt_id = a.id {}"
    verdicts = twice.format("count(*)", "verdict", "")
    ends = twice.format("count(*)", "statuschange", "AND x.after = 'done'")
    counts = site.rows(f"SELECT DISTINCT ({verdicts}), ({ends}) {of_run}")
    assert counts == [(1, 1)], counts
    last_try = "AND x.try_number = a.tries"
    steps = twice.format("count(*)", "step", last_try)
    last = twice.format('max(x."index")', "step", last_try)
    gaps = site.rows(f"SELECT a.id {of_run} AND (({steps}) <> a.turns OR ({last}) <> a.turns)")
    assert gaps == [], gaps


def assert_recomputable(site: Site) -> None:
    """Every aggregate equals what the rows give."""
    assert " 0 with figures that differed" in site.manage("recompute", "--dry-run")
