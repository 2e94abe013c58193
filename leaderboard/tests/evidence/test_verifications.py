"""Verifications of runs: only equal ones by others count, and only for the present manifest."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from leaderboard.evidence.manifests import read_statement
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.ledger.kinds import ActKind
from leaderboard.models import LedgerEntry, Run
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.evidence.chain import digest_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 6)
    run.entry.owner = make_user("owner")
    run.entry.save()
    sweep_queue()
    return run


def findings(run: Run, **changes: Any) -> dict[str, Any]:
    statement = read_statement(run)
    assert statement is not None
    equal = {"equal": True, "attempts": 8, "report_sha256": "a" * 64}
    return {"manifest_sha256": digest_of(statement), **equal, **changes}


def address(run: Run) -> str:
    return f"runs/{run.pk}/verifications/"


def test_only_equal_findings_of_others_count_and_are_shown(run: Run) -> None:
    owner, other, third = map(Caller, (run.entry.owner, make_user("other"), make_user("third")))
    assert owner.send(address(run), findings(run))["verified_by"] == 0
    assert other.send(address(run), findings(run))["verified_by"] == 1
    assert other.send(address(run), findings(run))["verified_by"] == 1
    wrong = findings(run, equal=False, differences=["task-1: passed, failed here <b>"])
    assert third.send(address(run), wrong)["verified_by"] == 1
    told = Caller().ask(address(run))["verifications"]
    assert sorted((one["is_equal"], one["is_own"]) for one in told) == [
        (False, False), (True, False), (True, True),
    ]  # fmt: skip
    page = " ".join(Client().get(f"/runs/{run.pk}/").content.decode().split())
    assert "1 account reports that all verdicts come out equal: account" in page
    assert "(its owner, not counted)" in page
    assert "(found differences)" in page
    assert "equal by 1 report<" in " ".join(Client().get("/").content.decode().split())
    sweep_queue()
    assert "run verified" in Client().get("/ledger/").content.decode()


def test_a_report_that_is_sent_again_is_one_entry_of_the_ledger(run: Run) -> None:
    other, wrong = Caller(make_user("other")), {"equal": False, "differences": ["task-1: failed"]}
    for _ in range(6):
        assert other.send(address(run), findings(run))["verified_by"] == 1
        assert other.send(address(run), findings(run, **wrong))["verified_by"] == 0
    sweep_queue()
    assert LedgerEntry.objects.filter(kind=ActKind.VERIFIED).count() == 2
    [told] = Caller().ask(address(run))["verifications"]
    assert (told["is_equal"], told["report_sha256"]) == (False, "a" * 64)


def test_the_page_names_the_command_that_checks_the_run(run: Run) -> None:
    page = Client().get(f"/runs/{run.pk}/").content.decode()
    assert f".venv/bin/pybench verify http://testserver/runs/{run.pk}/</pre>" in page
    withdraw(run.pk)
    owner = Client()
    assert run.entry.owner is not None
    owner.force_login(run.entry.owner)
    page = owner.get(f"/runs/{run.pk}/").content.decode()
    bundle = f"run-{run.pk}-evidence.zip"
    assert f".venv/bin/pybench verify {bundle} --site http://testserver</pre>" in page
    assert bundle in owner.get(f"/runs/{run.pk}/bundle.zip")["Content-Disposition"]


def test_a_changed_verdict_ends_what_was_verified_before(run: Run) -> None:
    before = findings(run)
    other = Caller(make_user("other"))
    assert other.send(address(run), before)["verified_by"] == 1
    attempt = run.attempts.order_by("task__position")[0]
    attempt.passed = False
    attempt.save()
    Run.objects.filter(pk=run.pk).update(is_sealed=False)
    sweep_queue()
    assert Caller().ask(address(run)) == {"verified_by": 0, "verifications": []}
    refused = other.send(address(run), before, expect=409)
    assert refused["code"] == "other_manifest"


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"attempts": 3}, 409),
        ({"differences": ["task-1: passed, failed here"]}, 409),
        ({"manifest_sha256": "0" * 64}, 409),
        ({"manifest_sha256": "x"}, 400),
        ({"report_sha256": ""}, 400),
        ({"attempts": -1}, 400),
        ({"differences": ["x"] * 101}, 400),
        ({"differences": ["x" * 301]}, 400),
        ({"equal": "maybe"}, 400),
        ({"more": 1}, 400),
    ],
    ids=str,
)
def test_findings_that_cannot_be_are_refused(
    run: Run, changes: dict[str, Any], status: int
) -> None:
    other = Caller(make_user("other"))
    other.send(address(run), findings(run, **changes), expect=status)
    assert Run.objects.get(pk=run.pk).verified_by is None


def test_strangers_cannot_send_and_do_not_find_private_runs(run: Run) -> None:
    Caller().send(address(run), findings(run), expect=401)
    Run.objects.filter(pk=run.pk).update(is_public=False)
    other = Caller(make_user("other"))
    other.ask(address(run), expect=404)
    other.send(address(run), findings(run), expect=404)
