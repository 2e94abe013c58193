"""Running a task's own code (inputs, check) in the sandbox, and reading its report line by line."""

from __future__ import annotations

import base64
import json
import marshal
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from runner.contract import Limits
from runner.library import BOOT, compiled, pack
from runner.sandbox.base import Sandbox, ToolJob, ToolResult
from runner.suites import SuiteTask

WORK = "/work"  # the one writable folder
START = f"{BOOT}\nimport sys\nfrom runner.checks.harness import main\nsys.exit(main())"
ARGV = ("python", "-I", "-B", "-c", START)
OPENS_MODELS = re.compile(r"\b(models|learned)\b")


@dataclass
class Report:
    """What the harness said until it ended, by whatever end."""

    made: dict[str, Any] | None = None
    assertions: list[dict[str, Any]] = field(default_factory=list)
    is_done: bool = False
    crashed: str = ""  # a traceback of the task's own code
    reading: str = ""  # the agent's file that was being read when it ended
    reading_kind: str = ""


async def run_harness(
    sandbox: Sandbox,
    task: SuiteTask,
    job: Mapping[str, object],
    limits: Limits,
    binds: Mapping[Path, str] | None = None,
    writable: Path | None = None,
) -> tuple[ToolResult, Report]:
    """Do `job` with the task's source in a sandbox of its own."""
    source, code = read_code(task.path, task.path.stat().st_mtime_ns)
    body = {**job, "name": task.path.name, "source": source, "code": code}
    result = await sandbox.run_tool(
        ToolJob(
            argv=(*ARGV, *(["--models"] if OPENS_MODELS.search(source) else [])),
            binds=binds or {},
            writable=writable,
            preamble=pack(),
            stdin=json.dumps(body).encode(),
            timeout_s=limits.check_timeout_s,
            limits=limits,
            has_browser=task.has_browser,
        )
    )
    return result, read_report(result.stdout)


@lru_cache(maxsize=1_000)
def read_code(path: Path, mtime_ns: int) -> tuple[str, str]:
    """The task's source, and its code as base64 of what `marshal` makes of it."""
    source = path.read_text("utf-8")
    try:
        code = marshal.dumps(compiled(source, path.name))
    except (SyntaxError, ValueError):  # the tool says so, as of any task that it cannot run
        code = b""
    return source, base64.b64encode(code).decode()


def read_report(stdout: bytes) -> Report:
    """The report's events in order; a half-written last line is dropped."""
    report = Report()
    for line in stdout.split(b"\n"):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            take_event(report, event)
    return report


def read_reports(stdout: bytes, count: int) -> list[Report]:
    """The reports of a job with `count` cases, whose events say whose they are."""
    reports = [Report() for _ in range(count)]
    for line in stdout.split(b"\n"):
        try:
            event = json.loads(line)
            report = reports[event["case"]]
        except (ValueError, LookupError, TypeError):
            continue
        take_event(report, event)
    return reports


def take_event(report: Report, event: Mapping[str, Any]) -> None:
    if isinstance(event.get("assertion"), dict):
        report.assertions.append(event["assertion"])
    elif isinstance(event.get("made"), dict):
        report.made = event["made"]
    elif "reading" in event:
        report.reading = str(event["reading"])
        report.reading_kind = str(event.get("kind", "a file"))
    elif "read" in event:
        report.reading = ""
    elif "done" in event:
        report.is_done = True
    elif "crashed" in event:
        report.crashed = str(event["crashed"])


def ending(result: ToolResult) -> str:
    """How the tool ended, for a message."""
    if result.returncode is None:
        return f"ran out of time after {result.duration_s:.0f} s"
    if result.returncode < 0 or result.returncode > 128:
        number = -result.returncode if result.returncode < 0 else result.returncode - 128
        return f"was killed by signal {number}"
    return f"ended with code {result.returncode}"
