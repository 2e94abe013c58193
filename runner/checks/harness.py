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
import importlib
import json
import linecache
import marshal
import os
import signal
import sys
import traceback
import types
from pathlib import Path
from typing import Any

from runner.checks.case import Case, Report, Stop

PR_SET_DUMPABLE = 4
MAX_TRACEBACK_CHARS = 4_000
DEAR = ("pymupdf.layout", "pymupdf4llm")  # they load neural networks


def main() -> int:
    """Do the job on stdin: 0 when its report is complete, 1 when the task's code raised."""
    if "--models" in sys.argv:
        set_aside()
    leave_out()
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
    except Exception:  # the edge of suite code: what it raised is the report
        report({"crashed": traceback.format_exc()[-MAX_TRACEBACK_CHARS:]})
        return 1
    return 0


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
    from runner.checks import models

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
    """Whether the library came with code that this Python can run."""
    return any(getattr(finder, "is_compiled", False) for finder in sys.meta_path)


def make(module: types.ModuleType, job: dict[str, Any], report: Report) -> None:
    parameters = module.make_inputs(job["seed"], Path(job["data"]))
    report({"made": {} if parameters is None else parameters})


def run_check(module: types.ModuleType, job: dict[str, Any], report: Report) -> None:
    sys.addaudithook(refuse_pickles)
    case = Case(
        data=Path(job["data"]),
        output=Path(job["output"]),
        answer=job["answer"] or "",
        query=job["query"],
        parameters=job["parameters"],
        seed=job["seed"],
        report=report,
    )
    with contextlib.suppress(Stop):
        module.check(case)
    report({"done": len(case.assertions)})


def refuse_pickles(event: str, arguments: tuple[object, ...]) -> None:
    """A pickle is a program, and whoever runs in this process decides: none is opened here."""
    if event == "pickle.find_class":
        raise PermissionError(f"no pickle is opened here, but by runner.checks.models: {arguments}")


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
            except Exception:  # the edge of suite code: what it raised is the report
                tagged({"crashed": traceback.format_exc()[-MAX_TRACEBACK_CHARS:]})
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
