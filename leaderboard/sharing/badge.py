"""Badge of a run as a stand-alone SVG: the suite, the rate, the rank range."""

from __future__ import annotations

from django.utils.html import format_html

from leaderboard.board.rows import BoardRow
from leaderboard.rendering.numbers import say_interval, show_passed
from leaderboard.sharing.svg_text import FACE, fit, width_of

SIZE_PX, PAD_PX, MAX_LABEL_PX = 11, 7, 260
GROUND, VALUE_GROUND, IDLE_GROUND = "#44484e", "#2a4fc7", "#656a71"

BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" \
viewBox="0 0 {width} 20" role="img" direction="ltr"><title>{title}</title>\
<rect width="{width}" height="20" rx="4" fill="{ground}"/>\
<path d="M{split} 0h{rest}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H{split}z" fill="{value_ground}"/>\
<g fill="#fff" font-family="{face}" font-size="{size}" text-anchor="middle">\
<text x="{label_x}" y="14" unicode-bidi="isolate">{label}</text>\
<text x="{value_x}" y="14">{value}</text></g></svg>
"""


def draw_badge(row: BoardRow) -> str:
    label = fit(f"PyBench · {suite_of(row)}", SIZE_PX, MAX_LABEL_PX)
    value = say_value(row)
    split = round(width_of(label, SIZE_PX)) + 2 * PAD_PX
    value_px = round(width_of(value, SIZE_PX)) + 2 * PAD_PX
    return format_html(
        BADGE,
        width=split + value_px,
        split=split,
        rest=value_px - 4,
        title=say_run(row),
        ground=GROUND,
        value_ground=VALUE_GROUND if row.is_rated else IDLE_GROUND,
        face=FACE,
        size=SIZE_PX,
        label_x=split / 2,
        value_x=split + value_px / 2,
        label=label,
        value=value,
    )


def suite_of(row: BoardRow) -> str:
    return f"{row.run.suite.title} v{row.run.suite.version}"


def say_value(row: BoardRow) -> str:
    """As in "90.3 % · rank 1–4", "90.3 % · one of 3 runs", "7 of 12 tasks".

    Without a rate it says how far the run is.
    """
    if not row.is_rated:
        return f"{row.tally.ended} of {row.tally.total} attempts"
    place = f" · rank {row.rank_words}" if row.rank_words else ""
    if row.is_part_of_mean:
        place = f" · {say_runs(row)}"
    if row.run.why_not_comparable:
        place = " · not comparable"
    return f"{show_passed(row.rate, row.tasks, ' %')}{' tasks' * row.is_small}{place}"


def say_run(row: BoardRow) -> str:
    """The run in a sentence, for titles, cards and citations."""
    name = fit(row.run.entry.name, 1, 80)
    if not row.is_rated:
        return f"{name} on PyBench {fit(suite_of(row), 1, 80)}: {say_value(row)} ended"
    return (
        f"{name} on PyBench {fit(suite_of(row), 1, 80)}: {say_passed(row)} tasks passed"
        f"{say_interval(row.low, row.high)}{say_rank(row)}{say_incomparable(row)}"
    )


def say_passed(row: BoardRow) -> str:
    """As in "90.3 % of 31", or "7 of 12" of few tasks."""
    of = "" if row.is_small else f" of {row.tasks}"
    return f"{show_passed(row.rate, row.tasks, ' %')}{of}"


def say_incomparable(row: BoardRow) -> str:
    """As in ". Not comparable: 3600 s for one reply (suite: 900 s)"; "" for most runs."""
    reasons = row.run.why_not_comparable
    return f". Not comparable: {'; '.join(reasons)}" if reasons else ""


def say_rank(row: BoardRow) -> str:
    """As in ", rank 1–4", ", rank 1–4 (1 of 5 runs, 4 not shown)", ", one of 3 runs whose mean has
    rank 1–4"; of few tasks the runs alone."""
    runs = say_runs(row)
    if not row.rank_words:
        return f", {runs}" if runs else ""
    if row.is_part_of_mean:
        return f", {runs} whose mean has rank {row.rank_words}"
    return f", rank {row.rank_words}{f' ({runs})' if runs else ''}"


def say_runs(row: BoardRow) -> str:
    """As in "one of 3 runs (2 not shown)", "1 of 5 runs, 4 not shown"; "" for the only run of a
    model."""
    if row.standing is None or not row.is_part_of_mean:
        return row.runs_words
    further = row.standing.further_words
    return f"one of {len(row.standing.runs)} runs{f' ({further})' if further else ''}"
