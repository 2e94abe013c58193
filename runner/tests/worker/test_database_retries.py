"""Writes are tried again for the database's failures that pass, and for no other."""

from __future__ import annotations

import pytest

from runner.worker import database_retries
from runner.worker.database_retries import Retrying


class Away(Exception):
    """The database's own."""


class Refused(Away):
    """One that does not pass."""


class Act:
    """Fails with these errors, one a call, then returns its argument."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self, value: int) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return value


@pytest.fixture
def mended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(database_retries, "PAUSES_S", (0.0, 0.0))
    return []


def retrying(mended: list[str]) -> Retrying:
    return Retrying(
        (Away,), lambda error: not isinstance(error, Refused), lambda: mended.append("again")
    )


def test_a_failure_that_passes_is_tried_again_on_a_mended_connection(mended: list[str]) -> None:
    act = Act(Away(), Away())
    assert retrying(mended)(act)(5) == 5
    assert (act.calls, mended) == (3, ["again", "again"])


def test_the_last_try_fails_as_the_database_did(mended: list[str]) -> None:
    act = Act(Away(), Away(), Away())
    with pytest.raises(Away):
        retrying(mended)(act)(5)
    assert act.calls == 3


@pytest.mark.parametrize("error", [Refused(), ValueError("not the database's"), KeyError("x")])
def test_other_failures_are_raised_at_once(error: Exception, mended: list[str]) -> None:
    act = Act(error)
    with pytest.raises(type(error)):
        retrying(mended)(act)(5)
    assert (act.calls, mended) == (1, [])


def test_by_itself_it_tries_nothing_again(mended: list[str]) -> None:
    act = Act(Away())
    with pytest.raises(Away):
        Retrying()(act)(5)
    assert act.calls == 1


def test_a_worker_that_is_asked_to_end_waits_for_nothing(mended: list[str]) -> None:
    act, patient = Act(Away()), retrying(mended)
    patient.hurry()
    with pytest.raises(Away):
        patient(act)(5)
    assert act.calls == 1
