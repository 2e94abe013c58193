"""The charts in a real browser, under the site's own policy."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.template import engines
from django.urls import include, path
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.fixtures import Settings

from conftest import wait_until
from leaderboard.charts.template import template_json
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.chart_cases import NAMES, charts_of

pytestmark = pytest.mark.browser

PAGE = """{% extends "base.html" %}{% load static %}
{% block styles %}<link rel="stylesheet" href="{% static 'css/charts.css' %}">{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/charts.js' %}"></script>{% endblock %}
{% block content %}{{ look|json_script:"chart-template" }}<div class="charts">
{% for chart, json, csv, address in charts %}
{% include "charts/_chart.html" with about="Made up, n 143. Drawn: everything." %}{% endfor %}
</div>{% endblock %}"""


def show_page(request: HttpRequest, case: str) -> HttpResponse:
    """The charts of a case; with ?broken=1 their figures cannot be loaded."""
    tail = "-broken" if request.GET.get("broken") else ""
    charts = [
        (
            chart,
            f"/charts/{case}/{key}{tail}.json",
            f"/charts/{case}/{key}.csv",
            f"/charts/{case}/#chart-{key}",
        )
        for key, chart in charts_of(case).items()
    ]
    template = engines["django"].from_string(PAGE)
    return HttpResponse(template.render({"charts": charts, "look": template_json()}, request))


def send_figure(request: HttpRequest, case: str, key: str) -> HttpResponse:
    chart = charts_of(case).get(key)
    return JsonResponse(chart.as_json()) if chart else HttpResponseNotFound()


def send_numbers(request: HttpRequest, case: str, key: str) -> HttpResponse:
    return HttpResponse(charts_of(case)[key].as_csv(), content_type="text/csv; charset=utf-8")


urlpatterns = [
    path("charts/<slug:case>/", show_page),
    path("charts/<slug:case>/<slug:key>.json", send_figure),
    path("charts/<slug:case>/<slug:key>.csv", send_numbers),
    path("", include("pybench_site.urls")),
]


DRAW_TIMEOUT_MS = 120_000


@pytest.fixture
def site(live_server: Any, settings: Settings) -> str:
    settings.ROOT_URLCONF = __name__
    return str(live_server.url)


def open_drawn(page: Page, address: str) -> None:
    """Open a page and scroll until all of its charts are drawn."""
    page.goto(address)
    show_interest(page)
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        expect(chart).to_have_attribute("data-state", "drawn", timeout=DRAW_TIMEOUT_MS)


def show_interest(page: Page) -> None:
    """Do what a reader does: without it nothing is drawn that the server has drawn already."""
    page.keyboard.press("Shift")


def plot_of(page: Page, key: str) -> Locator:
    return page.locator(f"#chart-{key} .chart-plot")


def texts_of(plot: Locator, selector: str) -> list[str]:
    return plot.locator(selector).all_text_contents()


def colour_of(locator: Locator, token: str) -> str:
    """Colour of a token in the current theme."""
    return str(
        locator.evaluate(
            """(place, token) => {
                const probe = place.appendChild(document.createElement("i"));
                probe.style.color = `var(${token})`;
                const colour = getComputedStyle(probe).color;
                probe.remove();
                return colour;
            }""",
            token,
        )
    )


def fill_of(locator: Locator) -> str:
    return str(locator.evaluate("element => getComputedStyle(element).fill"))


def test_every_chart_draws_all_of_its_marks(page: Page, watch: Watch, site: str) -> None:
    open_drawn(page, f"{site}/charts/full/")
    charts = charts_of("full")
    runs = len(charts["pass-rates"].rows)

    rates = plot_of(page, "pass-rates")
    expect(rates.locator(".scatterlayer .point")).to_have_count(runs)
    expect(rates.locator(".errorbar .xerror")).to_have_count(runs)
    assert "Foo-70B-Instruct" in texts_of(rates, ".ytick text")
    assert "90.2" in texts_of(rates, ".annotation-text")

    heat = plot_of(page, "category-heatmap")
    expect(heat.locator(".hm image")).to_have_count(1)
    assert "90.2" not in texts_of(heat, ".heatmap-label text")
    assert len(texts_of(heat, ".heatmap-label text")) == 5 * runs

    for key, drawn in (("rate-against-cost", runs - 6), ("rate-against-tokens", runs - 1)):
        tradeoff = plot_of(page, key)
        expect(tradeoff.locator(".scatterlayer .point")).to_have_count(drawn)
        assert any("Foo-70B-Instruct" in text for text in texts_of(tradeoff, ".annotation-text"))

    turns = plot_of(page, "success-within-turns")
    expect(turns.locator(".scatterlayer .js-line")).to_have_count(8)
    assert "Foo-70B-Instruct" in texts_of(turns, ".annotation-text")

    matrix = plot_of(page, "matrix")
    expect(matrix.locator(".hm image")).to_have_count(1)
    assert len(texts_of(matrix, ".xtick text")) == 30
    assert watch.refusals == []


def test_the_style_sheet_stands_in_for_refused_styles(page: Page, watch: Watch, site: str) -> None:
    """Without it layers stand below each other and a heatmap's cells run into each other."""
    open_drawn(page, f"{site}/charts/full/")
    heat = plot_of(page, "category-heatmap")
    layers = heat.locator(".main-svg")
    places = [layer.evaluate("e => getComputedStyle(e).position") for layer in layers.all()]
    assert len(places) >= 2
    assert set(places) == {"absolute"}
    rendering = "element => getComputedStyle(element).imageRendering"
    assert heat.locator(".hm image").evaluate(rendering) == "pixelated"
    heights = heat.evaluate("e => [e.clientHeight, e.querySelector('.main-svg').clientHeight]")
    assert heights[0] == heights[1] == charts_of("full")["category-heatmap"].height_px


def test_names_are_text_and_never_markup(page: Page, watch: Watch, site: str) -> None:
    open_drawn(page, f"{site}/charts/full/")
    for plot in page.locator(".chart-plot").all():
        expect(plot.locator("a")).to_have_count(0)
    names = texts_of(plot_of(page, "pass-rates"), ".ytick text")
    assert "<b>bold</b> & <ahref='https://example.org'>…" in names  # in two lines
    assert "var(--ink)" in names
    assert "通义千问-72B" in names
    assert names.count("Bar Large 2") == 2


@pytest.mark.parametrize("change", ["button", "system"])
def test_a_change_of_theme_redraws(page: Page, watch: Watch, site: str, change: str) -> None:
    page.emulate_media(color_scheme="light")
    open_drawn(page, f"{site}/charts/full/")
    plot = plot_of(page, "pass-rates")
    tick = plot.locator(".ytick text").first
    light = colour_of(plot, "--ink-soft")
    assert fill_of(tick) == light
    if change == "button":
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
    else:
        page.emulate_media(color_scheme="dark")
    dark = colour_of(plot, "--ink-soft")
    assert dark != light
    expect(tick).to_have_css("fill", dark)
    for other in page.locator(".chart-plot .xtick text, .chart-plot .angularaxistick text").all():
        expect(other).to_have_css("fill", dark)


def test_a_phone_gets_shorter_names(page: Page, watch: Watch, site: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    open_drawn(page, f"{site}/charts/full/")
    assert "A model whosename goes on fo…" in texts_of(plot_of(page, "pass-rates"), ".ytick text")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(plot_of(page, "pass-rates")).to_contain_text("onfor sixty characters and th…")


def test_a_chart_is_loaded_when_it_comes_near(page: Page, watch: Watch, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.set_viewport_size({"width": 1000, "height": 500})
    page.goto(f"{site}/charts/full/")
    assert "plotly.min.js" not in asked
    show_interest(page)
    expect(plot_of(page, "pass-rates")).to_have_attribute("data-state", "drawn")
    assert "pass-rates.json" in asked
    assert "matrix.json" not in asked
    last = plot_of(page, "matrix")
    last.scroll_into_view_if_needed()
    expect(last).to_have_attribute("data-state", "drawn")
    assert asked.count("matrix.json") == 1
    assert asked.count("plotly.min.js") == 1


def test_nothing_moves_when_a_chart_appears(page: Page, watch: Watch, site: str) -> None:
    held: list[Route] = []
    is_held = True

    def hold_back(route: Route) -> None:
        held.append(route) if is_held else route.continue_()

    page.route("**/*.json", hold_back)
    page.goto(f"{site}/charts/full/")
    with page.expect_request("**/*.json"):
        show_interest(page)
    height = "element => element.getBoundingClientRect().height"
    charts = page.locator(".chart").all()
    before = [chart.evaluate(height) for chart in charts]
    is_held = False
    for route in held:
        route.continue_()
    for chart in charts:
        chart.scroll_into_view_if_needed()
        expect(chart.locator("[data-chart]")).to_have_attribute("data-state", "drawn")
    assert [chart.evaluate(height) for chart in charts] == before
    assert held != []


def test_a_chart_can_be_kept_as_an_image(page: Page, watch: Watch, site: str) -> None:
    open_drawn(page, f"{site}/charts/full/")
    for key in ("pass-rates", "category-heatmap", "rate-against-tokens"):
        chart = page.locator(f"#chart-{key}")
        with page.expect_download() as download:
            chart.get_by_role("button", name="png").click()
        assert download.value.suggested_filename == f"{key}.png"
        with Image.open(download.value.path()) as picture:
            width, height = (side / 2 for side in picture.size)
            assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 20
        assert width - 32 == plot_of(page, key).evaluate("e => e.clientWidth")
        assert height > charts_of("full")[key].height_px
        with page.expect_download() as download:
            chart.get_by_role("button", name="svg").click()
        assert download.value.suggested_filename == f"{key}.svg"
        drawing = ElementTree.fromstring(download.value.path().read_text("utf-8"))
        assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
        words = "".join(drawing.itertext())
        assert "Foo-70B-Instruct" in words
        assert "<b>bold" in words
        assert chart.locator("h3").inner_text() in words
        assert "Made up, n 143. Drawn: everything." in words
        assert f"PyBench, {site}/charts/full/#chart-{key}" in words
        assert f"{datetime.now(UTC):%Y-%m-%d}" in words
    assert watch.refusals == []


def test_image_from_a_phone_says_all_that_one_from_a_desk_does(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, accept_downloads=True)
    try:
        page = context.new_page()
        open_drawn(page, f"{site}/charts/full/")
        images = page.locator("#chart-category-heatmap [data-images]")
        images.evaluate("e => { e.dataset.day = '2026-01-31'; }")  # as of a past board
        with page.expect_download() as download:
            images.get_by_role("button", name="svg").click()
        drawing = ElementTree.fromstring(download.value.path().read_text("utf-8"))
    finally:
        context.close()
    lines = [text.text or "" for text in drawing.findall("{http://www.w3.org/2000/svg}text")]
    assert lines == [
        charts_of("full")["category-heatmap"].title,
        "2026-01-31, Made up, n 143. Drawn: everything.",
        f"PyBench, {site}/charts/full/#chart-category-heatmap",
    ]


def drag(page: Page, plot: Locator) -> None:
    """Draw a rectangle over the middle of a drawing."""
    box = plot.locator(".nsewdrag").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.7 * box["height"], steps=8)
    page.mouse.up()


def range_of(plot: Locator) -> list[float]:
    return list(plot.evaluate("e => e._fullLayout.xaxis.range"))


def test_a_drag_zooms_and_a_double_click_goes_back(page: Page, watch: Watch, site: str) -> None:
    open_drawn(page, f"{site}/charts/full/")
    plot = plot_of(page, "rate-against-tokens")
    plot.scroll_into_view_if_needed()
    whole = range_of(plot)
    drag(page, plot)
    wait_until(lambda: range_of(plot) != whole, "the drag zooms")
    zoomed = range_of(plot)
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    expect(plot.locator(".xtick text").first).to_have_css("fill", colour_of(plot, "--ink-soft"))
    assert range_of(plot) == zoomed

    def goes_back() -> bool:
        """Clicks that a busy machine takes too far apart are two single ones."""
        plot.locator(".nsewdrag").first.dblclick(position={"x": 5, "y": 5})
        page.wait_for_timeout(500)
        return range_of(plot) == whole

    wait_until(goes_back, "a double click shows all of it again")
    assert watch.refusals == []


def test_on_a_phone_a_drag_scrolls_and_a_tap_tells(browser: Browser, site: str) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    try:
        page = context.new_page()
        open_drawn(page, f"{site}/charts/full/")
        layout = "e => [e._fullLayout.dragmode, e._fullLayout.xaxis.fixedrange]"
        plot = plot_of(page, "rate-against-tokens")
        assert plot.evaluate(layout) == [False, True]
        plot.locator(".scatterlayer .point").first.scroll_into_view_if_needed()
        box = plot.locator(".scatterlayer .point").first.bounding_box()
        assert box

        def tells() -> bool:
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(500)
            return plot.locator(".hoverlayer .hovertext").count() > 0

        wait_until(tells, "a tap tells what the mark is")
        assert page.url == f"{site}/charts/full/"
    finally:
        context.close()


MARKS = {
    "pass-rates": ".scatterlayer .point",
    "category-heatmap": ".hm image",
    "rate-against-tokens": ".scatterlayer .point",
    "success-within-turns": ".scatterlayer .point",
    "matrix": ".hm image",
}


@pytest.mark.parametrize("key", MARKS)
def test_a_click_on_a_mark_opens_its_run(page: Page, watch: Watch, site: str, key: str) -> None:
    open_drawn(page, f"{site}/charts/full/")
    page.route("**/runs/**", lambda route: route.abort())
    mark = plot_of(page, key).locator(MARKS[key]).first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box
    is_cell = MARKS[key] == ".hm image"  # one picture: near the middle of its first cell
    x, y = (6, 6) if is_cell else (box["width"] / 2, box["height"] / 2)

    def tells() -> bool:
        """Plotly knows a mark from when it draws the words beside it, on a busy machine later."""
        page.mouse.move(box["x"] + x - 1, box["y"] + y)
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.wait_for_timeout(100)
        return plot_of(page, key).locator(".hoverlayer .hovertext").count() > 0

    wait_until(tells, "the mark under the pointer is named")
    assert watch.refusals == []  # a bold word would be one: Plotly makes it a style attribute
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url.removeprefix(site)))

    def click() -> bool:
        page.mouse.click(box["x"] + x, box["y"] + y)
        page.wait_for_timeout(500)
        return any(path.startswith("/runs/") for path in opened)

    wait_until(click, "a click on the mark asks for its run")
    path = next(path for path in opened if path.startswith("/runs/"))
    rows = charts_of("full")[key].rows
    if key == "matrix":
        assert path.endswith(f"/tasks/{rows[0].values[0]}/")
    else:
        assert path in {row.url for row in rows}


@pytest.mark.parametrize("case", ["baselines", "one", "many"])
def test_boards_of_any_size_draw(page: Page, watch: Watch, site: str, case: str) -> None:
    open_drawn(page, f"{site}/charts/{case}/")
    drawn = [chart for chart in charts_of(case).values() if not chart.is_empty]
    expect(page.locator('[data-state="drawn"]')).to_have_count(len(drawn))
    assert watch.refusals == []


def test_an_empty_board_says_so(page: Page, watch: Watch, site: str) -> None:
    page.goto(f"{site}/charts/empty/")
    expect(page.locator(".chart .empty")).to_have_count(6)
    expect(page.locator("[data-chart]")).to_have_count(0)


def test_a_figure_that_cannot_be_loaded_leaves_its_table(page: Page, site: str) -> None:
    page.goto(f"{site}/charts/full/?broken=1")
    show_interest(page)
    plot = plot_of(page, "pass-rates")
    expect(plot).to_contain_text("could not be drawn: the server answered 404")
    page.locator("#chart-pass-rates summary").click()
    expect(page.locator("#chart-pass-rates tbody tr")).to_have_count(len(NAMES) + 6)


def test_without_script_the_numbers_are_there(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{site}/charts/full/")
        scripted = page.locator("#chart-rate-against-tokens")
        expect(scripted).to_contain_text("Chart needs JavaScript")
        expect(scripted.locator(".chart-unscripted")).to_be_visible()
        expect(scripted.locator(".chart-plot")).to_be_hidden()
        expect(page.locator("#chart-matrix .chart-plain .cell-passed")).to_be_visible()
        heat = page.locator("#chart-category-heatmap .plain-heat")
        expect(heat).to_have_count(5 * (len(NAMES) + 6))
        chart = page.locator("#chart-pass-rates")
        expect(chart.locator(".plain-marks circle")).to_have_count(len(NAMES) + 6)
        expect(chart.locator(".plain-name").nth(1)).to_have_text("Foo-70B-Instruct")
        expect(chart.locator(".chart-images")).to_be_hidden()
        chart.locator("summary").click()
        expect(chart.locator("tbody tr").nth(1)).to_contain_text("Foo-70B-Instruct")
        expect(chart.locator("tbody tr").nth(1)).to_contain_text("90.2")
    finally:
        context.close()
