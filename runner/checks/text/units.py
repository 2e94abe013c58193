"""Units behind an answer's numbers: a right number in another unit is another value."""

from __future__ import annotations

import re

from runner.checks.case import Case
from runner.checks.text.reading import folded, numbers_in

KINDS = (  # spellings of each unit, by kind
    {
        "mg": ("mg", "milligram", "milligrams", "毫克"),
        "g": ("g", "gram", "grams", "gramme", "grammes", "克"),
        "kg": ("kg", "kilo", "kilos", "kilogram", "kilograms", "公斤", "千克"),
        "t": ("t", "ton", "tons", "tonne", "tonnes", "吨"),
    },
    {
        "ms": ("ms", "millisecond", "milliseconds", "毫秒"),
        "s": ("s", "sec", "secs", "second", "seconds", "秒", "秒钟"),
        "min": ("min", "mins", "minute", "minutes", "分钟", "分"),
        "h": ("h", "hr", "hrs", "hour", "hours", "小时", "个小时"),
    },
)
BEHIND = re.compile(r"\s*([a-z]+\b|个?小时|[毫公千]?[克斤秒]钟?|分钟?|吨)")


def expect_unit(case: Case, unit: str, expected: float, tolerance: float, name: str) -> bool:
    """Expect no other unit of the same kind as `unit` behind the answer's `expected`.

    A number without a unit, or followed by another word, is right.
    """
    kind = next(kind for kind in KINDS if unit in kind)
    others = {word: one for one, words in kind.items() if one != unit for word in words}
    answer = folded(case.answer)
    behind = [
        match[1]
        for found in numbers_in(answer)
        if abs(abs(found.value) - abs(expected)) <= tolerance
        if (match := BEHIND.match(answer, found.end))
    ]
    strange = [others[word] for word in behind if word in others]
    return case.expect(
        f"{name}: unit",
        not strange,
        f"{unit}, or none",
        strange[0] if strange else "right or none",
        "",
        f"The answer gives {name.removeprefix('answer: ')} in {strange[0]}, not in {unit}."
        if strange
        else "",
    )
