"""Forks: what is kept, what is asked with whose key, and that nothing of it counts."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Endpoint, Entry, RecordedAttempt, Run, Standing, Suite
from leaderboard.storage import encryption
from leaderboard.submissions.submission import Submission
from leaderboard.submissions.submit import find_entry
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import (
    NOW,
    add_step,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
)
from leaderboard.tests.support.uploaded import bring, chat_line, signed_in
from runner.contract import Status, Step, StepStatus

pytestmark = pytest.mark.django_db

ADDRESS = "https://api.foo.org/v1"
CELL = {"after": "end", "code": "print(7)", "answer": "It is 7."}
ASK = {"after": "ask", "base_url": ADDRESS, "model": "foo"}


@pytest.fixture
def parent(ada: User) -> Attempt:
    """An attempt of Ada's with two cells and an answer."""
    run = finish_run(make_run(make_suite(), is_public=True), solved=1)
    Entry.objects.filter(pk=run.entry_id).update(owner=ada)
    Endpoint.objects.create(
        entry=run.entry,
        base_url=ADDRESS,
        encrypted_key=encryption.encrypt("the-runs-key"),
        encrypted_headers=encryption.encrypt_headers({"X-Team": "secret"}),
    )
    attempt: Attempt = run.attempts.select_related("task", "run__entry").earliest("pk")
    add_step(attempt, make_step(1, code="a = 3", outputs=[]))
    add_step(attempt, make_step(2, code="print(a)", outputs=[printed("3\n")]))
    add_step(attempt, Step(3, StepStatus.ANSWER, "It is 3."))
    return attempt


def address_of(attempt: Attempt, step: int) -> str:
    return f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/fork/?step={step}"


def carry_on(user: User, attempt: Attempt, step: int, **said: Any) -> Attempt:
    answer = signed_in(user).post(address_of(attempt, step), said)
    assert answer.status_code == 302, answer.content.decode()
    fork: Attempt = Attempt.objects.select_related("task", "run__entry__endpoint").latest("pk")
    assert answer["Location"] == fork.get_absolute_url()
    return fork


def test_worker_gets_the_kept_steps_and_the_typed_cell(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    [job] = claim(fork.run_id, 1, "w")
    assert job.recording
    assert [step.code for step in job.recording.steps] == ["a = 3", "print(7)"]
    assert (job.recording.typed, job.recording.goes_on) == (frozenset({2}), False)
    assert (job.recording.answer, job.seed) == ("It is 7.", parent.run.seed)
    assert job.limits.max_turns == 10
    assert job.recording.steps[0].usage.completion_tokens is None  # they are the parent's
    assert job.endpoint.base_url.endswith(".invalid/v1")


def test_other_steps_follow_a_cell_that_takes_the_place_of_one(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 0, after="rest", code="a = 4\r\nb = 5")
    [job] = claim(fork.run_id, 1, "w")
    assert job.recording
    codes = [step.code for step in job.recording.steps]
    assert codes == ["a = 4\nb = 5", "print(a)", None]
    assert job.recording.typed == {1}


def test_endpoint_goes_on_with_the_key_that_was_typed(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 2, **ASK, api_key="typed-key")
    [job] = claim(fork.run_id, 1, "w")
    assert job.recording
    assert job.recording.goes_on
    assert (job.endpoint.api_key, job.endpoint.model) == ("typed-key", "foo")


def test_cell_is_run_before_an_endpoint_only_if_that_is_chosen(ada: User, parent: Attempt) -> None:
    said = {**ASK, "code": "print(8)"}
    for after, codes in (("ask", ["a = 3"]), ("cell-ask", ["a = 3", "print(8)"])):
        fork = carry_on(ada, parent, 1, **{**said, "after": after})
        [job] = claim(fork.run_id, 1, "w")
        assert job.recording
        assert [step.code for step in job.recording.steps] == codes


def test_key_of_the_run_goes_to_the_address_of_the_run_alone(ada: User, parent: Attempt) -> None:
    same = carry_on(ada, parent, 2, **ASK).run.entry.endpoint
    assert encryption.decrypt(same.encrypted_key) == "the-runs-key"
    other = carry_on(ada, parent, 2, **{**ASK, "base_url": "https://api.bar.org/v1"})
    endpoint = other.run.entry.endpoint
    assert encryption.decrypt(endpoint.encrypted_key) == ""
    assert encryption.decrypt_headers(endpoint.encrypted_headers) == {}
    page = signed_in(ada).get(address_of(parent, 2)).content.decode()
    assert ADDRESS in page
    assert "the-runs-key" not in page


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param({**ASK, "base_url": "http://10.0.0.7/v1"}, "10.0.0.7", id="own-network"),
        pytest.param({**ASK, "base_url": "ftp://foo.org"}, "http", id="no-http"),
        pytest.param({**ASK, "base_url": ""}, "needs this", id="no-address"),
        pytest.param({**ASK, "api_key": "two words"}, "blanks", id="bad-key"),
        pytest.param({**CELL, "code": "x" * 1_000_000}, "at most 100000", id="a-megabyte"),
        pytest.param({**CELL, "code": "a\0b"}, "Null characters", id="null"),
        pytest.param({**CELL, "after": "publish"}, "publish", id="unknown-act"),
        pytest.param({}, "required", id="nothing"),
    ],
)
def test_bad_form_is_refused_and_nothing_queued(
    ada: User, parent: Attempt, said: dict[str, str], words: str
) -> None:
    answer = signed_in(ada).post(address_of(parent, 1), said)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Run.objects.count() == 1


def test_refused_form_keeps_the_cell_and_not_the_key(ada: User, parent: Attempt) -> None:
    said = {
        **ASK,
        "after": "cell-ask",
        "code": "print('kept')",
        "base_url": "",
        "api_key": "hidden-key",
    }
    page = signed_in(ada).post(address_of(parent, 1), said).content.decode()
    assert "print(&#x27;kept&#x27;)" in page
    assert "hidden-key" not in page


@pytest.mark.parametrize("step", ["4", "99999", "-1", "1.5", "٣", "9" * 40])
def test_step_beyond_the_end_is_not_found(ada: User, parent: Attempt, step: str) -> None:
    page = f"/runs/{parent.run_id}/tasks/{parent.task.key}/fork/"
    for ask in (signed_in(ada).get, lambda url: signed_in(ada).post(url, CELL)):
        assert ask(f"{page}?step={step}").status_code == 404
    assert Run.objects.count() == 1


def test_others_get_what_is_not_there(ada: User, parent: Attempt) -> None:
    bob, address = make_user("bob"), address_of(parent, 1)
    assert signed_in(bob).get(address).status_code == 404  # the run is public
    assert signed_in(bob).post(address, CELL).status_code == 404
    assert "/account/login" in Client().post(address, CELL)["Location"]
    assert "carry-on" not in Client().get(parent.get_absolute_url()).content.decode()
    assert Run.objects.count() == 1


def test_post_of_another_site_is_refused(ada: User, parent: Attempt) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.post(address_of(parent, 1), CELL).status_code == 403
    assert Run.objects.count() == 1


def test_fork_is_never_published_and_never_counts(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    [job] = claim(fork.run_id, 1, "w")
    attempts.record_result(job, judged(True))
    signed_in(ada).post(f"/runs/{fork.run_id}/publish/")
    words = Caller(ada).send(f"runs/{fork.run_id}/publish/", expect=409)
    assert words["code"] == "run_forked"
    Run.objects.filter(pk=fork.run_id).update(is_public=True)  # as if it had been
    sweep_queue()
    task = fork.run.suite.tasks.get(pk=fork.task_id)
    assert (task.decided, task.solved) == (1, 1)  # the parent's
    assert not Standing.objects.filter(run=fork.run_id).exists()


def test_fork_is_private_and_names_its_parent(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    assert Client().get(fork.get_absolute_url()).status_code == 404
    page = signed_in(ada).get(fork.get_absolute_url()).content.decode()
    assert f"a={parent.run_id}&amp;a={fork.run_id}" in page
    page = signed_in(ada).get(parent.get_absolute_url()).content.decode()
    assert f'href="{fork.get_absolute_url()}"' in page
    assert fork.get_absolute_url() not in Client().get(parent.get_absolute_url()).content.decode()


def test_shared_fork_does_not_show_a_private_parent(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    Run.objects.filter(pk=parent.run_id).update(is_public=False)
    signed_in(ada).post(f"/runs/{fork.run_id}/link/")
    token_page = signed_in(ada).get(f"/runs/{fork.run_id}/")
    assert token_page.status_code == 200
    row = RecordedAttempt.objects.get(pk=fork.pk)
    assert (row.parent_id, row.after_step, row.then) == (parent.pk, 1, "end")


def test_fork_of_a_fork_plays_the_typed_cell_again(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    [job] = claim(fork.run_id, 1, "w")
    assert job.recording
    for step in job.recording.steps:
        attempts.step(job, step)
    attempts.record_result(job, judged(True))
    again = carry_on(ada, fork, 2, **ASK)
    [job] = claim(again.run_id, 1, "w")
    assert job.recording
    assert [step.code for step in job.recording.steps] == ["a = 3", "print(7)"]
    assert job.recording.typed == frozenset()


def test_worker_that_died_leaves_the_fork_to_the_next(ada: User, parent: Attempt) -> None:
    fork = carry_on(ada, parent, 1, **CELL)
    [first] = claim(fork.run_id, 1, "w")
    attempts.release(first)
    [second] = claim(fork.run_id, 1, "w2")
    assert second.recording == first.recording


def test_fork_counts_as_a_submission(ada: User, parent: Attempt, settings: Settings) -> None:
    settings.SUBMISSIONS_PER_DAY = 0
    answer = signed_in(ada).post(address_of(parent, 1), CELL)
    assert answer.status_code == 422
    assert "You have submitted" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_forms_at_once_do_not_pass_the_quota(
    ada: User, parent: Attempt, settings: Settings
) -> None:
    settings.SUBMISSIONS_PER_DAY = 1
    Run.objects.filter(pk=parent.run_id).update(created_at=NOW - timedelta(days=9))
    codes: list[int] = []

    def send() -> None:
        codes.append(signed_in(ada).post(address_of(parent, 1), CELL).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(codes) == [302, 422, 422, 422]
    assert RecordedAttempt.objects.count() == 1


def test_endpoint_without_a_reply_left_is_not_asked(ada: User, parent: Attempt) -> None:
    Run.objects.filter(pk=parent.run_id).update(limits={"max_turns": 3})
    answer = signed_in(ada).post(address_of(parent, 2), {**ASK, "after": "cell-ask", "code": "1"})
    assert "An attempt has 3 replies, and 3 are used" in answer.content.decode()
    carry_on(ada, parent, 2, **ASK)


def test_upload_is_executed_before_it_is_carried_on(ada: User) -> None:
    suite = make_suite()
    upload = bring(ada, chat_line(query=suite.tasks.earliest("position").query))
    attempt = upload.attempts.select_related("task").get()
    page = signed_in(ada).get(address_of(attempt, 1)).content.decode()
    assert "Execute it again here" in page
    assert signed_in(ada).post(address_of(attempt, 1), CELL).status_code == 422


def test_older_version_of_a_suite_is_not_carried_on(ada: User, parent: Attempt) -> None:
    suite = parent.run.suite
    Suite.objects.create(name=suite.name, version="99", digest="cd" * 32, seed=1)
    page = signed_in(ada).get(address_of(parent, 1)).content.decode()
    assert "is installed now" in page
    assert "<textarea" not in page


def test_attempt_under_way_is_not_carried_on(ada: User, parent: Attempt) -> None:
    Attempt.objects.filter(pk=parent.pk).update(status=Status.RUNNING)
    answer = signed_in(ada).post(address_of(parent, 1), CELL)
    assert "not over" in answer.content.decode()
    assert Run.objects.count() == 1


def test_submission_like_a_fork_is_an_entry_of_its_own(ada: User, parent: Attempt) -> None:
    entry = carry_on(ada, parent, 1, **ASK).run.entry
    said = Submission(ADDRESS, "foo", entry.name, parent.run.suite, sampling=entry.sampling)
    assert find_entry(ada, said, ADDRESS) is None
