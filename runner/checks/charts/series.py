"""Series of a figure by name, compared with what a query asks for: bars, wedges, words.

Each measure looks at every plot of a figure and is content with one that shows what is expected;
otherwise its sentence tells how the first one differs. Names of categories are compared folded
(case, width, white space), numbers by value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.charts import shown_names
from runner.checks.charts.figure_note import Axes, Axis
from runner.checks.charts.figures import Figure, fold
from runner.checks.values import number

Named = dict[str, float]
AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?(?![\d.]* ?%)")


def tick_name(axis: Axis, place: float) -> str:
    """Label at `place` of an axis: its tick's word, or the number itself."""
    marks = [(t, w) for t, w in zip(axis.ticks, axis.words, strict=True) if math.isfinite(t)]
    said = [number(word) for _, word in marks]
    if marks and not all(
        n is not None and math.isclose(n, tick, rel_tol=1e-6, abs_tol=1e-9)
        for (tick, _), n in zip(marks, said, strict=True)
    ):
        if (between := number_between([t for t, _ in marks], said, place)) is not None:
            return f"{between:.10g}"
        tick, word = min(marks, key=lambda mark: abs(mark[0] - place))
        gaps = np.diff(sorted(t for t, _ in marks))
        reach = 0.5 * float(min(gaps)) if len(gaps) else 0.5
        if abs(tick - place) <= reach + 1e-9 and word:
            return fold(word)
    return f"{place:.10g}"


def number_between(
    ticks: Sequence[float], said: Sequence[float | None], place: float
) -> float | None:
    """The number of a category that has no tick of its own, where others' numbers lie evenly."""
    numbers = [n for n in said if n is not None]
    if len(numbers) < 2 or len(numbers) < len(said) or round(place) in ticks:
        return None
    slope, shift = np.polyfit(ticks, numbers, 1)
    off = float(np.abs(slope * np.asarray(ticks) + shift - numbers).max())
    is_even = off <= 0.01 * abs(slope) and all(tick == round(tick) for tick in ticks)
    return float(slope * round(place) + shift) if is_even else None


def bars_by_label(axes: Axes) -> dict[str, Named]:
    """{series: {category: length}} of every bar series; "" or "no. 2" where it has no label.

    Categories are folded. With several series, "in all" holds the sum of each category (stacked).
    """
    found: dict[str, Named] = {}
    for place, bars in enumerate(axes.bars, 1):
        axis = axes.y if bars.lies else axes.x
        label = fold(bars.label) or (f"no. {place}" if len(axes.bars) > 1 else "")
        names = [tick_name(axis, where) for where in bars.places]
        found[label] = dict(zip(names, bars.values, strict=False))
    if len(found) > 1:
        names = list(dict.fromkeys(name for series in found.values() for name in series))
        found["in all"] = {
            name: sum(series.get(name, 0.0) for series in found.values()) for name in names
        }
    return found


def lines_by_label(axes: Axes) -> dict[str, Named]:
    """{series: {place: value}} of every line and cloud of points, places named as on the axis.

    The places are along the upright axis where that one alone has words.
    """
    found: dict[str, Named] = {}
    lies = has_words(axes.y) and not has_words(axes.x)
    for no, line in enumerate(axes.lines, 1):
        if lies:
            names = [tick_name(axes.y, where) for where in line.y]
        elif len(line.names) == len(line.x):
            names = [fold(name) for name in line.names]
        else:
            names = [tick_name(axes.x, where) for where in line.x]
        found[fold(line.label) or f"no. {no}"] = dict(
            zip(names, line.x if lies else line.y, strict=False)
        )
    for no, points in enumerate(axes.points, 1):
        axis, at, values = (axes.y, points.y, points.x) if lies else (axes.x, points.x, points.y)
        names = [tick_name(axis, where) for where in at]
        found[fold(points.label) or f"points {no}"] = dict(zip(names, values, strict=False))
    return found


def has_words(axis: Axis) -> bool:
    """True if an axis has ticks that say something, and no numbers."""
    said = [word for word in axis.words if word.strip()]
    return bool(said) and all(number(word) is None for word in said)


def same_name(found: str, wanted: str) -> bool:
    """True if a word on an axis means `wanted`: equal, cut short with dots, or the same number."""
    if found == wanted:
        return True
    a, b = number(found), number(wanted)
    if a is not None and b is not None:
        return math.isclose(a, b, rel_tol=1e-9)
    short = found.rstrip(".… ")
    return len(short) >= 5 and short != found and wanted.startswith(short)


def without_shared(found: Named) -> Named:
    """The names without what all have before or after their own: “product a”, “product b”."""
    if len(found) < 2:
        return found
    before = shared([*found])
    after = shared([name[before:][::-1] for name in found])
    return {name[before : len(name) - after].strip(" :：-_#="): v for name, v in found.items()}


def shared(names: Sequence[str]) -> int:
    """Number of signs that all names begin with; no word or number is cut in two."""
    alike = zip(*names, strict=False)
    end = next((n for n, signs in enumerate(alike) if len(set(signs)) > 1), min(map(len, names)))
    while end and any(is_within(*name[end - 1 : end + 1].ljust(2)) for name in names):
        end -= 1
    return end


def is_within(before: str, after: str) -> bool:
    """True if two signs belong to one number, or one word of Latin letters."""
    is_word = (before + after).isascii() and before.isalpha() and after.isalpha()
    return is_word or (before.isdigit() and after.isdigit())


def compare(
    found: Named,
    expected: Mapping[Any, float],
    tolerance: float,
    scaled: bool = False,
    units: str = "",
) -> str:
    """In what `found` differs from `expected`, as the end of a sentence; "" when it does not."""
    wanted = {fold(name): float(value) for name, value in expected.items()}
    pairs = []
    if not all(any(same_name(f, name) for f in found) for name in wanted):
        found = without_shared(found)
    for name, value in wanted.items():
        match = next((f for f in found if same_name(f, name)), None)
        if match is None:
            return f"shows nothing for “{name}”"
        pairs.append((name, found[match], value))
    factor = 1.0
    if scaled:
        total = sum(value for _, _, value in pairs)
        factor = sum(f for _, f, _ in pairs) / total if total else 1.0
        if not factor > 0:
            return "shows no values"
        if not is_factor(factor, total, units):
            return f"shows {pairs[0][1]:.6g} for “{pairs[0][0]}”, expected {pairs[0][2]:.6g}"
    peak = max((abs(v) for v in wanted.values()), default=1.0) or 1.0
    for name, shown, value in pairs:
        off = abs(shown / factor - value)
        if not off <= tolerance * max(abs(value), peak * 0.01):
            return f"shows {shown:.6g} for “{name}”, expected {value * factor:.6g}"
    return ""


UNITS = {  # a word of the unit → what the figures are multiplied by
    1e-2: r"hundred|百",
    1e-3: r"thousand|\bk\b|\(k|\d ?k\b|000s|千|10\^?3|1e3|\bkt\b|'000"
    r"|\b1,?000 ?(?:t|tons?|tonnes|kg|usd|\$)\b",
    1e-4: r"万|10\^?4|1e4|wan",
    1e-6: r"million|\bm\b|\bmn\b|\(m|\d ?m\b|百万|10\^?6|1e6|\bmt\b",
    1e-7: r"千万|10\^?7|1e7",
    1e-8: r"亿|10\^?8|1e8",
    1e-9: r"billion|\bbn\b|\bb\b|\(b|\d ?b\b|十亿|10\^?9|1e9",
    1e-12: r"trillion|万亿|10\^?12|1e12",
}


def is_factor(factor: float, total: float, units: str, slack: float = 0.02) -> bool:
    """True if values may be multiplied so: not at all, as shares or percentages of their sum, or
    by a unit that the chart's words name."""
    shares = [1 / total, 100 / total] if total else []
    return any(abs(factor / one - 1) <= slack for one in [*shares, *named_factors(units)])


def named_factors(words: str) -> list[float]:
    """One, and what figures are multiplied by in the units that the folded `words` name."""
    return [1.0, *(factor for factor, unit in UNITS.items() if re.search(unit, words))]


def expect_series(
    case: Case,
    figure: Figure,
    name: str,
    offered: Iterable[Named],
    expected: Mapping[Any, float],
    tolerance: float,
    scaled: bool = False,
    exact: bool = False,
) -> bool:
    """One of the series `offered` is `expected`; `exact` allows no further categories."""
    reasons = []
    for found in offered:
        reason = compare(found, expected, tolerance, scaled, figure.text)
        if not reason and exact and len(found) > len(expected):
            reason = f"shows {len(found)} values, expected {len(expected)}"
        reasons.append(reason)
    best = "" if "" in reasons else (reasons or ["shows no such series"])[0]
    return case.expect(
        name,
        "" in reasons,
        ", ".join(f"{k}: {v:.6g}" for k, v in list(expected.items())[:8]),
        best or "as expected",
        figure.file,
        f"{figure.file} {best}.",
    )


def expect_bar_values(
    case: Case,
    figure: Figure,
    expected: Mapping[Any, float],
    tolerance: float = 0.01,
    name: str = "bar values",
    scaled: bool = False,
    exact: bool = True,
) -> bool:
    """A bar series of some plot has the length `expected` for each category.

    Values within `tolerance` (a share); `scaled` accepts any common factor (percentages);
    `exact` allows no further bars.
    """
    offered = [series for axes in figure.panels for series in bars_by_label(axes).values()]
    return expect_series(case, figure, name, offered, expected, tolerance, scaled, exact)


def shown_wedges(figure: Figure, axes: Axes) -> Named:
    """{name that stands at the wedge: share of the circle}, folded."""
    names = shown_names.wedge_names(figure, axes)
    return {
        name or f"no. {no}": wedge.fraction
        for no, (name, wedge) in enumerate(zip(names, axes.wedges, strict=True), 1)
        if wedge.fraction > 0
    }


def are_exchanged(found: Named, names: Sequence[Any]) -> bool:
    """True if each wedge's words give one amount, and these are the wedges' in another order."""
    amounts = []
    for words in found:
        own = max((fold(name) for name in names if fold(name) in words), key=len, default="")
        said = AMOUNT.findall(words.replace(own, "", 1))
        amounts.append(float(said[0].replace(",", "")) if len(said) == 1 else 0.0)
    if len(amounts) < 2 or not all(amounts):
        return False
    written, drawn = np.array(amounts) / sum(amounts), np.array(list(found.values()))
    is_theirs = float(np.abs(np.sort(written) - np.sort(drawn)).max()) <= 0.01
    return is_theirs and float(np.abs(written - drawn).max()) > 0.02


def expect_wedges(
    case: Case,
    figure: Figure,
    expected: Mapping[Any, float],
    tolerance: float = 0.01,
    name: str = "shares of the pie",
) -> bool:
    """Some pie gives each category its share; `expected` may be counts. `tolerance` is absolute.

    A label may say more than the category ("Gold (12 %)").
    """
    total = sum(expected.values()) or 1.0
    reasons = []
    for axes in (a for a in figure.panels if a.wedges):
        found, reason = shown_wedges(figure, axes), ""
        for label, value in expected.items():
            said = [f for f in found if same_name(f, fold(label))]
            others = [fold(one) for one in expected if number(str(one)) is None and one != label]
            said = said or [f for f in found if shown_names.begins_with(f, fold(label), others)]
            if not said:
                reason = f"shows no wedge for “{label}”"
            elif abs(found[said[0]] - value / total) > tolerance:
                reason = f"shows {found[said[0]]:.1%} for “{label}”, expected {value / total:.1%}"
            if reason:
                break
        if not reason and are_exchanged(found, list(expected)):
            reason = "writes amounts beside the names that are those of other wedges"
        if not reason and len(found) > len(expected):
            reason = f"shows {len(found)} wedges, expected {len(expected)}"
        reasons.append(reason)
    best = "" if "" in reasons else (reasons or ["shows no pie"])[0]
    wanted = ", ".join(f"{k}: {v / total:.1%}" for k, v in list(expected.items())[:8])
    return case.expect(
        name, not best, wanted, best or "as expected", figure.file, f"{figure.file} {best}."
    )


def cloud_words(figure: Figure) -> Named:
    """{word: weight from 0 to 1} of a word cloud, saved by itself or shown in a plot."""
    if figure.note is None:
        return {}
    words = list(figure.note.words)
    words += [pair for axes in figure.note.axes for grid in axes.grids for pair in grid.words]
    return {fold(word): weight for word, weight in words}
