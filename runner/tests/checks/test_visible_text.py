"""Text of a page that could be read, and text that nobody could see."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import bs4
from runner.checks.text import self_contained, visible_text

def page(style):
    return (f"<html><head><style>{style}</style></head><body><h1>Tides</h1><main>"
            f"<p>{'The sea rises and falls. ' * 8}</p><small>a</small></main></body></html>")

def seen(case, style):
    soup = bs4.BeautifulSoup(page(style), "html5lib")
    return visible_text.expect_visible(case, soup, "no-style.txt")

def lasting(case, style):
    return visible_text.expect_lasting(
        Case(case.data, case.output), bs4.BeautifulSoup(page(style), "html5lib"), "no-style.txt")

def coloured(case, style):
    rows = "<tr class='veg'><td>Dal</td></tr><tr><td>Stew</td></tr>"
    soup = bs4.BeautifulSoup(f"<style>{style}</style><table>{rows}</table>", "html5lib")
    veg, stew = soup.find_all("tr")
    return visible_text.are_coloured_apart(soup, [veg], [stew])

def foreign(case, part):
    return self_contained.foreign_parts(bs4.BeautifulSoup(part, "html5lib"))
"""
VISIBLE = {
    "no-style": "",
    "dark-theme": "body { background: #111; color: #eee }",
    "white-on-a-picture": "body { background: url(a.png); color: white }",
    "white-in-dark-box": "main { background-color: #333 } p { color: #fff }",
    "hover-only": "p:hover { color: #fff; background: #fff }",
    "print-only": "@media print { body { display: none } }",
    "small-print": "p { font-size: 0.7em }",
    "percent": "p { font-size: 90% }",
    "two-fonts": "p { font: 1.1rem/1.5 serif }",
    "pale-note": "small { color: #fff }",
}
HIDDEN = {
    "white-on-white": "body { color: #fff; background: #ffffff }",
    "everything": "body, body * { color: #fff !important; background: #fff !important }",
    "one-pixel": "p { font-size: 1px }",
    "not-displayed": "main { display: none }",
    "transparent": "main { opacity: 0 }",
    "not-visible": "main { visibility: hidden }",
    "off-the-page": "main { position: absolute; left: -9999px }",
    "indented-away": "p { text-indent: -99999px }",
    "nearly-white": "p { color: rgb(250, 250, 250) }",
}

COLOURED = [
    ".veg { color: green }",
    "TR.veg TD { BACKGROUND: #efe }",
    "tr[class~='veg'] { background-color: honeydew }",
    ":is(.veg, .vegan) > td { color: #060 }",
    "/* .veg */ td { color: #333 } tr:not(:has(th)).veg { color: var(--leaf) }",
]
PLAIN = [
    ".veg { border-color: green }",
    ".veg:hover { color: green }",
    ".veg-row { color: green }",
    "td { color: green }",
    "/* .veg { color: green } */",
    ".veg { color: inherit }",
]
LOADING = [
    "<script>1</script>",
    "<link rel=icon href=a.ico>",
    "<p onclick=go()>x</p>",
    "<style>@import 'a.css'</style>",
    "<p style='background: URL( \"//a.org/b.png\")'>x</p>",
    "<a href=' JavaScript:go()'>x</a>",
    "<svg><image xlink:href='a.png'/></svg>",
    "<video poster=a.png></video>",
    "<meta http-equiv=Refresh content='2;url=#a'>",
]
WHOLE = [
    "<a href='https://a.org'>x</a>",
    "<img src='data:image/png;base64,AA=='>",
    "<style>p { background: url(data:image/png;base64,AA==) } /* url(a.png) */</style>",
    "<svg><use href='#a'/></svg>",
    "<meta http-equiv=x-ua-compatible content='ie=edge'>",
]


def on_pages(measure: str, parts: list[str], expected: str) -> dict[str, str]:
    return {
        f"{measure}-{expected}-{n}": (
            f"case.equal('it', bool({measure}(case, {part!r})), {expected})"
        )
        for n, part in enumerate(parts)
    }


LASTING = [
    "",
    "main p:target { background: yellow } a:focus { outline: 2px solid }",
    "@media print { nav { display: none } a::after { content: '' } }",
    "@media print { main { max-width: none; line-height: 0.9 } small { clip-path: inset(50%) } }",
    "@media (max-width: 600px) { main { transform: scale(0.9); opacity: 0.95; min-height: 0 } }",
]
FADING = [
    "body:has(:target) main { display: none }",
    "h1:active ~ main { opacity: 0 }",
    "@media print { p { font-size: 0 } p::after { content: 'The sea is flat.' } }",
    "@media (min-width: 1600px) { body { transform: scale(0) } }",
    "@media (prefers-color-scheme: dark) { body { clip-path: inset(100%) } }",
    "@media print { h1 { color: red } p, small { display: none } }",
    "@media (max-width: 600px) { main { transform: translateY(-99999px) } }",
]

PAGES = {
    **on_pages("lasting", LASTING, "True"),
    **on_pages("lasting", FADING, "False"),
    **on_pages("coloured", COLOURED, "True"),
    **on_pages("coloured", PLAIN, "False"),
    **on_pages("foreign", LOADING, "True"),
    **on_pages("foreign", WHOLE, "False"),
}
MEASURES = {
    **PAGES,
    **{name: f"seen(case, {style!r})" for name, style in VISIBLE.items()},
    **{
        name: f"case.expect('hidden', not seen(Case(case.data, case.output), {style!r}))"
        for name, style in HIDDEN.items()
    },
}
TRIALS = [
    Trial(name, f"{name}.txt", f"(data / '{name}.txt').write_text('x')", measure)
    for name, measure in MEASURES.items()
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(TRIALS, SETUP, tmp_path_factory.mktemp("texts"), 120.0))


@pytest.mark.parametrize("form", VISIBLE)
def test_text_that_can_be_read_is_seen(form: str, found: dict[str, Assertion]) -> None:
    assert found[form].passed, found[form]


@pytest.mark.parametrize("form", HIDDEN)
def test_text_that_nobody_could_see_is_not_there(form: str, found: dict[str, Assertion]) -> None:
    assert found[form].passed, found[form]


@pytest.mark.parametrize("form", PAGES)
def test_colours_of_rows_what_a_page_loads_and_what_lasts(
    form: str, found: dict[str, Assertion]
) -> None:
    assert found[form].passed, found[form]
