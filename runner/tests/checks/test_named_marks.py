"""Names, keys, ticks and titles at the marks of charts that are judged by their pixels."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import matplotlib.pyplot as plt
from runner.checks.chart_words import named_marks
from runner.checks.charts import pixels
BLUE, RED = "#2a6fb0", "#c8553d"
DATA, NAMES = [40, 100, 25, 70], [["Jan", "January"], ["Feb"], ["Mar"], ["Apr"]]
OTHER = [60, 50, 45, 90]
COLOURS = {BLUE: ["staff"], RED: ["rent"]}
def figure(**options):
    fig, ax = plt.subplots(figsize=(9, 6), **options)
    return fig, ax
def pair(names, labels=("staff", "rent"), **options):
    fig, ax = figure()
    for shift, values, colour, label in ((-0.2, DATA, BLUE, 0), (0.2, OTHER, RED, 1)):
        places = [i + shift for i in range(4)]
        ax.bar(places, values, 0.38, color=colour, label=labels[label], **options)
    ax.set_xticks(range(4), names)
    ax.legend()
    return fig, ax
def middles(chart):
    return [bar.left + bar.width for bar in pixels.bars_of(chart, BLUE)]
"""
MONTHS = "['Jan', 'Feb', 'Mar', 'Apr']"
SWAPPED = "['Feb', 'Jan', 'Mar', 'Apr']"


def saved(drawing: str, file: str) -> str:
    return f"{drawing}; fig.savefig(data / {file!r}); plt.close(fig)"


def bars(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.png"
    measure = f"named_marks.expect_bars(case, {file!r}, NAMES, DATA)"
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


def pie(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.png"
    measure = f"named_marks.expect_wedges(case, {file!r}, COLOURS)"
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


def disc(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.png"
    measure = f"pixels.expect_whole_disc(case, pixels.read(case, {file!r}), [BLUE, RED])"
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


def columns(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.svg"
    measure = (
        f"(lambda c: named_marks.expect_columns(case, c, middles(c), NAMES))"
        f"(pixels.read(case, {file!r}))"
    )
    return Trial(name, file, saved(f"fig, ax = {drawing}", file), measure, says)


def legend(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.svg"
    measure = f"named_marks.expect_legend(case, pixels.read(case, {file!r}), COLOURS)"
    return Trial(name, file, saved(f"fig, ax = {drawing}", file), measure, says)


def ticks(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.svg"
    measure = (
        f"(lambda c: named_marks.expect_tick_numbers(case, c, "
        f"[x for x, _ in named_marks.without_keys(c, pixels.dots(c, RED))], [100, 900, 2400], "
        f"'masses') and case.expect('markers', True))(pixels.read(case, {file!r}))"
    )
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


def seen(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.svg"
    measure = f"pixels.expect_bars(case, pixels.read(case, {file!r}), BLUE, DATA)"
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


def title(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.svg"
    make = saved(f"plt.rcParams['svg.fonttype'] = 'none'; fig, ax = figure(); {drawing}", file)
    make += "; plt.rcParams['svg.fonttype'] = 'path'"
    measure = f"pixels.expect_text(case, pixels.read(case, {file!r}), 'Daily means')"
    return Trial(name, file, make, measure, says)


def written(name: str, drawing: str, says: str = "") -> Trial:
    file = f"{name}.png"
    measure = (
        f"(lambda c: pixels.expect_nothing_written(case, c, {{BLUE: pixels.bars_of(c, BLUE)}}))"
        f"(pixels.read(case, {file!r}))"
    )
    return Trial(name, file, saved(f"fig, ax = figure(); {drawing}", file), measure, says)


PLOT = "ax.plot([100, 900, 2400], [1, 2, 3], 'o', color=RED, ms=10"
TRIALS = [
    bars("bars-named", f"ax.bar({MONTHS}, DATA, color=BLUE)"),
    bars("bars-turned-axis", f"ax.bar({MONTHS}[::-1], DATA[::-1], color=BLUE); ax.invert_xaxis()"),
    bars("bars-in-words", "ax.bar(['January', 'Feb 2024', 'Mar.', 'Apr (70)'], DATA, color=BLUE)"),
    bars("bars-without-names", "ax.bar(range(4), DATA, color=BLUE)"),
    bars(
        "bars-in-thousands",
        f"ax.bar({MONTHS}, [d / 1000 for d in DATA]); ax.set_ylabel('thousand €')",
    ),
    bars("bars-swapped", f"ax.bar({SWAPPED}, DATA, color=BLUE)", "calls Jan “feb”"),
    bars("bars-one-renamed", "ax.bar(['Zanzibar', 'Feb', 'Mar', 'Apr'], DATA)", "calls Jan"),
    bars("bars-tenfold", f"ax.bar({MONTHS}, [10 * d for d in DATA])", "expected 40"),
    pie("pie-named", "ax.pie([3, 5], labels=['staff', 'rent'], colors=[BLUE, RED])"),
    pie("pie-legend", "ax.legend(ax.pie([3, 5], colors=[BLUE, RED])[0], ['staff', 'rent'])"),
    pie("pie-bare", "ax.pie([3, 5], colors=[BLUE, RED])"),
    pie("pie-swapped", "ax.pie([3, 5], labels=['rent', 'staff'], colors=[BLUE, RED])", "calls"),
    disc("disc-whole", "ax.pie([3, 5], colors=[BLUE, RED])"),
    disc("disc-ring", "ax.pie([3, 5], colors=[BLUE, RED], wedgeprops={'width': 0.4})", "cover"),
    disc("disc-gaps", "ax.pie([3, 5], colors=[BLUE, RED], explode=[0.1, 0.1])", "cover"),
    columns("columns-named", f"pair({MONTHS})"),
    columns("columns-turned", f"pair({MONTHS}); ax.tick_params(axis='x', rotation=60)"),
    columns("columns-bare", "pair([])"),
    columns("columns-swapped", f"pair({SWAPPED})", "calls Jan"),
    legend("legend-right", f"pair({MONTHS})"),
    legend("legend-none", f"pair({MONTHS}); ax.get_legend().remove()"),
    legend("legend-swapped", f"pair({MONTHS}, ('rent', 'staff'))", "calls staff"),
    ticks("ticks-in-grams", f"{PLOT}, label='used'); ax.legend()"),
    ticks("ticks-left-out", f"{PLOT}); ax.set_xticks([])"),
    ticks("ticks-in-kilograms", f"{PLOT.replace('[100, 900, 2400]', '[0.1, 0.9, 2.4]')})", "lie"),
    seen("bars-solid", "ax.bar(range(4), DATA, color=BLUE)"),
    seen("bars-translucent", "ax.bar(range(4), DATA, color=BLUE, alpha=0.5)", "0 bars"),
    seen("bars-transparent", "ax.bar(range(4), DATA, color=BLUE, alpha=0)", "0 bars"),
    title("title-black", "ax.set_title('Daily means')"),
    written("written-nowhere", "ax.barh(range(4), DATA, color=BLUE); ax.grid()"),
    written(
        "written-on-bars",
        "ax.bar_label(ax.bar(range(4), DATA, color=BLUE), label_type='center', fontsize=14)",
        "something is written",
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder: Path = tmp_path_factory.mktemp("charts")
    return asyncio.run(try_out(TRIALS, SETUP, folder))


def test_marks_have_their_own_names(found: dict[str, Assertion], subtests: pytest.Subtests) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
