"""The ledger: numbered without gaps, chained, append-only, and silent about private runs."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.ledger.entries import number_acts, read_head
from leaderboard.ledger.public_entries import find_ledger_faults, list_lines
from leaderboard.models import LedgerAct, LedgerEntry, LedgerPayload, Run
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.evidence.chain import ChainHead, find_breaks, read_entry

pytestmark = pytest.mark.django_db


def exported() -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(list_lines()).splitlines()]


def facts_of(line: dict[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(line["payload"])["facts"]
    return facts


def test_acts_are_numbered_in_order_and_their_chain_verifies() -> None:
    for number in range(5):
        LedgerAct.objects.enter(
            "ruling", f"verdict {number}", {"words": "verdict stands"}, actor="account 3"
        )
    assert LedgerEntry.objects.count() == 0
    assert number_acts() == 5
    LedgerAct.objects.enter(
        "erratum", "starter@1", {"infinite": float("inf"), "lone": "\ud800 \x00"}
    )
    assert number_acts() == 1
    assert number_acts() == 0
    lines = exported()
    assert [line["number"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert list(find_breaks(lines, ChainHead())) == []
    assert read_head() == ChainHead(6, lines[-1]["chain"])
    assert LedgerAct.objects.count() == 0
    assert facts_of(lines[-1]) == {"infinite": "inf", "lone": "\ud800 \x00"}


@pytest.mark.django_db(transaction=True)
def test_several_that_number_at_once_leave_no_gap() -> None:
    def number_and_append(thread: int) -> None:
        for number in range(10):
            LedgerAct.objects.enter("ruling", f"verdict {thread}.{number}", {})
            number_acts()
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(number_and_append, range(4)))
    number_acts()
    lines = exported()
    assert [line["number"] for line in lines] == list(range(1, 41))
    assert list(find_breaks(lines, ChainHead())) == []
    assert len({line["subject"] for line in lines}) == 40


def test_an_act_that_is_rolled_back_leaves_no_entry() -> None:
    with transaction.atomic():
        LedgerAct.objects.enter("ruling", "verdict 1", {})
        transaction.set_rollback(True)
    assert number_acts() == 0


@pytest.mark.parametrize("statement", ["UPDATE {} SET number = 9", "DELETE FROM {}"])
@pytest.mark.parametrize("model", [LedgerEntry, LedgerPayload])
def test_the_database_refuses_to_rewrite_the_ledger(model: Any, statement: str) -> None:
    LedgerAct.objects.enter("ruling", "verdict 1", {})
    number_acts()
    rows = model.objects.all()
    with pytest.raises(DatabaseError, match="never rewritten"), transaction.atomic():
        connection.cursor().execute(statement.format(model._meta.db_table))
    for act in (rows.delete, lambda: rows.update(number=9)):
        with pytest.raises(TypeError, match="ledger"):
            act()


def test_every_change_of_an_exported_ledger_is_found() -> None:
    for number in range(4):
        LedgerAct.objects.enter("ruling", f"verdict {number}", {"n": number})
    number_acts()
    whole = exported()
    wrong = {
        "changed": [*whole[:1], {**whole[1], "actor": "account 9"}, *whole[2:]],
        "removed": [*whole[:1], *whole[2:]],
        "swapped": [whole[0], whole[2], whole[1], whole[3]],
        "payload": [*whole[:3], {**whole[3], "payload": "{}"}],
    }
    for name, lines in wrong.items():
        assert list(find_breaks(lines, ChainHead())), name
    withheld = [{**line, "payload": None} for line in whole]
    assert list(find_breaks(withheld, ChainHead())) == []
    for name, text in {"payload": "\ud800", "chain": "é" * 64}.items():
        assert read_entry(json.dumps({**whole[0], name: text}).encode()) is None


def test_verify_names_the_entry_of_which_rows_were_changed_behind_its_back() -> None:
    for number in range(3):
        LedgerAct.objects.enter("ruling", f"verdict {number}", {"n": number})
    number_acts()
    assert list(find_ledger_faults()) == []
    with connection.cursor() as cursor:
        for table, act in (("ledgerpayload", "delete"), ("ledgerentry", "update")):
            on = f" ON leaderboard_{table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER leaderboard_{table}_no_{act}{on}")
        cursor.execute("DELETE FROM leaderboard_ledgerpayload WHERE number = 1")
        cursor.execute("UPDATE leaderboard_ledgerentry SET actor = 'x' WHERE number = 2")
    found = list(find_ledger_faults())
    assert [line.split(" has ")[0] for line in found] == [
        "ledger: the payload of entry 1 is missing",
        "ledger: entry 2",
    ]


class TestRuns:
    @pytest.fixture
    def run(self) -> Run:
        return finish_run(make_run(make_suite(), make_entry("Foo"), is_public=False), 7)

    def test_a_private_run_is_in_the_chain_and_nowhere_to_be_read(
        self, run: Run, client: Client
    ) -> None:
        sweep_queue()
        [line] = [line for line in exported() if line["kind"] == "withheld"]
        assert line["payload"] is None
        assert line["subject"] == line["actor"] == ""
        shown = client.get("/ledger/").content.decode() + b"".join(list_lines()).decode()
        assert "Foo" not in shown
        assert f"run {run.pk}" not in shown

    def test_a_published_run_is_sealed_once_and_withheld_when_it_is_withdrawn(
        self, run: Run
    ) -> None:
        sweep_queue()
        publish(run.pk)
        sweep_queue()
        sweep_queue()
        sealed, published = [line for line in exported() if line["kind"] != "snapshot"]
        assert facts_of(sealed)["outcomes"] == "p p p p p p p f"
        assert facts_of(sealed)["name"] == "Foo"
        assert published["kind"] == "run published"
        assert published["subject"] == f"run {run.pk}"
        withdraw(run.pk)
        sweep_queue()
        lines = exported()
        assert [line["payload"] for line in lines if line["kind"] != "snapshot"] == [None] * 3
        assert lines[-1]["kind"] == "run withdrawn"
        assert list(find_breaks(lines, ChainHead())) == []

    def test_a_changed_verdict_seals_the_run_anew(self, run: Run) -> None:
        publish(run.pk)
        sweep_queue()
        attempt = run.attempts.get(task__position=1)
        attempt.passed = False
        attempt.save()
        Run.objects.filter(pk=run.pk).update(is_sealed=False)
        sweep_queue()
        sealed = [facts_of(line) for line in exported() if line["kind"] == "run sealed"]
        assert [one["outcomes"][:3] for one in sealed] == ["p p", "f p"]


class TestPages:
    @pytest.fixture(autouse=True)
    def entries(self) -> None:
        for number in range(60):
            LedgerAct.objects.enter(
                "ruling", f"verdict {number}", {"ruling": "<b>stands</b>"}, actor="account 3"
            )
        LedgerAct.objects.enter("erratum", "starter@1", {"reason": "the check was wrong"})
        number_acts()

    def test_the_page_shows_a_window_and_says_that_its_chain_holds(
        self, client: Client, django_assert_num_queries: Any
    ) -> None:
        with django_assert_num_queries(4):
            newest = client.get("/ledger/").content.decode()
        assert "61 entries. We recomputed the digests of the 50 entries below" in newest
        assert "&lt;b&gt;stands&lt;/b&gt;" in newest
        older = client.get("/ledger/?before=12").content.decode()
        assert older.count('<tr id="entry-') == 11
        assert "older ›" not in older
        some = client.get("/ledger/?kind=erratum").content.decode()
        assert some.count('<tr id="entry-') == 1
        assert "No entry of this kind" in client.get("/ledger/?kind=snapshot").content.decode()
        assert client.get("/ledger/?before=x").status_code == 404

    def test_the_api_and_the_export_have_the_same_entries(self, client: Client) -> None:
        answer = client.get("/api/v1/ledger/?page_size=200").json()
        export = client.get("/ledger.jsonl").getvalue().splitlines()
        assert [json.loads(line) for line in export] == answer["results"][::-1]
        assert list(find_breaks(answer["results"][::-1], ChainHead())) == []
        some = client.get("/api/v1/ledger/?kind=erratum").json()["results"]
        assert [one["number"] for one in some] == [61]
        assert client.get("/api/v1/ledger/?kind=nonsense").status_code == 400
        assert len(client.get("/ledger.jsonl?after=58").getvalue().splitlines()) == 3
