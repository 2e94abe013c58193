"""Settings that are changed in a pause: in parallel, longest reply, streaming."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.models import Entry, Run, Standing
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions import pauses
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.jobs import claim, claim_one, judged
from leaderboard.tests.support.own_runs import own_run, page_of, play_out
from leaderboard.tests.support.rows import finish_run, make_run, start_run
from runner.contract import ProblemError, Status
from runner.submission_fields import CONCURRENCY

pytestmark = pytest.mark.django_db

NOT_COMPARABLE = "Not comparable, never ranked"


@pytest.fixture(autouse=True)
def admitted(settings: Settings) -> None:
    settings.ENDPOINT_LOOPBACK_PORTS = ["8001"]
    settings.SCRIPTED_PORT = 8002


def paused() -> tuple[User, Run]:
    owner, run = own_run()
    attempts.record_result(claim_one(run), judged(True))
    pauses.pause(run.pk)
    run.refresh_from_db()
    return owner, run


def post(owner: User, run: Run, status: int = 200, **changes: Any) -> str:
    client = Client()
    client.force_login(owner)
    answer = client.post(f"/runs/{run.pk}/resume/", changes, follow=True)
    assert answer.status_code == status
    run.refresh_from_db()
    return " ".join(answer.content.decode().split())


def test_rest_of_the_run_has_the_new_settings() -> None:
    owner, run = paused()
    page = post(owner, run, concurrency="1", max_tokens="2000", stream="off")
    assert "Resumed" in page
    assert (run.status, run.concurrency) == (Status.QUEUED, 1)
    assert run.changed_sampling == {"max_tokens": 2000, "stream": False}
    assert run.entry.sampling.get("max_tokens") is None  # its other runs are as they were
    [job] = claim(run.pk, 9, "worker")  # one in parallel
    assert (job.endpoint.max_tokens, job.endpoint.stream) == (2000, False)
    assert "changed by its owner: max tokens per reply not set → 2000" in page
    assert "attempts in parallel 2 → 1" in page
    assert "streaming on → off" in page
    assert NOT_COMPARABLE in page


def test_parallel_attempts_and_streaming_leave_a_run_comparable() -> None:
    owner, run = paused()
    page = post(owner, run, concurrency="1", stream="off")
    assert not run.is_mixed
    assert NOT_COMPARABLE not in page


@pytest.mark.parametrize("is_begun", [True, False])
def test_change_that_is_taken_back_before_the_first_step_is_none(is_begun: bool) -> None:
    owner, run = own_run()
    Entry.objects.filter(pk=run.entry_id).update(sampling={"max_tokens": 500})
    if is_begun:
        attempts.record_result(claim_one(run), judged(True))
    for tokens in ("100", "500"):
        pauses.pause(run.pk)
        page = post(owner, run, max_tokens=tokens)
    assert run.is_mixed == is_begun
    assert (NOT_COMPARABLE in page) == is_begun


def test_empty_fields_and_present_values_change_nothing() -> None:
    owner, run = paused()
    post(owner, run, concurrency="2", stream="on", max_tokens="")
    assert (run.concurrency, run.changed_sampling) == (2, {})
    assert not run.status_changes.filter(reason__startswith=pauses.CHANGED_BY_OWNER).exists()


def test_longest_reply_that_changed_costs_the_rank() -> None:
    owner, run = paused()
    Run.objects.filter(pk=run.pk).update(is_public=True)
    plain = finish_run(make_run(run.suite), 2)
    post(owner, run, max_tokens="100")
    play_out(run)
    file_runs()
    refresh_changed()
    assert {*Standing.objects.values_list("run_id", flat=True)} == {plain.pk}
    client = Client()
    assert (
        "not comparable: the longest reply was changed while it ran"
        in client.get(f"/models/{run.entry.slug}/").content.decode()
    )
    compared = client.get(f"/compare/?runs={run.pk},{plain.pk}").content.decode()
    assert f"The longest reply of run {run.pk} was changed while it ran" in compared


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"concurrency": "0"}, "greater than or equal to 1"),
        ({"concurrency": str(CONCURRENCY.most + 1)}, "less than or equal to 64"),
        ({"concurrency": "many"}, "Enter a whole number"),
        ({"max_tokens": "0"}, "greater than or equal to 1"),
        ({"max_tokens": "1000001"}, "less than or equal to 1000000"),
        ({"stream": "perhaps"}, "Select a valid choice"),
    ],
)
def test_limits_are_the_forms(changes: dict[str, str], words: str) -> None:
    owner, run = paused()
    page = post(owner, run, 400, **changes, ceiling_tokens="50000", api_key="sk-typed")
    assert words in page
    assert "open> <summary" in page  # the form, with what was typed but for the key
    assert 'name="ceiling_tokens" value="50000"' in page
    assert "sk-typed" not in page
    assert "Enter the key again" in page
    assert (run.status, run.concurrency, run.changed_sampling) == (Status.PAUSED, 2, {})


def test_programs_change_settings_too() -> None:
    owner, run = paused()
    caller = Caller(owner)
    path = f"runs/{run.pk}/resume/"
    for wrong in ({"concurrency": 65}, {"max_tokens": 0}, {"stream": "perhaps"}, {"speed": 1}):
        caller.send(path, wrong, expect=400)
    told = caller.send(path, {"concurrency": 1, "max_tokens": 500, "stream": False})
    assert told["status"] == "queued"
    assert (told["concurrency"], told["changed_sampling"]) == (
        1,
        {"max_tokens": 500, "stream": False},
    )


def test_run_that_goes_on_is_not_changed() -> None:
    run = start_run(2)
    with pytest.raises(ProblemError, match="Only a run that is not in progress can be changed"):
        pauses.resume(run.pk, concurrency=1)
    run.refresh_from_db()
    assert run.concurrency != 1


def test_paused_run_offers_the_fields() -> None:
    owner, run = paused()
    page = page_of(owner, run)
    for name in ("concurrency", "max_tokens", "stream"):
        assert f'name="{name}"' in page
