"""Verdicts are disputed at an assertion, wait in a queue, and are ruled on by maintainers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.disputes.rule import rule
from leaderboard.disputes.subject import find_disputed
from leaderboard.models import Attempt, Blob, Dispute, LedgerAct, Notice, NoticeWishes, Ruling, Run
from leaderboard.storage.attempt_rows import save_verdict
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_private_run,
    make_run,
    make_suite,
    tell_failure,
)
from leaderboard.upkeep.garbage import list_unnamed
from runner.contract import Assertion, ProblemError, Verdict

pytestmark = pytest.mark.django_db

MARKUP = '<script>alert(1)</script> **bold** <img src=x onerror="x()">'


TWO_ASSERTIONS = Verdict(
    passed=False,
    sentence="Failed.",
    assertions=(Assertion("rows", True, "5", "5"), Assertion("sum", False, "1", "2")),
    check_version="2" * 64,
)


@pytest.fixture
def attempt() -> Attempt:
    """A failed attempt of a public run: of its four assertions the second and fourth failed."""
    run = finish_run(make_run(make_suite(), make_entry("Foo 70B")), 3)
    return tell_failure(run.attempts.select_related("task", "run").order_by("-pk")[0])


def sign_in(name: str, *, is_staff: bool = False) -> tuple[User, Client]:
    user = User.objects.create_user(name, f"{name}@example.org", is_staff=is_staff)
    client = Client()
    client.force_login(user)
    return user, client


def form_of(attempt: Attempt) -> str:
    return f"/runs/{attempt.run_id}/tasks/{attempt.task.key}/dispute/"


def dispute(client: Client, attempt: Attempt, **fields: object) -> Dispute:
    answer = client.post(
        form_of(attempt), {"assertion": 2, "words": "The query allows 5."} | fields
    )
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Dispute.objects.get(pk=int(answer["Location"].split("/")[2]))


def test_disputed_assertion_is_marked_on_replay_and_in_queue(attempt: Attempt) -> None:
    user, ada = sign_in("ada")
    page = ada.get(attempt.get_absolute_url()).content.decode()
    assert f'href="{form_of(attempt)}?assertion=2"' in page
    assert (
        '<option value="2" selected>2. rows'
        in ada.get(f"{form_of(attempt)}?assertion=2").content.decode()
    )
    file = SimpleUploadedFile("../../etc/<b>proof</b>.html", b"<script>alert(1)</script>")
    made = dispute(ada, attempt, words=MARKUP, file=file)
    assert (made.assertion, made.assertion_name, made.name) == (2, "rows", f"account {user.pk}")
    stranger = Client()
    replay = stranger.get(attempt.get_absolute_url()).content.decode()
    own = stranger.get(made.get_absolute_url()).content.decode()
    queue = stranger.get("/disputes/").content.decode()
    assert (
        f'<a href="/disputes/{made.pk}/">Disputed</a> by account {user.pk}: no ruling yet' in replay
    )
    assert f"dispute {made.pk}" in queue
    for page in (replay, own):
        assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold**" in page
        assert "<script>alert" not in page
    blob = Blob.objects.get(pk=made.blob_id)
    assert blob.sha256 in own
    assert blob.sha256 not in list_unnamed()
    sent = stranger.get(f"/disputes/{made.pk}/original/")
    assert b"".join(sent) == b"<script>alert(1)</script>"
    assert sent["Content-Type"] == "application/octet-stream"
    assert sent["Content-Disposition"].startswith("attachment")
    assert "/" not in sent["Content-Disposition"]
    assert sent["X-Content-Type-Options"] == "nosniff"


def test_maintainers_rule_and_a_later_ruling_follows(attempt: Attempt) -> None:
    _, ada = sign_in("ada")
    maintainer, grace = sign_in("grace", is_staff=True)
    made = dispute(ada, attempt)
    address = f"/disputes/{made.pk}/rule/"
    assert ada.post(address, {"kind": "check wrong", "words": "x", "seen": 0}).status_code == 404
    assert Client().post(address, {"kind": "check wrong"}).status_code == 302
    first = {"kind": "verdict stands", "words": "The query says 4.", "seen": 0}
    assert grace.post(address, first).status_code == 302
    meanwhile = grace.post(address, {"kind": "task wrong", "words": "My own words.", "seen": 0})
    assert meanwhile.status_code == 409
    assert "Somebody ruled on this dispute" in meanwhile.content.decode()
    assert "My own words." in meanwhile.content.decode()
    assert (
        grace.post(address, {"kind": "check wrong", "words": "It does.", "seen": 1}).status_code
        == 302
    )
    made.refresh_from_db()
    assert made.state == Dispute.State.CHECK_WRONG
    page = Client().get(made.get_absolute_url()).content.decode()
    assert page.index("The query says 4.") < page.index("It does.")
    assert (
        f"Disputed</a> by {made.name}: check wrong"
        in Client().get(attempt.get_absolute_url()).content.decode()
    )
    entered = LedgerAct.objects.filter(kind="ruling").values_list("subject", "actor")
    assert list(entered) == [(f"dispute {made.pk}", f"account {maintainer.pk}")] * 2
    ruling = made.rulings.all()[0]
    for act in (ruling.save, ruling.delete, made.rulings.all().delete):
        with pytest.raises(TypeError):
            act()
    with pytest.raises(TypeError):
        Ruling.objects.update(words="")
    for wrong in ({"kind": "maybe", "words": "x"}, {"kind": "task wrong", "words": " "}):
        assert grace.post(address, {**wrong, "seen": 2}).status_code == 422
    endless = grace.post(address, {"kind": "task wrong", "words": "x" * 3_000_000, "seen": 2})
    assert endless.status_code == 413
    assert "This is more text than a form takes" in endless.content.decode()
    with pytest.raises(ProblemError, match="Somebody ruled"):
        rule(made, maintainer, "task wrong", "Late.", 1)


@pytest.mark.django_db(transaction=True)
def test_of_rulings_at_the_same_moment_one_counts(attempt: Attempt) -> None:
    made = dispute(sign_in("ada")[1], attempt)
    maintainer, gate = sign_in("grace", is_staff=True)[0], threading.Barrier(3)

    def decide(number: int) -> str:
        gate.wait()
        try:
            return str(rule(made, maintainer, ("check wrong", "task wrong")[number % 2], "So.", 0))
        except ProblemError as error:
            return error.problem.code
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(decide, range(3))).count("ruled_meanwhile") == 2
    made.refresh_from_db()
    assert made.state == Ruling.objects.get().kind
    assert LedgerAct.objects.filter(kind="ruling").count() == 1


def test_refused_dispute_keeps_its_words(attempt: Attempt, settings: Settings) -> None:
    _, ada = sign_in("ada")
    settings.DISPUTES_PER_DAY = 2
    address = form_of(attempt)
    dispute(ada, attempt)
    again = ada.post(address, {"assertion": 2, "words": "Said twice."})
    assert again.status_code == 409
    assert "You have already disputed this check" in again.content.decode()
    assert "Said twice." in again.content.decode()
    unseen = " \u200b\u202e\x07 "
    for words, status in (
        ("", 422), (" \n ", 422), (unseen, 422), ("x" * 4_001, 422), ("<b>" * 333_333, 422),
    ):  # fmt: skip
        answer = ada.post(address, {"assertion": 1, "words": words})
        assert answer.status_code == status
        assert len(answer.content) < 200_000
    lines = "a\r\n" * 1_999  # 3,998, as its browser counts
    for words, status in (("abc", 422), ("ab", 302)):
        answer = ada.post(address, {"assertion": 0, "words": lines + words})
        assert answer.status_code == status
    full = ada.post(address, {"assertion": 1, "words": "A third."})
    assert full.status_code == 409
    assert "2 disputes in 24 hours" in full.content.decode()
    assert Dispute.objects.count() == 2


def test_dispute_of_a_verdict_that_was_judged_again_is_asked_for_anew(attempt: Attempt) -> None:
    _, ada = sign_in("ada")
    seen = find_disputed(attempt, 2).verdict
    page = ada.get(form_of(attempt) + "?assertion=2").content.decode()
    assert f'name="verdict" value="{seen.pk}"' in page
    save_verdict(attempt.pk, attempt.counted_try, TWO_ASSERTIONS)
    for number in (2, 4):  # the new verdict has no fourth assertion
        fields = {"verdict": seen.pk, "assertion": number, "words": "It is 5."}
        answer = ada.post(form_of(attempt), fields)
        assert answer.status_code == 409
        assert "judged again after you opened the form" in answer.content.decode()
        assert "It is 5." in answer.content.decode()
    assert not Dispute.objects.exists()


def test_large_file_is_refused_before_it_is_read(attempt: Attempt) -> None:
    _, ada = sign_in("ada")
    large = SimpleUploadedFile("large.bin", b"x" * ((4 << 20) + 1))
    answer = ada.post(form_of(attempt), {"assertion": 2, "words": "See the file.", "file": large})
    assert answer.status_code == 413
    assert "larger than 4 MiB" in answer.content.decode()
    assert "See the file." in answer.content.decode()

    class Unread:
        def read(self, *size: int) -> bytes:
            raise AssertionError("the body was read")

        readline = read

    huge = ada.generic(
        "POST", form_of(attempt), content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(1 << 30), **{"wsgi.input": Unread()},  # type: ignore[arg-type]
    )  # fmt: skip
    assert huge.status_code == 413
    assert not Dispute.objects.exists()
    assert not Blob.objects.filter(size_bytes=(4 << 20) + 1).exists()


def test_what_has_no_verdict_or_is_unseen_is_not_found(attempt: Attempt) -> None:
    owner, own = sign_in("owner")
    _, ada = sign_in("ada")
    private = make_private_run(owner).attempts.select_related("task").order_by("pk")[0]
    void = private.run.attempts.select_related("task").order_by("-pk")[0]
    passed = Attempt.objects.filter(run=attempt.run, passed=True).select_related("task")[0]
    assert not passed.verdicts.exists()
    for client, where in (
        (ada, form_of(private)), (own, form_of(void)), (ada, form_of(passed)),
        (ada, f"/runs/9999/tasks/{attempt.task.key}/dispute/"),
        (ada, f"{form_of(attempt)}?attempt=7"),
    ):  # fmt: skip
        assert client.get(where).status_code == 404
        assert client.post(where, {"assertion": 9, "words": "No."}).status_code == 404
    assert ada.get(f"{form_of(attempt)}?assertion=5").status_code == 404
    answer = ada.post(form_of(attempt), {"assertion": 5, "words": "It is not lost."})
    assert answer.status_code == 422
    assert "This verdict has 4 checks and no number 5." in answer.content.decode()
    assert "It is not lost." in answer.content.decode()
    assert Client().get(form_of(attempt)).status_code == 302
    assert ada.get("/disputes/999/").status_code == 404
    assert ada.get("/disputes/?state=none").status_code == 404


def test_dispute_of_a_private_run_is_seen_by_few(attempt: Attempt) -> None:
    owner, own = sign_in("owner")
    _, grace = sign_in("grace", is_staff=True)
    _, ada = sign_in("ada")
    run = make_private_run(owner)
    private = run.attempts.select_related("task").order_by("pk")[0]
    made = dispute(own, private, words="Only for few.")
    once_public = dispute(ada, attempt)
    Run.objects.filter(pk=attempt.run_id).update(is_public=False)
    for path in (f"/disputes/{made.pk}/", "/disputes/", f"/api/v1/disputes/{made.pk}/"):
        for client in (ada, Client()):
            assert "Only for few." not in client.get(path).content.decode()
    assert ada.get(f"/disputes/{made.pk}/").status_code == 404
    for client in (own, grace):
        page = client.get(f"/disputes/{made.pk}/").content.decode()
        assert "Only for few." in page
        assert (f'<a href="{private.get_absolute_url()}">' in page) is (client is own)
        assert f"dispute {made.pk} · private" in client.get("/disputes/").content.decode()
    assert ada.get(f"/disputes/{once_public.pk}/").status_code == 200  # who made it
    assert Client().get(f"/disputes/{once_public.pk}/").status_code == 404
    made_link = own.post(f"/runs/{run.pk}/link/").content.decode()
    link = made_link.split("/shared/")[1][:43]
    shared = Client().get(f"/shared/{link}/runs/{run.pk}/tasks/{private.task.key}/")
    assert shared.status_code == 200
    assert "Only for few." not in shared.content.decode()
    assert "Disputed</a>" not in shared.content.decode()


def test_programs_dispute_and_rule(attempt: Attempt) -> None:
    users = {name: make_user(name) for name in ("ada", "eve", "grace")}
    User.objects.filter(username="grace").update(is_staff=True)
    ada, eve, grace = (Caller(User.objects.get(pk=user.pk)) for user in users.values())
    sent = {"attempt": attempt.pk, "assertion": 4, "words": "It names Q4."}
    Caller().send("disputes/", sent, expect=401)
    made = ada.send("disputes/", sent, expect=201)
    number = made["id"]
    assert made["assertion_name"] == "names the best quarter"
    assert ada.send("disputes/", sent, expect=409)["code"] == "dispute_repeated"
    path = f"/api/v1/disputes/{number}/file/?name=a.csv"
    for caller, body, status in ((eve, b"a,b", 403), (ada, b"a,b", 201), (ada, b"a,c", 409)):
        answer = caller.generic(
            "POST", path, body, "application/octet-stream", headers=caller.headers_sent
        )
        assert answer.status_code == status, answer.content
    assert b"".join(Client().get(path.partition("?")[0])) == b"a,b"
    ruling = {"kind": "check wrong", "words": "Right.", "seen": 0}
    ada.send(f"disputes/{number}/rule/", ruling, expect=403)
    grace.send(f"disputes/{number}/rule/", ruling, expect=201)
    again = grace.send(f"disputes/{number}/rule/", ruling, expect=409)
    assert again["code"] == "ruled_meanwhile"
    listed = Caller().ask("disputes/?state=check+wrong")["results"]
    assert [(one["id"], one["file"]["name"]) for one in listed] == [(number, "a.csv")]
    assert Caller().ask("disputes/?state=open")["results"] == []
    ada.send("disputes/", {"attempt": 10**9, "words": "x"}, expect=404)
    ada.send("disputes/", {**sent, "verdict": 1}, expect=400)


def test_owner_hears_of_disputes_and_rulings(attempt: Attempt) -> None:
    owner, _ = sign_in("owner")
    _, ada = sign_in("ada")
    maintainer, _ = sign_in("grace", is_staff=True)
    entry = attempt.run.entry
    entry.owner = owner
    entry.save()
    NoticeWishes.objects.create(owner=owner, webhook_url="https://example.org/hook")
    made = dispute(ada, attempt)
    rule(made, maintainer, "verdict stands", "It does.", 0)
    events = list(Notice.objects.order_by("pk").values_list("owner", "event"))
    assert events == [(owner.pk, "verdict.disputed"), (owner.pk, "dispute.ruled")]


def test_queue_of_many_disputes_costs_the_same(
    attempt: Attempt, django_assert_max_num_queries: object
) -> None:
    verdict = attempt.verdicts.get()
    facts = {"attempt": attempt, "verdict": verdict, "words": "w" * 4_000, "name": "ada"}
    Dispute.objects.bulk_create(Dispute(**facts) for _ in range(60))
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        page = Client().get("/disputes/").content.decode()
    assert "60 open disputes" in page
    assert "page 1 of 2" in page
    assert (
        "No dispute has this state" in Client().get("/disputes/?state=task+wrong").content.decode()
    )
