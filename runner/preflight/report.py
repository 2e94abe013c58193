"""Report of a preflight: each check in a sentence, with what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from statistics import fmean
from typing import Any

from runner.contract import (
    CALL_IN_REASONING,
    CALL_NOTES,
    CALL_UNREAD,
    CODE_UNCALLED,
    EndpointSpec,
    Problem,
    Step,
    StepStatus,
)
from runner.endpoint import errors
from runner.model.calls_in_text import advise
from runner.model.reply import CUT, WITHHELD
from runner.preflight.look import EndpointLook

ENOUGH_CONTEXT = 16_384  # tokens; each of ten steps can add an output of 16,000 characters


class State(StrEnum):
    """Result of a check. A failed one means that a run cannot succeed."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNSEEN = "unseen"  # time ran out first


@dataclass(frozen=True)
class Check:
    """One thing that was looked at, in a sentence."""

    name: str  # "reachable"
    title: str
    state: State
    said: str
    next_step: str = ""


REPLY_S = 7.0  # for one reply, with retries
PATIENCE = "A run waits up to 15 minutes for each reply; queue it if the model is just slow."
TOO_SLOW = ("endpoint_timeout", "endpoint_slow")
DENIED = (
    "endpoint_unauthorised",
    "endpoint_forbidden",
    "endpoint_no_quota",
    "endpoint_bad_key",
)
UNREACHED = (
    "endpoint_unreachable",
    "endpoint_unresolved",
    "endpoint_not_http",
    "endpoint_bad_url",
    "address_not_public",
    "url_scheme",
    "url_port",
    "url_host",
)


@dataclass(frozen=True)
class Measures:
    """Cost of a tiny task. `None` where the endpoint did not say."""

    turns: int = 0  # mean
    prompt_tokens: int | None = None  # of the first request
    completion_tokens: int | None = None  # mean of a reply
    reply_s: float | None = None  # mean


@dataclass(frozen=True)
class Report:
    """Every check, and what was measured on the way."""

    checks: tuple[Check, ...]
    measures: Measures
    took_s: float
    listed: tuple[str, ...] = ()  # names of the endpoint's models, as far as they can be shown

    @property
    def is_usable(self) -> bool:
        """True if a run could succeed."""
        return all(check.state is not State.FAILED for check in self.checks)


def access(spec: EndpointSpec, problem: Problem) -> list[Check]:
    """The checks of an endpoint that could not even be asked."""
    if problem.code in DENIED:
        return [
            Check("reachable", "Reachable", State.OK, f"{errors.place(spec)} answers."),
            failed("authorised", "Authorised", problem),
        ]
    return [failed("reachable", "Reachable", problem)]


def failed(name: str, title: str, problem: Problem) -> Check:
    return Check(name, title, State.FAILED, problem.what, problem.next_step)


def judge(
    spec: EndpointSpec,
    listed: frozenset[str] | None,
    look: EndpointLook,
    has_kernel: bool,
) -> list[Check]:
    """Judge the list of models and the tiny tasks, in the order of a reader's questions."""
    problem = find_refusal(look)
    if problem is not None and problem.code in (*DENIED, *UNREACHED):
        return access(spec, problem)
    if not has_kernel:
        return [*access_ok(spec, look), known(spec, listed, look), no_kernel()]
    checks = access_ok(spec, look)
    if problem is not None and problem.code == "endpoint_unknown_model":
        return [*checks, unknown(spec, listed, problem)]
    checks.append(known(spec, listed, look))
    if problem is not None and not look.steps:
        return [*checks, reply_check(problem)]
    if look.context_tokens is not None:
        checks.append(context(look.context_tokens))
    if look.left_out:
        checks.append(left_out(look))
    checks += [streaming(spec, look), action_format(spec, look), interpreter(look)]
    if look.cut_off:
        checks.append(cut_off(look))
    return [*checks, some_refused(look, problem)] if problem is not None else checks


def find_refusal(look: EndpointLook) -> Problem | None:
    """The endpoint's failure that says most: one that no run would survive comes first."""
    problems = [play.refusal for play in look.plays if play.refusal is not None]
    final = (*DENIED, *UNREACHED, "endpoint_unknown_model")
    problems.sort(key=lambda problem: (problem.code not in final, problem.code in TOO_SLOW))
    # Replies that came make a refusal passing: those of the same endpoint, at the same time.
    return problems[0] if problems else None


def context(tokens: int) -> Check:
    """Check the stated context: a conversation beyond it ends an attempt."""
    said = f"The endpoint states a context of {tokens:,} tokens."
    if tokens >= ENOUGH_CONTEXT:
        return Check("context", "Context", State.OK, said)
    advice = f"Attempts can need more than {ENOUGH_CONTEXT:,}: give the server a larger context."
    return Check("context", "Context", State.WARNING, said, advice)


def left_out(look: EndpointLook) -> Check:
    said = f"The endpoint refuses {' and '.join(look.left_out)}; requests go without."
    advice = "Nothing needs to be done: a run does the same."
    return Check("left_out", "Left out", State.OK, said, advice)


def reply_check(problem: Problem) -> Check:
    """Advice about an endpoint that never replied; a busy one may be better in a moment."""
    if problem.code in TOO_SLOW:
        said = f"Not seen: no reply was complete after {REPLY_S:.0f} s."
        return Check("reply", "Replies", State.UNSEEN, said, PATIENCE)
    is_passing = problem.code in ("endpoint_rate_limited", "endpoint_server_error")
    state = State.WARNING if is_passing else State.FAILED
    return Check("reply", "Replies", state, problem.what, problem.next_step)


def some_refused(look: EndpointLook, problem: Problem) -> Check:
    """The check of an endpoint that replied to some of the tiny tasks and failed at others."""
    name, title = "together", "Three at once"
    refused = [play for play in look.plays if play.refusal is not None]
    if problem.code in TOO_SLOW:
        said = f"{len(refused)} of {len(look.plays)} had a reply that took over {REPLY_S:.0f} s."
        return Check(name, title, State.UNSEEN, said, PATIENCE)
    said = f"{len(refused)} of {len(look.plays)} started together failed: {problem.what}"
    advice = "Choose fewer attempts in parallel; a run also slows down by itself."
    return Check(name, title, State.WARNING, said, advice)


def cut_off(look: EndpointLook) -> Check:
    """The check of an endpoint that ends a reply as soon as something else is asked."""
    said = f"All {look.cut_off} started together were cut off, so one was tried alone."
    advice = "A run notices, and then sends one request at a time: choose one attempt in parallel."
    return Check("together", "Three at once", State.WARNING, said, advice)


def access_ok(spec: EndpointSpec, look: EndpointLook) -> list[Check]:
    where = errors.place(spec)
    if not look.has_answered:
        said = f"Nothing came from {where} in time."
        advice = "Check that the server is up; a run waits up to 15 minutes for each reply."
        return [Check("reachable", "Reachable", State.WARNING, said, advice)]
    checks = [Check("reachable", "Reachable", State.OK, f"{where} answers.")]
    if look.is_streamed is None:
        said = "Not seen: no reply came, and a list of models may be open to anybody."
        return [*checks, Check("authorised", "Authorised", State.UNSEEN, said)]
    key = "The key was accepted." if spec.api_key else "No key was needed."
    return [*checks, Check("authorised", "Authorised", State.OK, key)]


def known(spec: EndpointSpec, listed: frozenset[str] | None, look: EndpointLook) -> Check:
    title = "Model known"
    if listed and spec.model in listed:
        return Check("model", title, State.OK, f"It lists “{spec.model}”.")
    if look.steps:
        said = "It is not among the models listed, but replies." if listed else "It replies."
        return Check("model", title, State.OK, said)
    if listed:
        return Check(
            "model",
            title,
            State.WARNING,
            f"“{spec.model}” is not among the {len(listed)} models that the endpoint lists.",
            suggest(spec.model, listed),
        )
    return Check("model", title, State.SKIPPED, "The endpoint lists no models.")


def unknown(spec: EndpointSpec, listed: frozenset[str] | None, problem: Problem) -> Check:
    """The check of a model that the endpoint does not have."""
    advice = f"{problem.next_step} {suggest(spec.model, listed or ())}".strip()
    return Check("model", "Model known", State.FAILED, problem.what, advice)


def suggest(model: str, listed: Collection[str]) -> str:
    """The names of the list that are nearest to `model`, else some of them, in a sentence."""
    if nearest := find_nearest(model, listed):
        return f"Did you mean {' or '.join(f'“{name}”' for name in nearest)}?"
    names = list_readable(listed)
    return f"It lists {some(names)}." if names else ""


def judge_list(spec: EndpointSpec, look: EndpointLook) -> list[Check]:
    """The checks where the endpoint was asked for its models alone."""
    title, listed = "List of models", look.listed or ()
    names = list_readable(listed)
    if names:
        said = f"It lists {len(listed)} model{'' if len(listed) == 1 else 's'}."
        return [*access_ok(spec, look), Check("models", title, State.OK, said)]
    said = "The endpoint lists no models."
    advice = "Enter the model's name as its documentation spells it."
    return [*access_ok(spec, look), Check("models", title, State.WARNING, said, advice)]


def some(names: Sequence[str]) -> str:
    shown = ", ".join(name[:60] for name in names[:5])
    return f"{shown} …" if len(names) > 5 else shown


def streaming(spec: EndpointSpec, look: EndpointLook) -> Check:
    title = "Streaming"
    if not spec.stream:
        return Check("streaming", title, State.SKIPPED, "The request is for whole replies.")
    if look.is_streamed:
        return Check("streaming", title, State.OK, "Replies come as a stream.")
    if look.is_streamed is None:
        return Check("streaming", title, State.UNSEEN, "Not seen: no reply came in time.")
    return Check(
        "streaming",
        title,
        State.WARNING,
        "Replies come whole although the request is for a stream.",
        "That works, but proxies in between can cut off very long replies.",
    )


def action_format(spec: EndpointSpec, look: EndpointLook) -> Check:
    """Check that the model hands over code as agreed, on its first reply that was read."""
    name, title, words = "format", "Action format", spec.action_format.value
    if not look.steps:
        return Check(
            name,
            title,
            State.UNSEEN,
            "Not seen: no reply was complete in time.",
            PATIENCE,
        )
    if note := note_of_calls_in_text(look):
        place = "reasoning" if note.startswith(CALL_IN_REASONING) else "text"
        is_unread = note.startswith(CALL_UNREAD)
        what = "The first cannot be read." if is_unread else "A run reads them from there."
        said = f"The server leaves tool calls in the {place} of replies. {what}"
        return Check(name, title, State.WARNING, said, advise(note.partition("(")[2].rstrip(")")))
    if any(step.code is not None for step in look.steps):
        return Check(name, title, State.OK, f"The model sends code in the format “{words}”.")
    first = look.steps[0]
    if CUT in first.notes:
        said = "The first reply was cut at the limit of tokens."
        advice = "Raise the tokens per reply, or the limit that the server has for them."
        return Check(name, title, State.WARNING, said, advice)
    if WITHHELD in first.notes:
        said = "The endpoint's content filter withheld the first reply, or a part of it."
        advice = "Switch the filter off for this model, or use an endpoint without one."
        return Check(name, title, State.WARNING, said, advice)
    if not first.reply.strip():
        return empty_reply(first)
    said = (
        "The model's code could not be read"
        if first.status is StepStatus.MALFORMED
        else "The model wrote code without a call of the tool"
        if any(note.startswith(CODE_UNCALLED) for note in first.notes)
        else "The model answered without running any code"
    )
    return Check(
        name,
        title,
        State.WARNING,
        f"{said} in the format “{words}”.",
        "Choose another action format, or expect a low score.",
    )


def empty_reply(step: Step) -> Check:
    """The check of a reply without text and calls, which no action format would help."""
    said = "The first reply held reasoning alone." if step.thought else "The first reply was empty."
    advice = "Look into the server's log: its chat template or its limit of tokens may be wrong."
    return Check("format", "Action format", State.WARNING, said, advice)


def note_of_calls_in_text(look: EndpointLook) -> str:
    """The first note of calls that the server left in the text; "" where it left none."""
    for step in look.steps:
        for note in step.notes:
            if note.startswith(CALL_NOTES):
                return note
    return ""


def interpreter(look: EndpointLook) -> Check:
    """Check that the tiny tasks were solved in real kernels; those not seen are no failures."""
    name, title, plays = "task", "Tiny tasks", look.plays
    solved = sum(play.is_solved for play in plays)
    # A failure of the endpoint's says nothing about the model.
    unsolved = sum(play.is_seen and not play.is_solved and not play.refusal for play in plays)
    unseen = len(plays) - solved - unsolved
    if not solved and not unsolved:
        said = f"Not seen: time ran out before any of {len(plays)} was done."
        return Check(name, title, State.UNSEEN, said, PATIENCE)
    rest = f" {unseen} not seen to the end in time." if unseen else ""
    if not unsolved:
        count = f"all {solved}" if solved == len(plays) > 1 else f"{solved} of {len(plays)}"
        said = f"Passed {count} in real kernels with {len(look.steps)} replies.{rest}"
        return Check(name, title, State.OK, said)
    said = f"{unsolved} of {len(plays)} ended without the expected file.{rest}"
    advice = "The run can be queued, but expect a low score."
    return Check(name, title, State.WARNING, said, advice)


def no_kernel() -> Check:
    return Check(
        "task",
        "Tiny tasks",
        State.SKIPPED,
        "No sandbox was free on our side, so the model was not tried.",
        "You can queue the run; if this persists, tell the maintainers.",
    )


def measure(look: EndpointLook) -> Measures:
    """Measures over all tiny tasks; three short conversations vary less than one."""
    if not (steps := look.steps):
        return Measures()
    said = [s.usage.completion_tokens for s in steps if s.usage.completion_tokens is not None]
    played = [play for play in look.plays if play.is_seen] or [p for p in look.plays if p.steps]
    return Measures(
        turns=round(fmean(len(play.steps) for play in played)),
        prompt_tokens=steps[0].usage.prompt_tokens,
        completion_tokens=round(fmean(said)) if said else None,
        reply_s=round(fmean(step.model_s for step in steps), 3),
    )


def as_json(report: Report) -> dict[str, Any]:
    """The report as it is stored; it never held the key."""
    checks = [{**asdict(check), "state": check.state.value} for check in report.checks]
    return {
        "checks": checks,
        "measures": asdict(report.measures),
        "took_s": round(report.took_s, 3),
        "is_usable": report.is_usable,
        "listed": list(report.listed),
    }


MOST_KEPT = 500  # of a list, in the report
MOST_CHARS = 200  # a longer name is not kept
MOST_COMPARED = 30  # in full; a comparison grows with the square of the names' length
NEAREST = 3
ALIKE = 0.5  # at least, of 1
LEAST_PART = 3  # characters of a name that are looked for within another


def list_readable(names: Iterable[str]) -> tuple[str, ...]:
    """The names that can be shown and sent as they are, sorted; the first 500.

    Left out: long ones, and ones with control, direction or other invisible characters.
    """
    fit = {name for name in names if name.strip() and len(name) <= MOST_CHARS}
    return tuple(sorted(name for name in fit if name.isprintable())[:MOST_KEPT])


def find_nearest(wanted: str, names: Iterable[str]) -> tuple[str, ...]:
    """Up to three readable names that are spelt almost like `wanted`, nearest first."""
    wanted = wanted.casefold()[:MOST_CHARS]
    matcher = SequenceMatcher(b=wanted, autojunk=False)

    def likeness(name: str, is_exact: bool) -> float:
        folded = name.casefold()
        shorter, longer = sorted((wanted, folded), key=len)
        if len(shorter) >= LEAST_PART and shorter in longer:
            return 1 + len(shorter) / len(longer)
        matcher.set_seq1(folded)
        return matcher.ratio() if is_exact else matcher.quick_ratio()

    rough = sorted(list_readable(names), key=lambda name: -likeness(name, False))[:MOST_COMPARED]
    ranked = sorted(((likeness(name, True), name) for name in rough), key=lambda item: -item[0])
    return tuple(name for score, name in ranked[:NEAREST] if score >= ALIKE)
