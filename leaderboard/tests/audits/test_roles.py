"""Roles and acts: who sees, exports, disputes, rules on, cancels, publishes and shares a run."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from leaderboard.audits.grants import let_audit
from leaderboard.models import AuditGrant, AuditLook, Dispute, LedgerAct, Run
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import make_private_run

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "reader", "owner", "maintainer", "auditor", "granted")
# Status by role, in that order. 302 of an act leads a stranger to the sign-in.
ACTS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "see": ("get", "{run}", (404, 404, 200, 404, 404, 404)),
    "see json": ("get", "/runs/{pk}.json", (404, 404, 200, 404, 404, 404)),
    "see as auditor": ("get", "/audits/{pk}{run}", (404, 404, 404, 404, 404, 200)),
    "live part as auditor": ("get", "/audits/{pk}{run}progress/", (404,) * 5 + (200,)),
    "replay": ("get", "{attempt}", (404, 404, 200, 404, 404, 404)),
    "replay as auditor": ("get", "/audits/{pk}{attempt}", (404,) * 5 + (200,)),
    "export as auditor": ("get", "/audits/{pk}{run}export/pybench", (404,) * 5 + (200,)),
    "dispute seen": ("get", "{dispute}", (404, 404, 200, 200, 404, 404)),
    "dispute as auditor": ("get", "/audits/{pk}{dispute}", (404,) * 5 + (200,)),
    "list of audits": ("get", "/audits/", (404, 404, 404, 404, 200, 200)),
    "post at the door": ("post", "/audits/{pk}{run}publish/", (405,) * 6),
    "act at the door": ("get", "/audits/{pk}{attempt}dispute/", (404,) * 5 + (302,)),
    "dispute": ("get", "{attempt}dispute/", (302, 404, 200, 404, 404, 404)),
    "rule": ("post", "{dispute}rule/", (302, 404, 404, 422, 404, 404)),
    "cancel": ("post", "{run}cancel/", (302, 404, 302, 404, 404, 404)),
    "auditors": ("get", "{run}auditors/", (302, 404, 200, 404, 404, 404)),
    "grant": ("post", "{run}auditors/let/", (302, 404, 302, 404, 404, 404)),
    "take back": ("post", "{run}auditors/end/", (302, 404, 302, 404, 404, 404)),
    "publish": ("post", "{run}publish/", (302, 404, 302, 404, 404, 404)),
}


@pytest.fixture
def users() -> dict[str, User]:
    made = {name: make_user(name) for name in ROLES[1:]}
    User.objects.filter(username="maintainer").update(is_staff=True)
    for name in ("auditor", "granted"):
        call_command("auditor", f"{name}@example.org")
    return made


@pytest.fixture
def run(users: dict[str, User]) -> Run:
    made = make_private_run(users["owner"])
    let_audit(made.pk, users["granted"].pk)
    return made


def sign_in(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@pytest.mark.parametrize("act", ACTS)
def test_each_role_does_what_it_may_and_nothing_else(
    run: Run, users: dict[str, User], act: str
) -> None:
    attempt = run.attempts.select_related("task", "run").order_by("pk")[0]
    verdict = attempt.verdicts.get()
    doubt = Dispute.objects.create(attempt=attempt, verdict=verdict, words="No.", name="x")
    places: dict[str, Any] = {
        "pk": run.pk, "run": run.get_absolute_url(), "attempt": attempt.get_absolute_url(),
        "dispute": doubt.get_absolute_url(),
    }  # fmt: skip
    method, path, expected = ACTS[act]
    clients = {role: sign_in(users.get(role)) for role in ROLES}
    order = sorted(ROLES, key="owner".__eq__)  # whose acts change the run
    found = {r: getattr(clients[r], method)(path.format(**places)).status_code for r in order}
    assert found == dict(zip(ROLES, expected, strict=True))
    assert AuditLook.objects.exists() == ("as auditor" in act)


def test_leave_is_given_used_told_and_taken_back(run: Run, users: dict[str, User]) -> None:
    owner, auditor = sign_in(users["owner"]), sign_in(users["auditor"])
    page, door = f"{run.get_absolute_url()}auditors/", f"/audits/{run.pk}{run.get_absolute_url()}"
    absent = auditor.get(door.replace(str(run.pk), "9999"))
    shut = auditor.get(door)
    texts = [re.sub(r"(audits|runs)/\d+", "", one.content.decode()) for one in (shut, absent)]
    assert (shut.status_code, texts[0]) == (absent.status_code, texts[1])
    assert page in owner.get(run.get_absolute_url()).content.decode()
    number = {"auditor": users["auditor"].pk}
    owner.post(f"{page}let/", number)
    owner.post(f"{page}let/", number)
    for wrong in ("", "x", "9" * 30, users["reader"].pk, users["owner"].pk):
        owner.post(f"{page}let/", {"auditor": wrong})
    assert AuditGrant.objects.count() == 2
    first = auditor.get(door)
    assert first["Cache-Control"] == "private, no-store"
    assert "csrfmiddlewaretoken" not in first.content.decode()
    assert f"/audits/{run.pk}/runs/{run.pk}/tasks/" in first.content.decode()
    assert auditor.get(door).status_code == 200
    assert AuditLook.objects.count() == 1
    assert f"by account {users['auditor'].pk}" in owner.get(page).content.decode()
    assert "Private model" in auditor.get("/audits/").content.decode()
    assert "Private model" not in auditor.get("/").content.decode()
    owner.post(f"{page}end/", number)
    assert auditor.get(door).status_code == 404
    acts = LedgerAct.objects.filter(run_number=run.pk, payload__contains='"kind":"audit')
    assert set(acts.values_list("kind", "subject", "actor")) == {("withheld", "", "")}
    assert acts.count() == 3


def test_publishing_and_the_end_of_the_role_end_a_leave(run: Run, users: dict[str, User]) -> None:
    granted, door = sign_in(users["granted"]), f"/audits/{run.pk}{run.get_absolute_url()}"
    call_command("auditor", "granted@example.org", end=True)
    call_command("auditor", "granted@example.org")
    assert granted.get(door).status_code == 404
    let_audit(run.pk, users["granted"].pk)
    assert granted.get(door).status_code == 200
    publish(run.pk)
    withdraw(run.pk)
    assert granted.get(door).status_code == 404


def test_leave_for_all_runs_opens_later_ones_until_it_is_taken_back(
    users: dict[str, User],
) -> None:
    owner, auditor = sign_in(users["owner"]), sign_in(users["auditor"])
    others = [sign_in(users.get(name)) for name in ("stranger", "reader", "maintainer", "granted")]
    assert owner.get("/account/auditors/").status_code == 200
    for wrong in ("", "x", "9" * 30, users["reader"].pk, users["owner"].pk):
        owner.post("/account/auditors/", {"auditor": wrong})
    assert AuditGrant.objects.count() == 0
    number = {"auditor": users["auditor"].pk}
    for _ in range(2):
        owner.post("/account/auditors/", number)
    assert AuditGrant.objects.count() == 1
    later = make_private_run(users["owner"])
    strange = make_private_run(users["reader"])
    doors = [f"/audits/{run.pk}{run.get_absolute_url()}" for run in (later, strange)]
    assert [auditor.get(door).status_code for door in doors] == [200, 404]
    assert [one.get(doors[0]).status_code for one in others] == [404] * 4
    assert f"/audits/{later.pk}/" in auditor.get("/audits/").content.decode()
    for page in ("/account/auditors/", f"{later.get_absolute_url()}auditors/"):
        assert f"by account {users['auditor'].pk}" in owner.get(page).content.decode()
    assert AuditLook.objects.get().run == later
    Run.objects.filter(pk=later.pk).update(status="checking")
    assert auditor.get(doors[0]).status_code == 404
    Run.objects.filter(pk=later.pk).update(status="done")
    others[1].post("/account/auditors/end/", number)
    assert auditor.get(doors[0]).status_code == 200
    owner.post("/account/auditors/end/", number)
    assert auditor.get(doors[0]).status_code == 404
    acts = LedgerAct.objects.filter(payload__contains='"kind":"audit')
    assert set(acts.values_list("kind", "subject", "actor", "is_open")) == {
        ("withheld", "", "", False)
    }
    assert acts.count() == 2
    owner.post("/account/auditors/", number)
    call_command("auditor", "auditor@example.org", end=True)
    call_command("auditor", "auditor@example.org")
    assert auditor.get(doors[0]).status_code == 404


def test_programs_of_an_owner_give_list_and_end_leaves(run: Run, users: dict[str, User]) -> None:
    owner, reader, stranger = Caller(users["owner"]), Caller(users["reader"]), Caller()
    auditor = users["auditor"].pk
    assert {"auditor": auditor, "name": f"account {auditor}"} in owner.ask("auditors/")["results"]
    all_runs = owner.send("audits/", {"auditor": auditor}, expect=201)
    assert owner.send("audits/", {"auditor": auditor}, expect=201) == all_runs
    one = owner.send("audits/", {"auditor": auditor, "run": run.pk}, expect=201)
    assert (all_runs["run"], one["run"]) == (None, run.pk)
    listed = owner.ask("audits/")["results"]
    assert [(each["run"], each["auditor"]) for each in listed] == [
        (run.pk, auditor), (None, auditor), (run.pk, users["granted"].pk)
    ]  # fmt: skip
    sign_in(users["granted"]).get(f"/audits/{run.pk}{run.get_absolute_url()}")
    [look] = owner.ask(f"audits/looks/?run={run.pk}")["results"]
    assert (look["run"], look["name"]) == (run.pk, f"account {users['granted'].pk}")
    for other in (reader, Caller(users["maintainer"]), Caller(users["granted"])):
        assert other.ask("audits/")["results"] == other.ask("audits/looks/")["results"] == []
        other.send("audits/", {"auditor": auditor, "run": run.pk}, expect=404)
        other.send(f"audits/{one['id']}/end/", expect=404)
    for path in ("audits/", "audits/looks/", "auditors/"):
        stranger.ask(path, expect=401)
    stranger.send("audits/", {"auditor": auditor}, expect=401)
    for wrong in ({}, {"auditor": "x"}, {"auditor": 0}, {"auditor": auditor, "more": 1}):
        owner.send("audits/", wrong, expect=400)
    code = owner.send("audits/", {"auditor": users["reader"].pk}, expect=400)["code"]
    assert code == "unknown_auditor"
    assert owner.send(f"audits/{all_runs['id']}/end/")["id"] == all_runs["id"]
    owner.send(f"audits/{all_runs['id']}/end/", expect=404)
    publish(run.pk)
    assert owner.ask("audits/")["results"] == []
    conflict = owner.send("audits/", {"auditor": auditor, "run": run.pk}, expect=409)
    assert conflict["code"] == "nothing_to_audit"
