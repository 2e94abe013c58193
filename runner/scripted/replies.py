"""Endpoints without a model: what each scripted model replies to a conversation (pure)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.preflight.tiny_task import TINY_TASKS
from runner.scripted.floor_agents import FILE_FLOORS, FLOORS
from runner.suite.placeholders import PLACEHOLDER, fill, filled_answer
from runner.suite.reader import Solution, Suite, SuiteTask

Message = Mapping[str, Any]

OPENINGS = (
    "I look at what I was given before I decide anything.",
    "Now that I know the shape of it, the next step.",
    "That looks right so far; I go on.",
    "One more step, then I check what I wrote.",
)


@dataclass(frozen=True)
class ScriptedReply:
    """Reply of a scripted model: prose, and the code it wants to run, if any."""

    text: str
    code: str | None = None


@dataclass(frozen=True)
class ScriptedConversation:
    """Messages sent to the endpoint, reduced to what a scripted model looks at."""

    messages: Sequence[Message]
    task: SuiteTask
    parameters: Mapping[str, str]

    @property
    def turn(self) -> int:
        """Number of replies given so far."""
        return sum(m.get("role") == "assistant" for m in self.messages)

    @property
    def observations(self) -> list[str]:
        """Observations from the interpreter, oldest first."""
        first = next(i for i, m in enumerate(self.messages) if m.get("role") == "user")
        later = self.messages[first + 1 :]
        return [text_of(m) for m in later if m.get("role") in ("user", "tool")]


Player = Callable[[ScriptedConversation], ScriptedReply]


def text_of(message: Message) -> str:
    """The text of a message whose content is a string or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(p["text"] for p in content if isinstance(p, dict) and "text" in p)
    return content if isinstance(content, str) else ""


def query_pattern(query: str) -> re.Pattern[str]:
    """A pattern that finds a filled-in query and catches what its placeholders became."""
    parts = PLACEHOLDER.split(query)
    seen: set[str] = set()
    pattern = ""
    for index, part in enumerate(parts):
        if index % 2 == 0:
            pattern += re.escape(part)
        elif part in seen:
            pattern += f"(?P={part})"
        else:
            seen.add(part)
            pattern += f"(?P<{part}>.+?)"
    return re.compile(pattern + r"(?=\s|$)", re.DOTALL)


@dataclass
class Catalogue:
    """The tasks that scripted models know, found again by their query."""

    suites: Iterable[Suite]
    patterns: list[tuple[re.Pattern[str], SuiteTask]] = field(init=False)

    def __post_init__(self) -> None:
        tiny = (task.suite_task for task in TINY_TASKS)
        tasks = [*tiny, *(task for suite in self.suites for task in suite.tasks)]
        tasks.sort(key=lambda task: -len(task.spec.query))
        self.patterns = [(query_pattern(task.spec.query), task) for task in tasks]

    def recognise(self, messages: Sequence[Message]) -> ScriptedConversation | None:
        """The conversation with its task, or None when no known query is in it."""
        asked = "\n".join(text_of(m) for m in messages if m.get("role") == "user")
        for pattern, task in self.patterns:
            if found := pattern.search(asked):
                return ScriptedConversation(messages, task, found.groupdict())
        return None


def play_solution(solution: Solution, talk: ScriptedConversation, turn: int) -> ScriptedReply:
    """The solution's cell for this turn (from 0), or its answer when all cells were sent."""
    if turn < len(solution.cells):
        prose = OPENINGS[min(turn, len(OPENINGS) - 1)]
        return ScriptedReply(prose, fill(solution.cells[turn], talk.parameters))
    return ScriptedReply(filled_answer(solution, talk.parameters, "\n".join(talk.observations)))


def reference(talk: ScriptedConversation) -> ScriptedReply:
    """Plays the task's reference solution."""
    return play_solution(talk.task.reference, talk, talk.turn)


def floor(make: Callable[[SuiteTask], Solution]) -> Player:
    """A floor agent as a player: what it sends depends on the task alone."""

    def play(talk: ScriptedConversation) -> ScriptedReply:
        return play_solution(make(talk.task), talk, talk.turn)

    return play


def clumsy(talk: ScriptedConversation) -> ScriptedReply:
    """Errs, reads the traceback and recovers; on some tasks it does not.

    What it does with a task follows from the task's key alone, so a run can be repeated: of twelve
    fates seven recover, three give a wrong solution after the error, two make the same mistake
    until the turns are over.
    """
    fate = hashlib.sha256(talk.task.spec.key.encode()).digest()[0] % 12
    told = talk.observations[-1] if talk.observations else ""
    mistake = stumble(fill(talk.task.reference.cells[0], talk.parameters))
    if talk.turn == 0:
        return ScriptedReply("This looks simple, I go straight at it.", mistake)
    if fate >= 10:
        return ScriptedReply("That should have worked. I try it again.", mistake)
    solution = talk.task.reference if fate < 7 else talk.task.wrong[0]
    if talk.turn == 1:
        said = next((s for s in reversed(told.splitlines()) if s.strip()), "nothing").strip()
        prose = f"The interpreter says: {said[:200]} — my mistake, I correct it."
        return ScriptedReply(prose, fill(solution.cells[0], talk.parameters))
    return play_solution(solution, talk, talk.turn - 1)


def stumble(cell: str) -> str:
    """The cell with a slip in it that raises when it is run."""
    if "./data/" in cell:
        return cell.replace("./data/", "./dta/")
    return "result = compute_answer()  # written from memory\n" + cell


PLAYERS: dict[str, Player] = {
    "reference": reference,
    "clumsy": clumsy,
    **{name: floor(make) for name, make in {**FLOORS, **FILE_FLOORS}.items()},
}

DESCRIPTIONS = {
    "reference": "Plays each task's reference solution: what full marks look like.",
    "silent": "Never writes code and says nothing of substance.",
    "empty-file": "Creates the asked-for files, empty.",
    "keyword-stuffer": "Never writes code; its answer recites the query's words and many numbers.",
    "confident-liar": "Claims that everything is saved and writes nothing.",
    "junk-file": "Creates the asked-for files: of the right kind, with nothing of use in them.",
    "copy-the-input": "Hands the input files back under the asked-for names.",
    "stuffer-with-junk": "Creates junk files and recites the query's words and many numbers.",
    "keyword-salad": "Never writes code; recites names that such questions often ask for.",
    "clumsy": "Errs first, reads the traceback and mends it; on some tasks it does not.",
}


class Recorded:
    """Replays recorded conversations: the k-th reply to a query is the k-th recorded one."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.replies: dict[str, list[str]] = {}
        for row in rows:
            said = [text_of(m) for m in row["messages"] if m["role"] == "assistant"]
            self.replies[str(row["user"]).strip()] = said

    def reply(self, messages: Sequence[Message]) -> ScriptedReply | None:
        """The recorded reply, a closing word after the last one, None for an unknown query."""
        asked = [text_of(m) for m in messages if m.get("role") == "user"]
        turn = sum(m.get("role") == "assistant" for m in messages)
        for text in asked:
            for query in (text.strip(), *(q for q in self.replies if q in text)):
                if query in self.replies:
                    said = self.replies[query]
                    return ScriptedReply(said[turn] if turn < len(said) else "Finished.")
        return None
