"""Opening an agent's web page in headless Chromium, on a clock of our own, without any network.

    with pages.opened(case, "141/index.html") as page:
        page.advance(1000)             # a second of the page's own time
        page.press(" ")
        before = page.picture()        # grey levels, rows × columns
        page.evaluate("document.title")

The page is hostile: it runs in the check's sandbox and what it answers is only compared. A task
whose check uses this says `BROWSER = True`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from runner.checks.browser import BrowserBroken, Page, started
from runner.checks.case import Case


def html_files(case: Case, folder: str) -> list[str]:
    """The names of the web pages under `folder`, index.html first; none ends the check."""
    root = case.output / folder
    if not root.is_dir():
        case.fail("folder exists", f"The folder ./output/{folder} was not made.", folder, "missing")
    found = sorted(
        (p for p in root.rglob("*") if p.suffix.lower() in (".html", ".htm") and p.is_file()),
        key=lambda p: (p.stem.lower() != "index", len(p.parts), p.name),
    )
    names = [str(p.relative_to(case.output)) for p in found[:20]]
    there = ", ".join(sorted(p.name for p in root.iterdir())[:6]) or "nothing"
    message = f"The folder ./output/{folder} holds no web page, but {there}."
    case.demand("a web page is there", names, "an .html file", there, folder, message)
    return names


@contextlib.contextmanager
def opened(case: Case, name: str) -> Iterator[Page]:
    """The output `name` in a browser; a page that breaks its browser is a failed assertion.

    A browser that ends while it loads the page is asked a second time with a new one, so that a
    fault of its own is not charged to the page.
    """
    path = case.require_file(name)
    profile = Path(tempfile.mkdtemp(prefix="browser-"))
    page = started(path.parent, profile / "first")
    try:
        with case.reading(name, "web page"):
            has_ended = not page.survives(path)
        if has_ended:
            page.close()
            page = started(path.parent, profile / "second")
            with case.reading(name, "web page"):
                page.show(path)
        try:
            yield page
        except BrowserBroken as error:
            case.fail("the page keeps working", f"{name} stopped the browser: {error}.", name)
    finally:
        page.close()
        shutil.rmtree(profile, ignore_errors=True)


SUMMARY = """(() => {
  const texts = selector => [...document.querySelectorAll(selector)].map(e => e.innerText.trim());
  const inside = [...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'));
  return {
    title: document.title.trim(),
    headings: texts('h1,h2,h3').filter(t => t),
    text: document.body ? document.body.innerText : '',
    links: document.querySelectorAll('a[href]').length,
    broken: inside.filter(h => h.length > 1 &&
      !document.getElementById(decodeURIComponent(h.slice(1)))),
    rules: [...document.styleSheets].reduce((n, s) => {
      try { return n + s.cssRules.length; } catch (e) { return n; }
    }, 0),
    blocks: document.querySelectorAll('section,article,header,footer,nav,main').length,
    height: document.documentElement.scrollHeight,
  };
})()"""


def expect_site(
    case: Case, page: Page, name: str, names: list[str], facts: list[str], least: int
) -> None:
    """A page that one could show: titled by one of `names`, in parts, styled, telling `facts`.

    `facts` are strings of the input, of which at least `least` must stand in the page's text.
    """
    seen = page.evaluate(SUMMARY)
    seen = seen if isinstance(seen, dict) else {}
    title, headings = str(seen.get("title", "")), [str(h) for h in seen.get("headings") or []]
    spoken = " ".join([title, *headings]).lower()
    case.expect(
        "it is about the right one",
        title and any(n.lower() in spoken for n in names),
        names[0],
        title or "no title",
        name,
        f"Neither the title of {name} nor a heading names {names[0]}.",
    )
    case.expect("it has headings", len(headings) >= 4, "4 or more", len(headings), name)
    blocks = int(seen.get("blocks") or 0)
    case.expect("it has parts", blocks >= 3, "header, sections, footer …", blocks, name)
    rules = int(seen.get("rules") or 0)
    case.expect("it is styled", rules >= 8, "8 rules of style or more", rules, name)
    broken = [str(b) for b in seen.get("broken") or []][:3]
    message = f"{name} links to {', '.join(broken)}, which is not on the page."
    case.expect("its links lead somewhere", not broken, "none dead", broken, name, message)
    flat = "".join(str(seen.get("text", "")).lower().split())
    told = [fact for fact in facts if "".join(fact.lower().split()) in flat]
    left = [fact for fact in facts if fact not in told]
    case.expect(
        "it tells what the document says",
        len(told) >= least,
        f"{least} or more of {len(facts)} facts",
        f"{len(told)} of them",
        name,
        f"{name} tells {len(told)} of {len(facts)} facts of the document; "
        f"it lacks {', '.join(left[:4])}.",
    )
    placeholder = next((w for w in ("loremipsum", "yourcompany", "placeholder") if w in flat), "")
    case.expect("no placeholder text", not placeholder, "none", placeholder or "none", name)


class Scripts(HTMLParser):
    """Collects the addresses of a page's scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get("src")
        if tag == "script" and address:
            self.addresses.append(address)


def demand_scripts(case: Case, name: str) -> None:
    """Every local script that the page's source names is there; else the check ends.

    To be asked before the page is opened, which is dear.
    """
    path = case.require_file(name)
    parser = Scripts()
    absent: list[str] = []
    with case.reading(name, "web page"):  # an address may be no path at all
        parser.feed(path.read_text("utf-8", "replace"))
        for address in parser.addresses:
            place = unquote(address.partition("?")[0]).lstrip("/")
            if not re.match(r"[a-z]+:|//", address, re.I) and not (path.parent / place).exists():
                absent.append(address[:100])
    case.demand(*absent_files(absent, name))


def expect_healthy(case: Case, page: Page, name: str) -> None:
    """No exception was thrown and every local file that the page names is there."""
    message = f"{name} throws an error: {page.errors[0]}." if page.errors else ""
    case.expect("no script error", not page.errors, "none", page.errors[:3], name, message)
    case.expect(*absent_files(page.missing, name))


def absent_files(names: list[str], name: str) -> tuple[str, bool, str, object, str, str]:
    """What to assert of files that the page `name` lacks."""
    missing = names[:3]
    message = f"{name} refers to {', '.join(missing)}, which was not saved."
    return "its files are there", not missing, "all", missing or "all", name, message


def changed(one: Any, other: Any) -> float:
    """The share of pixels (0–1) by which two pictures of the window differ."""
    import cv2

    if one is None or other is None or one.shape != other.shape:
        return 1.0
    return float((cv2.absdiff(one, other) > 24).mean())
