"""A private run's link: read-only, for that run alone, and taken back at once."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Artifact, Run, RunLink
from leaderboard.sharing.private_link import make_link
from leaderboard.submissions import run_actions
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    end_judged,
    make_entry,
    make_run,
    make_step,
    make_suite,
    register_entry,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db

SECRET_WORDS = ("owner@example.org", "127.0.0.1", "sk-")


@pytest.fixture
def owner() -> User:
    return make_user("owner")


@pytest.fixture
def run(owner: User) -> Run:
    """A private run with one replay that has a file."""
    made = make_run(make_suite(), make_entry("Secret 7B"), is_public=False)
    made.entry.owner = owner
    made.entry.save()
    for attempt in made.attempts.all():
        end_judged(attempt, passed=True)
        add_step(attempt, make_step(1))
        add_file(attempt, "output/a.csv", b"a,b\n1,2\n")
    made.status = Status.DONE
    made.preflight = {"checks": [{"title": "T", "state": "ok", "said": "sk-canary 127.0.0.1"}]}
    made.save()
    return made


@pytest.fixture
def token(run: Run) -> str:
    return make_link(run)


def links_in(page: str) -> list[str]:
    return re.findall(r'(?:href|src|data-live|action)="(/[^"]*)"', page)


def files_of(run: Run) -> list[str]:
    blobs = Artifact.objects.filter(attempt__run=run).values_list("blob", flat=True)
    return [f"files/{sha}/a.csv" for sha in blobs]


def pages_of(run: Run) -> list[str]:
    key = run.attempts.earliest("pk").task.key
    attempt = f"runs/{run.pk}/tasks/{key}"
    return [
        f"runs/{run.pk}/",
        f"runs/{run.pk}/progress/",
        f"runs/{run.pk}/export/pybench",
        f"runs/{run.pk}.json",
        f"{attempt}/",
        f"{attempt}/attempt.json",
        f"{attempt}/steps/1.json",
        f"{attempt}/export/notebook",
        *files_of(run)[:1],
    ]


def test_link_opens_run_replay_and_files_without_an_account(run: Run, token: str) -> None:
    for path in pages_of(run):
        answer = Client().get(f"/shared/{token}/{path}")
        assert answer.status_code == 200, path
        assert Client().get(f"/{path}").status_code == 404, path
        assert answer["Referrer-Policy"] == "no-referrer", path
        assert "noindex" in answer["X-Robots-Tag"], path
        assert answer["Cache-Control"] == "private, no-store", path


def test_bare_link_leads_to_the_run_and_its_links_keep_the_token(run: Run, token: str) -> None:
    answer = Client().get(f"/shared/{token}/", follow=True)
    assert answer.redirect_chain == [(f"/shared/{token}/runs/{run.pk}/", 302)]
    page = answer.content.decode()
    assert "Secret 7B" in page
    replays = [link for link in links_in(page) if "/tasks/" in link and f"/runs/{run.pk}/" in link]
    assert replays
    assert all(link.startswith(f"/shared/{token}/") for link in replays)
    replay = Client().get(replays[0]).content.decode()
    assert [link for link in links_in(replay) if link.startswith(f"/shared/{token}/files/")]


def test_no_link_of_the_run_and_its_replays_is_dead(run: Run, token: str) -> None:
    sweep_queue()  # which states the run
    for page in pages_of(run)[0], pages_of(run)[4]:
        links = set(links_in(Client().get(f"/shared/{token}/{page}").content.decode()))
        kept = [link for link in links if link.startswith(f"/shared/{token}/")]
        assert any("export" in link or "bundle.zip" in link for link in kept)
        for link in kept:
            answer = Client().get(link, follow=True)
            assert answer.status_code == 200, (page, link, answer.redirect_chain)
            answer.getvalue()  # a stream that is not read to its end keeps its place


def test_reader_of_a_link_sees_nothing_of_the_owners(run: Run, token: str) -> None:
    for path in pages_of(run):
        body = Client().get(f"/shared/{token}/{path}").getvalue().decode(errors="replace")
        assert not [word for word in SECRET_WORDS if word in body], path
    page = Client().get(f"/shared/{token}/runs/{run.pk}/").content.decode()
    for words in ("Your run", "Publish", "Preflight before this run", "csrfmiddlewaretoken"):
        assert words not in page


def test_link_opens_no_other_run(run: Run, token: str, owner: User) -> None:
    other = make_run(run.suite, run.entry, is_public=False)
    key = other.attempts.earliest("pk").task.key
    end_judged(other.attempts.earliest("pk"), passed=False)
    add_file(other.attempts.earliest("pk"), "output/b.csv", b"another run's\n")
    mine = {path.partition("/a.csv")[0] for path in files_of(run)}
    theirs = [path for path in files_of(other) if path.partition("/a.csv")[0] not in mine]
    assert theirs
    for path in (
        f"runs/{other.pk}/",
        f"runs/{other.pk}/progress/",
        f"runs/{other.pk}.json",
        f"runs/{other.pk}/tasks/{key}/",
        f"runs/{other.pk}/tasks/{key}/attempt.json",
        f"runs/{other.pk}/export/pybench",
        theirs[0],
        "submissions/",
        "account/",
        "account/tokens/",
        f"api/v1/runs/{run.pk}/",
        f"api/v1/runs/{other.pk}/",
        "board.json",
        f"models/{run.entry.slug}.json",
        f"shared/{token}/runs/{other.pk}/",
    ):
        answer = Client().get(f"/shared/{token}/{path}", follow=True)
        body = answer.getvalue().decode(errors="replace")
        assert "another run" not in body, path
        assert answer.status_code == 404 or "Secret 7B" not in body, path


def test_link_reads_only(run: Run, token: str) -> None:
    for path in (f"runs/{run.pk}/", f"runs/{run.pk}/publish/", f"runs/{run.pk}/cancel/"):
        assert Client().post(f"/shared/{token}/{path}").status_code == 405
    answer = Client().get(f"/shared/{token}/runs/{run.pk}/publish/", follow=True)
    assert "Everybody can see" not in answer.content.decode()
    run.refresh_from_db()
    assert not run.is_public


def test_withdrawn_link_leads_nowhere_even_with_a_cached_copy(
    run: Run, token: str, owner: User
) -> None:
    client = Client()
    tags = {p: client.get(f"/shared/{token}/{p}").headers.get("ETag", '"x"') for p in pages_of(run)}
    signed_in = Client()
    signed_in.force_login(owner)
    page = signed_in.get(run.get_absolute_url()).content.decode()
    assert "Take the link back" in page
    signed_in.post(f"/runs/{run.pk}/unlink/")
    for path, tag in tags.items():
        answer = client.get(f"/shared/{token}/{path}", headers={"If-None-Match": tag})
        assert answer.status_code == 404, path
        assert answer["Cache-Control"] == "private, no-store"
    assert client.get(f"/shared/{token}/").status_code == 404


@pytest.mark.parametrize("ending", ["publish", "withdraw", "new link", "delete"])
def test_link_ends_with_what_it_was_for(run: Run, token: str, ending: str) -> None:
    if ending == "new link":
        make_link(run)
    elif ending == "delete":
        Run.objects.all().delete()
    else:
        run_actions.publish(run.pk)
    if ending == "withdraw":
        run_actions.withdraw(run.pk)
    assert Client().get(f"/shared/{token}/runs/{run.pk}/").status_code == 404


def test_token_is_unguessable_and_kept_as_a_digest(run: Run, token: str) -> None:
    stored = RunLink.objects.get()
    assert len(token) == 43
    assert token not in str(vars(stored))
    wrong = [token[:-1] + ("A" if token[-1] != "A" else "B"), "A" * 43, stored.digest[:43]]
    for guess in [*wrong, token.lower(), "x", token + "x", f"{token}%00", "%2e%2e"]:
        if guess != token:
            answer = Client().get(f"/shared/{guess}/runs/{run.pk}/")
            assert answer.status_code in (400, 404), guess


@pytest.mark.parametrize("path", ["/evil.example/", "//evil.example/", "\\evil.example", "nope/"])
def test_link_leads_to_no_other_site(token: str, path: str) -> None:
    answer = Client().get(f"/shared/{token}/{path}")
    assert answer.status_code == 404


def test_replay_drawn_for_the_link_is_kept_for_nobody_else(
    run: Run, token: str, owner: User
) -> None:
    path = pages_of(run)[4]
    signed_in = Client()
    signed_in.force_login(owner)
    shared = Client().get(f"/shared/{token}/{path}").content.decode()
    assert token in shared
    assert token not in signed_in.get(f"/{path}").content.decode()
    again = Client().get(f"/shared/{token}/{path}").content.decode()
    assert f"/shared/{token}/files/" in again
    assert token not in Client().get("/").content.decode()


def test_public_runs_pages_never_hold_a_token(run: Run, token: str) -> None:
    """A link that outlived its run's publication would be rendered into what all readers share."""
    Run.objects.filter(pk=run.pk).update(is_public=True)
    answer = Client().get(f"/shared/{token}/runs/{run.pk}/progress/", follow=True)
    assert answer.redirect_chain[0][0] == f"/runs/{run.pk}/progress/"
    assert token not in answer.content.decode()


def test_only_the_owner_makes_and_takes_back_links(run: Run, owner: User) -> None:
    stranger = make_user("eve")
    client = Client()
    client.force_login(stranger)
    assert client.post(f"/runs/{run.pk}/link/").status_code == 404
    assert client.post(f"/runs/{run.pk}/unlink/").status_code == 404
    Caller(stranger).send(f"runs/{run.pk}/link/", expect=404)
    assert client.get(f"/runs/{run.pk}/link/").status_code == 405
    assert not RunLink.objects.exists()
    address = Caller(owner).send(f"runs/{run.pk}/link/")["address"]
    assert Client().get(address.removeprefix("http://testserver"), follow=True).status_code == 200
    Caller(owner).send(f"runs/{run.pk}/unlink/")
    assert Client().get(address.removeprefix("http://testserver")).status_code == 404


def test_link_is_shown_once(run: Run, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    made = client.post(f"/runs/{run.pk}/link/")
    [address] = re.findall(r"/shared/[A-Za-z0-9_-]{43}/", made.content.decode())
    assert "no-store" in made["Cache-Control"]
    assert address not in client.get(run.get_absolute_url()).content.decode()
    assert Client().get(address, follow=True).status_code == 200


def test_public_runs_have_no_link(owner: User) -> None:
    public = make_run(make_suite("other"), make_entry("Open 7B"))
    public.entry.owner = owner
    public.entry.save()
    Caller(owner).send(f"runs/{public.pk}/link/", expect=409)
    assert not RunLink.objects.exists()


def test_running_run_is_followed_through_its_link(owner: User) -> None:
    entry = register_entry()
    entry.owner = owner
    entry.save()
    run = make_run(make_suite("other"), entry, is_public=False)
    token = make_link(run)
    page = Client().get(f"/shared/{token}/runs/{run.pk}/").content.decode()
    [live] = re.findall(r'data-live="([^"?]+)', page)
    assert live == f"/shared/{token}/runs/{run.pk}/progress/"
    assert Client().get(live).status_code == 200
    assert Client().get(f"/runs/{run.pk}/progress/").status_code == 404
