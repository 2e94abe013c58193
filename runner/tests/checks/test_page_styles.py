"""Colours that a page's style sheet gives to some rows, and what a page loads."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import bs4
from runner.checks.text import page_styles, self_contained

def coloured(case, style):
    rows = "<tr class='veg'><td>Dal</td></tr><tr><td>Stew</td></tr>"
    soup = bs4.BeautifulSoup(f"<style>{style}</style><table>{rows}</table>", "html5lib")
    veg, stew = soup.find_all("tr")
    return page_styles.are_coloured_apart(soup, [veg], [stew])

def foreign(case, part):
    return self_contained.foreign_parts(bs4.BeautifulSoup(part, "html5lib"))
"""
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


PAGES = {
    **on_pages("coloured", COLOURED, "True"),
    **on_pages("coloured", PLAIN, "False"),
    **on_pages("foreign", LOADING, "True"),
    **on_pages("foreign", WHOLE, "False"),
}
TRIALS = [
    Trial(name, f"{name}.txt", f"(data / '{name}.txt').write_text('x')", measure)
    for name, measure in PAGES.items()
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(TRIALS, SETUP, tmp_path_factory.mktemp("texts"), 120.0))


def test_colours_of_rows_and_what_a_page_loads(
    found: dict[str, Assertion], subtests: pytest.Subtests
) -> None:
    for form in PAGES:
        with subtests.test(form=form):
            assert found[form].passed, found[form]
