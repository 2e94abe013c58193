"""Reads messages of PyBench's code interpreter to a model back into the outputs of a cell."""

from __future__ import annotations

import re

from runner.contract import Output, OutputKind

INTERPRETER = "[INFO]This is a Code Interpreter Message:\n"
RAISED = re.compile(
    r"There are some errors in the code\. [^\n]{0,200}\nError: (?P<name>[^\n]{0,200})(?:\n|\Z)"
)
PLAIN_ERROR = re.compile(
    r"^(?P<name>(?:[A-Za-z_]\w{0,80}\.){0,8}[A-Z]\w{0,80}"
    r"(?:Error|Exception|Interrupt|Warning|Exit|Iteration))(?:: (?P<value>.*))?$"
)
HEADING = re.compile(  # IPython names the exception first
    r"(?:(?<!-)-{20,}+\n)?(?:(?<!\w)\w++ ++)?\Z"
)
HEADING_CHARS = 300
TRACEBACK = "Traceback (most recent call last)"


def read_observation(text: str) -> tuple[Output, ...]:
    """The outputs that an observation tells of: what was printed, then the exception if any."""
    body = text.removeprefix(INTERPRETER)
    raised = next(reversed(list(RAISED.finditer(body))), None)  # its own words are the last
    if raised is not None:
        printed, value = body[: raised.start()], body[raised.end() :].rstrip("\n")
        name = raised["name"].strip()
        error = Output(
            OutputKind.ERROR, f"{name}: {value}", error_name=name[:200], error_value=value
        )
        return (*stdout(printed), error)
    return stdout(body) if text.startswith(INTERPRETER) else read_traceback(body)


def read_traceback(body: str) -> tuple[Output, ...]:
    """Error in the form of other interpreters: a traceback whose last line names the exception."""
    printed, marker, rest = body.partition(TRACEBACK)
    if not marker:
        return stdout(body)
    lines = rest.rstrip().split("\n")
    for line in reversed(lines[-20:]):
        named = PLAIN_ERROR.match(line[:2000])
        if named:
            name = named["name"].rpartition(".")[2]
            value = named["value"] or ""
            head = without_heading(printed)
            text = f"{printed[len(head) :]}{marker}{rest}"
            error = Output(OutputKind.ERROR, text, error_name=name[:200], error_value=value)
            return (*stdout(head), error)
    return stdout(body)


def without_heading(printed: str) -> str:
    """Text that was printed before a traceback: IPython heads that with a rule and the
    exception."""
    return printed[:-HEADING_CHARS] + HEADING.sub("", printed[-HEADING_CHARS:])


def stdout(text: str) -> tuple[Output, ...]:
    return (Output(OutputKind.STDOUT, text),) if text.strip() else ()
