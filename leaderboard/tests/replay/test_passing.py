"""Beside a failure: the attempts that passed the same task, and the steps that wrote its files."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.models import Attempt, Entry, Run, Suite, pack, unpack
from leaderboard.replay.passing import MAX_SHOWN, find_passing
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.replay_pages import attempt_at, get
from leaderboard.tests.support.rows import (
    add_step,
    change,
    finish_run,
    make_entry,
    make_run,
    tell_failure,
)
from leaderboard.tests.support.rows.failure import failing_steps
from leaderboard.tests.support.rows.steps import make_step
from runner.contract import ChangeKind

pytestmark = pytest.mark.django_db
KEY = "quarterly-sales"
NOBODY = AnonymousUser()
HEADING = " did it</h2>"


@pytest.fixture
def failed(suite: Suite) -> Attempt:
    return tell_failure(attempt_at(finish_run(make_run(suite, make_entry("Loser")), 4), KEY))


def pass_task(
    suite: Suite, name: str, *, is_scripted: bool = False, is_public: bool = True
) -> Attempt:
    """An attempt that passed: step 2 writes the file, step 3 writes it again, step 4 answers."""
    entry = make_entry(name, is_scripted=is_scripted)
    run = finish_run(make_run(suite, entry, is_public=is_public), 4)
    attempt = attempt_at(run, KEY)
    table = change("output/quarters.csv", b"quarter,amount\nQ1,1\n")
    add_step(attempt, make_step(1, changes=[change("output/other.csv", b"a\n1\n")]))
    add_step(attempt, make_step(2, changes=[table]))
    again = change("output/quarters.csv", b"quarter,amount\nQ1,2\n", ChangeKind.CHANGED)
    add_step(attempt, make_step(3, changes=[again]))
    answer = failing_steps()[-1]
    add_step(attempt, type(answer)(**{**vars(answer), "index": 4}))
    return attempt


@pytest.mark.parametrize(("checks", "left"), [(9, 5), (4, 0), (2, 0)])
def test_a_failure_counts_the_checks_that_were_not_reached(
    client: Client, suite: Suite, failed: Attempt, checks: int, left: int
) -> None:
    verdict = failed.verdicts.latest("pk")
    made = unpack(verdict.body)
    verdict.body = pack((made * 4)[:4])
    verdict.save()
    other = pass_task(suite, "Winner")
    other.verdicts.all().delete()
    body = pack((made * 9)[:checks])
    other.verdicts.create(kind="strict", check_version="1", passed=True, body=body)
    said = f", {left} not reached" if left else ""
    assert f"of 4 checks passed{said}</a>" in get(client, failed)
    assert Caller().ask(f"attempts/{failed.pk}/")["not_reached"] == left
    assert Caller().ask(f"attempts/{other.pk}/")["not_reached"] == 0


def test_a_failure_names_the_steps_of_those_who_passed(
    client: Client, suite: Suite, failed: Attempt
) -> None:
    other = pass_task(suite, "<b>Winner")
    body = get(client, failed)
    part = body[body.index(HEADING) : body.index("This attempt as")]
    assert "&lt;b&gt;Winner" in part
    assert f'href="{other.get_absolute_url()}#step-3">step 3 wrote it' in part
    assert "other.csv" not in part
    assert f'href="{other.get_absolute_url()}#step-4">its answer' in part
    assert f"a={failed.run_id}&amp;a={other.run_id}" in part
    (found,) = find_passing(failed, NOBODY, ["quarters.csv"])
    written = client.get(found.files[0].address)
    assert b"".join(written.streaming_content) == b"quarter,amount\nQ1,2\n"  # type: ignore[attr-defined]


def test_baselines_stand_in_only_where_no_model_passed(
    client: Client, suite: Suite, failed: Attempt
) -> None:
    assert HEADING not in get(client, failed)
    pass_task(suite, "Reference", is_scripted=True)
    assert "How scripted baselines that passed did it" in get(client, failed)
    pass_task(suite, "Winner")
    body = get(client, failed)
    assert "How passing attempts did it" in body
    assert ">Reference</a>" not in body[body.index(HEADING) :]


def test_many_baselines_do_not_hide_an_older_model(
    suite: Suite, failed: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.replay.passing.MAX_LOOKED_AT", 2)
    model = pass_task(suite, "Winner")
    for name in ("One", "Two", "Three"):
        pass_task(suite, name, is_scripted=True)
    (found,) = find_passing(failed, NOBODY, [""])
    assert found.attempt == model


def test_what_is_private_or_withdrawn_is_shown_to_nobody_else(
    client: Client, suite: Suite, failed: Attempt
) -> None:
    hidden, gone = pass_task(suite, "Hidden", is_public=False), pass_task(suite, "Gone")
    Run.objects.filter(pk=gone.run_id).update(withdrawn_at=timezone.now())
    assert HEADING not in get(client, failed)
    owner = User.objects.create_user("ada")
    Entry.objects.filter(pk=hidden.run.entry_id).update(owner=owner)
    client.force_login(owner)
    assert "<bdi>Hidden</bdi>" in get(client, failed)
    client.logout()
    assert "Hidden" not in get(client, failed)


def test_one_attempt_an_entry_and_a_few_in_all(suite: Suite, failed: Attempt) -> None:
    first = pass_task(suite, "Winner")
    again = finish_run(make_run(suite, first.run.entry), 4)
    for number in range(MAX_SHOWN + 2):
        pass_task(suite, f"Other {number}")
    found = find_passing(failed, NOBODY, ["quarters.csv", ""])
    assert [one.attempt.run.entry.name for one in found] == ["Other 4", "Other 3", "Other 2"]
    Run.objects.exclude(pk__in=(first.run_id, again.pk, failed.run_id)).update(is_public=False)
    (newest,) = find_passing(failed, NOBODY, ["quarters.csv", ""])
    assert newest.attempt.run_id == again.pk
    assert not newest.files, "its later run has no steps"


def test_a_try_that_did_not_count_says_nothing(suite: Suite, failed: Attempt) -> None:
    other = pass_task(suite, "Winner")
    Attempt.objects.filter(pk=other.pk).update(tries=2)
    table = change("output/quarters.csv", b"q\n")
    add_step(other, make_step(7, changes=[table]), try_number=2)
    (found,) = find_passing(failed, NOBODY, ["output/quarters.csv", ""])
    assert [file.step for file in found.files] == [7]
    assert not found.answer_address


def test_a_passed_attempt_asks_for_nothing_and_a_failed_one_for_three_queries(
    suite: Suite, failed: Attempt
) -> None:
    other = pass_task(suite, "Winner")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert find_passing(other, NOBODY, []) == ()
    assert len(asked) == 0
    with CaptureQueriesContext(connection) as asked:
        assert find_passing(failed, NOBODY, ["quarters.csv", ""])
    assert len(asked) <= 3


def test_deleted_files_were_not_written(suite: Suite, failed: Attempt) -> None:
    other = pass_task(suite, "Winner")
    add_step(other, make_step(5, changes=[change("output/quarters.csv", None, ChangeKind.DELETED)]))
    (found,) = find_passing(failed, NOBODY, ["quarters.csv"])
    assert [file.step for file in found.files] == [3]
