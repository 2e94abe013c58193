"""Notes that readers pin to steps: whose they are, who sees them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Attempt, Entry, Run, StepNote
from leaderboard.replay.notes import MAX_OF_AUTHOR, MAX_TEXT_CHARS
from leaderboard.tests.support.replay_pages import attempt_at, get
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_private_run,
    make_run,
    make_suite,
    tell_failure,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 4)
    owner = User.objects.create_user("owner")
    Entry.objects.filter(pk=run.entry_id).update(owner=owner)
    return tell_failure(attempt_at(run, "quarterly-sales"))


def signed_in(name: str, is_staff: bool = False) -> Client:
    user = User.objects.filter(username=name).first() or User.objects.create_user(
        name, is_staff=is_staff
    )
    client = Client()
    client.force_login(user)
    return client


def pin(client: Client, attempt: Attempt, **facts: object) -> tuple[int, str]:
    address = f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/notes/"
    answer = client.post(address, {"step": 2, "text": "Why?", **facts}, follow=True)
    return answer.status_code, answer.content.decode()


EXPORTS = {  # and where a note is in it
    "pybench": ("pybench_site", "notes"),
    "atif": ("extra", "notes"),
    "inspect": ("samples", 0, "metadata", "pybench_site", "notes"),
}


def exported(client: Client, attempt: Attempt, form: str, place: tuple[Any, ...]) -> Any:
    value = client.get(f"{attempt.get_absolute_url()}export/{form}").json()
    for key in place:
        value = value.get(key) if isinstance(value, dict) else value[key]
    return value


@pytest.mark.parametrize("form", EXPORTS)
def test_notes_go_out_with_the_trajectory_to_those_who_see_them(
    form: str, attempt: Attempt
) -> None:
    pin(signed_in("ada"), attempt, text="Why twice?", label="loop")
    [note] = exported(signed_in("owner"), attempt, form, EXPORTS[form])
    assert (note["step"], note["label"], note["text"]) == (2, "loop", "Why twice?")
    whole = signed_in("owner").get(f"/runs/{attempt.run_id}/export/pybench").getvalue()
    assert b"Why twice?" in whole
    assert exported(signed_in("bob"), attempt, form, EXPORTS[form]) is None
    assert exported(Client(), attempt, form, EXPORTS[form]) is None


def test_a_note_is_seen_by_its_author_the_owner_and_maintainers_alone(attempt: Attempt) -> None:
    status, page = pin(
        signed_in("ada"), attempt, text="<b>It</b> repeats.\nTwice.", label="loop<i>"
    )
    assert status == 200
    assert "&lt;b&gt;It&lt;/b&gt; repeats." in page
    assert "loop&lt;i&gt;" in page
    assert '<a href="#step-2">step 2</a>' in page
    for who in (signed_in("ada"), signed_in("owner"), signed_in("chief", is_staff=True)):
        assert "repeats." in get(who, attempt)
        told = who.get(attempt.raw_address).json()["notes"]
        author = f"account {User.objects.get(username='ada').pk}"
        assert [(n["step"], n["label"], n["author"]) for n in told] == [(2, "loop<i>", author)]
    for who in (signed_in("bob"), Client()):
        assert "Twice." not in get(who, attempt)
        assert who.get(attempt.raw_address).json()["notes"] == []


def test_only_its_author_deletes_a_note(attempt: Attempt) -> None:
    pin(signed_in("ada"), attempt)
    address = f"/notes/{StepNote.objects.get().pk}/delete/"
    for name in ("bob", "owner"):
        assert signed_in(name).post(address).status_code == 404
    assert signed_in("chief", is_staff=True).post(address).status_code == 404
    assert Client().post(address).status_code == 302
    assert signed_in("ada").get(address).status_code == 405
    assert StepNote.objects.count() == 1
    assert signed_in("ada").post(address, follow=True).status_code == 200
    assert StepNote.objects.count() == 0


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"step": 7}, "This try has no step 7."),
        ({"step": 0}, "greater than or equal to 1"),
        ({"step": "9" * 30}, "less than or equal to"),
        ({"step": "two"}, "Enter a whole number."),
        ({"step": ""}, "This field is required."),
        ({"text": ""}, "Write a note, or give a label."),
        ({"text": " \n\t "}, "Write a note, or give a label."),
        ({"text": "x" * (MAX_TEXT_CHARS + 1)}, "at most 2000 characters"),
        ({"label": "x" * 41}, "at most 40 characters"),
        ({"text": "a\0b"}, "Null characters are not allowed."),
    ],
)
def test_what_is_refused_keeps_what_was_typed(
    attempt: Attempt, facts: dict[str, object], said: str
) -> None:
    is_whole = not {"label", "text"} & facts.keys()
    typed = {"label": "mine", **facts} if is_whole else facts
    status, page = pin(signed_in("ada"), attempt, **typed)
    assert status == 400
    assert said in page
    assert StepNote.objects.count() == 0
    assert '<details class="fold pin" open>' in page
    if is_whole:
        assert 'value="mine"' in page
        assert "Why?</textarea>" in page


def test_a_refused_forms_links_lead_back_to_the_replay(attempt: Attempt) -> None:
    address = f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/"
    answer = signed_in("ada").get(f"{address}notes/?from=1")
    assert (answer.status_code, answer["Location"]) == (302, f"{address}?from=1")


def test_visitors_are_asked_to_sign_in_and_nobody_writes_on_what_they_may_not_see(
    attempt: Attempt,
) -> None:
    answer = Client().post(f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/notes/", {"step": 1})
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]
    private = make_private_run(User.objects.create_user("eve"))
    hidden = private.attempts.select_related("task").order_by("pk")[0]
    assert pin(signed_in("ada"), hidden)[0] == 404
    assert pin(signed_in("eve"), hidden)[0] == 200
    Run.objects.filter(pk=private.pk).update(is_public=True)
    assert "Why?" not in get(signed_in("ada"), hidden)


def test_an_account_has_so_many_notes_on_an_attempt(attempt: Attempt) -> None:
    author = User.objects.create_user("ada")
    StepNote.objects.bulk_create(
        StepNote(attempt=attempt, try_number=1, index=1, author=author, text=str(n))
        for n in range(MAX_OF_AUTHOR)
    )
    status, page = pin(signed_in("ada"), attempt)
    assert status == 400
    assert f"You have {MAX_OF_AUTHOR} notes on this attempt" in page
    assert pin(signed_in("bob"), attempt)[0] == 200


def test_a_forged_request_is_refused(attempt: Attempt) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("ada"))
    address = f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/notes/"
    assert client.post(address, {"step": 1, "text": "forged"}).status_code == 403
    assert StepNote.objects.count() == 0
