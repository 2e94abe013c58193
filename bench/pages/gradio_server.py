"""The same rows in a Gradio table: its environment, its table and its server."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.engine.recorded import ROOT
from bench.pages.browser import Board
from bench.pages.site import Server, await_answer, find_free_port
from pybench_site.local.install import install_environment

LOCK = ROOT / "bench" / "gradio-requirements.txt"
ENVIRONMENT = ROOT / "var" / "gradio-env"
STOP_TIMEOUT_S = 10.0

# What the board's page shows of a row, in its order; the categories follow.
COLUMNS = {
    "rank": "#",
    "entry": "Entry",
    "organisation": "Organisation",
    "ut_strict": "UT strict",
    "ut_strict_low": "low",
    "ut_strict_high": "high",
    "turns": "Turns",
    "tokens": "Tokens",
    "time_s": "Time",
    "provenance": "Provenance",
    "date": "Date",
}
RATE = list(COLUMNS).index("ut_strict")
PEER = Board(
    "gradio table",
    '.virtual-row[data-index="0"]',
    (
        f'[data-testid="header-{RATE}"] .cell-menu-button',
        '[role="menuitem"]:has-text("Sort ascending")',
    ),
    hover=f'[data-testid="header-{RATE}"]',
)


def write_table(rows: Sequence[Mapping[str, Any]], categories: Sequence[str], path: Path) -> int:
    """The ranked rows of board.json as the peer reads them; how many they are."""
    ranked = [row for row in rows if row["group"] == "ranked"]
    keys = [*COLUMNS, *categories]
    table = {
        "headers": [COLUMNS.get(key, key) for key in keys],
        "types": ["number" if is_number(ranked, key) else "str" for key in keys],
        "rows": [[row[key] for key in keys] for row in ranked],
    }
    path.write_text(json.dumps(table), "utf-8")
    return len(ranked)


def is_number(rows: Sequence[Mapping[str, Any]], key: str) -> bool:
    return all(isinstance(row[key], int | float) for row in rows)


def install_peer() -> None:
    install_environment(ENVIRONMENT, Path(sys.executable), "Gradio's environment", [LOCK])


@contextlib.contextmanager
def serve_peer(table: Path) -> Iterator[Server]:
    """Gradio's server with the table, in a process group of its own."""
    port = find_free_port()
    program = [str(ENVIRONMENT / "bin" / "python"), str(ROOT / "bench" / "gradio_board.py")]
    quiet = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
    started = time.monotonic()
    with table.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(
            [*program, str(table), str(port)],
            env={**os.environ, **quiet},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        await_answer(address, process)
        yield Server(address, process.pid, time.monotonic() - started)
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End the process and its group: politely, then not."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_TIMEOUT_S)
            return
