"""Stored files and answers are judged by the checks as they are now, in a run of their own."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Attempt, PublicChange, Run, Verdict
from leaderboard.tests.trajectories.test_reexecute import conversation, play
from runner.contract import Status
from runner.tests.support.small_suite import DOUBLE, write_small

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

STRICTER = DOUBLE.replace(
    'case.expect("answer", want in case.answer, want, case.answer)',
    'case.expect("answer", case.answer == want, want, case.answer)',
)
OTHER_INPUTS = DOUBLE.replace("str(seed * 3)", "str(seed * 3) + ' '")


@pytest.fixture
def run(tmp_path: Path, settings: Settings) -> Run:
    """A run with one attempt, which passed; its suite is `small`."""
    settings.SUITES = write_small(tmp_path / "suites").parent
    path = tmp_path / "trajectory.jsonl"
    path.write_text(json.dumps(conversation()) + "\n")
    play(path)
    return Run.objects.latest("pk")


def change_check(settings: Settings, source: str) -> None:
    (Path(settings.SUITES) / "small" / "tasks" / "double.py").write_text(source)


def rescore(run: Run) -> str:
    said = io.StringIO()
    call_command("rescore", str(run.pk), stdout=said)
    return said.getvalue()


def test_a_changed_check_judges_what_is_stored(
    run: Run, settings: Settings, client: Client
) -> None:
    change_check(settings, STRICTER)
    said = rescore(run)
    again = Run.objects.latest("pk")
    assert "double: passed, now failed. Failed: the answer: answer: expected 42" in said
    assert f"run {run.pk} is run {again.pk} on small v1+" in said
    assert "1 of 1 verdicts changed" in said
    before, now = Attempt.objects.get(run=run), Attempt.objects.get(run=again)
    assert (before.passed, now.passed) == (True, False)
    assert Verdict.objects.filter(attempt=before).count() == 1  # sealed
    assert (again.entry_id, again.seed, again.status) == (run.entry_id, run.seed, Status.DONE)
    assert again.environment["re-scored from run"] == str(run.pk)
    page = client.get(f"/runs/{again.pk}/tasks/double/?version=").content.decode()
    assert "double.txt" in page
    assert "int(open(" in page or "data/number.txt" in page
    assert [s.index for s in now.steps.all()] == [s.index for s in before.steps.all()]
    files = {(f.role, f.path, f.blob_id) for f in now.artifacts.all()}
    assert files == {(f.role, f.path, f.blob_id) for f in before.artifacts.all()}
    assert now.text.body == before.text.body


def test_a_public_run_judged_again_is_told_among_the_changes(
    run: Run, settings: Settings, client: Client
) -> None:
    Run.objects.filter(pk=run.pk).update(is_public=True)
    change_check(settings, STRICTER)
    rescore(run)
    again = Run.objects.latest("pk")
    told = [one for one in client.get("/changes.json").json()["changes"] if one["run"] == again.pk]
    assert [one["kind"] for one in told] == ["re-scored"]
    sentence = f"is run {run.pk} judged again by the checks of small@1+"
    for page in ("/changes/", "/changes.atom"):
        text = client.get(page).content.decode()
        assert sentence in text
        assert "1 of 1 verdict changed" in text


def test_a_private_run_judged_again_is_told_to_nobody(run: Run, settings: Settings) -> None:
    Run.objects.filter(pk=run.pk).update(is_public=False)
    change_check(settings, STRICTER)
    rescore(run)
    assert not PublicChange.objects.filter(kind=PublicChange.Kind.RESCORED).exists()


def test_other_inputs_make_an_attempt_void(run: Run, settings: Settings) -> None:
    change_check(settings, OTHER_INPUTS)
    assert "double: passed, now void. Its inputs are other ones now" in rescore(run)
    attempt = Attempt.objects.get(run=Run.objects.latest("pk"))
    assert attempt.passed is None
    assert attempt.state == "void"


def test_a_check_that_crashes_makes_an_attempt_void(run: Run, settings: Settings) -> None:
    change_check(settings, DOUBLE.replace("want = str", "want = nonsense"))
    assert "double: passed, now void. The check of double crashed" in rescore(run)


def test_what_need_not_or_cannot_be_judged_again_is_refused(run: Run, settings: Settings) -> None:
    with pytest.raises(CommandError, match="was already judged by the current checks"):
        rescore(run)
    with pytest.raises(CommandError, match="There is no run 999"):
        call_command("rescore", "999")
    folder = Path(settings.SUITES) / "small" / "tasks"
    (folder / "double.py").rename(folder / "treble.py")
    with pytest.raises(CommandError, match=f"No task of run {run.pk} is in small any more"):
        rescore(run)
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING)
    with pytest.raises(CommandError, match="is not over"):
        rescore(run)
