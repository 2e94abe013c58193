"""Two signed snapshots are consistent if the ledger was only added to between them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from leaderboard.evidence.keys import list_keys
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.cli.exit_codes import BAD_INPUT, BROKEN, DONE, INCOMPLETE
from runner.cli.main import main
from runner.evidence.chain import digest_of, link
from runner.evidence.envelope import make_key, sign
from runner.evidence.statement import SNAPSHOT_PREDICATE

pytestmark = pytest.mark.django_db

FIRST_DAY = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Statements of two days and the ledger's export."""
    suite = make_suite()
    for day, name in enumerate(("Foo", "Bar")):
        now = FIRST_DAY + timedelta(days=day)
        monkeypatch.setattr("django.utils.timezone.now", lambda now=now: now)
        finish_run(make_run(suite, make_entry(name)), 5 + day)
        sweep_queue()
        sweep_queue()
        path = f"/snapshots/starter@1/1/{now.date()}/statement.json"
        (tmp_path / f"{day}.json").write_bytes(Client().get(path).content)
    export = Client().get("/ledger.jsonl").getvalue()
    (tmp_path / "ledger.jsonl").write_bytes(export)
    return tmp_path


def compare(folder: Path, *more: str) -> int:
    files = [str(folder / name) for name in ("1.json", "0.json")]  # in any order
    ledger = ["--ledger", str(folder / "ledger.jsonl")]
    return main(["verify", "--between", *files, *ledger, *more])


def rewrite(folder: Path, number: int, **changes: Any) -> None:
    """Change an entry and every digest after it, as who rewrites a ledger would."""
    path = folder / "ledger.jsonl"
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    entries[number - 1] |= changes
    for before, entry in zip([None, *entries], entries, strict=False):
        entry["chain"] = link(before["chain"] if before else "0" * 64, entry)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))


def test_two_snapshots_of_an_honest_ledger_are_consistent(folder: Path, capsys: Any) -> None:
    assert compare(folder, "--key", list_keys()[0].public) == DONE
    assert "Consistent: 2 entries lead from entry 1 to entry 3" in capsys.readouterr().out
    assert compare(folder) == INCOMPLETE
    statement = json.loads((folder / "0.json").read_text())
    assert statement["payloadType"] == "application/vnd.in-toto+json"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_ledger_that_was_rewritten_anywhere_is_found(
    folder: Path, number: int, capsys: Any
) -> None:
    payload = json.dumps({"facts": {}})
    rewrite(folder, number, payload=payload, payload_sha256=digest_of(payload.encode()))
    assert compare(folder, "--key", list_keys()[0].public) == BROKEN
    said = capsys.readouterr().err
    assert "The ledger was rewritten, or is of another site" in said


@pytest.mark.django_db(transaction=True)
def test_the_sites_own_ledger_is_read_where_no_export_is_named(
    folder: Path, live_server: Any, capsys: Any
) -> None:
    files = [str(folder / name) for name in ("0.json", "1.json")]
    assert main(["verify", "--between", *files, "--site", live_server.url]) == DONE
    assert "signature: checked" in capsys.readouterr().out
    assert main(["verify", "--between", *files]) == BAD_INPUT


def test_other_files_are_refused_in_plain_words(folder: Path, capsys: Any) -> None:
    facts = {"ledger": {"number": 1, "digest": "0" * 64}, "format": float("inf")}
    claim = {"predicateType": SNAPSHOT_PREDICATE, "predicate": facts}
    endless = sign(json.dumps(claim).encode(), make_key("any"))
    (folder / "1.json").write_text(json.dumps(endless))
    assert compare(folder) == BAD_INPUT
    assert "is of a newer version" in capsys.readouterr().err
    (folder / "1.json").write_text('{"payload": 3}')
    assert compare(folder) == BAD_INPUT
    assert "is not the signed statement of a snapshot" in capsys.readouterr().err
    (folder / "1.json").unlink()
    assert compare(folder) == BAD_INPUT
    assert main(["verify"]) == BAD_INPUT
