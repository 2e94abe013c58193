"""Charts as people draw them pass whatever their style; charts of other data do not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import matplotlib.pyplot as plt
import numpy as np
from runner.checks.charts import pixels
BLUE, RED = "#2a6fb0", "#c8553d"
DATA = [40, 100, 25, 70]
CURVE = [3, 9, 4, 6, 2, 8, 5]
GREEN = "#3c8d5a"
SHARES = {BLUE: 30, RED: 50, GREEN: 20}
TITLE = "Über 12 °C"
def figure(**options):
    fig, ax = plt.subplots(figsize=(9, 6), **options)
    return fig, ax
"""


def bars(name: str, drawing: str, says: str = "", file: str = "") -> Trial:
    file = file or f"{name}.png"
    return Trial(
        name,
        file,
        f"fig, ax = figure(); {drawing}; fig.savefig(data / {file!r}); plt.close(fig)",
        f"pixels.expect_bars(case, pixels.read(case, {file!r}), BLUE, DATA)",
        says,
    )


def line(name: str, drawing: str, says: str = "", suffix: str = "svg") -> Trial:
    file = f"{name}.{suffix}"
    return Trial(
        name,
        file,
        f"fig, ax = figure(); {drawing}; fig.savefig(data / {file!r}); plt.close(fig)",
        f"pixels.expect_line(case, pixels.read(case, {file!r}), RED, CURVE)",
        says,
    )


def pie(name: str, drawing: str, says: str = "") -> Trial:
    return Trial(
        name,
        f"{name}.png",
        f"fig, ax = figure(); {drawing}; fig.savefig(data / '{name}.png'); plt.close(fig)",
        f"pixels.expect_shares(case, pixels.read(case, '{name}.png'), SHARES)",
        says,
    )


def dots(name: str, drawing: str, says: str = "") -> Trial:
    measure = (
        f"pixels.expect_linear(case, 'up', [-y for _, y in "
        f"pixels.dots(pixels.read(case, '{name}.svg'), RED)], CURVE, '{name}.svg')"
    )
    return Trial(
        name,
        f"{name}.svg",
        f"fig, ax = figure(); {drawing}; fig.savefig(data / '{name}.svg'); plt.close(fig)",
        measure,
        says,
    )


def text(name: str, fonttype: str, says: str = "") -> Trial:
    return Trial(
        name,
        f"{name}.svg",
        f"plt.rcParams['svg.fonttype'] = {fonttype!r}; fig, ax = figure(); ax.set_title(TITLE); "
        f"ax.plot([0, 1]); fig.savefig(data / '{name}.svg'); plt.close(fig)",
        f"pixels.expect_text(case, pixels.read(case, '{name}.svg'), TITLE.lower())",
        says,
    )


TRIALS = [
    bars("bars", "ax.bar(list('abcd'), DATA, color=BLUE)"),
    bars("bars-svg", "ax.bar(list('abcd'), DATA, color=BLUE)", file="bars-svg.svg"),
    bars(
        "bars-behind-grid-with-legend",
        "ax.bar(list('abcd'), DATA, color=BLUE, label='x'); ax.legend(); "
        "ax.grid(color='white', lw=1)",
    ),
    bars("bars-outlined", "ax.bar(list('abcd'), DATA, color=BLUE, edgecolor='black')"),
    bars(
        "bars-labelled-inside",
        "ax.bar_label(ax.bar(list('abcd'), DATA, color=BLUE), label_type='center', color='white')",
    ),
    bars(  # the edges of letters look like the bars, and touch one
        "bars-with-words-of-their-colour",
        "ax.bar(list('abcd'), DATA, color=BLUE); "
        "ax.text(0, 39.8, 'I', color=BLUE, ha='center', va='baseline', fontsize=24)",
    ),
    bars(
        "bars-on-clear-background",
        "ax.bar(list('abcd'), DATA, color=BLUE); fig.patch.set_alpha(0); ax.patch.set_alpha(0)",
    ),
    bars(
        "bars-on-cut-axis",
        "ax.bar(list('abcd'), DATA, color=BLUE); ax.set_ylim(20, 105)",
        "bar heights",
    ),
    bars("bars-on-log-axis", "ax.bar(list('abcd'), DATA, color=BLUE, log=True)", "bar heights"),
    bars("bars-sorted", "ax.bar(list('abcd'), sorted(DATA), color=BLUE)", "bar heights"),
    bars("bars-other-colour", "ax.bar(list('abcd'), DATA, color=RED)", "has 0 bars"),
    bars("bars-one-missing", "ax.bar(list('abc'), DATA[:3], color=BLUE)", "has 3 bars"),
    bars("bars-lying", "ax.barh(list('abcd'), DATA, color=BLUE)", "has 1 bar "),
    bars("bars-blank", "ax.axis('off')", "blank picture"),
    Trial(
        "bars-horizontal",
        "bars-horizontal.png",
        "fig, ax = figure(); ax.barh(list('abcd'), DATA, color=BLUE); ax.invert_yaxis(); "
        "fig.savefig(data / 'bars-horizontal.png'); plt.close(fig)",
        "pixels.expect_bars(case, pixels.read(case, 'bars-horizontal.png'), BLUE, DATA, "
        "horizontal=True)",
    ),
    line("line", "ax.plot(CURVE, color=RED, lw=2)"),
    line(
        "line-marked-on-grid", "ax.plot(CURVE, 'o-', color=RED, label='x'); ax.grid(); ax.legend()"
    ),
    line("line-png", "ax.plot(CURVE, color=RED, lw=2)", suffix="png"),
    line("line-upside-down", "ax.plot(CURVE, color=RED); ax.invert_yaxis()", "does not follow"),
    line("line-backwards", "ax.plot(CURVE[::-1], color=RED)", "does not follow"),
    line("line-one-value-off", "ax.plot([3, 9, 4, 6, 4, 8, 5], color=RED)", "does not follow"),
    line("line-flat", "ax.plot([5] * 7, color=RED)", "does not follow"),
    line("line-absent", "ax.plot(CURVE, color=BLUE)", "has no line"),
    pie("pie", "ax.pie([30, 50, 20], colors=[BLUE, RED, GREEN], labels=list('abc'))"),
    pie(
        "pie-with-legend",
        "ax.legend(ax.pie([20, 30, 50], colors=[GREEN, BLUE, RED])[0], list('cab'), "
        "loc='upper left')",
    ),
    pie("pie-other-shares", "ax.pie([30, 45, 25], colors=[BLUE, RED, GREEN])", "areas are"),
    pie("pie-colours-swapped", "ax.pie([30, 50, 20], colors=[RED, BLUE, GREEN])", "areas are"),
    dots("dots", "ax.plot(CURVE, 'o', color=RED, ms=10)"),
    dots("dots-under-a-line", "ax.plot(CURVE, 'o', color=RED, ms=10); ax.plot(CURVE, 'k-', lw=1)"),
    dots("dots-one-moved", "ax.plot([3, 9, 4, 7, 2, 8, 5], 'o', color=RED, ms=10)", "px off"),
    text("text-as-text", "none"),
    text("text-as-outlines", "path", "does not show"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder: Path = tmp_path_factory.mktemp("charts")
    return asyncio.run(try_out(TRIALS, SETUP, folder))


def test_chart(found: dict[str, Assertion], subtests: pytest.Subtests) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
