"""What must be true of a run after any fault: nothing lost, nothing twice, nothing stuck."""

from __future__ import annotations

from leaderboard.tests.site import Site

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
    assert [row for row in before if row not in after] == []
    assert site.rows(f"SELECT status FROM leaderboard_run WHERE id = {run}") == [("done",)]
    assert site.rows(
        f"SELECT DISTINCT a.status, a.lease_until, a.passed IS NULL, a.problem {of_run}"
    ) == [("done", None, False, "")]
    twice = "SELECT count(*) FROM leaderboard_{} x WHERE x.attempt_id = a.id {}"
    verdicts = twice.format("verdict", "")
    ends = twice.format("statuschange", "AND x.after = 'done'")
    assert site.rows(f"SELECT DISTINCT ({verdicts}), ({ends}) {of_run}") == [(1, 1)]
    steps = twice.format("step", "AND x.try_number = a.tries")
    last = twice.format("step", "AND x.try_number = a.tries").replace("count(*)", "max(x.index)")
    quoted = last.replace("x.index", 'x."index"')
    assert (
        site.rows(f"SELECT a.id {of_run} AND (({steps}) <> a.turns OR ({quoted}) <> a.turns)") == []
    )


def assert_recomputable(site: Site) -> None:
    """Every aggregate equals what the rows give."""
    assert " 0 with figures that differed" in site.manage("recompute", "--dry-run")
