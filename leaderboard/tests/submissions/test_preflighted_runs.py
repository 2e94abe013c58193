"""Runs submitted by a program: looked at first, then queued or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from conftest import served
from leaderboard.accounts import quotas
from leaderboard.handoff.dispatch import is_anyone_waiting
from leaderboard.handoff.preflights import RunPreflight
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run
from leaderboard.queue.preflights import GIVE_UP, PATIENCE
from leaderboard.submissions.submit import MAX_WAITING
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.jobs import claim
from leaderboard.tests.support.rows import make_suite
from runner.contract import Status
from runner.scripted.server import ScriptedServer
from runner.worker.tasks import preflight_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sandbox]

KEY = "sk-canary-of-a-program"
REPORT = {"checks": [], "measures": {}, "took_s": 1.0, "is_usable": True}


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[str]:
    """A scripted endpoint whose port the site may call."""
    with served(ScriptedServer()) as server:
        settings.ENDPOINT_LOOPBACK_PORTS = [str(server.server_port)]
        yield server.base_url


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs whose preflight a worker was asked for."""
    sent: list[int] = []
    monkeypatch.setattr("leaderboard.queue.preflights.send_preflight_run", sent.append)
    return sent


@pytest.fixture
def body(endpoint: str) -> dict[str, Any]:
    make_suite()
    return {"suite": "starter", "base_url": endpoint, "model": "reference", "name": "Foo 70B",
            "api_key": KEY, "is_public": True}  # fmt: skip


def page_of(owner: User, run_id: int) -> str:
    client = Client()
    client.force_login(owner)
    return client.get(f"/runs/{run_id}/").content.decode()


def test_nothing_is_queued_or_seen_before_the_preflight(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    run = Caller(owner).send("runs/", body, 201)
    assert (run["status"], run["is_public"], run["preflight"]) == ("checking", False, None)
    assert run["entry"].startswith("foo-70b-")  # as if another had the name
    assert asked == [run["id"]]
    assert not Run.objects.get().attempts.exists()
    assert claim(None, 9, "worker") == claim(run["id"], 9, "worker") == []
    assert not is_anyone_waiting()
    assert sweep_queue().closed == 0
    Caller().ask(f"runs/{run['id']}/", 404)
    page = page_of(owner, run["id"])
    assert "Checking the endpoint" in page
    assert "everybody can once its preflight has passed" in page
    assert "data-live=" in page


def test_a_usable_endpoint_is_queued_as_was_wished(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    run_id = Caller(owner).send("runs/", body, 201)["id"]
    preflight_run(run_id)
    run = Caller(owner).ask(f"runs/{run_id}/")
    assert (run["status"], run["is_public"], run["refusal"]) == ("queued", True, "")
    assert run["entry"] == "foo-70b"
    assert run["figures"]["open"] == 8
    said = {check["name"]: check["state"] for check in run["preflight"]["checks"]}
    assert said["model"] == "ok"
    assert Caller().ask(f"runs/{run_id}/")["preflight"] is None  # its owner's alone
    assert KEY not in str(run)
    preflight_run(run_id)  # a message that comes twice
    assert Run.objects.get().attempts.count() == 8
    assert len(claim(run_id, 1, "worker")) == 1


def test_an_endpoint_that_cannot_work_is_refused_with_the_reason(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    caller = Caller(owner)
    run_id = caller.send("runs/", {**body, "model": "nope"}, 201)["id"]
    preflight_run(run_id)
    run = caller.ask(f"runs/{run_id}/")
    assert (run["status"], run["is_public"]) == ("refused", False)
    assert "does not know the model “nope”" in run["refusal"]
    assert run["finished_at"]
    assert not Run.objects.get().attempts.exists()
    assert quotas.count(owner).used == 0
    page = page_of(owner, run_id)
    assert "Refused: the run would fail" in page
    assert "does not know the model “nope”" in page
    assert "data-live=" not in page
    for act, code in (("publish", "run_refused"), ("retry", "nothing_void")):
        assert caller.send(f"runs/{run_id}/{act}/", expect=409)["error"]["code"] == code
    assert caller.send(f"runs/{run_id}/cancel/")["status"] == "refused"
    Caller().ask(f"runs/{run_id}/", 404)
    assert [r["id"] for r in caller.ask("runs/?status=refused")["results"]] == [run_id]


def test_a_check_that_breaks_on_our_side_says_so(
    owner: User, body: dict[str, Any], asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def break_down(*_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("runner.worker.tasks.preflight", break_down)
    run_id = Caller(owner).send("runs/", body, 201)["id"]
    preflight_run(run_id)
    run = Caller(owner).ask(f"runs/{run_id}/")
    assert run["status"] == "refused"
    assert run["refusal"].startswith("The preflight failed on our side.")


def test_a_run_is_cancelled_or_published_while_it_is_checked(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    caller = Caller(owner)
    first, second = (caller.send("runs/", {**body, "name": name}, 201)["id"] for name in "ab")
    assert caller.send(f"runs/{first}/cancel/")["status"] == "cancelled"
    RunPreflight(first).record(REPORT)  # too late
    assert Run.objects.get(pk=first).status == Status.CANCELLED
    caller.send(f"runs/{second}/withdraw/")
    RunPreflight(second).record(REPORT)
    assert not Run.objects.get(pk=second).is_public
    third = caller.send("runs/", {**body, "is_public": False}, 201)["id"]
    assert not caller.send(f"runs/{third}/publish/")["is_public"]
    RunPreflight(third).record(REPORT)
    assert Run.objects.get(pk=third).is_public


def test_a_lost_message_is_sent_again_and_not_for_ever(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    run_id = Caller(owner).send("runs/", body, 201)["id"]
    sweep_queue()
    assert asked == [run_id]  # it was asked a moment ago
    long_ago = timezone.now() - PATIENCE - timedelta(seconds=1)
    for moment in (long_ago, timezone.now() + timedelta(days=1), None):
        Run.objects.update(woken_at=moment)
        sweep_queue()
    assert asked == [run_id] * 4
    Run.objects.update(created_at=timezone.now() - GIVE_UP - timedelta(seconds=1))
    sweep_queue()
    run = Caller(owner).ask(f"runs/{run_id}/")
    assert run["status"] == "refused"
    assert "never finished: the fault is ours. Submit the endpoint again" in run["refusal"]


def test_few_runs_of_one_account_wait_at_once(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    caller = Caller(owner)
    for _ in range(MAX_WAITING):
        caller.send("runs/", body, 201)
    error = caller.send("runs/", body, 409)["error"]
    assert (error["code"], error["fault"]) == ("checks_under_way", "submitter")
    Caller(make_user("bob")).send("runs/", body, 201)


def test_the_preflight_is_left_out_on_demand(
    owner: User, body: dict[str, Any], asked: list[int]
) -> None:
    run = Caller(owner).send("runs/", {**body, "preflight": False}, 201)
    assert (run["status"], run["is_public"], asked) == ("queued", True, [])
