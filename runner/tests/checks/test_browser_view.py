"""SVG charts that a browser shows otherwise than the checks' own renderer."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = [pytest.mark.browser, pytest.mark.sandbox]

SETUP = """
from runner.checks.charts import pixels
from runner.checks.chart_words import browser_view
"""
CHART = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" {size}>
<style>text {{ font-family: sans-serif; font-size: 16px }}</style>
<rect x="50" y="50" width="80" height="300" fill="#1b7f79"/>
<rect x="150" y="150" width="80" height="200" fill="#e0a030"/>
<polyline points="50,60 200,100 500,30" fill="none" stroke="#c00000" stroke-width="2"/>
<text x="60" y="370">January</text><text x="160" y="370">February</text>{more}</svg>"""


OTHERWISE = "looks otherwise in a browser"
KINDS = {
    "no-size": ("", "", ""),
    "pixels": ('width="600" height="400"', "", ""),
    "whole-width": ('width="100%"', "", ""),
    "points": ('width="600pt" height="400pt" style="background: #fff"', "", ""),
    "marks-hidden": ("", "<style>rect { visibility: hidden }</style>", OTHERWISE),
    "words-hidden": ("", "<style>text { display: none }</style>", OTHERWISE),
    "line-in-white": ("", "<style>polyline { stroke: white }</style>", OTHERWISE),
    "in-grey": ("", "<style>rect { fill: #777 !important }</style>", OTHERWISE),
    "page": ("", "<foreignObject width='600' height='400'/>", "holds scripts"),
    "moving": ("", "<set attributeName='visibility' to='hidden' begin='9s'/>", "holds scripts"),
}
TRIALS = [
    Trial(
        name,
        f"{name}.svg",
        f"(data / '{name}.svg').write_text({CHART.format(size=size, more=more)!r})",
        f"browser_view.expect_same(case, pixels.read(case, '{name}.svg'))",
        says,
    )
    for name, (size, more, says) in KINDS.items()
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    root = tmp_path_factory.mktemp("trials")
    return asyncio.run(try_out(TRIALS, SETUP, root, timeout_s=180, has_browser=True))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_svg_is_compared_with_what_a_browser_shows(
    trial: Trial, verdicts: dict[str, Assertion]
) -> None:
    expect_as_told(trial, verdicts[trial.name])
