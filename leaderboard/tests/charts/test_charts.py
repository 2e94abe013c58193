"""The figures as data: which marks, in which order, with which words."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from plotly import graph_objects as go
from plotly import io as io_of_plotly

from leaderboard.charts import categories, labels, success_by_turn, tradeoffs
from leaderboard.charts.chart import Chart, make_figure, show_name, show_names, wrap_name
from leaderboard.charts.labels import ChartLabel, LabelBox
from leaderboard.charts.pass_rates import draw_pass_rates
from leaderboard.charts.points import MatrixRun, MatrixTask, RunPoint, TurnsPoint
from leaderboard.charts.success_by_turn import draw_success_within_turns
from leaderboard.charts.task_matrix import draw_matrix
from leaderboard.charts.template import LOOK, template_json
from leaderboard.charts.tradeoffs import draw_rate_against_cost, draw_rate_against_tokens
from leaderboard.tests.support.chart_cases import (
    BASELINES,
    MAX_TURNS,
    NAMES,
    charts_of,
    make_point,
    make_points,
)

CASES = ("full", "baselines", "one", "empty", "many")


def make_run(name: str, rate: float, price: float | None, **more: Any) -> RunPoint:
    return RunPoint(name, "", rate, 0.0, 1.0, 30, tokens=price, **more)


# What holds for every chart


def test_every_chart_asks_a_question_and_has_a_table(subtests: pytest.Subtests) -> None:
    for case in CASES:
        with subtests.test(case=case):
            for chart in charts_of(case).values():
                assert chart.title.endswith("?")
                assert chart.note.endswith(".")
                assert "  " not in chart.note
                assert all(len(row.values) == len(chart.columns) for row in chart.rows)
                assert len({column.key for column in chart.columns}) == len(chart.columns)


def test_a_figure_is_plain_json(subtests: pytest.Subtests) -> None:
    for case in CASES:
        with subtests.test(case=case):
            for chart in charts_of(case).values():
                text = json.dumps(chart.as_json(), allow_nan=False)
                assert json.loads(text)["figure"] == chart.figure
                assert "template" not in chart.figure["layout"]


def test_a_figure_that_plotly_does_not_know_is_refused(subtests: pytest.Subtests) -> None:
    wrong_figures: list[dict[str, Any]] = [
        {"traces": [{"x": [1], "colour": "red"}]},
        {"traces": [{"marker": {"color": "var"}}]},
        {"traces": [{"mode": "dots"}]},
        {"layout": {"xaxis": {"titel": "Turns"}}},
        {"narrow": {"height": 0}},
    ]
    for wrong in wrong_figures:
        with subtests.test(wrong=wrong), pytest.raises(ValueError, match="nvalid"):
            make_figure(
                [go.Scatter(**trace) for trace in wrong.get("traces", [])],
                wrong.get("narrow"),
                **wrong.get("layout", {}),
            )


def test_the_template_is_registered_and_said_once() -> None:
    template = template_json()
    assert io_of_plotly.templates[LOOK].to_plotly_json() == template
    assert json.loads(json.dumps(template)) == template
    assert len(json.dumps(template)) < 2_500
    text = json.dumps([chart.figure for chart in charts_of("full").values()])
    for said_once in ("paper_bgcolor", "hoverlabel", "xgap"):
        assert said_once in json.dumps(template)
        assert f'"{said_once}":' not in text


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
    figures = [template_json(), *(c.figure for c in charts_of("full").values())]
    colours = set().union(*map(find_colours, figures))
    tokens = set().union(*(re.findall(r"var\((--[\w-]+)\)", colour) for colour in colours))
    assert {"--ink", "--accent", "--accent-deep"} <= tokens
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


def test_a_name_is_shown_as_plain_text(subtests: pytest.Subtests) -> None:
    for name, shown in [
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("a & b", "a &amp; b"),
        ("tab\tand\nline", "tab and line"),
        ("right\u202eleft\x00", "rightleft"),
        ("x" * 60, "x" * 27 + "…"),
        ("\u200b", "?"),
        ("", "?"),
        ("模型", "模型"),
    ]:
        with subtests.test(name=name, shown=shown):
            assert show_name(name) == shown


def test_names_that_begin_alike_differ_when_cut() -> None:
    names = ["Keyword stuffer of text", "Keyword stuffer of code", "Silent", "Silent"]
    assert show_names(names, 8)[:2] == ["Keyw…tex<br>t", "Keyw…cod<br>e"]
    assert show_names(names, 8)[2:] == ["Silent", "Silent"]
    sizes = ["Qwen2.5-Coder-7B-Instruct", "Qwen2.5-Coder-32B-Instruct", "x" * 20]
    assert show_names(sizes, 7)[:2] == ["Qwen…7B<br>-Instr…", "Qwen…32<br>B-Inst…"]
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


def test_a_category_without_a_rate_is_a_gap_and_no_zero() -> None:
    point = make_point("x", 0.5)
    first, *rest = point.categories
    point = replace(point, categories=(replace(first, rate=None), *rest))
    assert categories.draw_category_heatmap([point]).figure["data"][0]["z"][0][0] is None
    chart = categories.draw_category_heatmap([point])
    assert [text for _, text in chart.page_rows[0][1]][2] == "–"


def test_few_tasks_have_counts_in_place_of_rates() -> None:
    """Categories of 6 and 4 of 143 tasks; then runs on 9 tasks in all."""
    point = make_point("x", 0.5)
    chart = categories.draw_category_heatmap([point])
    cells = chart.figure["data"][0]
    passed = [round((c.rate or 0) * c.tasks) for c in point.categories]
    assert cells["text"][0][3:] == [f"{passed[3]} of 6", f"{passed[4]} of 4"]
    assert cells["z"][0][3:] == [0, 0]  # no colour, which would be read as a rate
    assert [*chart.rows[0].values[5:]] == passed[3:]
    assert "Complex maths, Software" in chart.note
    few = replace(point, tasks=9, rate=7 / 9, low=None, high=None)
    turns = TurnsPoint("x", "", 9, 9, [1, 2, 2, 3, 4, 4, 5])
    drawn = [draw_pass_rates([few]), draw_rate_against_cost([few]), draw_rate_against_tokens([few])]
    for chart in (*drawn, draw_success_within_turns([turns], MAX_TURNS)):
        said = json.dumps(chart.as_json(), ensure_ascii=False)
        assert "7 of 9" in said, chart.key
        for rate in ("77.8", "0.777", " %"):
            assert rate not in said.replace("77.78", ""), (chart.key, rate)  # where the dot stands
    assert "<svg" in drawn[0].plain
    assert "77.8" not in drawn[0].plain


# Tradeoffs


def test_the_frontier_is_what_none_beats() -> None:
    source = random.Random(3)
    for _ in range(40):
        points = [
            make_run(f"r{i}", source.randrange(8) / 8, source.randrange(1, 8), is_baseline=i > 14)
            for i in range(18)
        ]
        found = tradeoffs.find_frontier(points, tradeoffs.TOKENS)
        entries = [point for point in points if not point.is_baseline]
        expected = [p for p in entries if not any(beats(other, p) for other in entries)]
        assert sorted(p.name for p in found) == sorted(p.name for p in expected)
        assert [p.tokens for p in found] == sorted(p.tokens or 0 for p in found)


def beats(a: RunPoint, b: RunPoint) -> bool:
    assert a.tokens is not None
    assert b.tokens is not None
    is_as_good = a.tokens <= b.tokens and a.rate >= b.rate
    return is_as_good and (a.tokens < b.tokens or a.rate > b.rate)


def test_an_unknown_price_is_left_out_and_said() -> None:
    points = [make_run("a", 0.5, 3.0), make_run("b", 0.6, None), make_run("c", 0.7, 0)]
    chart = tradeoffs.draw_rate_against_tokens(points)
    assert [row.values[0] for row in chart.rows] == ["a"]
    assert "no token count is known: 2." in chart.note


def test_only_baselines_have_no_frontier() -> None:
    chart = charts_of("baselines")["rate-against-tokens"]
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


def test_names_stand_beside_dots_and_ends_of_lines(subtests: pytest.Subtests) -> None:
    for case in ["full", "one", "many"]:
        for key, line_chars in [
            ("rate-against-cost", 22),
            ("rate-against-tokens", 22),
            ("success-within-turns", 22),
        ]:
            with subtests.test(case=case, key=key, line_chars=line_chars):
                chart = charts_of(case)[key]
                labels = chart.figure["layout"]["annotations"]
                assert len(labels) == min(8, len(chart.rows))
                names = {
                    "<br>".join(wrap_name(str(row.values[0]), line_chars, 3)) for row in chart.rows
                }
                assert {label["text"] for label in labels} <= names
                assert len(chart.figure["narrow"]["annotations"]) == len(labels)
                for trace in chart.figure["data"]:
                    assert "text" not in trace
                    assert "hovertext" in trace or trace["hoverinfo"] == "skip"


def test_names_on_the_frontier_come_first() -> None:
    points = [make_run(f"r{i}", 0.9 - i / 100, 1e3) for i in range(9)] + [make_run("x", 0.1, 1.0)]
    chart = tradeoffs.draw_rate_against_tokens(points)
    names = [label["text"] for label in chart.figure["layout"]["annotations"]]
    assert names == ["r0", "x", *(f"r{i}" for i in range(1, 7))]
    assert "8 of 10 have their name beside them." in chart.note


def box_of(label: ChartLabel, note: dict[str, Any], width_px: float, height_px: float) -> LabelBox:
    """Where an annotation stands, by its place, its move and its anchors."""
    lines = note["text"].split("<br>")
    width, height = max(map(len, lines)) * labels.CHAR_PX, len(lines) * labels.LINE_PX
    x = label.across * width_px + note["ax"]
    y = label.down * height_px + note["ay"]
    left = x - {"left": 0, "center": width / 2, "right": width}[note["xanchor"]]
    top = y - {"top": 0, "middle": height / 2, "bottom": height}[note["yanchor"]]
    return LabelBox(left, top, left + width, top + height)


def test_labels_of_near_dots_cover_neither_each_other_nor_dots() -> None:
    source = random.Random(5)
    for _ in range(30):
        spread = source.uniform(0.1, 0.5)
        places = [(0.5 + source.uniform(-spread, spread), source.random()) for _ in range(8)]
        dots = [ChartLabel(f"a model {i}", x, y, x, y) for i, (x, y) in enumerate(places)]
        notes = labels.label_dots(dots, dots, [], (500, 348), 22)
        boxes = [box_of(dot, note, 500, 348) for dot, note in zip(dots, notes, strict=True)]
        boxes += [labels.around(dot, dot, (500, 348), labels.DOT_PX) for dot in dots]
        of_labels = combinations(range(len(dots)), 2)
        assert sum(boxes[i].overlap(boxes[j]) for i, j in of_labels) < 60  # of 900 each


def test_labels_of_lines_that_end_together_stand_apart() -> None:
    ends = [
        ChartLabel(f"model {i} with a long name", 10, 0, 1, down)
        for i, down in enumerate([1.0] * 8)
    ]
    notes = labels.label_ends(ends, 356, 16)
    boxes = [box_of(end, note, 0, 356) for end, note in zip(ends, notes, strict=True)]
    assert all(below.top >= above.bottom - 0.2 for above, below in pairwise(boxes))
    assert boxes[-1].bottom <= 356 + labels.LINE_PX
    assert labels.label_ends([], 356, 16) == []


def test_a_long_name_is_wrapped(subtests: pytest.Subtests) -> None:
    for name, lines in [
        ("Foo", ["Foo"]),
        ("aurora-72b-instruct-2026-11", ["aurora-72b-", "instruct-2026-11"]),
        ("a model with many words in its name", ["a model with", "many words in i…"]),
        ("x" * 40, ["x" * 16, "x" * 15 + "…"]),
        ("星火大模型三十二亿参数版本测试", ["星火大模型三十二", "亿参数版本测试"]),
        ("<b>a & b</b>", ["&lt;b&gt;a &amp; b&lt;/b&gt;"]),
    ]:
        with subtests.test(name=name, lines=lines):
            assert wrap_name(name, 16) == lines


# Success within k turns


def test_shares_within_turns_add_up() -> None:
    point = TurnsPoint("x", "", attempts=10, tasks=10, solved_turns=[2, 2, 3, 7, 10])
    shares = success_by_turn.shares_within(point, 10)
    assert shares == [0, 0.2, 0.3, 0.3, 0.3, 0.3, 0.4, 0.4, 0.4, 0.5]


def test_a_run_without_attempts_is_flat() -> None:
    assert success_by_turn.shares_within(TurnsPoint("x", "", 0, 0, []), 3) == [0, 0, 0]


def test_the_best_entry_has_the_accent() -> None:
    points = [
        TurnsPoint("scripted", "", 4, 4, [1, 1, 1, 1], is_baseline=True),
        TurnsPoint("second", "", 4, 4, [5]),
        TurnsPoint("best", "", 4, 4, [1, 2]),
    ]
    chart = success_by_turn.draw_success_within_turns(points, 10)
    colours = {row.values[0]: t["line"]["color"] for row, t in zip_traces(chart)}
    assert colours["best"] == "var(--accent)"
    assert list(colours.values()).count("var(--accent)") == 1


def zip_traces(chart: Chart) -> list[tuple[Any, dict[str, Any]]]:
    return list(zip(chart.rows, chart.figure["data"], strict=True))


def test_each_curve_has_its_symbol() -> None:
    chart = charts_of("full")["success-within-turns"]
    traces = chart.figure["data"]
    assert len({t["marker"]["symbol"] for t in traces}) == 8
    assert [t["meta"] for t in traces] == [row.url for row in chart.rows[:8]]


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


def test_a_cell_leads_to_the_attempt_behind_it() -> None:
    tasks = [MatrixTask(key, key, "chart") for key in ("easy", "hard")]
    runs = [MatrixRun("a", "/runs/5/", 0.5, {"easy": 1.0, "hard": 0.0})]
    (cells,) = draw_matrix(runs, tasks).figure["data"]
    leads = {key: cells["meta"][0].replace("%{x}", key) for key in cells["x"]}
    assert leads == {key: reverse("replay", args=[5, key]) for key in ("easy", "hard")}


def test_two_runs_of_a_name_are_two_rows() -> None:
    tasks = [MatrixTask("a", "a", "chart")]
    names = ("same", "same", "same (2)")
    runs = [MatrixRun(name, "", 1 - i / 4, {"a": i / 4}) for i, name in enumerate(names)]
    (cells,) = draw_matrix(runs, tasks).figure["data"]
    assert cells["y"] == ["same", "same (2)", "same (2) (2)"]
    assert cells["z"] == [[0], [0.25], [0.5]]


def test_names_from_right_to_left_keep_their_order() -> None:
    told = "\u2068نموذج شمس 7B\u2069"
    chart = draw_pass_rates([replace(make_points()[0], name="نموذج شمس 7B\u202e")])
    assert chart.figure["layout"]["yaxis"]["ticktext"] == [told]
    assert f">{told}</span>" in chart.plain
    assert show_name("Foo 7B") == "Foo 7B"
