"""Runs inside the sandbox: makes a task's inputs or runs its check, reporting line by line.

The job comes as JSON on stdin, the task's source within it, so that no file shows it to a process
that a check may start. The report goes to what was stdout; from then on everything printed goes
to stderr, and neither the report nor this process' memory is within reach of child processes.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import ctypes
import errno
import importlib
import json
import linecache
import marshal
import os
import signal
import subprocess
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from runner.checks.case import Case, HostFault, Report, Stop

PR_SET_DUMPABLE = 4
OPENING = ("open", "os.listdir", "os.scandir")
HOST_ERRORS = frozenset(
    {
        *(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE),
        *(errno.EAGAIN, errno.ETIMEDOUT, errno.ESTALE, errno.EBUSY, errno.ENODEV, errno.ENXIO),
    }
)
WRITABLE = ("/work/", "/tmp/", "/dev/")
OVERCOMMIT = Path("/proc/sys/vm/overcommit_memory")
MAX_TRACEBACK_CHARS = 4_000
DEAR = ("pymupdf.layout", "pymupdf4llm")  # they load neural networks


class TooLong(Exception):
    """The check has computed for longer than any check needs."""


def main() -> int:
    """Do the job on stdin: 0 when its report is complete, 1 when the task's code raised."""
    if "--models" in sys.argv:
        set_aside()
    leave_out()
    stand_apart()
    report = open_report()
    job = json.loads(sys.stdin.buffer.read())
    try:
        module = load_task(job["name"], job["source"], job.get("code", ""))
        if job["do"] == "make":
            make(module, job, report)
        elif job["do"] == "check-many":
            check_many(module, job, report)
        else:
            run_check(module, job, report)
    except Exception as error:  # the edge of suite code: what it raised is the report
        report(crash(error))
        return 1
    return 0


def crash(error: Exception) -> dict[str, object]:
    """Report of an exception: its traceback, its type, and if the host is to blame."""
    return {
        "crashed": traceback.format_exc()[-MAX_TRACEBACK_CHARS:],
        "error": type(error).__name__,
        "is_of_host": is_of_host(error) or is_of_host(error.__cause__),
    }


def is_of_host(error: BaseException | None) -> bool:
    """True if the error comes from the host's resources, time or disks rather than from a file."""
    if isinstance(error, OSError):
        return isinstance(error, TimeoutError) or error.errno in HOST_ERRORS
    if isinstance(error, MemoryError):
        return is_memory_rationed()
    return isinstance(error, (HostFault, subprocess.SubprocessError))


def is_memory_rationed() -> bool:
    """Return whether the host refuses memory that it is short of (proc_sys_vm(5)).

    Elsewhere it grants what a process asks for, up to that process's own limit and to all that the
    host has, so that a MemoryError tells of what was asked for.
    """
    try:
        return OVERCOMMIT.read_text().strip() not in ("0", "1")
    except OSError:
        return True


def stand_apart() -> None:
    """Import from nowhere that agents' code, which checks may start, can write to."""
    os.chdir("/")
    sys.path[:] = [p for p in sys.path if os.path.isabs(p) and not f"{p}/".startswith(WRITABLE)]  # noqa: PTH117


def open_report() -> Report:
    """Keep stdout for the report alone, out of reach of libraries and child processes."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")  # dup'ed descriptors are not inherited
    os.dup2(2, 1)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)

    def write(event: dict[str, object]) -> None:
        stream.write(json.dumps(event, default=str) + "\n")
        stream.flush()

    return write


def set_aside() -> None:
    """Before the job is read: who opens model files is to know nothing of it."""
    from runner.checks.model_files import models

    models.set_aside()


def leave_out() -> None:
    """Parts of libraries that no check asks for, and that take longer to import than the rest."""
    for name in DEAR:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]


def load_task(name: str, source: str, code: str = "") -> types.ModuleType:
    """The task's module, made from its source; tracebacks show its lines.

    `code` is the same compiled, as base64, by the Python that compiled the library, or "".
    """
    module = types.ModuleType("task")
    module.__file__ = name
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    sys.modules["task"] = module
    made = marshal.loads(base64.b64decode(code)) if code and is_same_python() else None
    exec(made or compile(source, name, "exec"), module.__dict__)
    return module


def is_same_python() -> bool:
    """True if the library came with code that this Python can run."""
    return any(getattr(finder, "is_compiled", False) for finder in sys.meta_path)


def make(module: types.ModuleType, job: dict[str, Any], report: Report) -> None:
    parameters = module.make_inputs(job["seed"], Path(job["data"]))
    report({"made": {} if parameters is None else parameters})


def run_check(module: types.ModuleType, job: dict[str, Any], report: Report) -> None:
    sys.addaudithook(refuse_pickles)
    sys.addaudithook(watch_opening(job["output"], report))
    case = Case(
        data=Path(job["data"]),
        output=Path(job["output"]),
        answer=job["answer"] or "",
        query=job["query"],
        parameters=job["parameters"],
        seed=job["seed"],
        report=report,
    )
    with contextlib.suppress(Stop), bounded_computing(float(job["cpu_s"])):
        module.check(case)
    report({"done": len(case.assertions)})


@contextlib.contextmanager
def bounded_computing(cpu_s: float) -> Iterator[None]:
    """TooLong is raised in here once this process has used so much CPU.

    The deadline by the clock, which also applies, does not tell a busy host from a file or an
    answer that keeps the check busy; this does. Children, and C code that never looks at signals,
    are left to the deadline.
    """

    def stop(number: int, frame: object) -> None:
        raise TooLong(f"The check computed for over {cpu_s:.0f} s.")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def watch_opening(output: str, report: Report) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that reports which of the agent's files is opened, once each."""
    seen: set[str] = set()

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        path = arguments[0] if event in OPENING and arguments else None
        name = os.fspath(path) if isinstance(path, os.PathLike) else path
        if isinstance(name, str) and name.startswith(output) and name not in seen:
            seen.add(name)
            report({"opened": name[len(output) :].lstrip("/") or "."})

    return watch


def refuse_pickles(event: str, arguments: tuple[object, ...]) -> None:
    """A pickle is a program, and whoever runs in this process decides: none is opened here."""
    if event == "pickle.find_class":
        raise PermissionError(
            f"no pickle is opened here, but by runner.checks.model_files.models: {arguments}"
        )


def check_many(module: types.ModuleType, job: dict[str, Any], report: Report) -> None:
    """Check several outputs, each in a child of its own: none sees or harms another.

    A case of the job overrides the job's fields; each event says whose it is. A child that runs
    out of its time is ended by an alarm.
    """
    import_ahead(job["source"])
    for number, case in enumerate(job["cases"]):

        def tagged(event: dict[str, object], number: int = number) -> None:
            report({**event, "case": number})

        child = os.fork()
        if not child:
            code = 1
            try:
                signal.setitimer(signal.ITIMER_REAL, float(job["timeout_s"]))
                run_check(module, {**job, **case}, tagged)
                code = 0
            except Exception as error:  # the edge of suite code: what it raised is the report
                tagged(crash(error))
            finally:
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        report({"ended": os.waitstatus_to_exitcode(status), "case": number})


def import_ahead(source: str) -> None:
    """Import once what the task's functions would import in every child."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in names:
            with contextlib.suppress(Exception):  # the check says so itself, if it gets there
                importlib.import_module(name)


if __name__ == "__main__":
    sys.exit(main())
