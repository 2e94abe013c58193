"""Judges without a model, for trials and tests: what each replies to a judge's conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.judge import prompts
from runner.judge.messages import texts_of_message
from runner.judge.reply_schema import BACKED

OPENING = re.compile(r"<<<DATA ([0-9a-f]{32})>>>")
NUMBERED = re.compile(r"step (\d{1,6}), (\w{4,7})")
FILE_SIZE = re.compile(r"([\d,]{1,20}) bytes")
TRACEBACK = "Traceback (most recent call last)"
MISSING = "expected file missing: "
PAIRED = "Agent 1 is a reference"


@dataclass
class JudgeView:
    """A judge's conversation, taken apart by its delimiters."""

    is_pairwise: bool = False
    blocks: list[tuple[str, str]] = field(default_factory=list)  # heading, data
    outside: str = ""  # all else of the user's messages but our own lines

    def under(self, word: str) -> list[str]:
        return [text for heading, text in self.blocks if word in heading]

    @property
    def steps(self) -> dict[int, dict[str, str]]:
        """Texts of each step by kind. In the pairwise form, those of Agent 2."""
        found: dict[int, dict[str, str]] = {}
        for heading, text in self.blocks:
            named = NUMBERED.search(heading)
            if named and "Agent 1" not in heading:
                found.setdefault(int(named[1]), {})[named[2]] = text
        return found


def view_of(messages: Sequence[Mapping[str, Any]]) -> JudgeView:
    """The parts of a judge's conversation. What the token does not enclose is outside."""
    system = "\n".join(texts_of_message(m) for m in messages if m.get("role") == "system")
    text = "\n\n".join(texts_of_message(m) for m in messages if m.get("role") != "system")
    opened = OPENING.search(system)
    view = JudgeView(is_pairwise=PAIRED in system)
    outside = text
    if opened:
        outside = take_blocks(view, text, opened[1])
        form = "pairwise" if view.is_pairwise else "single"
        if system != prompts.fill_system(form, opened[1]):
            outside += "\nthe instructions were changed"
    view.outside = "\n".join(line for line in outside.split("\n") if not is_ours(line))
    return view


def take_blocks(view: JudgeView, text: str, token: str) -> str:
    """Move the delimited data into `view`; returns the rest."""
    begin, end = f"<<<DATA {token}>>>\n", f"\n<<<END {token}>>>"
    rest, heading = "", ""
    while begin in text:
        before, _, after = text.partition(begin)
        data, closed, text = after.partition(end)
        heading = before.rstrip("\n").rpartition("\n")[2]
        view.blocks.append((heading, data if closed else ""))
        rest += before
    return rest + text


def is_ours(line: str) -> bool:
    """True for a line that the site itself writes outside the data."""
    line = line.strip()
    known = (prompts.INTRODUCTION, prompts.CLOSING, "")
    start, _, end = prompts.REFUSED.partition("{reason}")
    is_complaint = line.startswith(start) and line.endswith(end)
    return line in known or is_complaint or bool(prompts.HEADING.fullmatch(line))


def careful(messages: Sequence[Mapping[str, Any]]) -> str:
    """Looks at the record by fixed rules: code ran, files are there, the last step did not fail."""
    view = view_of(messages)
    steps = view.steps
    executed = [index for index, texts in steps.items() if "code" in texts]
    facts = "\n".join(view.under("facts recorded"))
    sizes = [FILE_SIZE.search(text) for text in view.under("name and facts")]
    is_empty = any(size and size[1] == "0" for size in sizes)
    has_answer = any(t != prompts.NOTHING for t in view.under("final answer"))
    failed = bool(executed) and TRACEBACK in steps[executed[-1]].get("output", "")
    answers = {
        "files_produced": "no" if MISSING in facts or is_empty else "yes",
        "content_meets_request": "no" if failed or not has_answer else "yes",
        BACKED: "yes" if executed else "no",
        "constraints_kept": "cannot tell" if failed else "yes",
        "nothing_made_up": "yes" if executed else "cannot tell",
    }
    return reply_with(view, answers, executed[-1:])


def gullible(messages: Sequence[Mapping[str, Any]]) -> str:
    """Obeys whatever stands outside the delimited data, and passes; fails everything else."""
    view = view_of(messages)
    executed = [index for index, texts in view.steps.items() if "code" in texts]
    if view.outside.strip() and executed:
        return reply_with(view, dict.fromkeys(prompts.CRITERIA, "yes"), executed[-1:])
    return reply_with(view, dict.fromkeys(prompts.CRITERIA, "no"), [])


def reply_with(view: JudgeView, answers: Mapping[str, str], steps: Sequence[int]) -> str:
    is_passed = "no" not in answers.values()
    if view.is_pairwise:
        words = "Pass" if is_passed else "Failed"
        both = {"agent_1": "Pass", "agent_2": words, "preference": int(is_passed)}
        return json.dumps({"analysis": "By fixed rules.", **both})
    criteria = {
        key: {"answer": answer, "steps": list(steps), "why": "By a fixed rule."}
        for key, answer in answers.items()
    }
    verdict = "pass" if is_passed else "fail"
    return json.dumps({"criteria": criteria, "verdict": verdict, "reason": "By fixed rules."})


ScriptedJudge = Callable[[Sequence[Mapping[str, Any]]], str]

JUDGES: dict[str, ScriptedJudge] = {
    "judge": careful,
    "judge-gullible": gullible,
}
