"""Judges' verdicts in the ledger: entered once complete, withheld with their run, rebuilt."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.judge.actions import resume
from leaderboard.judge.trial import try_judge
from leaderboard.ledger.public_entries import find_ledger_faults, list_lines
from leaderboard.ledger.sealed_judgings import find_judging_faults
from leaderboard.models import JudgeVerdict, Judging, Run
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.judging import judged_as, make_judge, store_verdicts
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

VERDICTS = ["pass", "fail", "cannot tell", "judge error"]  # on p p p f; the last is void


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite("small", 5), make_entry("Foo")), 3, void=1)


@pytest.fixture
def judging(run: Run) -> Judging:
    judging = store_verdicts(make_judge(), run, judged_as(run, VERDICTS), reason="Seen.")
    sweep_queue()
    return judging


def judged() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in b"".join(list_lines()).splitlines()]
    return [one for one in lines if one["kind"] in ("run judged", "judged anew", "withheld")]


def facts_of(line: dict[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(line["payload"])["facts"]
    return facts


def test_complete_verdicts_are_entered_once_and_again_when_superseded(
    judging: Judging, run: Run, client: Client
) -> None:
    sweep_queue()
    [line] = judged()
    assert facts_of(line)["verdicts"] == "p f c e ."
    assert facts_of(line)["judge"] == "judge"
    page = client.get("/ledger/").content.decode()
    assert "by judge, scripted: pass 1, fail 1, cannot tell 1, judge error 1" in page
    resume(judging.pk)
    sweep_queue()
    first, anew = judged()
    assert anew["kind"] == "judged anew"
    assert facts_of(anew)["verdicts_sha256"] == facts_of(first)["verdicts_sha256"]
    assert "1 judge errors are asked about again" in facts_of(anew)["reason"]
    failed = run.attempts.order_by("pk")[3]
    store_verdicts(judging.judge, run, {failed: "fail"})
    Judging.objects.update(state="done")
    sweep_queue()
    assert facts_of(judged()[-1])["verdicts"] == "p f c f ."


def test_judging_of_a_private_run_is_withheld_until_it_is_published(
    run: Run, client: Client
) -> None:
    Run.objects.update(is_public=False)
    store_verdicts(make_judge(), run, judged_as(run, VERDICTS))
    sweep_queue()
    assert [(line["subject"], line["payload"]) for line in judged()] == [("", None)] * 2
    shown = client.get("/ledger/").content.decode() + str(client.get("/api/v1/ledger/").json())
    assert "by judge" not in shown
    assert f"run {run.pk}" not in shown
    publish(run.pk)
    sweep_queue()
    assert "p f c e ." in json.dumps(judged())
    withdraw(run.pk)
    sweep_queue()
    assert {line["payload"] for line in judged()} == {None}
    assert list(find_ledger_faults()) == []
    assert list(find_judging_faults()) == []


def test_verify_names_verdicts_that_are_not_those_entered(judging: Judging) -> None:
    assert list(find_judging_faults()) == []
    JudgeVerdict.objects.filter(verdict="fail").update(verdict="pass")
    [fault] = find_judging_faults()
    assert "verdicts of “judge” on run" in fault
    Judging.objects.update(sealed_sha256="0" * 64)  # whoever changes the mark as well
    assert len(list(find_judging_faults())) == 1


def test_agreement_is_rebuilt_from_the_export_alone(judging: Judging, tmp_path: Path) -> None:
    path, out = tmp_path / "ledger.jsonl", io.StringIO()
    path.write_bytes(b"".join(list_lines()))
    call_command("rebuild_board", str(path), stdout=out, stderr=io.StringIO())
    [rebuilt] = json.loads(out.getvalue())["judges"]
    overall = try_judge(judging.judge).overall
    counts = {name: getattr(overall.counts, name) for name in COUNTED}
    assert {name: rebuilt[name] for name in COUNTED} == counts
    assert (rebuilt["cannot_tell"], rebuilt["judge_errors"]) == (1, 1)
    assert (overall.cannot_tell, overall.errors) == (1, 1)


COUNTED = ("true_pass", "false_pass", "false_fail", "true_fail")
