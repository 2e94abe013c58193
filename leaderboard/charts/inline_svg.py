"""Drawings as inline SVG: presentation attributes and classes only, so that no policy bends."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

WHISKER = (
    '<svg class="whisker" viewBox="0 0 108 16" width="108" height="16" role="img" aria-label="{}">'
    '<path class="w-axis" d="M4 8H104M4 6V10M54 7V9M104 6V10"/>'
    '<path class="w-range" d="M{} 8H{}M{} 4.5V11.5M{} 4.5V11.5"/>'
    '<circle class="w-dot" cx="{}" cy="8" r="3.2"/></svg>'
)
GAP = (
    '<svg class="whisker" viewBox="0 0 108 16" width="108" height="16" role="img" aria-label="{}">'
    '<path class="w-axis" d="M4 8H104M4 6V10M54 3V13M104 6V10"/>'
    '<path class="w-range" d="M{} 8H{}M{} 4.5V11.5M{} 4.5V11.5"/>'
    '<circle class="w-dot" cx="{}" cy="8" r="3.2"/></svg>'
)
BAR = (
    '<svg class="bar cat-{}" viewBox="0 0 48 3" aria-hidden="true">'
    '<path class="bar-ground" d="M0 0h48v3H0z"/><path class="bar-fill" d="M0 0h{}v3H0z"/></svg>'
)
SHARES = (
    '<svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" width="100%" height="6"'
    ' role="img" aria-label="{}"><rect class="s-open" width="100" height="6"/>'
    '<rect class="s-passed" width="{}" height="6"/>'
    '<rect class="s-failed" x="{}" width="{}" height="6"/>'
    '<rect class="s-void" x="{}" width="{}" height="6"/></svg>'
)

GLYPHS = {
    "passed": '<circle cx="8" cy="8" r="5" fill="currentColor"/>',
    "failed": '<path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" stroke-width="2.4"'
    ' stroke-linecap="round"/>',
    "void": '<circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="1.6"'
    ' stroke-dasharray="2.4 2.2"/>',
    "running": '<circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="1.6"/>'
    '<path d="M8 8V3a5 5 0 0 1 5 5z" fill="currentColor"/>',
    "partial": '<circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="1.6"/>'
    '<path d="M8 3a5 5 0 0 0 0 10z" fill="currentColor"/>',
    "unjudged": '<circle cx="8" cy="8" r="5" fill="none" stroke="currentColor"'
    ' stroke-width="1.6"/>',
    "queued": '<circle cx="8" cy="8" r="2.4" fill="currentColor"/>',
    "cancelled": '<path d="M4 8h8" stroke="currentColor" stroke-width="2.2"'
    ' stroke-linecap="round"/>',
    "answer": '<path d="M3 5h10M3 8h10M3 11h6" stroke="currentColor" stroke-width="1.6"'
    ' stroke-linecap="round"/>',
    "malformed": '<path d="M8 3v6M8 12v.6" stroke="currentColor" stroke-width="2.4"'
    ' stroke-linecap="round"/>',
    "timeout": '<path d="M4.5 3h7L8 8l3.5 5h-7L8 8z" fill="currentColor"/>',
}
ALIASES = {"ok": "passed", "error": "failed", "killed": "failed", "done": "passed"}


def draw_whisker(rate: float, low: float, high: float) -> SafeString:
    """A rate on a hairline from 0 to 100 with its interval; all three are shares of 1."""
    left, right, dot = (round(4 + 100 * share, 1) for share in (low, high, rate))
    label = f"{100 * rate:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f}"
    return format_html(WHISKER, label, left, right, left, right, dot)


def draw_gap(difference: float, low: float, high: float) -> SafeString:
    """A difference on a hairline from -100 to 100 with its interval; all three are shares of 1."""
    left, right, dot = (round(54 + 50 * share, 1) for share in (low, high, difference))
    label = (
        f"{100 * difference:+.1f} percentage points,"
        f" 95 % interval {100 * low:+.1f} to {100 * high:+.1f}"
    )
    return format_html(GAP, label, left, right, left, right, dot)


def draw_bar(category_index: int, share: float) -> SafeString:
    """A share as a thin bar in its category's colour."""
    return format_html(BAR, category_index, round(48 * share, 1))


def draw_shares(passed: int, failed: int, void: int, total: int) -> SafeString:
    """Draw a run's progress on one line: passed, failed, void and still open."""
    scale = 100 / total if total else 0
    widths = [round(count * scale, 2) for count in (passed, failed, void)]
    label = f"{passed} passed, {failed} failed, {void} did not count, of {total}"
    return format_html(
        SHARES, label, widths[0], widths[0], widths[1], widths[0] + widths[1], widths[2]
    )


def draw_glyph(state: str, label: str = "") -> SafeString:
    """A verdict's or a step's mark: a shape, which the style sheet also colours."""
    name = ALIASES.get(state, state)
    shape = SafeString(GLYPHS.get(name, GLYPHS["queued"]))
    said = format_html('role="img" aria-label="{}"', label) if label else 'aria-hidden="true"'
    return format_html(
        '<svg class="glyph g-{}" viewBox="0 0 16 16" width="16" height="16" {}>{}</svg>',
        name,
        SafeString(said),
        shape,
    )
