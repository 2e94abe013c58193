"""Failure tags: what went wrong in an attempt, derived from its stored facts alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leaderboard.failures import rules
from leaderboard.failures.facts import AttemptFacts, FileFacts

__all__ = ["BY_KEY", "TAGS", "TAGS_VERSION", "AttemptFacts", "FileFacts", "Tag", "tags_of"]

TAGS_VERSION = 6  # raise it when any rule gives another answer


@dataclass(frozen=True)
class Tag:
    """One kind of failure. `applies` decides it from the facts."""

    key: str
    title: str
    meaning: str  # one sentence
    applies: Callable[[AttemptFacts], bool]
    is_infrastructure: bool = False  # says nothing of the model
    is_positive: bool = False

    @property
    def found_in(self) -> str:
        """The state by which a search finds the attempts that have it."""
        return "passed" if self.is_positive else "not-passed"


def tags_of(facts: AttemptFacts) -> tuple[str, ...]:
    """The keys of the tags that apply, the primary one first.

    A void attempt says nothing about the model and gets the infrastructure's tags only.
    """
    return tuple(
        tag.key
        for tag in TAGS
        if (tag.is_infrastructure or not facts.is_void) and tag.applies(facts)
    )


TAGS: tuple[Tag, ...] = (
    Tag(
        "infra-endpoint",
        "infra: model API",
        "The endpoint did not answer after retries, so the attempt did not count.",
        rules.lost_endpoint,
        is_infrastructure=True,
    ),
    Tag(
        "infra-kernel",
        "infra: kernel",
        "The kernel or the worker was lost through our fault, so the attempt did not count.",
        rules.lost_kernel,
        is_infrastructure=True,
    ),
    Tag(
        "infra-environment",
        "infra: broken environment",
        "An import failed inside an installed package, not at a name that the cell imports.",
        rules.broken_environment,
        is_infrastructure=True,
    ),
    Tag(
        "infra-input",
        "infra: missing input",
        "A file that the task mentions was not in ./data.",
        rules.absent_input,
        is_infrastructure=True,
    ),
    Tag(
        "package-missing",
        "package missing",
        "A cell imported a package that is not installed.",
        rules.missing_package,
    ),
    Tag("no-network", "no network", "A cell tried to reach the network.", rules.no_network),
    Tag(
        "call-in-text",
        "call left in text",
        "The server left a tool call in a reply's text or reasoning: it was run from there, or "
        "could not be.",
        rules.call_in_text,
    ),
    Tag("no-code", "no code", "No reply contained any code.", rules.no_code),
    Tag(
        "format",
        "format failure",
        "A reply's code could not be read or was not all run: unclosed or wrong fence, several "
        "blocks, no call of the tool, or cut at the length limit.",
        rules.format_failure,
    ),
    Tag(
        "premature-stop",
        "premature stop",
        "It failed, and the last cell before the answer had failed.",
        rules.premature_stop,
    ),
    Tag(
        "out-of-turns", "out of steps", "The step limit came before an answer.", rules.out_of_turns
    ),
    Tag(
        "repeated-error",
        "repeated error",
        "Two successive errors have the same exception and message, numbers aside, or a failed "
        "cell was sent again unchanged.",
        rules.repeated_error,
    ),
    Tag(
        "wrong-path",
        "wrong path or name",
        "A cell opened a path that does not exist, or an expected file lies under another name "
        "or in another folder.",
        rules.wrong_path,
    ),
    Tag(
        "wrong-column",
        "wrong column or schema",
        "A cell looked up a key that the table or mapping does not have.",
        rules.wrong_column,
    ),
    Tag("cell-timeout", "cell timeout", "A cell reached its time limit.", rules.cell_timeout),
    Tag(
        "out-of-memory",
        "out of memory",
        "A cell exceeded its memory limit.",
        rules.out_of_memory,
    ),
    Tag("kernel-crash", "kernel crash", "A cell ended its own kernel.", rules.kernel_crash),
    Tag(
        "false-success",
        "false success",
        "It failed: the answer says that files were saved, and an expected one is absent or empty.",
        rules.false_success,
    ),
    Tag(
        "unsupported-number",
        "unsupported number",
        "The answer states a number that neither the query nor any code or output shows, "
        "rounding allowed.",
        rules.unsupported_number,
    ),
    Tag(
        "empty-observation",
        "empty observation",
        "No cell printed, returned or showed anything: the model never saw what its code did.",
        rules.empty_observation,
    ),
    Tag(
        "placeholder",
        "placeholder output",
        "It failed, and an expected file is a blank picture, a table of one value, or an input "
        "copied unchanged.",
        rules.placeholder_output,
    ),
    Tag(
        "input-modified",
        "input modified",
        "A cell changed or deleted a file in ./data.",
        rules.input_modified,
    ),
    Tag(
        "wrong-value",
        "wrong value",
        "It failed: a requested item exists but has the wrong value.",
        rules.wrong_value,
    ),
    Tag(
        "presentation",
        "formatting only",
        "It failed on a value that is right once separators, units and case are set aside.",
        rules.presentation_error,
    ),
    Tag(
        "self-correction",
        "late self-correction",
        "A cell failed, a later cell fixed it, and the attempt passed.",
        rules.late_self_correction,
        is_positive=True,
    ),
)
BY_KEY: Mapping[str, Tag] = {tag.key: tag for tag in TAGS}
