"""The board as a stand-alone picture: rates with their intervals, and where they are from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.html import format_html, format_html_join

from leaderboard.board.rows import BoardRow
from leaderboard.rendering.numbers import show_passed
from leaderboard.rendering.text import isolate
from leaderboard.sharing.svg_text import FACE, fit

WIDTH_PX, ROW_PX, HEAD_PX, FOOT_PX, PAD_PX = 720, 26, 64, 48, 20
AXIS_X, AXIS_PX = 330, 280  # of the hairline from 0 to 100
INK, SOFT, LINE = "#17191c", "#656a71", "#dcdcd5"

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" \
viewBox="0 0 {width} {height}" role="img" direction="ltr" font-family="{face}">\
<title>{title}</title><rect width="{width}" height="{height}" fill="#fff"/>\
<text x="{pad}" y="28" font-size="16" font-weight="600" fill="{ink}">{title}</text>\
<text x="{pad}" y="47" font-size="11" fill="{soft}">{about}</text>{rows}\
<text x="{pad}" y="{foot}" font-size="11" fill="{soft}">{source}</text></svg>
"""
ROW = """<text x="{}" y="{}" font-size="12" fill="{}" unicode-bidi="isolate">{}</text>\
<text x="318" y="{}" font-size="12" text-anchor="end" fill="{}">{}</text>\
{}"""
WHISKER = """<path d="M{} {}h{}" stroke="{}"/><path d="{}" stroke="{}" fill="none"/>\
<circle cx="{}" cy="{}" r="3.5" fill="{}"/>\
<text x="630" y="{}" font-size="11" fill="{}">n {}</text>"""


def draw_rates(rows: Sequence[BoardRow], suite: str, day: date, address: str) -> str:
    """One line per row, in their order."""
    has_intervals = any(row.low is not None for row in rows)
    height = HEAD_PX + ROW_PX * max(1, len(rows)) + FOOT_PX
    empty = format_html(
        '<text x="20" y="82" font-size="12" fill="{}">No run has a rate yet.</text>', SOFT
    )
    return format_html(
        PICTURE,
        width=WIDTH_PX,
        height=height,
        face=FACE,
        pad=PAD_PX,
        ink=INK,
        soft=SOFT,
        title=fit(f"{suite}: tasks passed{', %' * has_intervals}", 16, WIDTH_PX - 2 * PAD_PX),
        about=f"{len(rows)} of the board's models{', with 95 % intervals' * has_intervals}, {day}",
        rows=format_html_join("", "{}", ((draw_row(n, row),) for n, row in enumerate(rows)))
        or empty,
        foot=height - PAD_PX,
        source=fit(f"PyBench, {address}", 11, WIDTH_PX - 2 * PAD_PX),
    )


def draw_row(number: int, row: BoardRow) -> str:
    """Name and rate with its interval; of few tasks name and count."""
    y = HEAD_PX + ROW_PX * number + ROW_PX // 2
    base, whisker = y + 4, ""
    if row.low is not None and row.high is not None:
        dot, low, high = place(row.rate or 0.0), place(row.low), place(row.high)
        drawn = f"M{low} {y}H{high}m0-4v8M{low} {y - 4}v8"
        axis = (AXIS_X, y, AXIS_PX, LINE, drawn, INK, dot, y, INK)
        whisker = format_html(WHISKER, *axis, base, SOFT, row.tasks)
    name, rate = fit(row.run.entry.name, 12, 240), show_passed(row.rate, row.tasks)
    return format_html(ROW, PAD_PX, base, INK, isolate(name), base, INK, rate, whisker)


def place(share: float) -> float:
    return round(AXIS_X + AXIS_PX * share, 1)
