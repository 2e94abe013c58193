"""The figures as data: which marks, in which order, with which words."""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from leaderboard.plots import categories, labels, tradeoffs, turns
from leaderboard.plots.chart import Chart, show_name, show_names
from leaderboard.plots.labels import Dot
from leaderboard.plots.matrix import draw_matrix
from leaderboard.plots.points import MatrixRun, MatrixTask, RunPoint, TurnsPoint
from leaderboard.plots.rates import draw_pass_rates
from leaderboard.tests.chart_site import BASELINES, NAMES, charts_of, make_point, make_points

CASES = ("full", "baselines", "one", "empty", "many")


def make_run(name: str, rate: float, price: float | None, **more: Any) -> RunPoint:
    return RunPoint(name, "", rate, 0.0, 1.0, 30, turns=price, tokens=price, **more)


# What holds for every chart


@pytest.mark.parametrize("case", CASES)
def test_every_chart_asks_a_question_and_has_a_table(case: str) -> None:
    for chart in charts_of(case).values():
        assert chart.title.endswith("?")
        assert chart.note.endswith(".")
        assert "  " not in chart.note
        assert all(len(row.values) == len(chart.columns) for row in chart.rows)
        assert len({column.key for column in chart.columns}) == len(chart.columns)


@pytest.mark.parametrize("case", CASES)
def test_a_figure_is_plain_json(case: str) -> None:
    for chart in charts_of(case).values():
        text = json.dumps(chart.as_json(), allow_nan=False)
        assert json.loads(text)["figure"] == chart.figure
        assert "template" not in chart.figure["layout"]


def test_an_empty_board_has_empty_charts() -> None:
    assert all(chart.is_empty and not chart.rows for chart in charts_of("empty").values())
    assert not any(chart.is_empty for chart in charts_of("one").values())


def find_colours(value: object, key: str = "") -> set[str]:
    """Every colour of a figure, wherever it stands."""
    if isinstance(value, str):
        return {value} if re.search(r"color(scale)?$", key) else set()
    if isinstance(value, list):
        return set().union(*(find_colours(part, key) for part in value))
    if isinstance(value, dict):
        return set().union(*(find_colours(part, name) for name, part in value.items()))
    return set()


def test_colours_are_tokens_of_the_site() -> None:
    styles = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text("utf-8")
    colours = set().union(*(find_colours(c.figure) for c in charts_of("full").values()))
    tokens = set().union(*(re.findall(r"var\((--[\w-]+)\)", colour) for colour in colours))
    assert {"--ink", "--accent", "--cat-1", "--cat-5"} <= tokens
    assert all(f"{token}:" in styles for token in tokens)
    assert {c for c in colours if "var(--" not in c} <= {"rgba(0, 0, 0, 0)"}


def test_no_more_runs_are_drawn_than_can_be_read() -> None:
    charts = charts_of("many")
    assert "The best 40 of 306 are drawn." in charts["pass-rates"].note
    assert len(charts["pass-rates"].figure["layout"]["yaxis"]["ticktext"]) == 40
    assert len(charts["pass-rates"].rows) == 306
    assert len(charts["pass-rates"].page_rows) == 40
    assert len(charts["success-within-turns"].figure["data"]) == 8
    assert len(charts["matrix"].figure["data"][0]["z"]) == 60
    assert len(charts["matrix"].page_rows) == 143
    size_bytes = max(len(json.dumps(chart.as_json())) for chart in charts.values())
    assert size_bytes < 400_000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("a & b", "a &amp; b"),
        ("tab\tand\nline", "tab and line"),
        ("right\u202eleft\x00", "rightleft"),
        ("x" * 60, "x" * 27 + "…"),
        ("\u200b", "?"),
        ("", "?"),
        ("模型", "模型"),
    ],
)
def test_a_name_is_shown_as_plain_text(name: str, shown: str) -> None:
    assert show_name(name) == shown


def test_names_that_begin_alike_are_told_apart_when_they_are_cut() -> None:
    names = ["Keyword stuffer", "Keyword stuffer with junk files", "Silent", "Silent"]
    assert show_names(names, 14) == ["Keyword stuff…", "Keyw… with ju…", "Silent", "Silent"]
    sizes = ["Qwen2.5-Coder-7B-Instruct", "Qwen2.5-Coder-32B-Instruct", "x" * 20]
    assert show_names(sizes, 14) == ["Qwen…7B-Instr…", "Qwen…32B-Inst…", "x" * 13 + "…"]
    assert show_names(names, 40) == names


def test_csv_has_every_row_and_no_formula() -> None:
    points = [make_point("=HYPERLINK(1)", 0.5), make_point('a,b\n"c"', 0.4), make_point("x", 0.3)]
    rows = list(csv.DictReader(io.StringIO(draw_pass_rates(points).as_csv())))
    assert [row["entry"] for row in rows] == ["'=HYPERLINK(1)", 'a,b\n"c"', "x"]
    assert float(rows[0]["rate"]) == points[0].rate


def test_the_page_shows_what_csv_holds() -> None:
    chart = draw_pass_rates([replace(make_point("x", 0.5), rate=0.629, tasks=143)])
    ((url, cells),) = chart.page_rows
    assert [text for _, text in cells[:2]] == ["x", "62.9"]
    assert url == "/runs/1/"
    assert "0.629" in chart.as_csv()


# Pass rates


def test_rates_stand_in_order_with_their_intervals() -> None:
    points = make_points()
    chart = draw_pass_rates(points)
    rates = [row.values[1] for row in chart.rows]
    assert rates == sorted(rates, reverse=True)  # type: ignore[type-var]
    entries, baselines = chart.figure["data"]
    assert len(entries["x"]) == len(NAMES)
    assert len(baselines["x"]) == len(BASELINES)
    assert baselines["marker"]["symbol"] == "circle-open"
    for trace in (entries, baselines):
        for x, y, more, less in zip(
            trace["x"],
            trace["y"],
            trace["error_x"]["array"],
            trace["error_x"]["arrayminus"],
            strict=True,
        ):
            _, rate, low, high, _, _ = chart.rows[y].values
            assert isinstance(rate, float)
            assert isinstance(low, float)
            assert isinstance(high, float)
            assert x == pytest.approx(100 * rate, abs=0.01)
            assert x + more == pytest.approx(100 * high, abs=0.02)
            assert x - less == pytest.approx(100 * low, abs=0.02)


# Categories


def test_a_category_has_its_colour_and_small_ones_are_pale() -> None:
    chart = categories.draw_category_bars(make_points())
    colours = [trace["marker"]["color"] for trace in chart.figure["data"]]
    assert colours == [f"var(--cat-{i})" for i in range(1, 6)]
    assert [trace["opacity"] for trace in chart.figure["data"]] == [1, 1, 1, 0.55, 0.55]
    assert "Pale bars have fewer than 20 tasks" in chart.note
    assert "Complex maths, Software/website development" in chart.note


def test_a_category_without_a_rate_is_a_gap_and_no_zero() -> None:
    point = make_point("x", 0.5)
    first, *rest = point.categories
    point = replace(point, categories=(replace(first, rate=None), *rest))
    assert categories.draw_category_bars([point]).figure["data"][0]["x"] == [None]
    assert categories.draw_category_heatmap([point]).figure["data"][0]["z"][0][0] is None
    chart = categories.draw_category_heatmap([point])
    assert [text for _, text in chart.page_rows[0][1]][2] == "–"


def test_radars_close_and_do_not_overlap() -> None:
    figure = categories.draw_category_radars(make_points()).figure
    assert len(figure["data"]) == 6
    for trace in figure["data"]:
        assert len(trace["r"]) == 6
        assert trace["r"][0] == trace["r"][-1]
    for layout in (figure["layout"], figure["narrow"]):
        domains = [layout[trace["subplot"]]["domain"] for trace in figure["data"]]
        for a, b in itertools.combinations(domains, 2):
            across = a["x"][0] < b["x"][1] and b["x"][0] < a["x"][1]
            down = a["y"][0] < b["y"][1] and b["y"][0] < a["y"][1]
            assert not (across and down)
        assert all(0 <= end <= 1 for d in domains for side in d.values() for end in side)


def test_two_categories_make_no_radar() -> None:
    point = make_point("x", 0.5)
    chart = categories.draw_category_radars([replace(point, categories=point.categories[:2])])
    assert chart.is_empty


# Tradeoffs


def test_the_frontier_is_what_none_beats() -> None:
    source = random.Random(3)
    for _ in range(40):
        points = [
            make_run(f"r{i}", source.randrange(8) / 8, source.randrange(1, 8), is_baseline=i > 14)
            for i in range(18)
        ]
        found = tradeoffs.find_frontier(points, tradeoffs.TURNS)
        entries = [point for point in points if not point.is_baseline]
        expected = [p for p in entries if not any(beats(other, p) for other in entries)]
        assert sorted(p.name for p in found) == sorted(p.name for p in expected)
        assert [p.turns for p in found] == sorted(p.turns or 0 for p in found)


def beats(a: RunPoint, b: RunPoint) -> bool:
    assert a.turns is not None
    assert b.turns is not None
    is_as_good = a.turns <= b.turns and a.rate >= b.rate
    return is_as_good and (a.turns < b.turns or a.rate > b.rate)


def test_an_unknown_price_is_left_out_and_said() -> None:
    points = [make_run("a", 0.5, 3.0), make_run("b", 0.6, None), make_run("c", 0.7, 0)]
    chart = tradeoffs.draw_rate_against_tokens(points)
    assert [row.values[0] for row in chart.rows] == ["a"]
    assert "the number is unknown: 2." in chart.note


def test_only_baselines_have_no_frontier() -> None:
    chart = charts_of("baselines")["rate-against-turns"]
    assert {row.values[-1] for row in chart.rows} == {"no"}
    assert all(trace["mode"] == "markers" for trace in chart.figure["data"])


@pytest.mark.parametrize("prices", [(1000.0,), (1200.0, 1900.0), (10.0, 1e6), (3e5, 4e5)])
def test_a_log_axis_has_marks_to_read(prices: tuple[float, ...]) -> None:
    points = [make_run(f"r{i}", 0.5, price) for i, price in enumerate(prices)]
    axis = tradeoffs.axis_of(points, tradeoffs.TOKENS)
    assert len(axis["tickvals"]) >= 1
    assert all(
        10 ** axis["range"][0] <= mark <= 10 ** axis["range"][1] for mark in axis["tickvals"]
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_name_covers_a_dot_or_another_name(seed: int) -> None:
    source = random.Random(seed)
    dots = [Dot(source.uniform(0, 500), source.uniform(0, 300), f"name {i}") for i in range(25)]
    placed = labels.place_labels(dots, range(25), 500, 300)
    assert len(placed) > 8
    boxes = {
        label.dot: box
        for label in placed
        for option, box in labels.options_of(label.dot, dots[label.dot], label.text)
        if option == label
    }
    assert len(boxes) == len(placed)
    for (i, a), (j, b) in itertools.combinations(boxes.items(), 2):
        assert not a.meets(b), (i, j)
    for i, box in boxes.items():
        assert not any(box.meets(labels.box_of_dot(dot)) for j, dot in enumerate(dots) if j != i)


def test_dots_on_one_another_share_a_name() -> None:
    dots = [Dot(50, 50, "first"), Dot(51, 50, "second"), Dot(200, 90, "third")]
    placed = labels.place_labels(dots, range(3), 400, 200)
    assert [label.text for label in placed] == ["first +1", "third"]


# Success within k turns


def test_shares_within_turns_add_up() -> None:
    point = TurnsPoint("x", "", attempts=10, solved_turns=[2, 2, 3, 7, 10])
    shares = turns.shares_within(point, 10)
    assert shares == [0, 0.2, 0.3, 0.3, 0.3, 0.3, 0.4, 0.4, 0.4, 0.5]


def test_a_run_without_attempts_is_flat() -> None:
    assert turns.shares_within(TurnsPoint("x", "", 0, []), 3) == [0, 0, 0]


def test_the_best_entry_has_the_accent() -> None:
    points = [
        TurnsPoint("scripted", "", 4, [1, 1, 1, 1], is_baseline=True),
        TurnsPoint("second", "", 4, [5]),
        TurnsPoint("best", "", 4, [1, 2]),
    ]
    chart = turns.draw_success_within_turns(points, 10)
    colours = {row.values[0]: t["line"]["color"] for row, t in zip_traces(chart)}
    assert colours["best"] == "var(--accent)"
    assert list(colours.values()).count("var(--accent)") == 1


def zip_traces(chart: Chart) -> list[tuple[Any, dict[str, Any]]]:
    return list(zip(chart.rows, chart.figure["data"], strict=True))


@pytest.mark.parametrize("ends", [[0.0] * 8, [100.0] * 8, [90, 89, 50, 49, 48, 3, 2, 1], [7.0]])
def test_names_at_the_edge_keep_their_distance(ends: list[float]) -> None:
    places = turns.spread(ends, 5.5)
    gaps = [a - b for a, b in itertools.pairwise(places)]
    assert all(gap >= 5.5 - 1e-9 for gap in gaps)
    assert min(places) >= -1e-9
    assert max(places) <= 101
    assert len(places) == len(ends)


# The matrix


def test_the_matrix_is_ordered_both_ways() -> None:
    tasks = [MatrixTask(key, key, "chart") for key in ("hard", "easy", "untried", "middle")]
    runs = [
        MatrixRun("weak", "", 0.3, {"easy": 1.0, "middle": 0.0, "hard": 0.0}),
        MatrixRun("strong", "", 0.9, {"easy": 1.0, "middle": 0.5, "hard": 0.0}),
    ]
    chart = draw_matrix(runs, tasks)
    (cells,) = chart.figure["data"]
    assert cells["x"] == ["easy", "middle", "hard", "untried"]
    assert cells["y"] == ["strong", "weak"]
    assert cells["z"] == [[1, 0.5, 0, None], [1, 0, 0, None]]
    assert [row.values[2] for row in chart.rows] == [1.0, 0.25, 0.0, None]
    assert [row.values[3] for row in chart.rows] == [2, 2, 2, 0]


def test_two_runs_of_a_name_are_two_rows() -> None:
    tasks = [MatrixTask("a", "a", "chart")]
    names = ("same", "same", "same (2)")
    runs = [MatrixRun(name, "", 1 - i / 4, {"a": i / 4}) for i, name in enumerate(names)]
    (cells,) = draw_matrix(runs, tasks).figure["data"]
    assert cells["y"] == ["same", "same (2)", "same (2) (2)"]
    assert cells["z"] == [[0], [0.25], [0.5]]
