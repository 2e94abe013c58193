"""Shows the same rows on our board and in a Gradio table, in turn, and compares the two."""

from __future__ import annotations

import json
import statistics
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from bench.measuring.spread import spread
from bench.pages import site
from bench.pages.browser import Board, Sight, look_at
from bench.pages.gradio_server import PEER, install_peer, serve_peer, write_table

OURS = Board("our board", "main table tbody tr", ('main thead a[href*="sort=-rate"]',))
TITLES = {
    "start_s": "server's start to its first answer, s",
    "paint_ms": "first contentful paint, ms",
    "rows_ms": "first row shown, ms",
    "rows_again_ms": "first row at the second visit, ms",
    "sort_ms": "sorted after the click, ms",
    "sent_kb": "loaded at the first visit, KB",
    "requests": "requests of the first visit",
    "heap_mib": "JavaScript heap, MiB",
    "nodes": "nodes of the document",
    "renderer_mib": "browser's renderer, MiB",
    "server_mib": "server's processes, MiB",
}


def compare(rounds: int, folder: Path) -> dict[str, list[Sight]]:
    """Every round of both, by name; `folder` takes the rows that the peer reads."""
    install_peer()
    table = folder / "table.json"
    table.unlink(missing_ok=True)
    sights: dict[str, list[Sight]] = {OURS.name: [], PEER.name: []}
    for _ in range(rounds):
        with site.serve() as server:
            if not table.exists():
                write_rows(server.address, table)
            sights[OURS.name].append(look_at(OURS, server))
        with serve_peer(table) as server:
            sights[PEER.name].append(look_at(PEER, server))
    return sights


def write_rows(address: str, table: Path) -> None:
    with urllib.request.urlopen(f"{address}/board.json", timeout=60) as answer:
        board: dict[str, Any] = json.load(answer)
    known = board["rows"][0]
    categories = [key.removesuffix("_tasks") for key in known if key.endswith("_tasks")]
    write_table(board["rows"], categories, table)


def print_sights(sights: Mapping[str, Sequence[Sight]]) -> None:
    ours, peer = sights[OURS.name], sights[PEER.name]
    print(f"{'':40} {OURS.name:>22} {PEER.name:>22} {'peer / ours':>12}")
    for field in fields(Sight):
        mine = [getattr(sight, field.name) for sight in ours]
        theirs = [getattr(sight, field.name) for sight in peer]
        ratio = statistics.median(theirs) / statistics.median(mine)
        print(f"{TITLES[field.name]:40} {spread(mine):>22} {spread(theirs):>22} {ratio:12.1f}")
