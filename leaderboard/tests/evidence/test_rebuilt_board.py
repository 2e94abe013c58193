"""Boards rebuilt from an exported ledger are the site's, and a forged export is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.board.queries import load_board
from leaderboard.board.records import list_records
from leaderboard.changes.note import note_suite
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.ledger.acts import enter_review
from leaderboard.ledger.entries import number_acts
from leaderboard.ledger.public_entries import list_lines
from leaderboard.models import RunReview, Suite
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.evidence.chain import START, digest_of, link

pytestmark = pytest.mark.django_db

COMPARED = (
    "rank", "rank_low", "rank_high", "run", "entry", "provenance", "status", "passed", "failed",
    "void", "ut_strict", "ut_strict_low", "ut_strict_high",
)  # fmt: skip


@pytest.fixture(params=[8, 24])
def suite(request: pytest.FixtureRequest) -> Suite:
    suite = make_suite(tasks=request.param)
    note_suite(suite, "installed", {})
    first, withdrawn = make_entry("Foo"), make_entry("Gone")
    finish_run(make_run(suite, first), 2)
    finish_run(make_run(suite, first), 6)
    finish_run(make_run(suite, make_entry("Bar")), 7)
    finish_run(make_run(suite, make_entry("Void")), 5, void=1)
    changed = make_run(suite, make_entry("Changed"))
    changed.changed_sampling = {"max_tokens": 4_095}
    finish_run(changed, 8)
    finish_run(make_run(suite, make_entry("Floor", is_scripted=True)), 0)
    hidden = finish_run(make_run(suite, make_entry("Hidden"), is_public=False), 8)
    left = finish_run(make_run(suite, withdrawn), 8)
    reviewed = finish_run(make_run(suite, make_entry("Copy")), 8)
    sweep_queue()
    withdraw(left.pk)
    RunReview.objects.create(run=reviewed, ruling=RunReview.Ruling.OPEN)
    enter_review(reviewed.review)
    type(reviewed).objects.filter(pk=reviewed.pk).update(is_filed=False)
    sweep_queue()
    number_acts()
    assert not hidden.is_public
    return suite


def rebuild(path: Path) -> dict[str, Any]:
    out = io.StringIO()
    call_command("rebuild_board", str(path), stdout=out, stderr=io.StringIO())
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_the_rebuilt_board_has_the_rows_of_the_site(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"".join(list_lines()))
    [board] = rebuild(path)["boards"]
    shown = list_records(load_board(suite, suite.tasks.count()))
    by_run = {row["run"]: row for row in board["rows"]}
    assert [row["entry"] for row in board["rows"]][:2] == ["Bar", "Foo"]
    ranks = [1, 2] if suite.tasks.count() == 24 else [None, None]
    assert [row["rank"] for row in board["rows"]] == [*ranks, *[None] * (len(board["rows"]) - 2)]
    for record in shown:
        row = by_run[record["run"]]
        assert {name: row[name] for name in COMPARED} == {name: record[name] for name in COMPARED}
    assert not {"not_shown", "incomplete"} & {*board["rows"][0]}  # which no ledger knows
    assert {"Gone", "Hidden"}.isdisjoint(row["entry"] for row in board["rows"])


BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "Line 1 is not an entry of a ledger"),
    "deep JSON": (b"[" * 100_000, "Line 1 is not an entry of a ledger"),
    "other JSON": (b'{"number": true}', "Line 1 is not an entry of a ledger"),
    "a list": (b"[1]", "Line 1 is not an entry of a ledger"),
    "a page": (b"<html>", "Line 1 is not an entry of a ledger"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_ledger_is_refused(name: str, tmp_path: Path) -> None:
    content, words = BAD[name]
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        rebuild(path)
    with pytest.raises(CommandError, match="cannot be read"):
        rebuild(tmp_path)


def test_a_forged_verdict_is_refused_at_its_line(suite: Suite, tmp_path: Path) -> None:
    lines = b"".join(list_lines()).splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines) if b"f f f f f f" in line)
    lines[number] = lines[number].replace(b"f f f f f f", b"p p p p p p")
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(CommandError, match=f"Line {number + 1}: .*payload.*another SHA-256"):
        rebuild(path)


SEALED = {
    "run": 1, "suite": "s@1", "seed": 1, "entry": "e", "name": "n", "organisation": "",
    "provenance": "run here", "status": "done", "outcomes": "p",
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("run sealed", SEALED | {"outcomes": 5}),
        ("run sealed", SEALED | {"seed": {}}),
        ("run sealed", SEALED | {"suite": 7}),
        ("ruling", {"review": "upheld", "run": float("inf")}),
        ("suite changed", {"suite": "s@1", "tasks": [], "seed": float("inf"), "past_seeds": []}),
    ],
)
def test_facts_of_another_type_in_a_right_chain_are_refused(
    kind: str, facts: dict[str, Any], tmp_path: Path
) -> None:
    payload = json.dumps({"kind": kind, "facts": facts})
    entry = {
        "number": 1, "kind": kind, "subject": "", "actor": "", "at": "",
        "payload_sha256": digest_of(payload.encode()), "payload": payload,
    }  # fmt: skip
    path = tmp_path / "ledger.jsonl"
    path.write_text(json.dumps({**entry, "chain": link(START, entry)}))
    with pytest.raises(CommandError, match="Line 1: its payload is not one of a ledger"):
        rebuild(path)
