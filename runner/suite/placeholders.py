"""Filling the «name» placeholders of a solution with what an agent could know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runner.suite.task_file import Solution

PLACEHOLDER = re.compile(r"«(\w+)»")
PRINTED = re.compile(r"^[ \t]*(\w+): (.+?)[ \t]*$", re.MULTILINE)


def fill(text: str, values: Mapping[str, object]) -> str:
    """`text` with each «name» replaced by its value; unknown names stay as they are."""
    return PLACEHOLDER.sub(lambda m: str(values.get(m[1], m[0])), text)


def fixed_parts(query: str) -> tuple[str, ...]:
    """The texts between the placeholders of an unfilled query: one more than these."""
    return tuple(PLACEHOLDER.split(query)[::2])


def is_filled_in(parts: Sequence[str], text: str) -> bool:
    """True if `text` is these parts in order, with anything between them."""
    first, *middle = parts
    if not middle:
        return text == first
    last = middle.pop()
    if not (text.startswith(first) and text.endswith(last)):
        return False
    position, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return position <= end


def visible_parameters(query: str, parameters: Mapping[str, object]) -> dict[str, object]:
    """The parameters that the (unfilled) query tells the agent."""
    names = set(PLACEHOLDER.findall(query))
    return {name: value for name, value in parameters.items() if name in names}


def printed_values(observations: str) -> dict[str, str]:
    """The last `name: value` line of each name that the solution itself printed."""
    return {match[1]: match[2] for match in PRINTED.finditer(observations)}


def filled_cells(solution: Solution, visible: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(fill(cell, visible) for cell in solution.cells)


def filled_answer(solution: Solution, visible: Mapping[str, object], observations: str) -> str:
    """The final answer: the query's parameters first, other names from what was printed."""
    return fill(solution.answer, {**printed_values(observations), **visible})


def unfilled_names(text: str) -> list[str]:
    """The placeholders that nothing filled: a mistake of the task's author."""
    return PLACEHOLDER.findall(text)
