"""Submitting through the form: what is taken, what is refused and how, and what comes of it."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.accounts import quotas
from leaderboard.handoff.preflights import DraftPreflight
from leaderboard.models import Attempt, Draft, Entry, Run, StatusChange, Suite
from leaderboard.queue.preflights import PATIENCE
from leaderboard.storage import encryption
from leaderboard.tests.support.rows import end_judged, finish_run, make_entry, make_run
from leaderboard.tests.support.submit_form import KEY, USABLE, filled_in, make_draft, text_of
from runner.contract import Status
from runner.worker.tasks import PREFLIGHT_CRASHED

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("ada", "ada@example.org")


def test_the_form_asks_to_sign_in_first(suite: Suite, db: None) -> None:
    answer = Client().get("/submit/")
    assert answer.status_code == 302
    assert answer["Location"] == "/account/login/?next=/submit/"


def test_a_submission_becomes_a_draft_and_then_a_private_run(
    signed_in: Client, suite: Suite
) -> None:
    draft = make_draft(signed_in, suite)
    page = text_of(signed_in.get(draft.get_absolute_url()))
    assert "Ready to run" in page
    assert f"Queue {2 * suite.tasks.count()} attempts (" in page
    assert KEY not in page
    answer = signed_in.post(f"/submit/{draft.pk}/queue/")
    run = Run.objects.get()
    assert answer["Location"] == run.get_absolute_url()
    assert not Draft.objects.exists()
    assert not run.is_public
    assert run.preflight == USABLE
    assert "Preflight before this run" in text_of(signed_in.get(run.get_absolute_url()))
    Run.objects.update(is_public=True)
    assert "Preflight before this run" not in text_of(Client().get(run.get_absolute_url()))
    Run.objects.update(is_public=False)
    assert run.attempts_per_task == 2
    assert run.concurrency == 3
    assert run.attempts.count() == 2 * suite.tasks.count()
    entry = run.entry
    assert entry.owner == User.objects.get()
    assert entry.sampling == {"temperature": 0.2, "top_p": None, "max_tokens": 2048}
    assert (entry.name, entry.organisation, entry.weights) == ("Foo 70B", "Foo Inc", "open")
    assert encryption.decrypt(entry.endpoint.encrypted_key) == KEY


def test_endpoint_admitted_by_the_operator_is_an_ordinary_entry(
    signed_in: Client, suite: Suite
) -> None:
    signed_in.post(f"/submit/{make_draft(signed_in, suite).pk}/queue/")
    assert Entry.objects.get().provenance == Entry.Provenance.RUN_HERE


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.2", "2130706433"]
)
def test_the_scripted_port_is_refused_to_submitters(
    signed_in: Client, suite: Suite, settings: Settings, host: str
) -> None:
    settings.ENDPOINT_LOOPBACK_PORTS = ["8000-8010"]  # even where it lies among admitted ports
    address = f"http://{host}:{settings.SCRIPTED_PORT}/reference/v1"
    page = signed_in.post("/submit/", filled_in(suite, base_url=address)).content.decode()
    assert 'class="field has-error"' in page
    kept = Draft.objects.get()  # for the key, which goes to the address that comes in its place
    assert "base_url" not in kept.facts
    assert not kept.is_complete


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("base_url", "", "This field is required"),
        ("base_url", "api.foo.com/v1", "cannot be read|scheme is not called|begins with https"),
        ("base_url", "http://169.254.169.254/latest", "not called from here"),
        ("base_url", "https://127.0.0.1/v1", "Port 443 of this machine is not called from here"),
        ("base_url", "https://user:pw@api.foo.com/v1", "user name or password"),
        ("base_url", "https://api.foo.com:22/v1", "Port 22"),
        ("base_url", "https://api.foo.com/v1\x00", "Null characters are not allowed"),
        ("base_url", "https://api.foo.com/" + "a" * 1_000_000, "at most 500 characters"),
        ("model", "m\x00", "Null characters are not allowed"),
        ("name", "n" * 1_000_000, "at most 200 characters"),
        ("api_key", "sk with blanks", "contains blanks"),
        ("api_key", "клю́ч", "letters outside ASCII"),
        ("temperature", "hot", "Enter a number"),
        ("temperature", "nan", "Enter a number"),
        ("temperature", "-1", "greater than or equal to 0"),
        ("top_p", "1.5", "less than or equal to 1"),
        ("max_tokens", "1.5", "Enter a whole number"),
        ("attempts_per_task", "0", "greater than or equal to 1"),
        ("attempts_per_task", "99999999999999999999", "less than or equal to 16"),
        ("concurrency", "[]", "Enter a whole number"),
        ("suite", "999999", "not one of the available choices"),
        ("suite", "x' OR 1=1", "not one of the available choices"),
        ("action_format", "xml", "not one of the available choices"),
        ("weights", "💥", "not one of the available choices"),
        ("visibility", "", "This field is required"),
        ("parameters_b", "inf", "Enter a number"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_lost(
    signed_in: Client, suite: Suite, field: str, value: str, said: str
) -> None:
    answer = signed_in.post("/submit/", filled_in(suite, **{field: value}))
    assert answer.status_code == 422
    page = text_of(answer)
    assert any(words in page.replace("&#x27;", "'") for words in said.split("|"))
    assert page.count('class="field has-error"') == 1
    assert KEY not in page
    kept = {"model": "foo-70b", "organisation": "Foo Inc", "description": "Served with vLLM."}
    for name, words in kept.items():
        assert name == field or words in page
    assert not any(draft.is_usable or draft.asked_at for draft in Draft.objects.all())


def test_names_in_any_script_are_taken(signed_in: Client, suite: Suite) -> None:
    for name in ("模型 七十", "نموذج", "🚀 <b>Foo</b>"):
        draft = make_draft(signed_in, suite, name=name)
        assert signed_in.post(f"/submit/{draft.pk}/queue/").status_code == 302
        page = signed_in.get("/submissions/")
        assert page.status_code == 200
        assert "<b>Foo</b>" not in text_of(page)
    assert Entry.objects.values("slug").distinct().count() == 3


def test_an_endpoint_that_cannot_work_is_not_queued(signed_in: Client, suite: Suite) -> None:
    report = {**USABLE, "is_usable": False}
    draft = make_draft(signed_in, suite, report)
    assert ">Queue " not in text_of(signed_in.get(draft.get_absolute_url()))
    answer = signed_in.post(f"/submit/{draft.pk}/queue/", follow=True)
    assert "has not found this endpoint usable" in text_of(answer)
    assert not Run.objects.exists()


def test_a_draft_is_changed_without_giving_the_key_again(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite)
    page = text_of(signed_in.get(f"/submit/?draft={draft.pk}"))
    assert 'value="foo-70b"' in page
    assert KEY not in page
    signed_in.post(f"/submit/?draft={draft.pk}", filled_in(suite, api_key="", name="Bar"))
    draft.refresh_from_db()
    assert draft.facts["name"] == "Bar"
    assert draft.report == {}
    assert encryption.decrypt(draft.encrypted_key) == KEY


def test_key_is_sent_only_to_the_address_it_was_given_for(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite)
    elsewhere = filled_in(suite, api_key="", base_url="https://api.elsewhere.com/v1")
    signed_in.post(f"/submit/?draft={draft.pk}", elsewhere)
    draft.refresh_from_db()
    assert encryption.decrypt(draft.encrypted_key) == ""


def test_a_draft_that_nobody_checks_says_so(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite, report={})
    assert "Checking the endpoint" in text_of(signed_in.get(draft.get_absolute_url()))
    assert draft.asked_at is not None
    Draft.objects.filter(pk=draft.pk).update(asked_at=draft.asked_at - PATIENCE * 2)
    page = text_of(signed_in.get(draft.get_absolute_url()))
    assert "No worker has picked this up" in page
    assert DraftPreflight(draft.pk).endpoint() is None


def test_a_report_on_what_was_changed_since_is_not_kept(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite, report={})
    asked = DraftPreflight(draft.pk)
    assert asked.endpoint() is not None
    signed_in.post(f"/submit/?draft={draft.pk}", filled_in(suite, model="another"))
    asked.record(USABLE)
    asked.record_problem(PREFLIGHT_CRASHED)
    draft.refresh_from_db()
    assert draft.report == {}


def test_old_drafts_are_forgotten_with_their_keys(
    signed_in: Client, suite: Suite, settings: Settings
) -> None:
    old = make_draft(signed_in, suite)
    settings.DRAFT_HOURS = 0
    make_draft(signed_in, suite)
    assert not Draft.objects.filter(pk=old.pk).exists()


def test_the_quota_is_said_and_kept(signed_in: Client, suite: Suite, settings: Settings) -> None:
    settings.SUBMISSIONS_PER_DAY = 2
    for left in (2, 1):
        draft = make_draft(signed_in, suite)
        assert f"{left} of 2 runs left today." in text_of(signed_in.get("/submit/"))
        signed_in.post(f"/submit/{draft.pk}/queue/")
    draft = make_draft(signed_in, suite)
    page = text_of(signed_in.get(draft.get_absolute_url()))
    assert "You have submitted 2 runs in 24 hours; the next is free in 24 hours." in page
    refusal = signed_in.post(f"/submit/{draft.pk}/queue/", follow=True)
    assert "the next is free in 24 hours" in text_of(refusal)
    assert Run.objects.count() == 2


def test_runs_that_infrastructure_spoiled_do_not_count(owner: User, suite: Suite) -> None:
    entry, runs = make_entry(), list[Run]()
    for used in (1, 2, 3):
        runs.append(make_run(suite, entry))
        quotas.note_run(quotas.use(owner, quotas.Kind.SUBMISSION), runs[-1])
        assert quotas.count(owner).used == used
    finish_run(runs[0], 0, void=suite.tasks.count())
    finish_run(runs[1], 1, void=suite.tasks.count() - 1)
    assert quotas.count(owner).used == 2


def test_the_same_call_is_the_same_entry_and_another_is_another(
    signed_in: Client, suite: Suite
) -> None:
    for changes in ({}, {"description": "New words."}, {"model": "foo-70b-v2"}):
        draft = make_draft(signed_in, suite, **changes)
        signed_in.post(f"/submit/{draft.pk}/queue/")
    first, second = Entry.objects.order_by("pk")
    assert first.runs.count() == 2
    assert first.description == "New words."
    assert second.model_name == "foo-70b-v2"
    assert first.slug != second.slug


@pytest.mark.parametrize("is_taken", [True, False])
def test_address_of_a_private_model_tells_nothing_of_other_peoples(
    signed_in: Client, suite: Suite, is_taken: bool
) -> None:
    if is_taken:
        Entry.objects.filter(pk=make_entry("Foo 70B").pk).update(slug="foo-70b")
    draft = make_draft(signed_in, suite, is_public="")
    signed_in.post(f"/submit/{draft.pk}/queue/")
    run = Run.objects.select_related("entry").get()
    assert not run.is_public
    assert re.fullmatch("foo-70b-[a-z2-9]{6}", run.entry.slug)


def test_another_users_entry_of_the_same_name_is_left_alone(
    signed_in: Client, suite: Suite
) -> None:
    theirs = make_entry("Foo 70B")
    Entry.objects.filter(pk=theirs.pk).update(slug="foo-70b", organisation="Theirs")
    signed_in.post(f"/submit/{make_draft(signed_in, suite).pk}/queue/")
    theirs.refresh_from_db()
    assert theirs.organisation == "Theirs"
    assert theirs.runs.count() == 0
    assert Run.objects.get().entry.slug.startswith("foo-70b-")


def queued(signed_in: Client, suite: Suite) -> Run:
    signed_in.post(f"/submit/{make_draft(signed_in, suite, attempts_per_task='1').pk}/queue/")
    return Run.objects.latest("pk")


def test_an_owner_cancels_retries_publishes_and_withdraws(signed_in: Client, suite: Suite) -> None:
    run = queued(signed_in, suite)
    finish_run(run, 3, void=2)
    assert "2 attempts did not count" in text_of(signed_in.get(run.get_absolute_url()))
    signed_in.post(f"/runs/{run.pk}/retry/")
    run.refresh_from_db()
    assert run.status == Status.QUEUED
    assert run.attempts.filter(status=Status.QUEUED).count() == 2
    assert run.attempts.filter(passed=True).count() == 3
    signed_in.post(f"/runs/{run.pk}/cancel/")
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    signed_in.post(f"/runs/{run.pk}/publish/")
    assert Client().get(run.get_absolute_url()).status_code == 200
    signed_in.post(f"/runs/{run.pk}/withdraw/")
    assert Client().get(run.get_absolute_url()).status_code == 404
    assert signed_in.get(run.get_absolute_url()).status_code == 200
    reasons = set(
        StatusChange.objects.filter(run=run, attempt=None).values_list("reason", flat=True)
    )
    assert {"published by its owner", "withdrawn by its owner"} <= reasons


@pytest.mark.parametrize("act", ["cancel", "retry", "publish", "withdraw"])
def test_nobody_acts_on_a_run_that_is_not_theirs(signed_in: Client, suite: Suite, act: str) -> None:
    run = make_run(suite)
    before = Run.objects.values().get(pk=run.pk)
    assert signed_in.post(f"/runs/{run.pk}/{act}/").status_code == 404
    assert signed_in.get(f"/runs/{run.pk}/{act}/").status_code == 405
    assert Client().post(f"/runs/{run.pk}/{act}/").status_code == 302
    assert Run.objects.values().get(pk=run.pk) == before


def test_acts_need_the_forms_token(owner: User, suite: Suite) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(owner)
    run = make_run(suite)
    Entry.objects.update(owner=owner)
    assert careful.post(f"/runs/{run.pk}/cancel/").status_code == 403


def test_another_users_draft_is_not_found(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite)
    other = Client()
    other.force_login(User.objects.create_user("eve"))
    assert other.get(draft.get_absolute_url()).status_code == 404
    assert other.get(f"/submit/?draft={draft.pk}").status_code == 404
    for act in ("check", "queue", "discard"):
        assert other.post(f"/submit/{draft.pk}/{act}/").status_code == 404
    assert Draft.objects.filter(pk=draft.pk).exists()


def test_the_submissions_page_has_a_fixed_number_of_queries(
    signed_in: Client, suite: Suite, django_assert_max_num_queries: object
) -> None:
    for _ in range(4):
        end_judged(Attempt.objects.filter(run=queued(signed_in, suite))[0], passed=True)
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        page = text_of(signed_in.get("/submissions/"))
    assert page.count("1 of 8") == 4


def test_one_account_has_one_check_at_a_time(signed_in: Client, suite: Suite) -> None:
    first = make_draft(signed_in, suite, report={})
    second = make_draft(signed_in, suite, report={})
    assert first.asked_at is not None
    assert second.asked_at is None
    assert "Not checked yet" in text_of(signed_in.get(second.get_absolute_url()))
    answer = signed_in.post(f"/submit/{second.pk}/check/", follow=True)
    assert "One of your drafts is being checked" in text_of(answer)
    DraftPreflight(first.pk, first.asked_at).record(USABLE)
    signed_in.post(f"/submit/{second.pk}/check/")
    second.refresh_from_db()
    assert second.asked_at is not None


def test_a_second_click_queues_no_second_run(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite)
    assert signed_in.post(f"/submit/{draft.pk}/queue/").status_code == 302
    assert signed_in.post(f"/submit/{draft.pk}/queue/").status_code == 404
    assert Run.objects.count() == 1


def test_a_recorded_suite_cannot_be_chosen(signed_in: Client, suite: Suite) -> None:
    Suite.objects.update(is_recorded=True)
    assert signed_in.post("/submit/", filled_in(suite)).status_code == 422
    assert "No suite is installed" in text_of(signed_in.get("/submit/"))
