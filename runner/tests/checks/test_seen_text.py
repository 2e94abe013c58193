"""Text of a page that a reader sees in a browser, and text that is hidden by any means."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = [pytest.mark.browser, pytest.mark.sandbox]

SETUP = """
from runner.checks.programs import web_pages
"""
PAGE = "<!doctype html><meta charset=utf-8><style>{}</style>{}"
BODY = "<h1>Tides</h1><nav><a href='#a'>One</a></nav>" + "".join(
    f"<section><h2>Part {n}</h2><p>{'The sea rises and falls. ' * 12}</p></section>"
    for n in range(6)
)
SEEN = {
    "plain": "",
    "dark": "body { background: #111; color: #ddd }",
    "bar-that-stays": "nav { position: sticky; top: 0; background: white; height: 90px }",
    "pane": "html, body { height: 100%; margin: 0; overflow: hidden } body { overflow: auto }",
    "letters-of-a-gradient": "h1, p { background: linear-gradient(90deg, red, blue);"
    " -webkit-background-clip: text; color: transparent }",
    "wide": "section { width: 1500px }",
    "important": "p { color: #333 !important }",
}
HIDDEN = {
    "cover": "body::after { content: ''; position: fixed; inset: 0; background: white }",
    "filter": "html { filter: contrast(0) } body { background: white }",
    "moved-up": "body { position: absolute; top: -99999px }",
    "transparent": "body, body * { color: transparent }",
    "scaled": "section { transform: scale(0) }",
    "variable": ":root { --d: none } section { display: var(--d) }",
    "blurred": "body { filter: blur(8px) }",
    "masked": "body { mask: linear-gradient(transparent, transparent) }",
    "upside-down": "body { transform: scaleY(-1) }",
    "piled": "p, h2, h1 { position: absolute; top: 0; left: 0 }",
    "backwards": "p { unicode-bidi: bidi-override; direction: rtl }",
}


TRIALS = [
    Trial(
        name,
        f"{name}.html",
        f"(data / '{name}.html').write_text({PAGE.format(style, BODY)!r})",
        f"web_pages.expect_seen(case, '{name}.html')",
        "does not show its text" if name in HIDDEN else "",
    )
    for name, style in (SEEN | HIDDEN).items()
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    root = tmp_path_factory.mktemp("trials")
    return asyncio.run(try_out(TRIALS, SETUP, root, timeout_s=180, has_browser=True))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_text_is_seen_where_its_letters_are_drawn(
    trial: Trial, verdicts: dict[str, Assertion]
) -> None:
    expect_as_told(trial, verdicts[trial.name])
