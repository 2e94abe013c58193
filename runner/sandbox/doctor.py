"""Report on the parts of the sandbox that this host grants, and what to do about the rest.

`manage.py sandbox_doctor` and `python -m runner.sandbox.doctor` print it; with `--quick` what is
missing, without opening a sandbox.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from runner.contract import CellStatus, Limits
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host_findings import (
    CHECKS,
    PROBE_TIMEOUT_S,
    SERVICE,
    Finding,
    HostCheck,
    Probed,
    find_lacks,
    is_safe,
    render,
)


def diagnose() -> list[Finding]:
    """Every part in turn, then a real session as the proof."""
    layers = HostCheck("layers in force", True, look_at_layers)
    session = HostCheck("a session", True, try_a_session)
    return [check.look() for check in (*CHECKS, SERVICE, layers, session)]


def look_at_layers() -> Probed:
    """The sandbox's layers in force."""
    facts = asyncio.run(describe_sandbox())
    return f"{facts['layers']}; memory by {facts['memory']}", ""


async def describe_sandbox() -> dict[str, str]:
    sandbox = open_sandbox()
    try:
        return sandbox.environment()
    finally:
        await sandbox.close()


def try_a_session() -> Probed:
    """A real kernel in the real sandbox, asked for a sum."""
    answer = asyncio.run(ask_for_a_sum())
    remedy = "" if answer == "42" else "The kernel started, but did not answer as it should."
    return f"6 × 7 = {answer}", remedy


async def ask_for_a_sum() -> str:
    sandbox = open_sandbox()
    try:
        with tempfile.TemporaryDirectory() as folder:
            session = await sandbox.open(Path(folder), Limits())
            try:
                result = await session.run("6 * 7", PROBE_TIMEOUT_S)
            finally:
                await session.close()
    finally:
        await sandbox.close()
    return result.outputs[0].text if result.status is CellStatus.OK else result.status


def main(words: Sequence[str] = ()) -> int:
    """Print the table; 1 when this host cannot give the promise."""
    parser = argparse.ArgumentParser(prog="python -m runner.sandbox.doctor", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="what is missing, opening no sandbox")
    findings = find_lacks() if parser.parse_args(words).quick else diagnose()
    if findings:
        print(render(findings))
    return 0 if is_safe(findings) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
