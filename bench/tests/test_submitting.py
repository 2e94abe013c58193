"""The measuring of submissions: what it counts and judges."""

from __future__ import annotations

import pytest

from bench.submitting import SUBMISSIONS, Crowd, Walk, is_kept, p95, show


def test_lost_submission_or_a_fifth_field_fails_the_bench() -> None:
    crowd = Crowd(SUBMISSIONS, [10.0], [5.0])
    assert is_kept(Walk(3, 2, 5.0, 9.0), crowd)
    assert not is_kept(Walk(5, 2, 1.0, 0.1), crowd)
    assert not is_kept(Walk(3, 3, 1.0, 0.1), crowd)
    assert not is_kept(Walk(3, 2, 1.0, 0.1), Crowd(SUBMISSIONS - 1, [10.0], [5.0]))


def test_figures_stand_beside_their_goals(capsys: pytest.CaptureFixture[str]) -> None:
    values = [float(n) for n in range(1, 101)]
    assert p95(values) == 95.0
    show(Walk(3, 2, 5.0, 0.9), Crowd(50, values, values))
    said = capsys.readouterr().out
    assert "clicks                    2 (at most 2)" in said
    assert "handler, p95              95 ms (goal 300), CPU 95" in said
