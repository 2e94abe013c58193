"""Contradictions that a chart shows: invented numbers, the same twice, a name for another line."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from runner.checks.charts import contradictions
from runner.checks.charts.figure_note import Axes, Axis, Bars, Line, Note, Points, Text, Wedge

EMPTY = Axes("", "", (), "#ffffff", False, Axis(), Axis(), (), (), (), (), (), (), (), (), ())
PLACES = (0.0, 20_000.0, 40_000.0, 60_000.0)


def bars(values: tuple[float, ...]) -> Bars:
    places, n = tuple(k - 0.4 for k in range(len(values))), len(values)
    return Bars("", "vertical", n, places, (0.0,) * n, (0.8,) * n, values, ("#1f77b4",) * n)


def bar_plot(words: tuple[str, ...] = ("",) * 4, places: tuple[float, ...] = PLACES) -> Axes:
    upright = Axis(ticks=places, words=words)
    named = Axis(ticks=(0.0, 1.0, 2.0), words=("ash", "elm", "oak"))
    return replace(EMPTY, x=named, y=upright, bars=(bars((1.0, 2.0, 4.0)),))


@pytest.mark.parametrize(
    "words",
    [
        ("0", "20000", "40000", "60000"),
        ("0", "20,000", "40,000", "60,000"),
        ("0", "20", "40", "60"),
        ("$0", "$20K", "$40K", "$60K"),
        ("0.0", "0.2", "0.4", "0.6"),
        ("0", "2万", "4万", "6万"),
        ("0%", "2000000%", "4000000%", "6000000%"),
        ("0", "", "40k", ""),
        ("none", "few", "some", "many"),
        ("0", "333.3", "666.7", "1000"),  # minutes of seconds
        ("0", "20k", "40k", "the most"),
        ("low", "7", "3", "high"),  # too few numbers
    ],
)
def test_numbers_of_its_places_are_an_axis_s_own(words: tuple[str, ...]) -> None:
    assert contradictions.misnumbered(bar_plot(words)) == ""


@pytest.mark.parametrize(
    "words",
    [
        ("7", "3", "250", "19"),
        ("60000", "40000", "20000", "0"),
        ("0", "50", "100", "150"),
        ("5000", "25000", "45000", "65000"),
        ("0", "10,000", "40,000", "60,000"),
        ("none", "7", "3", "250"),
    ],
)
def test_other_numbers_are_invented(words: tuple[str, ...]) -> None:
    assert "along an axis where" in contradictions.misnumbered(bar_plot(words))


def test_an_offset_that_all_share_and_mirrored_halves_are_no_invention() -> None:
    years = (1_000_001.0, 1_000_002.0, 1_000_003.0)
    assert contradictions.misnumbered(bar_plot(("1", "2", "3"), years)) == ""
    halves = (-50.0, 0.0, 50.0)
    assert contradictions.misnumbered(bar_plot(("50", "0", "50"), halves)) == ""


@pytest.mark.parametrize(
    ("places", "words", "is_told"),
    [
        ((0.0, 5.0, 10.0), ("2010", "2015", "2020"), True),
        ((0.0, 1.0, 2.0), ("1960", "1964", "1968"), True),
        ((0.0, 5.0, 10.0), ("2010", "2030", "1990"), False),
        ((20.0, 40.0, 60.0), ("3", "7", "9"), False),
    ],
)
def test_places_of_categories_may_be_called_by_numbers(
    places: tuple[float, ...], words: tuple[str, ...], is_told: bool
) -> None:
    plot = replace(cloud(1), x=Axis(ticks=places, words=words))
    assert (contradictions.misnumbered(plot) == "") is is_told


def pie(shares: tuple[float, ...], title: str = "") -> Axes:
    names = ("ash", "elm", "oak")
    wedges = tuple(Wedge(n, share, "#000000") for n, share in zip(names, shares, strict=True))
    return replace(EMPTY, title=title, wedges=wedges)


def cloud(shift: float, title: str = "") -> Axes:
    x = tuple(float(k) for k in range(20))
    y = tuple(shift * math.sin(k) for k in x)
    return replace(EMPTY, title=title, points=(Points("", 20, x, y, (), ()),))


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        (("0", "10", "20"), True),
        (("0%", "50%", "100%"), False),
        (("0", "1k", "2k"), True),
        (("", "", ""), True),
        (("40", "7", "-3"), False),
    ],
)
def test_rings_of_a_polar_plot_have_its_numbers(words: tuple[str, ...], is_told: bool) -> None:
    rings = Axis(ticks=(0.0, 10.0, 20.0), words=words)
    plot = replace(EMPTY, kind="polar", y=rings, lines=(line("", [1, 2]),))
    assert (contradictions.misnumbered(plot) == "") is is_told


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        (("2021", "2022", "2023"), True),
        (("2021-01", "2022-01", "2023-01"), True),
        (("2021-01-01", "Jan 2022", "2023-01-01"), True),
        (("Jan", "Feb", "Mar"), True),
        (("1931", "1932", "1933"), False),
        (("2022-06", "2023-06", "2024-06"), False),
    ],
)
def test_days_along_an_axis_of_dates_are_its_places(words: tuple[str, ...], is_told: bool) -> None:
    places = (18628.0, 18993.0, 19358.0)  # the first days of 2021 to 2023
    dates = Axis(ticks=places, words=words, units="_SwitchableDateConverter")
    assert (contradictions.misdated(replace(EMPTY, x=dates)) == "") is is_told


def shared(texts: tuple[str, ...], degrees: tuple[float, ...]) -> Axes:
    """A pie of 60, 30 and 10 % with texts at angles."""
    starts = (0.0, 216.0, 324.0)
    wedges = tuple(
        Wedge(name, share, "#000000", start)
        for name, share, start in zip(("ash", "elm", "oak"), (0.6, 0.3, 0.1), starts, strict=True)
    )
    placed = tuple(
        Text(text, 0.6 * math.cos(math.radians(at)), 0.6 * math.sin(math.radians(at)))
        for text, at in zip(texts, degrees, strict=True)
    )
    return replace(EMPTY, wedges=wedges, texts=placed)


@pytest.mark.parametrize(
    ("texts", "is_told"),
    [
        (("60.0%", "30.0%", "10.0%"), True),
        (("60%\n(12)", "30%\n(6)", "10%\n(2)"), True),
        (("36%", "18%", "6%"), True),  # of more than the pie
        (("ash 1%", "elm 2%", "oak 3%"), True),  # names
        (("30.0%", "60.0%", "10.0%"), False),
        (("8.0%", "31.0%", "61.0%"), False),
        (("20%", "50%", "30%"), False),
    ],
)
def test_percentages_at_wedges_are_their_shares(texts: tuple[str, ...], is_told: bool) -> None:
    pie = shared(texts, (108.0, 270.0, 342.0))
    assert (contradictions.misshared(pie) == "") is is_told


def test_names_in_small_print_count_where_no_larger_ones_repeat_them() -> None:
    def word(group: str, text: str, size: float) -> tuple[str, str, tuple[float, ...], str]:
        return group, text, (0.1, 0.1, 0.1, 0.1, size, 0.0), "DejaVuSans.ttf"

    small = tuple(word("legend 0", name, 3.6) for name in ("Asia", "Africa", "Europe"))
    title = word("labels 0", "Exports of Asia and Europe", 16.0)
    again = tuple(word("figure", name, 16.0) for name in ("Africa", "Europe", "Asia"))
    fine = tuple(word("legend 0", name, 13.9) for name in ("Asia", "Africa", "Europe"))

    def fault(*printed: tuple[str, str, tuple[float, ...], str]) -> str:
        return contradictions.fault_of(Note("matplotlib", (800, 600), printed=printed))

    assert "too small to be read" in fault(*small, *again)
    assert fault(*small) == fault(*fine, *again) == fault(*fine, title) == ""


def told_twice(one: Axes, other: Axes) -> bool:
    return "two plots" in contradictions.fault_of(Note("matplotlib", (800, 600), axes=(one, other)))


def test_the_same_names_with_other_values_are_told_apart_by_titles_alone() -> None:
    assert told_twice(pie((0.2, 0.3, 0.5)), pie((0.5, 0.3, 0.2), "Trees"))
    assert not told_twice(pie((0.2, 0.3, 0.5)), pie((0.2, 0.3, 0.5), "Trees"))
    assert not told_twice(pie((0.2, 0.3, 0.5), "2019"), pie((0.5, 0.3, 0.2), "2020"))
    other = replace(bar_plot(), bars=(bars((4.0, 2.0, 1.0)),))
    assert told_twice(bar_plot(), other)
    assert not told_twice(bar_plot(), replace(other, bars=(bars((2.0, 4.0, 8.0)),)))
    assert told_twice(cloud(1, title="Circuits"), cloud(2, title="Circuits"))
    assert not told_twice(cloud(1), cloud(2))


def line(label: str, values: list[float]) -> Line:
    x = tuple(float(k) for k in range(len(values)))
    return Line(label, "#000000", "-", "", len(values), x, tuple(values), ())


RIGHT = [5 * math.sin(k) + k for k in range(24)]


@pytest.mark.parametrize(
    ("named", "is_kept"),
    [
        ([10 - value for value in RIGHT], False),
        ([30.0 - k for k in range(24)], False),
        ([sum(RIGHT) / 24] * 24, True),
        ([k * 1.0 for k in range(24)], True),  # its trend
        ([sum(RIGHT[max(0, k - 2) : k + 1]) / min(k + 1, 3) for k in range(24)], True),
    ],
    ids=["mirrored", "falling", "mean", "trend", "rolling"],
)
def test_nameless_line_beside_a_named_one_counts_where_that_speaks_of_it(
    named: list[float], is_kept: bool
) -> None:
    plot = replace(EMPTY, legend=("AAPL",), lines=(line("", RIGHT), line("AAPL", named)))
    kept = contradictions.without_nameless(plot).lines
    assert (plot.lines[0] in kept) is is_kept
    assert plot.lines[1] in kept
    assert contradictions.without_nameless(replace(plot, legend=())) == replace(plot, legend=())


def test_nameless_bars_beside_named_ones_at_their_places_do_not_count() -> None:
    right, other = bars((1.0, 2.0, 4.0)), replace(bars((4.0, 2.0, 1.0)), label="Mean")
    plot = replace(EMPTY, legend=("Mean",), bars=(right, other))
    assert contradictions.without_nameless(plot).bars == (other,)
