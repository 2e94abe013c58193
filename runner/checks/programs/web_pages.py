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
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from runner.checks import foreign_values
from runner.checks.case import Case
from runner.checks.programs.browser import HEIGHT, BrowserBroken, Page, started

ADDRESS = re.compile(r"[a-z0-9._-]{1,40}@[a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,20}){1,3}")
MOST_SCROLLED = 4_000  # pixels
MOST_PAGES = 5  # of a site that are opened
LEAST_HEADINGS, LEAST_BLOCKS = 4, 3
LEAST_RESTYLED = 0.01  # of the window's pixels
FINISH = "document.getAnimations().forEach(a => { try { a.finish(); } catch (e) {} })"
# An animation without an end is looked at a second time, further on in its course.
LATER = """document.getAnimations().forEach(a => { try { a.finish(); } catch (e) {
  const time = a.effect.getComputedTiming();
  a.currentTime = time.delay + 0.7 * time.duration;
} })"""


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

# Text that a reader can see: of a size, a place on the page and a colour that differs from every
# colour that may lie behind it. What lies under a picture is taken for seen.
SUMMARY = r"""(() => {
  const LEAST_PX = 7, LEAST_CONTRAST = 1.25;
  const rgba = text => {
    const n = (text.match(/[\d.]+/g) || []).map(Number);
    return n.length < 3 ? null : [n[0], n[1], n[2], n.length > 3 ? n[3] : 1];
  };
  const light = c => {
    const [r, g, b] = c.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const over = (top, under) => under.map((v, n) => v + (top[n] - v) * top[3]);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e), image = style.backgroundImage;
      if (image.includes('url(')) return null;
      const colours = image === 'none' ? [] : (image.match(/rgba?\([^)]*\)/g) || []).map(rgba);
      if (colours.length) return colours.map(c => over(c, [255, 255, 255]));
      const plain = rgba(style.backgroundColor);
      if (plain && plain[3] >= 0.5) return [over(plain, [255, 255, 255])];
    }
    return [[255, 255, 255]];
  };
  const known = new Map();
  const shows = element => {
    if (known.has(element)) return known.get(element);
    let seen = true;
    for (let e = element; e && seen; e = e.parentElement) {
      const style = getComputedStyle(e), box = e.getBoundingClientRect();
      const cuts = style.overflow !== 'visible' && style.display !== 'inline';
      seen = style.opacity > 0.15 && style.display !== 'none' &&
        !(cuts && e !== document.body && e !== document.documentElement &&
          (box.width < 4 || box.height < 4)) &&
        !/inset\((50|100)%|rect\(0(px)?,? 0/.test(style.clipPath + ' ' + style.clip);
    }
    const style = getComputedStyle(element), colour = rgba(style.color);
    seen = seen && style.visibility === 'visible' && parseFloat(style.fontSize) >= LEAST_PX;
    const fill = style.webkitTextFillColor, isClipped = /text/.test(style.webkitBackgroundClip);
    if (seen && colour && !isClipped) {
      const ink = rgba(fill) || colour, grounds = behind(element);
      seen = ink[3] > 0.15 && (!grounds ||
        grounds.some(ground => contrast(over(ink, ground), ground) >= LEAST_CONTRAST));
    }
    known.set(element, seen);
    return seen;
  };
  const range = document.createRange(), parts = [];
  const walk = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !parent || /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parent.tagName))
      continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width > 1 && box.height >= 5 && box.right + scrollX > 0 && box.bottom + scrollY > 0 &&
        shows(parent)) parts.push(node.data);
  }
  const headed = [...document.querySelectorAll('h1,h2,h3')].filter(shows);
  const inside = [...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'));
  return {
    title: document.title.trim(),
    headings: headed.map(e => e.innerText.trim()).filter(t => t),
    text: parts.join(''),
    links: document.querySelectorAll('a[href]').length,
    broken: inside.filter(h => h.length > 1 &&
      !document.getElementById(decodeURIComponent(h.slice(1)))),
    blocks: document.querySelectorAll('section,article,header,footer,nav,main,aside,div').length,
    height: document.documentElement.scrollHeight,
  };
})()"""


@dataclass(frozen=True)
class Told:
    """One page of a site: its words, and the ways in which it is made."""

    title: str
    headings: list[str]
    styled_text: str  # that its style lets one see, without blanks and in lower case
    blocks: int
    broken: list[str]
    is_styled: bool = False

    def tells(self, fact: str) -> bool:
        return squeezed(fact) in self.styled_text


def expect_site(
    case: Case, files: list[str], names: list[str], facts: list[str], least: int
) -> None:
    """A site that one could show: titled by one of `names`, in parts, styled, telling `facts`.

    `facts` are strings of the input, of which at least `least` must stand in the text to be seen.
    All of the site's pages count together; they are opened until there is enough.
    """
    with opened(case, files[0]) as page:
        pages = [told_by(page, facts, least)]
        for name in files[1:MOST_PAGES]:
            if has_enough(pages, facts, least):
                break
            page.show(case.require_file(name))
            pages.append(told_by(page, facts, least))
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
    flat = "".join(one.styled_text for one in pages)
    placeholder = next((w for w in ("loremipsum", "yourcompany", "placeholder") if w in flat), "")
    case.expect("no placeholder text", not placeholder, "none", placeholder or "none", files[0])


def expect_own_addresses(case: Case, pages: list[Told], facts: list[str], name: str) -> None:
    """One at least of the e-mail addresses that the site shows is the document's, if it has any."""
    own = {match[0] for fact in facts for match in ADDRESS.finditer(squeezed(fact))}
    shown = {match[0] for one in pages for match in ADDRESS.finditer(one.styled_text)}
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


def told_by(page: Page, facts: list[str], least: int) -> Told:
    """Facts of the open page, as far as it is seen; at last its style is taken away."""
    told = summary_of(page)
    if sum(told.tells(fact) for fact in facts) < least:
        unfold(page)  # much is faded in where a reader scrolls to
        told = summary_of(page)
    return replace(told, is_styled=is_styled(page))


def summary_of(page: Page) -> Told:
    told = page.facts(SUMMARY)
    return Told(
        foreign_values.text(told.get("title")),
        foreign_values.texts(told.get("headings")),
        squeezed(foreign_values.text(told.get("text"))),
        int(foreign_values.number(told.get("blocks"))),
        foreign_values.texts(told.get("broken")),
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


def unfold(page: Page) -> None:
    """Scroll down to the end and let animations come to theirs."""
    tall = min(MOST_SCROLLED, page.number("document.documentElement.scrollHeight"))
    page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    for place in range(0, int(tall), HEIGHT // 2):
        page.evaluate(f"window.scrollTo(0, {place})")
        page.advance(100)
        page.picture()  # only what is painted is observed
    page.evaluate(FINISH)
    page.advance(1500)


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
