"""Opening an agent's web page in headless Chromium, on a clock of our own, without any network.

    with pages.opened(case, "141/index.html") as page:
        page.advance(1000)             # a second of the page's own time
        page.press(" ")
        before = page.picture()        # grey levels, rows × columns
        page.text("document.title")

The page is hostile: it runs in the check's sandbox and what it answers is only compared. A task
whose check uses this says `BROWSER = True`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from runner.checks import foreign_values
from runner.checks.case import Case
from runner.checks.programs.browser import BrowserBroken, Page, started

ADDRESS = re.compile(r"[a-z0-9._-]{1,40}@[a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,20}){1,3}")
MOST_PAGES = 5  # of a site that are opened
LEAST_HEADINGS, LEAST_BLOCKS = 4, 3
LEAST_RESTYLED = 0.01  # of the window's pixels


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


# Takes the page's style away.
UNDRESS = """(() => {
  document.adoptedStyleSheets = [];
  document.querySelectorAll('style, link').forEach(e => e.remove());
  document.querySelectorAll('[style]').forEach(e => e.removeAttribute('style'));
})()"""

# The words and parts of the page, also those that fade in as a reader scrolls to them.
SUMMARY = r"""(() => {
  const headed = [...document.querySelectorAll('h1,h2,h3')];
  const inside = [...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'));
  return {
    title: document.title.trim(),
    headings: headed.map(e => e.innerText.trim()).filter(t => t),
    text: document.body ? document.body.innerText : '',
    broken: inside.filter(h => h.length > 1 &&
      !document.getElementById(decodeURIComponent(h.slice(1)))),
    blocks: document.querySelectorAll('section,article,header,footer,nav,main,aside,div').length,
  };
})()"""


@dataclass(frozen=True)
class Told:
    """One page of a site: its words, and the ways in which it is made."""

    title: str
    headings: list[str]
    text: str  # without blanks and in lower case
    blocks: int
    broken: list[str]
    is_styled: bool

    def tells(self, fact: str) -> bool:
        return squeezed(fact) in self.text


def expect_site(
    case: Case, files: list[str], names: list[str], facts: list[str], least: int
) -> None:
    """A site that one could show: titled by one of `names`, in parts, styled, telling `facts`.

    `facts` are strings of the input, of which at least `least` must stand in the text to be seen.
    All of the site's pages count together; they are opened until there is enough.
    """
    with opened(case, files[0]) as page:
        pages = [told_by(page)]
        for name in files[1:MOST_PAGES]:
            if has_enough(pages, facts, least):
                break
            page.show(case.require_file(name))
            pages.append(told_by(page))
        expect_healthy(case, page, files[0])
    expect_form(case, pages, names, files[0])
    held = [fact for fact in facts if any(one.tells(fact) for one in pages)]
    left = [fact for fact in facts if fact not in held]
    case.expect(
        "it tells what the document says",
        len(held) >= least,
        f"{least} or more of {len(facts)} facts",
        f"{len(held)} of them",
        files[0],
        f"{files[0]} shows {len(held)} of {len(facts)} facts of the document; "
        f"it lacks {', '.join(left[:4])}.",
    )
    expect_own_addresses(case, pages, facts, files[0])
    flat = "".join(one.text for one in pages)
    placeholder = next((w for w in ("loremipsum", "yourcompany", "placeholder") if w in flat), "")
    case.expect("no placeholder text", not placeholder, "none", placeholder or "none", files[0])


def expect_own_addresses(case: Case, pages: list[Told], facts: list[str], name: str) -> None:
    """One at least of the e-mail addresses that the site shows is the document's, if it has any."""
    own = {match[0] for fact in facts for match in ADDRESS.finditer(squeezed(fact))}
    shown = {match[0] for one in pages for match in ADDRESS.finditer(one.text)}
    made_up = (
        sorted(shown)[:3] if own and not any(a in s or s in a for a in own for s in shown) else []
    )
    case.expect(
        "its addresses are the document's",
        not made_up,
        ", ".join(sorted(own)[:3]) or "any",
        ", ".join(made_up) or "its own, or none",
        name,
        f"{name} shows {', '.join(made_up)}, which the document does not have.",
    )


def expect_form(case: Case, pages: list[Told], names: list[str], name: str) -> None:
    """The site names its subject, has headings, parts and a style, and no dead links."""
    title = next((one.title for one in pages if one.title), "")
    spoken = " ".join(text for one in pages for text in (one.title, *one.headings)).lower()
    case.expect(
        "it is about the right one",
        title and any(n.lower() in spoken for n in names),
        names[0],
        title or "no title",
        name,
        f"Neither the title of {name} nor a heading names {names[0]}.",
    )
    headings = headings_of(pages)
    case.expect(
        "it has headings", len(headings) >= LEAST_HEADINGS, "4 or more", len(headings), name
    )
    blocks = sum(one.blocks for one in pages)
    wanted = "header, sections, footer …"
    case.expect("it has parts", blocks >= LEAST_BLOCKS, wanted, blocks, name)
    is_styled = any(one.is_styled for one in pages)
    found = "looks that are its own" if is_styled else "a browser's plain looks"
    case.expect("it is styled", is_styled, "looks that are its own", found, name)
    broken = [link for one in pages for link in one.broken][:3]
    message = f"{name} links to {', '.join(broken)}, which is not on the page."
    case.expect("its links lead somewhere", not broken, "none dead", broken, name, message)


def told_by(page: Page) -> Told:
    """What the open page says; at last its style is taken away."""
    told = page.facts(SUMMARY)
    return Told(
        foreign_values.text(told.get("title")),
        foreign_values.texts(told.get("headings")),
        squeezed(foreign_values.text(told.get("text"))),
        int(foreign_values.number(told.get("blocks"))),
        foreign_values.texts(told.get("broken")),
        is_styled(page),
    )


def is_styled(page: Page) -> bool:
    """True if the page would look otherwise without its style, which is lost by this."""
    page.evaluate("window.scrollTo(0, 0)")
    before = page.picture()
    page.evaluate(UNDRESS)
    return changed(before, page.picture()) >= LEAST_RESTYLED


def headings_of(pages: list[Told]) -> set[str]:
    found = {squeezed(heading) for one in pages for heading in one.headings}
    return {heading for heading in found if len(heading) >= 2}


def has_enough(pages: list[Told], facts: list[str], least: int) -> bool:
    """True if the pages seen so far already hold all that a site must."""
    return (
        len(headings_of(pages)) >= LEAST_HEADINGS
        and sum(one.blocks for one in pages) >= LEAST_BLOCKS
        and any(one.is_styled for one in pages)
        and sum(any(one.tells(fact) for one in pages) for fact in facts) >= least
    )


def squeezed(text: str) -> str:
    return "".join(text.lower().split())


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

    Call it before the page is opened, which is expensive.
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
    """Assertions about files that the page `name` lacks."""
    missing = names[:3]
    message = f"{name} refers to {', '.join(missing)}, which was not saved."
    return "its files are there", not missing, "all", missing or "all", name, message


def changed(one: Any, other: Any) -> float:
    """The share of pixels (0–1) by which two pictures of the window differ."""
    import cv2

    if one is None or other is None or one.shape != other.shape:
        return 1.0
    return float((cv2.absdiff(one, other) > 24).mean())
