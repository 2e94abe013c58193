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
from typing import TYPE_CHECKING, Any

from runner.contract import Limits
from runner.sandbox.base import Sandbox, ToolJob, ToolResult
from runner.suite.library_pack import BOOT, compiled, pack

if TYPE_CHECKING:
    from runner.suite.task_file import SuiteTask

WORK = "/work"  # the one writable folder
START = f"{BOOT}\nimport sys\nfrom runner.checks.harness.main import main\nsys.exit(main())"
ARGV = ("python", "-I", "-B", "-c", START)
OPENS_MODELS = re.compile(r"\b(models|predictions)\b")


@dataclass
class HarnessReport:
    """The harness's report until its end, of whatever kind."""

    made: dict[str, Any] | None = None
    assertions: list[dict[str, Any]] = field(default_factory=list)
    is_done: bool = False
    crashed: str = ""  # a traceback of the task's own code
    error: str = ""  # the exception's type
    is_of_host: bool = False  # it tells of the host's resources
    opened: str = ""  # the last of the agent's files that was opened
    reading: str = ""  # the agent's file that was being read when it ended
    reading_kind: str = ""


async def run_harness(
    sandbox: Sandbox,
    task: SuiteTask,
    job: Mapping[str, object],
    limits: Limits,
    binds: Mapping[Path, str] | None = None,
    writable: Path | None = None,
) -> tuple[ToolResult, HarnessReport]:
    """Do `job` with the task's source in a sandbox of its own."""
    source, code = read_code(task.path, task.path.stat().st_mtime_ns)
    body = {**job, "name": task.path.name, "source": source, "code": code}
    result = await sandbox.run_tool(
        ToolJob(
            argv=(*ARGV, *(["--models"] if OPENS_MODELS.search(source) else [])),
            binds=binds or {},
            writable=writable,
            stdin=pack() + json.dumps(body).encode(),
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


def read_report(stdout: bytes) -> HarnessReport:
    """The report's events in order; a half-written last line is dropped."""
    report = HarnessReport()
    for line in stdout.split(b"\n"):
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            take_event(report, event)
    return report


def read_reports(stdout: bytes, count: int) -> list[HarnessReport]:
    """The reports of a job with `count` cases, whose events say whose they are."""
    reports = [HarnessReport() for _ in range(count)]
    for line in stdout.split(b"\n"):
        try:
            event = json.loads(line)
            report = reports[event["case"]]
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
        take_event(report, event)
    return reports


def take_event(report: HarnessReport, event: Mapping[str, Any]) -> None:
    if isinstance(event.get("assertion"), dict):
        report.assertions.append(event["assertion"])
    elif isinstance(event.get("made"), dict):
        report.made = event["made"]
    elif "reading" in event:
        report.reading = word(event["reading"])
        report.reading_kind = word(event.get("kind", "a file"))
    elif "read" in event:
        report.reading = ""
    elif "done" in event:
        report.is_done = True
    elif "crashed" in event:
        report.crashed = word(event["crashed"]) or "it does not say how"
        report.error = word(event.get("error"))
        report.is_of_host = event.get("is_of_host") is not False
    elif "opened" in event:
        report.opened = word(event["opened"])


def word(value: object) -> str:
    """A text or a number as text; "" for what may be nested too deeply to be written."""
    return str(value) if isinstance(value, (str, int, float)) else ""


def ending(result: ToolResult) -> str:
    """The end of the tool, for a message."""
    if result.returncode is None:
        return f"ran out of time after {result.duration_s:.0f} s"
    if result.returncode < 0 or result.returncode > 128:
        number = -result.returncode if result.returncode < 0 else result.returncode - 128
        return f"was killed by signal {number}"
    return f"ended with code {result.returncode}"
