"""The charts in a real browser, under the site's own policy."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.fixtures import Settings

from leaderboard.tests.chart_site import NAMES, charts_of
from leaderboard.tests.conftest import Watch

pytestmark = pytest.mark.browser

DRAW_TIMEOUT_MS = 20_000


@pytest.fixture
def site(live_server: Any, settings: Settings) -> str:
    settings.ROOT_URLCONF = "leaderboard.tests.chart_site"
    return str(live_server.url)


def open_drawn(page: Page, address: str) -> None:
    """Open a page and scroll until all of its charts are drawn."""
    page.goto(address)
    for chart in page.locator("[data-chart]").all():
        chart.scroll_into_view_if_needed()
        expect(chart).to_have_attribute("data-state", "drawn", timeout=DRAW_TIMEOUT_MS)


def plot_of(page: Page, key: str) -> Locator:
    return page.locator(f"#chart-{key} .chart-plot")


def texts_of(plot: Locator, selector: str) -> list[str]:
    return plot.locator(selector).all_text_contents()


def colour_of(locator: Locator, token: str) -> str:
    """What a token is in the theme of the moment."""
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

    bars = plot_of(page, "category-bars")
    expect(bars.locator(".barlayer .trace")).to_have_count(5)
    expect(bars.locator(".barlayer .point")).to_have_count(5 * 8)
    assert "Complex maths (n 6)" in texts_of(bars, ".legendtext")
    first = bars.locator(".barlayer .point path").first
    assert fill_of(first) == colour_of(bars, "--cat-1")

    radars = plot_of(page, "category-radars")
    expect(radars.locator(".polarlayer > .polar, .polarlayer > g")).to_have_count(6)
    expect(radars.locator(".polarlayer .js-fill")).to_have_count(6)
    assert texts_of(radars, ".polar .angularaxistick text") == [
        *("Chart", "Text", "Image", "Maths", "Software")
    ]

    heat = plot_of(page, "category-heatmap")
    expect(heat.locator(".hm image")).to_have_count(1)
    assert "90.2" not in texts_of(heat, ".heatmap-label text")
    assert len(texts_of(heat, ".heatmap-label text")) == 5 * runs

    for key, drawn in (("rate-against-turns", runs), ("rate-against-tokens", runs - 1)):
        tradeoff = plot_of(page, key)
        expect(tradeoff.locator(".scatterlayer .point")).to_have_count(drawn)
        assert any("Foo-70B-Instruct" in text for text in texts_of(tradeoff, ".annotation-text"))

    turns = plot_of(page, "success-within-turns")
    expect(turns.locator(".scatterlayer .js-line")).to_have_count(8)
    assert "■ Foo-70B-Instruct" in texts_of(turns, ".annotation-text")

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
    assert "<b>bold</b> & <a href='http…" in names
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
    assert "A model whose…" in texts_of(plot_of(page, "pass-rates"), ".ytick text")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(plot_of(page, "pass-rates")).to_contain_text("A model whose name goes on…")


def test_a_chart_is_loaded_when_it_comes_near(page: Page, watch: Watch, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.set_viewport_size({"width": 1000, "height": 500})
    page.goto(f"{site}/charts/full/")
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
    for key in ("pass-rates", "category-heatmap", "category-radars"):
        with page.expect_download() as download:
            page.locator(f"#chart-{key}").get_by_role("button", name="image").click()
        assert download.value.suggested_filename == f"{key}.svg"
        drawing = ElementTree.fromstring(download.value.path().read_text("utf-8"))
        assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
        words = "".join(drawing.itertext())
        assert "Foo-70B-Instruct" in words
        assert "<b>bold" in words
    assert watch.refusals == []


@pytest.mark.parametrize("case", ["baselines", "one", "many"])
def test_boards_of_any_size_draw(page: Page, watch: Watch, site: str, case: str) -> None:
    open_drawn(page, f"{site}/charts/{case}/")
    expect(page.locator('[data-state="drawn"]')).to_have_count(8)
    assert watch.refusals == []


def test_an_empty_board_says_so(page: Page, watch: Watch, site: str) -> None:
    page.goto(f"{site}/charts/empty/")
    expect(page.locator(".chart .empty")).to_have_count(8)
    expect(page.locator("[data-chart]")).to_have_count(0)


def test_a_figure_that_cannot_be_loaded_leaves_its_table(page: Page, site: str) -> None:
    page.goto(f"{site}/charts/full/?broken=1")
    plot = plot_of(page, "pass-rates")
    expect(plot).to_contain_text("could not be drawn: the server answered 404")
    page.locator("#chart-pass-rates summary").click()
    expect(page.locator("#chart-pass-rates tbody tr")).to_have_count(len(NAMES) + 6)


def test_without_script_the_numbers_are_there(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{site}/charts/full/")
        chart = page.locator("#chart-pass-rates")
        expect(chart).to_contain_text("The drawing needs JavaScript")
        expect(chart.locator(".chart-unscripted")).to_be_visible()
        expect(chart.locator(".chart-plot")).to_be_hidden()
        chart.locator("summary").click()
        expect(chart.locator("tbody tr").nth(1)).to_contain_text("Foo-70B-Instruct")
        expect(chart.locator("tbody tr").nth(1)).to_contain_text("90.2")
    finally:
        context.close()
