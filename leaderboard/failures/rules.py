"""The rules behind the failure tags: each looks at an attempt's facts and says yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from leaderboard.failures.answer_claims import (
    claims_a_file,
    is_same_but_for_presentation,
    states_a_value,
    unsupported_numbers,
)
from leaderboard.failures.facts import (
    MAX_VALUE_CHARS,
    AttemptFacts,
    Failure,
    StepFacts,
    cells_that_do,
    code_of,
    code_steps,
    failures,
    has_failed,
    text_in,
)
from runner.contract import (
    CALL_NOTES,
    CODE_UNCALLED,
    KILLED_NOTICES,
    ChangeKind,
    Outcome,
    OutputKind,
    StepStatus,
)

# Infrastructure


def lost_endpoint(facts: AttemptFacts) -> bool:
    return facts.outcome == Outcome.ENDPOINT_FAILED


def lost_kernel(facts: AttemptFacts) -> bool:
    return facts.outcome in (Outcome.KERNEL_LOST, Outcome.WORKER_LOST)


BROKEN_PACKAGE = (
    "size changed, may indicate binary incompatibility",
    "undefined symbol",
    "DLL load failed",
    "cannot open shared object file",
    "numpy.core.multiarray failed to import",
    "compiled using NumPy 1.x cannot be run",
    "Unable to import required dependencies",
)
OTHER_VERSION = re.compile(r"\w requires \w++[<>=]=?[\d.]++; you have")
# What these packages have had in every release: without it, their import broke off half-way.
HALF_IMPORTED = re.compile(
    r"module 'pandas' has no attribute '(?:__version__|core|DataFrame|Series|read_csv|read_excel)'"
    r"|module 'numpy' has no attribute '(?:__version__|_NoValue|ndarray|array|mean|core)'"
)
NO_NAME = re.compile(r"cannot import name ['\"]?([\w.]++)['\"]? from ")
INSTALLED = ("site-packages", "dist-packages", "unknown location")
NO_MODULE = re.compile(r"No module named ['\"]?([\w.]++)")
MAX_NAME_CHARS = 200  # of what an import asks for


def broken_environment(facts: AttemptFacts) -> bool:
    return any(is_broken_import(failure) for failure in failures(facts))


def is_broken_import(failure: Failure) -> bool:
    """An import that failed inside an installed package: not at a name that the cell gives."""
    if failure.name in ("ImportError", "ValueError") and is_package_broken(failure.value):
        return True
    if failure.name == "AttributeError" and HALF_IMPORTED.search(failure.value):
        return True
    name = NO_NAME.search(failure.value)
    if failure.name == "ImportError" and name and has_any(failure.value[name.end() :], INSTALLED):
        return not names(failure.code, name[1])
    module = NO_MODULE.search(failure.value)
    if failure.name == "ModuleNotFoundError" and module and "." in module[1]:
        return not names(failure.code, module[1].rpartition(".")[2])
    return False


def is_package_broken(value: str) -> bool:
    return has_any(value, BROKEN_PACKAGE) or OTHER_VERSION.search(value) is not None


def has_any(text: str, phrases: Iterable[str]) -> bool:
    return any(phrase in text for phrase in phrases)


def names(code: str, word: str) -> bool:
    """True if `code` has `word` as a word of its own."""
    word = re.escape(word[:MAX_NAME_CHARS])
    return bool(re.search(rf"(?<!\w){word}(?!\w)", code))


def absent_input(facts: AttemptFacts) -> bool:
    """An input was not there; where that is not known, the right path to one was not found."""
    if facts.given is not None:
        return any(name not in facts.given for name in facts.inputs)
    if any("chdir" in code_of(step) or "%cd" in code_of(step) for step in facts.steps):
        return False
    paths = {f"data/{name}" for name in facts.inputs}
    return any(missing_path(f).removeprefix("./") in paths for f in failures(facts))


MISSING = re.compile(r"No such file or directory: b?(['\"])(.+?)\1")


def missing_path(failure: Failure) -> str:
    """The path that a FileNotFoundError is about, "" when it is about something else."""
    found = MISSING.search(failure.value)
    if failure.name != "FileNotFoundError" or not found:
        return ""
    return found[2] if "/" in found[2] or "." in found[2] else ""  # else a program


def missing_package(facts: AttemptFacts) -> bool:
    for failure in failures(facts):
        module = NO_MODULE.search(failure.value)
        if failure.name == "ModuleNotFoundError" and module and "." not in module[1]:
            return True
        if failure.name == "ImportError" and "Missing optional dependency" in failure.value:
            return True
    return False


NO_NETWORK = (
    "Temporary failure in name resolution",
    "Name or service not known",
    "Network is unreachable",
    "Failed to establish a new connection",
    "Could not resolve host",
    "No address associated with",
)
GOES_ONLINE = re.compile(r"\bpip3?\b|\bcurl\b|\bwget\b|\bgit clone\b|\bapt(?:-get)?\b|https?://")


def no_network(facts: AttemptFacts) -> bool:
    for step in facts.steps:
        goes_online = GOES_ONLINE.search(code_of(step))
        for output in step.get("outputs") or ():
            is_error = output.get("kind") == OutputKind.ERROR
            text = f"{str(output.get('error_value') or '')[:MAX_VALUE_CHARS]}\n{text_in(output)}"
            if (is_error or goes_online) and has_any(text, NO_NETWORK):
                return True
    return False


# How the model behaved

MAX_NOTE_CHARS = 300  # of a step's note


def has_note(facts: AttemptFacts, begun: str | tuple[str, ...]) -> bool:
    return any(
        str(note)[:MAX_NOTE_CHARS].startswith(begun)
        for step in facts.steps
        for note in step.get("notes") or ()
    )


def call_in_text(facts: AttemptFacts) -> bool:
    return has_note(facts, CALL_NOTES)


def ran_no_code(facts: AttemptFacts) -> bool:
    return bool(facts.steps) and not any(
        code_of(step).strip() or step.get("status") == StepStatus.MALFORMED for step in facts.steps
    )


def no_code(facts: AttemptFacts) -> bool:
    return ran_no_code(facts) and not has_note(facts, CODE_UNCALLED)


NOT_RUN = re.compile(r"more (?:code blocks?|tool calls?) (?:was|were) not run|cut by length")


def format_failure(facts: AttemptFacts) -> bool:
    """A reply that a content filter withheld is not the model's to write otherwise."""
    return any(
        step.get("status") == StepStatus.MALFORMED
        or step.get("finish_reason") == "length"
        or any(NOT_RUN.search(str(note)[:MAX_NOTE_CHARS]) for note in step.get("notes") or ())
        for step in facts.steps
        if step.get("finish_reason") != "content_filter"
    ) or (ran_no_code(facts) and has_note(facts, CODE_UNCALLED))


def premature_stop(facts: AttemptFacts) -> bool:
    if not facts.is_failed or facts.outcome != Outcome.FINISHED:
        return False
    if facts.answer is None:  # a recording that breaks off
        return False
    cells = cells_that_do(facts)
    return bool(cells) and has_failed(cells[-1])


def out_of_turns(facts: AttemptFacts) -> bool:
    return facts.outcome == Outcome.OUT_OF_TURNS


def repeated_error(facts: AttemptFacts) -> bool:
    """Two successive errors with the same words, or a failed cell sent again as it was."""
    raised = [(f.name, normalised(f.value)) for f in failures(facts)]
    if any(a == b for a, b in pairwise(raised)):
        return True
    cells = code_steps(facts)
    return any(
        has_failed(a) and code_of(a).split() == code_of(b).split() for a, b in pairwise(cells)
    )


PASSING = re.compile(r"0x[0-9a-f]+|\d+")


def normalised(message: str) -> str:
    """An error's message without what differs from one time to the next."""
    return PASSING.sub("#", " ".join(message.split()))


def wrong_path(facts: AttemptFacts) -> bool:
    if not absent_input(facts) and any(missing_path(failure) for failure in failures(facts)):
        return True
    if facts.files is None or not facts.is_failed:
        return False
    there = {file.path for file in facts.files}
    others = there - set(facts.expected)
    return any(
        any(is_near(name, other) for other in others) or was_written_elsewhere(name, facts)
        for name in facts.expected
        if name not in there
    )


def is_near(wanted: str, other: str) -> bool:
    """The wanted file under another ending, case or folder."""
    a, b = PurePosixPath(wanted.casefold()), PurePosixPath(other.casefold())
    return a.name == b.name or a.stem == b.stem


def was_written_elsewhere(name: str, facts: AttemptFacts) -> bool:
    base = PurePosixPath(name).name
    return any(
        change.get("kind") == ChangeKind.CREATED
        and str(change.get("path")).rpartition("/")[2] == base
        and str(change.get("path")) != f"output/{name}"
        for step in facts.steps
        for change in step.get("changes") or ()
    )


NOT_IN_INDEX = (
    "not in index",
    "not found in axis",
    "are in the [columns]",
    "are in the [index]",
    "Usecols do not match",
)


def wrong_column(facts: AttemptFacts) -> bool:
    return any(f.name == "KeyError" or has_any(f.value, NOT_IN_INDEX) for f in failures(facts))


# What became of a cell


def was_killed(facts: AttemptFacts, reason: str) -> bool:
    """True if the sandbox said that the kernel is gone for `reason`."""
    return any(
        step.get("status") == StepStatus.KILLED
        and KILLED_NOTICES[reason] in str(step.get("observation") or "")
        for step in facts.steps
    )


def cell_timeout(facts: AttemptFacts) -> bool:
    interrupted = any(step.get("status") == StepStatus.TIMEOUT for step in facts.steps)
    return interrupted or was_killed(facts, "timeout")


def out_of_memory(facts: AttemptFacts) -> bool:
    raised = any(f.name in ("MemoryError", "_ArrayMemoryError") for f in failures(facts))
    return raised or was_killed(facts, "memory")


def kernel_crash(facts: AttemptFacts) -> bool:
    return was_killed(facts, "died")


# What was delivered


def false_success(facts: AttemptFacts) -> bool:
    if not facts.is_failed or facts.files is None or not facts.answer:
        return False
    sizes = {file.path: file.size_bytes for file in facts.files}
    there = [name for name in facts.expected if sizes.get(name)]
    missing = [name for name in facts.expected if not sizes.get(name)]
    return bool(missing) and claims_a_file(facts.answer, there, missing)


def unsupported_number(facts: AttemptFacts) -> bool:
    if not facts.answer or not facts.steps or any(is_cut(step) for step in facts.steps):
        return False  # without steps nobody knows what was seen: files that were made elsewhere
    seen = [facts.query]
    for step in facts.steps:
        seen += [str(step.get("observation") or ""), str(step.get("code") or "")]
    return bool(unsupported_numbers(facts.answer, seen))


def is_cut(step: StepFacts) -> bool:
    """True if the model may have been shown less, or we may know less, than was printed."""
    observation = str(step.get("observation") or "")
    return " cut …]" in observation or any(o.get("cut_chars") for o in step.get("outputs") or ())


def empty_observation(facts: AttemptFacts) -> bool:
    cells = code_steps(facts)
    return bool(cells) and not any(has_failed(step) or shows_anything(step) for step in cells)


def shows_anything(step: StepFacts) -> bool:
    return any(
        str(output.get("text") or "").strip() or output.get("data")
        for output in step.get("outputs") or ()
        if output.get("kind") != OutputKind.NOTICE
    )


def placeholder_output(facts: AttemptFacts) -> bool:
    if not facts.is_failed:
        return False
    copies = set((facts.given or {}).values()) - {""}
    return any(
        file.is_placeholder or (file.sha256 in copies and file.size_bytes > 0)
        for file in facts.files or ()
        if file.path in facts.expected
    )


def input_modified(facts: AttemptFacts) -> bool:
    return any(
        str(change.get("path")).startswith("data/")
        and str(change.get("path")).removeprefix("data/") in facts.inputs
        and change.get("kind") in (ChangeKind.CHANGED, ChangeKind.DELETED)
        for step in facts.steps
        for change in step.get("changes") or ()
    )


def failed_on_content(facts: AttemptFacts) -> Iterator[tuple[str, str]]:
    """Expected and actual of the failed assertions about something that is there."""
    sizes = {file.path: file.size_bytes for file in facts.files or ()}
    for assertion in facts.assertions:
        if assertion.get("passed") or not facts.is_failed:
            continue
        file = str(assertion.get("file") or "")
        is_there = bool(sizes.get(file)) if file else bool(facts.answer)
        expected, actual = str(assertion.get("expected") or ""), str(assertion.get("actual") or "")
        if not is_there or not expected or actual in (*ABSENT, expected):
            continue
        if file or not is_whole_answer(actual, facts) or states_a_value(actual, expected):
            yield expected, actual


ABSENT = ("", "missing", "not found", "none", "no answer")  # as checks say that nothing is there


def is_whole_answer(actual: str, facts: AttemptFacts) -> bool:
    """True if a check shows the answer, or its beginning, and not a value that it read there."""
    return " ".join(str(facts.answer).split()).startswith(" ".join(actual.split()))


def wrong_value(facts: AttemptFacts) -> bool:
    return any(not is_same_but_for_presentation(*pair) for pair in failed_on_content(facts))


def presentation_error(facts: AttemptFacts) -> bool:
    return any(is_same_but_for_presentation(*pair) for pair in failed_on_content(facts))


def late_self_correction(facts: AttemptFacts) -> bool:
    if not facts.passed or facts.is_void:
        return False
    cells = cells_that_do(facts)
    return any(has_failed(step) for step in cells) and not has_failed(cells[-1])
