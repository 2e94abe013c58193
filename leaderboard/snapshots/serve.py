"""A kept board as files: CSV, JSON, and a manifest with their checksums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from leaderboard.board.records import Record
from leaderboard.evidence.keys import sign_statement
from leaderboard.models import BoardSnapshot, Run, unpack
from leaderboard.rendering.csv_response import write_csv
from runner.evidence.chain import START, canonical, digest_of
from runner.evidence.statement import FORMAT, SNAPSHOT_PREDICATE, STATEMENT_TYPE

FILES = ("board.csv", "board.json")


@dataclass(frozen=True)
class KeptRows:
    """Rows of a snapshot that everybody can still read, with their names."""

    snapshot: BoardSnapshot
    records: list[Record]

    @property
    def left_out(self) -> int:
        """Rows of runs that were withdrawn or deleted since."""
        return self.snapshot.rows - len(self.records)

    @property
    def suite(self) -> str:
        return self.snapshot.suite.reference


def read_rows(snapshot: BoardSnapshot) -> KeptRows:
    """One query: the runs that are public."""
    return KeptRows(snapshot, read_kept(bytes(snapshot.body)))


def read_kept(body: bytes) -> list[Record]:
    """Kept records of runs that everybody can still read, with their names. One query."""
    stored: list[Record] = unpack(body) or []
    numbers = [record["run"] for record in stored]
    public = Run.objects.on_board().filter(pk__in=numbers)
    names = {
        pk: {"entry": entry, "organisation": organisation}
        for pk, entry, organisation in public.values_list(
            "pk", "entry__name", "entry__organisation"
        )
    }
    return [{**record, **names[record["run"]]} for record in stored if record["run"] in names]


def write_file(rows: KeptRows, name: str) -> bytes:
    """The file of this name: the same bytes as long as the same runs are public."""
    return WRITERS[name](rows)


def write_board_csv(rows: KeptRows) -> bytes:
    heading = rows.records[0] if rows.records else ["group"]
    return write_csv([heading, *(record.values() for record in rows.records)]).encode()


def write_board_json(rows: KeptRows) -> bytes:
    return encode({**describe(rows), "rows": rows.records})


def write_manifest(rows: KeptRows, address: str) -> bytes:
    """`address` is that of the snapshot's folder."""
    suite, day = rows.snapshot.suite, rows.snapshot.day
    files = {name: write_file(rows, name) for name in FILES}
    cited = f"PyBench site: {suite.title} v{suite.version}, season {rows.snapshot.season}"
    return encode(
        {
            **describe(rows),
            "files": [
                {
                    "name": name,
                    "address": f"{address}{name}",
                    "bytes": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
                for name, content in files.items()
            ],
            "rank_ranges": "paired leads" if rows.snapshot.is_by_leads else "resampled ranks",
            "licence": settings.DATA_LICENCE,
            "citation": f"{cited}, board of {day}. {address}",
        }
    )


def write_statement(rows: KeptRows) -> bytes:
    """The snapshot's signed envelope: an in-toto statement about its files and the ledger's end."""
    snapshot = rows.snapshot
    subjects = [
        {"name": name, "digest": {"sha256": digest_of(write_file(rows, name))}} for name in FILES
    ]
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": subjects,
        "predicateType": SNAPSHOT_PREDICATE,
        "predicate": {
            "format": FORMAT,
            **describe(rows),
            "body_sha256": digest_of(bytes(snapshot.body)),  # as the ledger's entry has it
            "ledger": {"number": snapshot.ledger_number, "digest": snapshot.ledger_chain or START},
        },
    }
    return encode(sign_statement(canonical(statement)))


def describe(rows: KeptRows) -> dict[str, Any]:
    snapshot = rows.snapshot
    return {
        "suite": rows.suite,
        "digest": snapshot.suite.digest,
        "season": snapshot.season,
        "seed": snapshot.seed,
        "day": snapshot.day.isoformat(),
        "kept_at": snapshot.kept_at.isoformat(timespec="seconds"),
        "left_out": rows.left_out,
    }


def encode(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace")


WRITERS = {"board.csv": write_board_csv, "board.json": write_board_json}
