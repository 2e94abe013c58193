"""Another user's private run is not found: every address of the site is asked for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from django.urls.converters import IntConverter

from leaderboard.accounts.tokens import make_token
from leaderboard.models import Artifact, Attempt, Dispute, Erratum, Rejudgement, Ruling, Run, Suite
from leaderboard.rendering.numbers import show_count
from leaderboard.tests.support.addresses import all_patterns
from leaderboard.tests.support.rows import (
    add_file,
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db

SECRET = "Zaphod-Secret-70B"  # what only the owner may see, wherever it could be shown
SECRET_FILE = "zaphod-output.csv"
NAMING = {
    "run_id",
    "dispute_id",
    "attempt_id",
    "step_id",
    "artifact_id",
    "sha256",
    "slug",
}  # of that run
ASKED = (
    "/", "/board.json", "/board.csv", "/failures/", "/failures.json", "/failures.csv", "/charts/",
    "/compare/", "/compare.csv", "/charts/pass-rates.svg", "/changes.json", "/api/v1/board/",
)  # fmt: skip
PREFIXES = ("admin/", "account/", "static/")  # other people's code, with tests of their own


@pytest.fixture
def run() -> Run:
    """A private run with everything in it, beside a public one."""
    suite = make_suite()
    finish_run(make_run(suite, make_entry("Public 7B")), 5)
    owner = User.objects.create_user("ada", "ada@example.org")
    entry = make_entry(SECRET, organisation=SECRET)
    entry.owner, entry.slug, entry.description = owner, "zaphod", SECRET
    entry.save()
    run = finish_run(make_run(suite, entry, is_public=False), 5)
    failed = run.attempts.select_related("task", "run").get(task__key="quarterly-sales")
    tell_failure(failed)
    add_file(failed, SECRET_FILE, b"secret,bytes\n1,2\n")
    return run


def values_for(run: Run) -> dict[str, Any]:
    attempt = run.attempts.get(task__key="quarterly-sales")
    step = attempt.steps.first()
    artifact = Artifact.objects.get(path=SECRET_FILE)
    assert step is not None
    assert artifact.blob is not None
    return {
        "dispute_id": doubt_privately(attempt).pk,
        "erratum_id": Erratum.objects.get().pk,
        "run_id": run.pk,
        "attempt_id": attempt.pk,
        "step_id": step.pk,
        "artifact_id": artifact.pk,
        "key": "quarterly-sales",
        "task_key": "quarterly-sales",
        "suite": run.suite.name,
        "name": SECRET_FILE,
        "slug": run.entry.slug,
        "sha256": artifact.blob.sha256,
        "form": "pybench.jsonl",
        "task_id": attempt.task_id,
    }


def doubt_privately(attempt: Attempt) -> Dispute:
    """A dispute with a ruling, and an erratum, about an attempt of the private run."""
    verdict = attempt.verdicts.get()
    facts = {"attempt": attempt, "words": SECRET, "name": "account 1"}
    dispute, is_new = Dispute.objects.get_or_create(verdict=verdict, defaults=facts)
    if is_new:
        ruling = Ruling(dispute=dispute, number=1, kind="check wrong", words=SECRET, name="x")
        ruling.save()
        erratum = Erratum.objects.create(suite=attempt.run.suite, reason="Strict.", ruling=ruling)
        Rejudgement.objects.create(erratum=erratum, attempt=attempt, before=True, note=SECRET)
    return dispute


def addresses(run: Run) -> Iterator[tuple[str, bool]]:
    """Every address made with the private run's values, and whether it names the run."""
    known = values_for(run)
    for path, pattern in all_patterns(get_resolver()):
        if path.startswith(PREFIXES):
            continue
        url, names = "/" + path.replace("^", "").replace("$", ""), pattern.pattern.converters
        for name, converter in names.items():
            default = run.pk if isinstance(converter, IntConverter) else run.entry.slug
            value = converter.to_url(known.get(name, default))
            url = re.sub(rf"<(\w+:)?{name}>", value, url)
        assert "<" not in url, url
        yield url, bool(NAMING & set(names))
    pk = run.pk
    yield from (
        (f"/compare/?runs={pk},{pk - 1}", False),
        (f"/compare.json?runs={pk},{pk - 1}", False),
    )
    yield from ((f"/failures/?entry={run.entry.slug}", False), ("/failures/?q=quarter", False))
    lists = ("attempts", "steps", "artifacts")
    yield from ((f"/api/v1/{what}/?run={pk}", False) for what in lists)
    yield (f"/api/v1/runs/?entry={run.entry.slug}", False)
    for query in (f"runs={pk},{pk - 1}", f"run={pk}", f"q={SECRET[:6]}", f"in=run%3D{pk}",
                  f"by=sentence&run={pk}", f"state=not-passed&run={pk}"):  # fmt: skip
        yield from ((f"{page}?{query}", False) for page in ASKED)


def body_of(answer: Any) -> str:
    raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(raw.decode("utf-8", "replace"))


def strangers() -> Iterator[Client]:
    """Nobody, somebody else, and somebody else's program."""
    yield Client()
    eve = User.objects.create_user("eve", "eve@example.org")
    signed_in = Client()
    signed_in.force_login(eve)
    yield signed_in
    _, token = make_token(eve, "eve's")
    yield Client(headers={"Authorization": f"Bearer {token}"})


def test_nobody_else_finds_a_private_run_anywhere(run: Run) -> None:
    urls = list(addresses(run))
    assert len(urls) > 30
    for client in strangers():
        for url, names_run in urls:
            answer = client.get(url)
            assert answer.status_code < 500, url
            assert SECRET not in body_of(answer), url
            if names_run and answer.status_code != 404:
                # An act refuses other methods, or sends whoever is not signed in to do so.
                assert answer.status_code in (302, 401, 405), url
                assert "secret,bytes" not in body_of(answer)


def test_nobody_else_acts_on_a_private_run(run: Run) -> None:
    before = Run.objects.values().get(pk=run.pk)
    for client in strangers():
        for url, names_run in addresses(run):
            if names_run and not url.startswith("/submit/"):
                answer = client.post(url, json.dumps({}), content_type="application/json")
                assert answer.status_code in (302, 401, 403, 404, 405), url
                assert SECRET not in body_of(answer), url
    assert Run.objects.values().get(pk=run.pk) == before


def test_its_owner_finds_it(run: Run) -> None:
    client = Client()
    assert run.entry.owner is not None
    client.force_login(run.entry.owner)
    pages = [
        run.get_absolute_url(),
        reverse("run-progress", args=[run.pk]),
        reverse("replay", args=[run.pk, "quarterly-sales"]),
        f"/api/v1/runs/{run.pk}/",
        "/submissions/",
    ]
    _, token = make_token(run.entry.owner, "mine")
    program = Client(headers={"Authorization": f"Bearer {token}"})
    for page in pages:
        answer = (program if page.startswith("/api/") else client).get(page)
        assert answer.status_code == 200, page
    artifact = Artifact.objects.get(path=SECRET_FILE)
    assert "secret,bytes" in body_of(client.get(f"/files/{artifact.blob_id}/{SECRET_FILE}"))


def test_a_withdrawn_run_is_private_again(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(is_public=True)
    assert Client().get(run.get_absolute_url()).status_code == 200
    Run.objects.filter(pk=run.pk).update(is_public=False)
    assert Client().get(run.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("is_public", [True, False])
def test_a_watcher_who_has_the_newest_costs_two_queries_at_most(run: Run, is_public: bool) -> None:
    Run.objects.filter(pk=run.pk).update(
        is_public=is_public, status=Status.RUNNING, finished_at=None
    )
    client = Client()
    if not is_public:
        assert run.entry.owner is not None
        client.force_login(run.entry.owner)
    url = reverse("run-progress", args=[run.pk])
    first = client.get(url)
    assert first.status_code == 200
    with CaptureQueriesContext(
        connection,
    ) as queries:
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert len(queries) <= 2


def test_a_run_that_goes_on_tells_what_is_under_way(run: Run) -> None:
    suite = Suite.objects.get()
    earlier = make_run(suite)
    now = make_run(suite)
    attempt = now.attempts.select_related("task", "run").order_by("pk")[0]
    tell_failure(attempt)
    now.attempts.filter(pk=attempt.pk).update(
        status=Status.RUNNING, passed=None, outcome="", turns=4, finished_at=None
    )
    Run.objects.filter(pk=now.pk).update(status=Status.RUNNING)
    page = body_of(Client().get(now.get_absolute_url()))
    assert "<b>Running" in " ".join(page.split())
    assert "step 4" in page
    said = sum((s.prompt_tokens or 0) + (s.completion_tokens or 0) for s in attempt.steps.all())
    assert f'<span data-moves="tokens">{show_count(said)} tokens</span>' in page
    assert f'href="/runs/{now.pk}/tasks/quarterly-sales/"' in page
    assert earlier.pk < now.pk
