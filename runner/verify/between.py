"""Consistency of two snapshots: the ledger's entries between their ends lead from one to the other.

A digest at the end of a chain is over everything before it. So two ends and the entries between
them are enough: neither a change before the first nor one in between can lead to the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx2

from runner.cli.site_client import AWAY, away, check_site, open_site
from runner.contract import ProblemError
from runner.evidence.chain import ChainHead, fault_of, read_entry
from runner.evidence.envelope import BadEnvelope, read_payload
from runner.evidence.statement import FORMAT, SNAPSHOT_PREDICATE
from runner.suite.reader import problem
from runner.verify.keys import BrokenEvidence, TrustedKeys, check_signature

MAX_STATEMENT_BYTES = 1 << 20
MAX_LINE_BYTES = 16 << 20


def read_snapshot(path: Path, keys: TrustedKeys | None) -> ChainHead:
    """The end of the ledger that a snapshot's signed statement names. ProblemError."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_STATEMENT_BYTES + 1)
    except OSError as error:
        raise problem(
            "no_file", f"{path} cannot be read: {error.strerror}.", "Give a statement.json."
        ) from None
    try:
        envelope: Any = json.loads(content) if len(content) <= MAX_STATEMENT_BYTES else None
        statement = json.loads(read_payload(envelope))
        claim = statement["predicate"]
        end = ChainHead(claim["ledger"]["number"], claim["ledger"]["digest"])
        is_snapshot = statement["predicateType"] == SNAPSHOT_PREDICATE
        if not is_snapshot or type(end.number) is not int or type(end.digest) is not str:
            raise ValueError
        is_newer = claim["format"] > FORMAT
    except (BadEnvelope, ValueError, RecursionError, KeyError, TypeError):
        raise problem(
            "no_statement",
            f"{path} is not the signed statement of a snapshot.",
            "Download it from /snapshots/, as statement.json.",
        ) from None
    if is_newer:
        raise problem("newer_statement", f"{path} is of a newer version.", "Update this checkout.")
    if keys is not None:
        check_signature(envelope, keys)
    return end


def check_lines(first: ChainHead, second: ChainHead, lines: Iterable[bytes]) -> int:
    """Entries between the two ends; how many. BrokenEvidence where they do not lead there."""
    end = first
    for line in lines:
        entry = read_entry(line)
        if entry is None:
            raise inconsistent("The ledger has a line that is not an entry")
        if entry["number"] <= first.number:
            if entry["number"] == first.number and entry["chain"] != first.digest:
                raise inconsistent(f"Entry {first.number} is not the one of the first snapshot")
            continue
        if entry["number"] > second.number:
            break
        if fault := fault_of(entry, end):
            raise inconsistent(fault[0].upper() + fault[1:])
        end = ChainHead(entry["number"], entry["chain"])
    if end.number != second.number:
        raise inconsistent(f"The ledger ends at entry {end.number}")
    if end.digest != second.digest:
        raise inconsistent(f"Entry {end.number} is not the one of the second snapshot")
    return second.number - first.number


def inconsistent(what: str) -> BrokenEvidence:
    next_step = "The ledger was rewritten, or is of another site: ask the site's maintainers."
    return BrokenEvidence(problem("inconsistent", f"{what}.", next_step).problem)


def check_file(first: ChainHead, second: ChainHead, path: Path) -> int:
    try:
        with path.open("rb") as file:
            return check_lines(first, second, split_lines(iter(lambda: file.read(1 << 20), b"")))
    except OSError as error:
        raise problem(
            "no_file", f"{path} cannot be read: {error.strerror}.", "Export /ledger.jsonl again."
        ) from None


def check_site_ledger(first: ChainHead, second: ChainHead, site: str) -> int:
    """The same with the entries as the site has them now."""
    if not site:
        raise problem("no_ledger", "No ledger is named.", "Give --ledger FILE or --site URL.")
    with open_site(check_site(site), "") as http:
        del http.headers["Authorization"]
        try:
            address = f"/ledger.jsonl?after={first.number}"
            with http.stream("GET", address, timeout=120.0) as answer:
                if answer.status_code != 200:
                    raise refused(answer.status_code)
                return check_lines(first, second, split_lines(answer.iter_bytes(1 << 20)))
        except httpx2.HTTPError as error:
            raise away(AWAY, f"The site did not answer ({type(error).__name__}).") from None


def refused(status: int) -> ProblemError:
    return away(AWAY, f"The site answered {status}.")


def split_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream, none of them longer than an entry can be."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from filter(None, lines)
        if len(rest) > MAX_LINE_BYTES:
            raise inconsistent(f"The ledger has a line of more than {MAX_LINE_BYTES >> 20} MB")
    if rest:
        yield rest
