"""Text of a page that a reader sees in a browser, and text that is hidden by any means."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = [pytest.mark.browser, pytest.mark.sandbox]

SETUP = """
from runner.checks.programs import seen_text, web_pages
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
    "seen-when-pointed-at": "body { opacity: 0 } html:hover body { opacity: 1 }",
    "dots-for-letters": "p { -webkit-text-security: disc }",
}
UNSTEADY = {
    "gone-when-pointed-at": "html:hover body { display: none }",
    "pale-when-pointed-at": "section:hover ~ * *, body:hover p { color: white }",
    "gone-in-time": "body { animation: a 99s infinite } @keyframes a { 50%, 90% { opacity: 0 } }",
}
STEADY = {
    "marked-when-pointed-at": "p:hover { background: #ffd; color: #600; padding-left: 8px }"
    " a:hover { text-decoration: none }",
    "pulsing": "h1 { animation: a 2s infinite alternate } @keyframes a { to { opacity: 0.5 } }",
}
LIST = "<ul><li><a href='#b'>Bow</a><li><a href='#k'>Keel</a></ul>" + "<dl>{}</dl>".format(
    "".join(
        f"<dt>{term}</dt><dd>{'A part of the hull. ' * 3 * number}</dd>"
        for number, term in enumerate(("Bow", "Keel", "Knot", "Mast", "Stem", "Tide"), 1)
    )
)
IN_ORDER = {
    "two-columns": "dl { columns: 2 }",
    "grid": "dl { display: grid; grid-template-columns: max-content 1fr; align-items: center }",
    "floating": "dt { float: left; clear: left; width: 9em } dd { margin-left: 10em }",
    "row-of-links": "ul { display: flex; list-style: none; padding: 0 }",
    "signs": "dt::before { content: '\\25B8  ' } a::after { content: ' ↗' }",
    "numbered": "dl { counter-reset: n } dt { counter-increment: n }"
    " dt::before { content: counter(n) '. ' } ul { list-style: lower-roman }",
    "stays-above": "dt { position: sticky; top: 0; background: white }",
}
TURNED = {
    "upside-down-list": "dl { display: flex; flex-direction: column-reverse }",
    "by-numbers": "dl { display: grid } dt:last-of-type { order: -1 }",
    "moved-down": "dd { position: relative; top: 70px }",
    "right-to-left": "ul { display: flex; flex-direction: row-reverse }",
    "turned-when-pointed-at": "dl { display: flex; flex-direction: column }"
    " html:hover dl { flex-direction: column-reverse }",
}
WRITTEN = {
    "words-before": "dd::before { content: 'It is false that: ' }",
    "digits-before": "dd::before { content: '9' }",
    "words-of-an-attribute": "a::after { content: attr(href) }",
    "words-for-points": "ul { list-style-type: 'not ' }",
    "words-of-a-counter": "@counter-style a { system: cyclic; symbols: 'no longer' }"
    " dt::after { content: counter(n, a) }",
    "words-when-pointed-at": "html:hover dd::before { content: 'Not: ' }",
}
SAYS = {
    **dict.fromkeys(HIDDEN, "does not show its text"),
    **dict.fromkeys(UNSTEADY, "Under the pointer"),
    **dict.fromkeys(TURNED, "which comes after it"),
    **dict.fromkeys(WRITTEN, "which its style adds"),
}
FORM = "seen_text.Form({'ul': 'a', 'dl': 'dt, dd'}, ('dl', 'a', 'li'))"


TRIALS = [
    Trial(
        name,
        f"{name}.html",
        f"(data / '{name}.html').write_text({PAGE.format(style, body)!r})",
        f"web_pages.expect_seen(case, '{name}.html', {form})",
        SAYS.get(name, ""),
    )
    for styles, body, form in (
        (SEEN | HIDDEN | STEADY | UNSTEADY, BODY, "None"),
        (IN_ORDER | TURNED | WRITTEN, LIST, FORM),
    )
    for name, style in styles.items()
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
