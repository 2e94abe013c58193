"""Hostile content through every view and preview, in a real Chromium under the real policy."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from leaderboard.models import Attempt, pack
from leaderboard.tagging import conclude
from leaderboard.tests.conftest import Watch
from leaderboard.tests.factories import (
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
from leaderboard.tests.hostile_content import FRAMED, LEAVING, ROWS
from runner.contract import ChangeKind, Step, StepStatus

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

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

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/leak", asked
        finally:
            server.shutdown()
            thread.join(10)
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
        attempt.get_absolute_url(),
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
    page.goto(live_server.url + attempt.get_absolute_url())
    assert page.locator("article.card").count() == len(ROWS) + 3
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    at = list(ROWS).index("bidi") + 1
    assert "U+202E" in page.locator(f"#step-{at}").inner_text()
    page.keyboard.press("j")
    expect(page).to_have_url(f"{live_server.url}{attempt.get_absolute_url()}#step-1")


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
    frame = page.frame_locator('iframe[name="frame-1"]')
    expect(page.locator('iframe[name="frame-1"]')).to_have_attribute("src", frame_address(page))
    expect(frame.locator("body")).to_have_attribute("data-tried", "22")
    page.wait_for_load_state("networkidle")
    assert page.url == address
    assert len(page.context.pages) == 1
    assert page.locator("html[data-harmed]").count() == 0
    assert page.evaluate("localStorage.getItem('harmed')") is None
    assert len(page.main_frame.child_frames) == len(pages)
    watch.errors.clear()  # what the frames were refused
    watch.foreign.clear()  # asked for, refused: the listener knows what left


def frame_address(page: Page) -> str:
    return str(page.locator("#outputs [data-frame] a").first.evaluate("link => link.href"))


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
