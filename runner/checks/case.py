"""The case that a check works on: one attempt's files, answer and assertions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from runner.checks.values import written

SHOWN_CHARS = 500  # of an expected or actual value
IN_PART = "judged in part"  # name of the assertion that says so
ITEM_CHARS = 120  # of one item that a sentence about a list names

Report = Callable[[dict[str, object]], None]


class Stop(Exception):
    """The check can say nothing more: a failing assertion is on record. No crash."""


class HostFault(Exception):
    """The host lacks something, or failed: never the attempt's fault."""


def ignore(event: dict[str, object]) -> None:
    """A report that nobody reads."""


def shown(value: object, limit_chars: int = SHOWN_CHARS) -> str:
    """`value` as text short enough for a table cell."""
    text = f"{value:.10g}" if isinstance(value, float) else written(value)
    return text if len(text) <= limit_chars else text[: limit_chars - 1] + "…"


def first_difference(where: str, name: str, actual: list[Any], expected: list[Any]) -> str:
    """A sentence about the first place where two lists differ, "" when they do not."""
    if actual == expected:
        return ""
    pairs = zip(actual, expected, strict=False)
    shorter = min(len(actual), len(expected))
    place = next((n for n, (a, e) in enumerate(pairs) if a != e), shorter)
    number, found, wanted = f"no. {place + 1}", item(actual, place), item(expected, place)
    if len(actual) == len(expected):
        return f"{where}, {name}, {number}: expected {wanted}, found {found}."
    items = "item" if len(expected) == 1 else "items"
    lengths = f"{where}, {name}: expected {len(expected)} {items}, found {len(actual) or 'none'}"
    if is_left_out(place, expected, actual):
        return f"{lengths}; the first that is missing is {number}, {wanted}."
    if is_left_out(place, actual, expected):
        return f"{lengths}; the first too many is {number}, {found}."
    return f"{lengths}; the first that differs is {number}: expected {wanted}, found {found}."


def item(items: list[Any], place: int) -> str:
    """The item as a sentence quotes it."""
    return f"“{shown(items[place], ITEM_CHARS)}”" if place < len(items) else "nothing"


def is_left_out(place: int, whole: list[Any], part: list[Any]) -> bool:
    """True if `part`, the shorter list, lacks whole[place] and goes on with what comes later."""
    if len(part) > len(whole) or whole[place] in part[place:]:
        return False
    return place == len(part) or part[place] in whole[place + 1 :]


@dataclass
class Case:
    """One attempt as its check sees it.

    `data` holds the pristine inputs, `output` what the attempt left under ./output, `answer` the
    final answer ("" when there was none), `query` what was asked, placeholders filled.
    Every method that looks at something records one assertion.
    """

    data: Path
    output: Path
    answer: str = ""
    query: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    report: Report = ignore
    assertions: list[dict[str, object]] = field(default_factory=list)

    def expect(
        self,
        name: str,
        passed: object,
        expected: object = "",
        actual: object = "",
        file: str = "",
        message: str = "",
    ) -> bool:
        """Record an assertion and go on; True when it holds.

        `message` is a sentence for when it does not hold, ending in a full stop, like
        "quarters.csv has 5 rows, the query asks for 4."; left out, one is made.
        """
        holds = bool(passed)
        if not holds and not message:
            where = file or "the answer"
            message = f"{where}: {name}: expected {shown(expected)}, found {shown(actual)}."
        entry: dict[str, object] = {
            "name": name,
            "passed": holds,
            "expected": shown(expected),
            "actual": shown(actual),
            "message": "" if holds else shown(message),
            "file": file,
        }
        self.assertions.append(entry)
        self.report({"assertion": entry})
        return holds

    def demand(
        self,
        name: str,
        passed: object,
        expected: object = "",
        actual: object = "",
        file: str = "",
        message: str = "",
    ) -> None:
        """As `expect`, but what does not hold ends the check: the rest depends on it."""
        if not self.expect(name, passed, expected, actual, file, message):
            raise Stop

    def fail(self, name: str, message: str, file: str = "", actual: object = "") -> NoReturn:
        """Record a failing assertion and end the check."""
        self.expect(name, False, actual=actual, file=file, message=message)
        raise Stop

    def equal(
        self, name: str, actual: object, expected: object, file: str = "", message: str = ""
    ) -> bool:
        """`actual` is `expected`; of two lists the message names the first item that differs."""
        if not message and isinstance(actual, list) and isinstance(expected, list):
            message = first_difference(file or "the answer", name, actual, expected)
        return self.expect(name, actual == expected, expected, actual, file, message)

    def near(
        self,
        name: str,
        actual: float | None,
        expected: float,
        tolerance: float,
        file: str = "",
        message: str = "",
    ) -> bool:
        """`actual` within `tolerance` (absolute) of `expected`; None and NaN never are."""
        close = actual is not None and math.isfinite(actual) and abs(actual - expected) <= tolerance
        wanted = f"{expected:.10g} ± {tolerance:.3g}"
        return self.expect(name, close, wanted, actual, file, message)

    def weaken(self, reason: str, file: str = "") -> None:
        """Say that this attempt could be judged in part only, and why: its verdict shows it."""
        self.expect(IN_PART, True, "the whole result", reason, file)

    def require_file(self, name: str) -> Path:
        """The path of the output `name`; missing or empty ends the check."""
        path = self.output / name
        self.report({"opened": name})
        if not path.is_file():
            there = sorted(p.name for p in self.output.iterdir())[:6]
            holds = f"which holds {', '.join(there)}" if there else "which is empty"
            self.fail("file exists", f"{name} is missing from ./output, {holds}.", name, "missing")
        size = path.stat().st_size
        if size == 0:
            self.fail("file exists", f"{name} is an empty file.", name, "0 bytes")
        if not any(a["name"] == "file exists" and a["file"] == name for a in self.assertions):
            self.expect("file exists", True, "a file that is not empty", f"{size} bytes", name)
        return path

    @contextmanager
    def reading(self, name: str, kind: str) -> Iterator[Path]:
        """Open the output `name` as `kind` inside this block: whatever goes wrong is its fault.

        An exception becomes a failing assertion and ends the check. The block is announced, so
        that even a reader's crash, want of memory or want of time is the file's fault.
        """
        path = self.require_file(name)
        self.report({"reading": name, "kind": kind})
        try:
            yield path
        except Stop:
            raise
        except Exception as error:  # a broken file may raise anything
            reason = f"{type(error).__name__}: {error}".strip(": ")
            message = f"{name} could not be read as {kind} ({shown(reason)[:160]})."
            self.fail(f"readable as {kind}", message, name, reason)
        finally:
            self.report({"read": name})
