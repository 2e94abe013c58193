"""Report on the parts of the sandbox that this host grants, and what to do about the rest.

`manage.py sandbox_doctor` and `python -m runner.sandbox.doctor` print it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from runner.contract import CellStatus, KernelLost, Limits, SandboxUnavailable
from runner.sandbox import host_findings
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host_findings import PROBE_TIMEOUT_S, Finding, render


def diagnose() -> list[Finding]:
    """Every part in turn, then a real session as the proof."""
    return [check() for check in (*host_findings.CHECKS, look_at_layers, try_a_session)]


def look_at_layers() -> Finding:
    """The sandbox's layers in force."""
    try:
        facts = asyncio.run(describe_sandbox())
    except (SandboxUnavailable, OSError) as error:
        return Finding("layers in force", False, True, "none can be had", str(error))
    fact = f"{facts['layers']}; memory by {facts['memory']}"
    return Finding("layers in force", True, True, fact, "")


async def describe_sandbox() -> dict[str, str]:
    sandbox = open_sandbox()
    try:
        return sandbox.environment()
    finally:
        await sandbox.close()


def try_a_session() -> Finding:
    """A real kernel in the real sandbox, asked for a sum."""
    try:
        answer = asyncio.run(ask_for_a_sum())
    except (SandboxUnavailable, KernelLost, OSError) as error:
        return Finding("a session", False, True, "failed", str(error))
    remedy = "" if answer == "42" else "The kernel started, but did not answer as it should."
    return Finding("a session", answer == "42", True, f"6 × 7 = {answer}", remedy)


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


def main() -> int:
    """Print the table; 1 when this host cannot give the promise."""
    findings = diagnose()
    print(render(findings))
    return 0 if is_safe(findings) else 1


def is_safe(findings: list[Finding]) -> bool:
    """True if nothing vital is missing."""
    return all(finding.is_fine or not finding.is_vital for finding in findings)


if __name__ == "__main__":
    sys.exit(main())
