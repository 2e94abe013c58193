"""Calling functions of an agent's Python module in a process of its own, which decides nothing.

The module is hostile: it runs as a child that is given arguments and gives back JSON values over a
pipe. It holds neither the check nor the expected values, and the comparison happens here. Whatever
it writes into the pipe are values that it could have returned.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from runner.checks import foreign_values
from runner.checks.case import Case

MOST_REPLY_BYTES = 1 << 20
DRIVER = r"""
import importlib.util, io, json, os, sys
pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

def answer(call):
    try:
        function = getattr(module, call["function"])
        arguments = call["arguments"]
        value = json.loads(json.dumps(function(*arguments)))
        kept = arguments == json.loads(call["as_sent"])
        return {"value": value, "arguments_kept": kept}
    except BaseException as error:
        return {"error": type(error).__name__, "message": str(error)[:200]}

calls = json.load(sys.stdin)
try:
    path = sys.argv.pop()
    name = os.path.splitext(os.path.basename(path))[0]  # as any program would import it
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)  # dataclasses, pickle and typing look it up
    screen, sys.stdout = sys.stdout, io.StringIO()
    try:
        spec.loader.exec_module(module)
        printed = sys.stdout.getvalue()[:200]
    finally:
        sys.stdout = screen
    replies = [answer({**call, "as_sent": json.dumps(call["arguments"])}) for call in calls]
    json.dump({"replies": replies, "printed": printed}, pipe)
except BaseException as error:
    json.dump({"import_error": f"{type(error).__name__}: {error}"[:300]}, pipe)
pipe.flush()
"""


class ModuleBroken(Exception):
    """The module could not be imported, ran out of time or answered with nonsense."""


@dataclass(frozen=True)
class Call:
    """A function's name and its arguments, all JSON values."""

    function: str
    arguments: tuple[Any, ...]

    @property
    def text(self) -> str:
        return f"{self.function}({', '.join(repr(argument) for argument in self.arguments)})"


@dataclass(frozen=True)
class Reply:
    """Result of a call: a JSON value (tuples are lists), or the name of the exception."""

    value: Any = None
    error: str = ""
    text: str = ""  # of the value or the exception, for a message
    arguments_kept: bool = True


def call_all(
    case: Case,
    name: str,
    calls: Sequence[Call],
    timeout_s: float = 10.0,
    is_silent: bool = False,
) -> list[Reply]:
    """The replies of the output module `name`, one for each of `calls`.

    A module that cannot be imported, or does not answer in time, is a failing assertion; with
    `is_silent` also one that prints when it is imported.
    """
    with case.reading(name, "a Python module") as path:
        raw = converse_with(path, calls, timeout_s)
        replies, printed = to_replies(raw, len(calls)), printed_in(raw)
    if is_silent:
        case.expect("prints nothing on import", not printed, "nothing", printed, name)
    return replies


def run(path: Path, calls: Sequence[Call], timeout_s: float) -> list[Reply]:
    """Play `calls` in a child process; ModuleBroken when there is no reply to each of them."""
    return to_replies(converse_with(path, calls, timeout_s), len(calls))


def converse_with(path: Path, calls: Sequence[Call], timeout_s: float) -> bytes:
    """Output of the child process that plays `calls`."""
    body = json.dumps([{"function": c.function, "arguments": c.arguments} for c in calls])
    child = subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", DRIVER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        env={"LANG": "C.UTF-8"},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        return converse(child.stdin, child.stdout, body.encode(), time.monotonic() + timeout_s)
    finally:
        end_group(child)


def converse(
    stdin: IO[bytes],
    stdout: IO[bytes],
    body: bytes,
    deadline: float,
    most_bytes: int = MOST_REPLY_BYTES,
) -> bytes:
    """Send `body`, close, and read to the end, with bounds on time and size."""
    os.set_blocking(stdin.fileno(), False)
    received = b""
    with selectors.DefaultSelector() as ready:
        ready.register(stdin, selectors.EVENT_WRITE)
        ready.register(stdout, selectors.EVENT_READ)
        while ready.get_map():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise ModuleBroken("it did not answer in time")
            for key, _ in ready.select(left_s):
                if key.fileobj is stdin:
                    body = send(stdin, body)
                    if not body:
                        ready.unregister(stdin)
                        stdin.close()
                    continue
                part = os.read(stdout.fileno(), 65536)
                if not part:
                    return received
                received += part
                if len(received) > most_bytes:
                    raise ModuleBroken(f"it answered with more than {most_bytes >> 20} MiB")
    return received


def send(stdin: IO[bytes], body: bytes) -> bytes:
    """Write what the pipe takes now; what is left, nothing when the reader has gone."""
    try:
        return body[os.write(stdin.fileno(), body) :]
    except BrokenPipeError:
        return b""


def end_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and what it started in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait(timeout=5)
    for stream in (child.stdin, child.stdout):
        if stream is not None and not stream.closed:
            stream.close()


def to_replies(raw: bytes, number: int) -> list[Reply]:
    """The child's message as replies; every part of it is checked before it is believed."""
    try:
        message = foreign_values.parse(raw)
    except ValueError:
        raise ModuleBroken("it ended without an answer that can be read") from None
    if isinstance(message, dict) and isinstance(message.get("import_error"), str):
        raise ModuleBroken(message["import_error"])
    entries = message.get("replies") if isinstance(message, dict) else None
    if not isinstance(entries, list) or len(entries) != number:
        raise ModuleBroken("it did not answer every call")
    return [to_reply(entry) for entry in entries]


def printed_in(raw: bytes) -> str:
    """The text that the module printed while it was imported."""
    message = foreign_values.parse(raw)
    return foreign_values.text(message.get("printed")) if isinstance(message, dict) else ""


def to_reply(entry: Any) -> Reply:
    if not isinstance(entry, dict):
        raise ModuleBroken("it answered with nonsense")
    error = foreign_values.text(entry.get("error"))[:100]
    value = entry.get("value")
    return Reply(
        value=value,
        error=error,
        text=(f"{error}: {foreign_values.text(entry.get('message'))}" if error else repr(value))[
            :300
        ],
        arguments_kept=entry.get("arguments_kept") is not False,
    )


def same_value(one: Any, other: Any) -> bool:
    """True if two JSON values are equal, True not being 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    return bool(one == other)
