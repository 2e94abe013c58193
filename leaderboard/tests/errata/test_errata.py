"""A wrong check is disputed and corrected: stored results are judged again, and ranks follow."""

from __future__ import annotations

import io
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.disputes.dispute import make_dispute
from leaderboard.disputes.rule import rule
from leaderboard.errata.tell import visible_results
from leaderboard.handoff import rescoring
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import (
    Artifact,
    Attempt,
    BoardSnapshot,
    Dispute,
    Entry,
    Erratum,
    LedgerEntry,
    Rejudgement,
    Run,
    Standing,
    Verdict,
    pack,
)
from leaderboard.tests.support.played import conversation, play_recorded
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.contract import Status
from runner.contract import Verdict as CheckVerdict
from runner.rejudging import judge_waiting
from runner.tests.support.small_suite import DOUBLE, STRICTER, write_small
from runner.worker.tasks import rescore

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

CRASHING = DOUBLE.replace("want = str", "want = nonsense")


def change_check(settings: Settings, source: str) -> None:
    (Path(settings.SUITES) / "small" / "tasks" / "double.py").write_text(source)


@pytest.fixture
def runs(tmp_path: Path, settings: Settings) -> list[Run]:
    """Two ranked runs of one task: its check is too strict, and fails the first one's answer."""
    settings.SUITES = write_small(tmp_path / "suites").parent
    (Path(settings.SUITES) / "small" / "tasks" / "greet.py").unlink()
    change_check(settings, STRICTER)
    made = []
    for answer in ("It is 42.", "42"):
        run = play_recorded(tmp_path, conversation(answer=answer))
        Entry.objects.filter(pk=run.entry_id).update(provenance=Entry.Provenance.RUN_HERE)
        Run.objects.filter(pk=run.pk).update(is_public=True)
        made.append(run)
    sweep_queue()
    return made


def ranks_of(runs: list[Run]) -> list[int]:
    return [Standing.objects.get(run=run).rank for run in runs]


def correct(source: str, settings: Settings, **options: object) -> Erratum:
    change_check(settings, source)
    said = io.StringIO()
    options = {"reason": "It was too strict.", "stdout": said, **options}
    call_command("correct_checks", "small", **options)
    assert "stored results of 1 tasks wait to be judged again" in said.getvalue()
    return Erratum.objects.latest("pk")


def work(erratum: Erratum, settings: Settings) -> int:
    return judge_waiting(rescoring, erratum.pk, Path(settings.SUITES), 60.0)


def test_wrong_check_is_disputed_corrected_and_ranks_change(
    runs: list[Run], settings: Settings, client: Client
) -> None:
    ada = User.objects.create_user("ada")
    grace = User.objects.create_user("grace", is_staff=True)
    attempt = Attempt.objects.select_related("run__entry").get(run=runs[0])
    assert ranks_of(runs) == [2, 1]
    yesterday = timezone.now().date() - timedelta(days=1)
    Run.objects.update(finished_at=timezone.now() - timedelta(days=2))
    BoardSnapshot.objects.filter(suite=runs[0].suite).update(day=yesterday)
    old = Verdict.objects.get(attempt=attempt)
    made = make_dispute(ada, attempt, 2, "42 is in the answer.")
    rule(made, grace, Dispute.State.CHECK_WRONG, "It must only contain it.", 0)
    erratum = correct(DOUBLE, settings, dispute=made.pk)
    Run.objects.filter(pk=runs[1].pk).update(is_public=False)
    waiting = client.get(erratum.get_absolute_url()).content.decode()
    assert "2 of 2 stored results still wait" in waiting
    rescore(erratum.pk)  # as a worker does, when the sweep wakes it
    sweep_queue()
    attempt.refresh_from_db()
    assert attempt.passed is True
    assert [v.passed for v in Verdict.objects.filter(attempt=attempt).order_by("pk")] == [
        False,
        True,
    ]
    assert Verdict.objects.get(pk=old.pk).body == old.body
    Run.objects.filter(pk=runs[1].pk).update(is_public=True)
    sweep_queue()
    assert ranks_of(runs) == [1, 1]
    page = client.get(erratum.get_absolute_url()).content.decode()
    assert "the board has the new verdicts" in page
    assert "<td>failed</td><td><b>passed</b></td>" in page
    assert made.get_absolute_url() in page
    assert "1 erratum." in client.get("/errata/").content.decode()
    for path in ("/changes/", "/changes.atom"):
        text = client.get(path).content.decode()
        assert "1 corrects the check of double of small@1" in text
        assert "1 of 1 stored results have another verdict" in text
    past = client.get(f"/board.json?suite=small&as_of={yesterday}").json()
    before = client.get(f"/errata/{erratum.pk}/before.json").json()["rows"]
    assert {r["run"]: (r["rank"], r["passed"]) for r in before} == {
        runs[0].pk: (None, 0), runs[1].pk: (None, 1)
    }  # fmt: skip
    assert {r["run"]: (r["rank"], r["passed"]) for r in past["rows"]} == {
        runs[0].pk: (None, 0), runs[1].pk: (None, 1)
    }  # fmt: skip
    shown = client.get(f"{erratum.get_absolute_url()}before/").content.decode()
    assert f'run {runs[0].pk}</span></th><td class="num">–</td>' in shown
    assert f"/errata/{erratum.pk}/before/" in page
    [told] = client.get("/api/v1/errata/").json()["results"]
    assert (told["id"], told["dispute"], told["concerned"]) == (erratum.pk, made.pk, 2)
    one = client.get(f"/api/v1/errata/{erratum.pk}/").json()
    assert [tuple(r.values()) for r in one["runs"]] == [
        (runs[0].pk, 0, 1, None, None), (runs[1].pk, 1, 1, None, None)
    ]  # fmt: skip
    assert '<td class="num">0</td><td class="num"><b>1</b></td>' in page
    assert erratum.get_absolute_url() in client.get(made.get_absolute_url()).content.decode()
    results = client.get(f"/api/v1/errata/{erratum.pk}/results/").json()["results"]
    assert {(r["run"], r["before"], r["now"]) for r in results} == {
        (runs[0].pk, False, True), (runs[1].pk, True, True)
    }  # fmt: skip
    Run.objects.filter(pk=runs[0].pk).update(is_public=False)
    listed = f"/api/v1/errata/{erratum.pk}/results/"
    assert [r["run"] for r in client.get(listed).json()["results"]] == [runs[1].pk]
    shown = client.get(f"{erratum.get_absolute_url()}before/").content.decode()
    assert "1 row left the board since" in shown
    assert f"run {runs[0].pk}<" not in shown
    assert client.get("/api/v1/errata/").json()["results"][0]["dispute"] is None
    assert client.get("/api/v1/errata/999/").status_code == 404
    assert client.get("/api/v1/errata/999/results/").status_code == 404
    assert client.get("/errata/999/before/").status_code == 404
    assert LedgerEntry.objects.filter(kind="erratum", actor=f"account {grace.pk}").count() == 1
    assert work(erratum, settings) == 0
    with pytest.raises(CommandError, match="were judged by the checks as they are"):
        call_command("correct_checks", "small", reason="Again.")


def test_interrupted_rescoring_goes_on_and_keeps_what_cannot_be_judged(
    runs: list[Run], settings: Settings, client: Client
) -> None:
    erratum = correct(DOUBLE, settings)
    given = rescoring.take(erratum.pk, 1)
    assert len(given) == 1  # and the worker dies
    outdated = CheckVerdict(True, (), "Passed.", check_version="0" * 64)
    rescoring.record(given[0].rejudgement_id, outdated)  # by one that has the wrong check still
    assert not Rejudgement.objects.exclude(state="due").exists()
    assert rescoring.drive(erratum.pk) is False
    Run.objects.filter(pk=runs[1].pk).update(status=Status.RUNNING)
    Attempt.objects.filter(run=runs[1]).update(status=Status.QUEUED)
    assert work(erratum, settings) == 0
    Run.objects.filter(pk=runs[1].pk).update(status=Status.DONE, is_public=False)
    Attempt.objects.filter(run=runs[1]).update(status=Status.DONE)
    file = Attempt.objects.get(run=runs[1]).artifacts.get(role="output")
    Artifact.objects.filter(pk=file.pk).update(blob=None)
    assert work(erratum, settings) == 1
    assert Attempt.objects.get(run=runs[0]).passed is False  # none changes before all are judged
    Rejudgement.objects.filter(state="due").update(taken_until=timezone.now())
    Erratum.objects.update(driven_until=timezone.now())
    assert rescoring.drive(erratum.pk) is True
    assert work(erratum, settings) == 1
    assert Attempt.objects.get(run=runs[0]).passed is True
    gone = Rejudgement.objects.get(state="kept")
    assert gone.note == "Its output double.txt is gone: the old verdict stays."
    crashed = correct(CRASHING, settings)
    assert work(crashed, settings) == 2
    assert Attempt.objects.get(run=runs[0]).passed is True
    page = client.get(crashed.get_absolute_url()).content.decode()
    assert "kept: The check of double crashed" in page
    for told in (page, client.get(erratum.get_absolute_url()).content.decode()):
        assert f"run {runs[1].pk}" not in told  # it is private
        assert "is gone" not in told
    with pytest.raises(CommandError, match="reason is missing"):
        correct(STRICTER, settings, reason=" ")


def test_correction_that_is_taken_back_counts_though_its_version_was_there_before() -> None:
    run = finish_run(make_run(make_suite("small", 1), make_entry("Foo")), 0)
    attempt = run.attempts.get()
    first = Verdict.objects.create(attempt=attempt, check_version="a", passed=False, body=pack([]))
    Verdict.objects.create(attempt=attempt, check_version="b", passed=True, body=pack([]))
    Attempt.objects.filter(pk=attempt.pk).update(passed=True)
    erratum = Erratum.objects.create(suite=run.suite, tasks={attempt.task.key: ["", "", "a"]})
    again = CheckVerdict(False, (), "Failed.", check_version="a")
    Rejudgement.objects.create(
        erratum=erratum, attempt=attempt, state="judged", before=True, now=False, differs=True,
        body=pack(asdict(again)),
    )  # fmt: skip
    rescoring.finish(erratum.pk)
    rows = Verdict.objects.filter(attempt=attempt).order_by("pk")
    assert [(row.check_version, row.passed) for row in rows] == [
        ("a", False), ("b", True), ("a", False)
    ]  # fmt: skip
    assert rows[0] == first
    attempt.refresh_from_db()
    assert attempt.passed is False
    Rejudgement.objects.update(state="judged")  # a worker died before the end
    Erratum.objects.update(finished_at=None)
    rescoring.finish(erratum.pk)
    assert rows.count() == 3


def test_page_of_results_is_read_without_sorting_all(runs: list[Run]) -> None:
    erratum = Erratum.objects.create(suite=runs[0].suite, reason="Too strict.")
    attempts = list(Attempt.objects.filter(run__in=runs).order_by("pk"))
    for attempt, differs in zip(attempts, (True, False), strict=True):
        Rejudgement.objects.create(
            erratum=erratum, attempt=attempt, before=True, now=not differs, differs=differs
        )
    listed = visible_results(erratum, AnonymousUser())
    assert [row.attempt_id for row in listed] == [one.pk for one in attempts]
    if connection.vendor == "sqlite":
        plan = visible_results(erratum, AnonymousUser())[:50].explain()
        assert "rejudgement_listed" in plan
        assert "TEMP B-TREE" not in plan
