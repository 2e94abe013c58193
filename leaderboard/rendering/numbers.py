"""Numbers as people read them: the same words on every page."""

from __future__ import annotations

import math

from runner.run_figures import LEAST_TASKS

UNKNOWN = "–"


def show_percent(share: float | None) -> str:
    """A share of 1 as a percentage with one decimal: 0.629 is "62.9"."""
    return UNKNOWN if share is None else f"{100 * share:.1f}"


def show_whole_percent(share: float | None) -> str:
    """The same without a decimal: 0.629 is "63"; only all and nothing are "100" and "0"."""
    if share is None:
        return UNKNOWN
    return str(round(100 * share) if share in (0, 1) else min(99, max(1, round(100 * share))))


def show_points(share: float | None) -> str:
    """A difference of shares in percentage points: 0.031 is "+3.1", -0.031 is "−3.1"."""
    if share is None:
        return UNKNOWN
    points = round(100 * share, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"


def show_mean(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}"


def show_duration(seconds: float | None) -> str:
    """As in "0.3 s", "41 s", "3 min 05 s", "2 h 10 min"."""
    if seconds is None:
        return UNKNOWN
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def show_rough_duration(seconds: float) -> str:
    """As in "40 s", "9 min", "2 h 10 min"."""
    if seconds < 59.5:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_970 else show_duration(seconds)


def show_count(number: float | None) -> str:
    """As in "812", "12.3k", "4.56M"."""
    if number is None:
        return UNKNOWN
    if number < 9_999.5:
        return f"{number:,.0f}".replace(",", "\u202f")
    return f"{number / 1e3:.1f}k" if number < 999_950 else f"{number / 1e6:.2f}M"


def show_size(size_bytes: int | None) -> str:
    """As in "0 B", "812 B", "12.3 kB", "4.6 MB" (powers of 1000)."""
    if size_bytes is None:
        return UNKNOWN
    if size_bytes < 1000:
        return f"{size_bytes} B"
    return f"{size_bytes / 1e3:.1f} kB" if size_bytes < 999_950 else f"{size_bytes / 1e6:.1f} MB"


def add_tokens(prompt: int | None, completion: int | None) -> int | None:
    """Both together; unknown when either is."""
    return None if prompt is None or completion is None else prompt + completion


def divide(total: float | None, count: int) -> float | None:
    return total / count if total is not None and count else None


def show_money(dollars: float | None) -> str:
    """As in "$0", "$0.0021", "$0.15", "$12.30", "$1,204"."""
    if dollars is None:
        return UNKNOWN
    if dollars >= 999.995:
        return f"${dollars:,.0f}"
    if dollars >= 0.9995:
        return f"${dollars:.2f}"
    if dollars == 0:
        return "$0"
    if dollars < 0.000001:
        return "<$0.000001"
    digits = 1 - math.floor(math.log10(dollars))  # two that count
    shown = f"{dollars:.{max(2, digits)}f}"
    return f"${shown}"


def count_passed(rate: float | None, tasks: int) -> str:
    """As in "3 of 4", or "2.5 of 4" where attempts at a task differ."""
    return f"{show_number_passed(rate, tasks)} of {tasks}"


def show_number_passed(rate: float | None, tasks: int) -> str:
    return f"{round((rate or 0.0) * tasks, 1):g}"


def show_passed(rate: float | None, tasks: int, unit: str = "") -> str:
    """A rate in per cent, as in "62.9"; of few tasks how many passed, as in "7 of 9"."""
    if tasks < LEAST_TASKS and rate is not None:
        return count_passed(rate, tasks)
    return f"{show_percent(rate)}{unit}"


def say_interval(low: float | None, high: float | None) -> str:
    """As in " (95 % interval 40.1 to 71.9)"; "" of few tasks, which have none."""
    if low is None or high is None:
        return ""
    return f" (95 % interval {show_percent(low)} to {show_percent(high)})"
