"""Reading formulas in an answer: plain or LaTeX, evaluated by our own small evaluator.

    formulas.given(case, ["二阶导", "second derivative"], lambda x: 2 / (x + 1) ** 3)

Nothing of the answer is ever executed: it is parsed as arithmetic over one variable, or not at all.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from runner.checks.case import Case, shown
from runner.checks.text import answers
from runner.checks.text.reading import LATEX_TEXT, VULGAR

POINTS = (0.37, 1.9, -2.6, 4.25)
MOST_CHARS = 200  # of one formula
MOST_FORMULAS = 12  # different ones in an answer
MOST_POWER = 12.0

SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
RAISED = re.compile(r"[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
EMPHASIS = re.compile(  # bold, no power
    r"(?<![\w)\]}*])\*\*(?=[^\s*])([^*\n]{1,80})(?<=\S)\*\*(?![\w(*])"
)
SPAN = re.compile(r"[-+*/^().\sx\d]+")
ALTERNATIVES = re.compile(
    r"[\dx)]\s*(?:,\s*)?(?:\bor\b|或者?|还是)\s*(?:maybe|perhaps|possibly|可能是?)?\s*[-+(\dx]"
)
UNEQUAL = re.compile(r"\s*(?:≠|!=|\\neq?\b)")
IMPLICIT = (
    (re.compile(r"(\d|x|\))\s*(?=\()"), r"\1*"),
    (re.compile(r"(\d|\))\s*(?=x)"), r"\1*"),
    (re.compile(r"\)\s*(?=\d)"), ")*"),
)
OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def given(
    case: Case,
    words: Sequence[str],
    expected: Callable[[float], float],
    name: str = "answer: formula",
    shape: str = "",
) -> bool:
    """The answer ends on a formula in x that equals `expected` wherever both are defined.

    It is the last formula of every sentence that holds one of `words`, or, when none of those
    holds a formula, the last of the answer. An answer that lists many formulas fails.
    """
    fault = ""
    everything = [f for s in sentences(case.answer) for f in formulas_in(s)]
    speaking = [
        found
        for s in sentences(case.answer)
        if any(w.lower() in s.lower() for w in words) and (found := formulas_in(s))
    ]
    last = [found[-1] for found in speaking] or everything[-1:]
    if not case.answer.strip():
        fault = "There is no final answer."
    elif len(set(everything)) > MOST_FORMULAS:
        fault = f"The answer lists {len(set(everything))} formulas: that is no answer."
    elif not last:
        fault = f"The answer gives no formula for {words[0]}."
    elif wrong := [f for f in direct(case.answer, words) if not is_same(f, expected)]:
        fault = f"The answer gives {wrong[0].strip()[:80]} for {words[0]}, which is not it."
    elif any(ALTERNATIVES.search(s) for s in sentences(case.answer) if formulas_in(s)):
        fault = "The answer offers one formula or another: that is no answer."
    elif not is_same(last[-1], expected):
        fault = f"The answer gives {last[-1].strip()[:80]} for {words[0]}, which is not it."
    return case.expect(name, not fault, shape, shown(case.answer)[:200], "", fault)


def direct(answer: str, words: Sequence[str]) -> list[str]:
    """The formulas that end what follows one of `words` and a sign or "is", to the clause's end."""
    found = []
    for sentence in sentences(answer):
        for clause in re.split(r"[,，]|\bor\b|或者?", sentence):
            told = [w for w in words if w.lower() in clause.lower()]
            if told and re.search(r"=|:|：|为|是|\bis\b", clause) and (some := formulas_in(clause)):
                found.append(some[-1])
    return found


def number_near(case: Case, words: Sequence[str], expected: float, tolerance: float) -> bool:
    """As `answers.number_near`, with fractions such as 5/2 or \\frac{5}{2} read as their value."""
    text = plain(case.answer)
    text = re.sub(
        r"(?<![\d.x)])\(?(-?\d+)\)?\s*/\s*\(?(\d+)\)?(?!\d|\.\d|x|\()",
        lambda m: f"{int(m[1]) / int(m[2]):.12g}" if int(m[2]) else m[0],
        text,
    )
    return answers.number_near(replace(case, answer=text), words, expected, tolerance)


def plain(text: str) -> str:
    """`text` with LaTeX and raised digits written as plain arithmetic."""
    text = EMPHASIS.sub(r"\1", text[:20_000])
    text = RAISED.sub(lambda m: f"^{m[0].translate(SUPERSCRIPTS)}", text)
    text = (
        unicodedata.normalize("NFKC", text.translate(VULGAR))
        .replace("\u2032", "'")
        .replace("\u2044", "/")
    )
    text = re.sub(r"\\(left|right|displaystyle|,|;|!|quad)", " ", text)
    text = re.sub(r"\\(cdot|times)|[·×]", "*", text).replace("−", "-").replace("**", "^")
    text = re.sub(r"\\[dt]?frac\s*(\d)\s*(\d)", r"((\1)/(\2))", text)
    for _ in range(6):  # innermost first
        text = LATEX_TEXT.sub(r" \1 ", text)
        text = re.sub(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))", text)
        text = re.sub(r"\^\s*\{([^{}]*)\}", r"^(\1)", text)
    return re.sub(r"[$`{}]|\\[()\[\]]", " ", text)


def sentences(text: str) -> list[str]:
    return [s for s in re.split(r"[\n。；;]+|\.(?=\s|$)", plain(text)) if s.strip()]


def formulas_in(sentence: str) -> list[str]:
    """Arithmetic in x, in the order it stands; the left side of "≠" is none."""
    found = []
    for match in SPAN.finditer(sentence):
        whole = without_open_bracket(match[0])
        end = match.start() + len(whole)
        text = whole.strip().rstrip(".+-*/^(").lstrip(".*/^)").strip()
        inside_word = re.match(r"[A-Za-z_']", sentence[end : end + 1])
        if (
            "x" in text
            and len(text) <= MOST_CHARS
            and re.search(r"[-+*/^\d]", text)
            and not UNEQUAL.match(sentence, end)
            and not inside_word
            and value_at(text, 0.37) is not None
        ):
            found.append(re.sub(r"\s+", "", text))
    return found


def without_open_bracket(text: str) -> str:
    """`text` up to a bracket that is not closed: "2/(x+1)^3(x" before " ≠ -1)" is 2/(x+1)^3."""
    opened: list[int] = []
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif sign == ")" and opened:
            opened.pop()
    return text[: opened[0]] if opened else text


def is_same(text: str, expected: Callable[[float], float]) -> bool:
    for x in POINTS:
        value = value_at(text, x)
        wanted = expected(x)
        if value is None or not math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9):
            return False
    return True


def value_at(text: str, x: float) -> float | None:
    """The formula's value, None when it is no arithmetic over x or has none."""
    for pattern, put in IMPLICIT:
        text = pattern.sub(put, text)
    try:
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval")
        value = evaluate(tree.body, x)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return value if math.isfinite(value) else None


def evaluate(node: ast.expr, x: float) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id == "x":
        return x
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = evaluate(node.operand, x)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left, x), evaluate(node.right, x)
        if isinstance(node.op, ast.Pow):
            if abs(right) > MOST_POWER or right != int(right):
                raise ValueError("no power that a derivative of this kind has")
            return float(left ** int(right))
        if type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](left, right)
    raise ValueError("no arithmetic")
