"""Manifests and bundles of runs: complete, signed, bounded, and seen by whoever sees the run."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from leaderboard.evidence.manifests import keep_statements
from leaderboard.evidence.run_statement import make_statement
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    tell_failure,
)
from runner.evidence.envelope import authenticate, find_signer

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 6)
    tell_failure(run.attempts.order_by("-task__position")[0])
    sweep_queue()
    return run


def statement_of(envelope: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(base64.b64decode(envelope["payload"]))
    return found


def published_keys(client: Client) -> dict[str, bytes]:
    listed = client.get("/.well-known/pybench-keys.json").json()["keys"]
    return {key["keyid"]: base64.b64decode(key["public"]) for key in listed}


def test_the_encoding_that_is_signed_is_the_specifications() -> None:
    # https://github.com/secure-systems-lab/dsse/blob/master/protocol.md, its test vector
    signed = authenticate("http://example.com/HelloWorld", b"hello world")
    assert signed == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_the_manifest_is_signed_with_the_published_key(run: Run, client: Client) -> None:
    envelope = client.get(f"/runs/{run.pk}/manifest.json").json()
    [(keyid, public)] = published_keys(client).items()
    assert find_signer(envelope, {keyid: public}) == keyid
    assert hashlib.sha256(public).hexdigest() == keyid
    signed = authenticate(envelope["payloadType"], base64.b64decode(envelope["payload"]))
    signature = base64.b64decode(envelope["signatures"][0]["sig"])
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)  # as any library does
    assert keyid in client.get("/about/keys/").content.decode()
    told = statement_of(envelope)
    assert told["_type"] == "https://in-toto.io/Statement/v1"
    figures = told["predicate"]["figures"][""]
    assert (figures["passed"], figures["failed"], figures["rate"]) == (6, 2, 0.75)


def test_the_bundle_has_every_subject_of_the_manifest(run: Run, client: Client) -> None:
    content = client.get(f"/runs/{run.pk}/bundle.zip").getvalue()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    told = statement_of(json.loads(files.pop("manifest.json")))
    subjects = {one["name"]: one["digest"]["sha256"] for one in told["subject"]}
    assert {name: hashlib.sha256(body).hexdigest() for name, body in files.items()} == subjects
    failed = [one for one in told["predicate"]["attempts"] if one["outputs"]]
    assert failed
    assert failed[0]["verdict_sha256"]
    trajectory = json.loads(files[f"trajectories/{failed[0]['task']}-1.json"])
    assert len(trajectory["steps"]) > 1
    assert {"opening", "closing"} < trajectory.keys()
    assert not any(name.startswith("data/") for name in files)


def test_a_run_that_is_not_public_has_no_manifest_for_strangers(run: Run, client: Client) -> None:
    run.entry.owner = User.objects.create_user("owner")
    run.entry.save()
    open_run = make_run(run.suite, make_entry("Bar"))
    withdraw(run.pk)
    sweep_queue()
    for path in ("manifest.json", "bundle.zip"):
        for number in (run.pk, open_run.pk):
            refused = client.get(f"/runs/{number}/{path}")
            assert refused.status_code == 404
            assert "Foo" not in refused.content.decode()
    owner = Client()
    owner.force_login(run.entry.owner)
    assert owner.get(f"/runs/{run.pk}/manifest.json").status_code == 200


def test_a_changed_verdict_gets_another_manifest(run: Run, client: Client) -> None:
    before = statement_of(client.get(f"/runs/{run.pk}/manifest.json").json())
    attempt = run.attempts.order_by("task__position")[0]
    attempt.passed = False
    attempt.save()
    Run.objects.filter(pk=run.pk).update(is_sealed=False)
    sweep_queue()
    after = statement_of(client.get(f"/runs/{run.pk}/manifest.json").json())
    changed = [one["passed"] for one in after["predicate"]["attempts"]]
    assert changed == [False, *(one["passed"] for one in before["predicate"]["attempts"][1:])]
    assert keep_statements() == 0


def test_a_new_key_signs_and_a_withdrawn_one_is_listed(
    run: Run, client: Client, settings: Settings
) -> None:
    [old] = client.get("/.well-known/pybench-keys.json").json()["keys"]
    settings.EVIDENCE_KEYS = ["another secret", *settings.EVIDENCE_KEYS]
    keys = client.get("/.well-known/pybench-keys.json").json()["keys"]
    assert [key["state"] for key in keys] == ["current", "earlier"]
    envelope = client.get(f"/runs/{run.pk}/manifest.json").json()
    assert find_signer(envelope, published_keys(client)) == keys[0]["keyid"]
    settings.EVIDENCE_KEYS = settings.EVIDENCE_KEYS[:1]
    settings.EVIDENCE_WITHDRAWN = [f"{old['public']}@2026-11-23"]
    listed = client.get("/.well-known/pybench-keys.json").json()["keys"]
    assert [key["state"] for key in listed] == ["current", "withdrawn"]
    assert listed[1]["keyid"] == old["keyid"]
    assert "withdrawn on" in client.get("/about/keys/").content.decode()


def test_a_manifest_of_143_attempts_takes_few_queries() -> None:
    run = finish_run(make_run(make_suite("large", 143), make_entry("Foo")), 100)
    for attempt in run.attempts.all():
        for index in range(1, 6):
            add_step(attempt, make_step(index, outputs=[printed("42\n" * 400)]))
    run = Run.objects.select_related("entry", "suite").get(pk=run.pk)
    with CaptureQueriesContext(connection) as queries:
        statement = make_statement(run)
    assert len(queries) <= 12
    assert len(statement["predicate"]["attempts"]) == 143


def test_a_run_that_cannot_be_stated_stands_in_no_others_way(client: Client) -> None:
    suite = make_suite()
    runs = [finish_run(make_run(suite, make_entry(name)), 6) for name in ("Foo", "Bar")]
    attempt = runs[0].attempts.order_by("task__position")[0]
    attempt.opening = b"not what pack() writes"
    attempt.save()
    sweep_queue()
    statuses = [client.get(f"/runs/{run.pk}/manifest.json").status_code for run in runs]
    assert statuses == [404, 200]
    assert keep_statements() == 0
