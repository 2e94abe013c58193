"""Text of a web page that a reader can see, by the pixels that a browser draws for its letters.

    with web_pages.opened(case, "menu.html") as page:
        seen_text.expect_visible(case, page, "menu.html")

The page is scrolled to each text in turn and drawn twice, with its letters and without. A text is
seen where the two pictures differ sharply. So it does not matter by what means letters are hidden.

    form = seen_text.Form(order={"nav": "a", "dl": "dt, dd"}, bare=("dl", "nav"))
    seen_text.expect_as_written(case, page, "glossary.html", form)

A style sheet may also turn a list upside down, move one part above another, or write words of its
own before and behind what the page says. A reader takes all of it for the page.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runner.checks import foreign_values
from runner.checks.case import Case
from runner.checks.programs.browser import HEIGHT, WIDTH, BrowserBroken, Page

MOST_LOOKS = 50
MOST_BLIND_LOOKS = 8  # at the beginning, without any text
PLACES = (0.25, 0.6)  # of the window's height, at which a text is looked at in turn
LEAST_STEP = 16  # grey levels from one pixel of a letter to the next
LEAST_EDGES = 3  # pixels at which there is such a step, within a letter's width
LEAST_HEIGHT = 6.0  # pixels of a line that can be read
LEAST_LETTER = 0.1  # of a line's height: a letter's mean width
LEAST_SEEN = 0.6  # of a text's width
CLEAR = (0.25, 0.75)  # of the window's height, where no bar lies over a page
PILED = 1.5  # texts in one place
MOST_LOST = 0.1  # of a page's letters
SLACK = 2.0  # pixels
SAME_LINE = 0.6  # of a line's height, by which two texts beside each other may be off
MOST_TEXTS = 5_000
NUMBERING = {  # by the part that holds it
    "before": re.compile(r"\W*\d{1,3}[.):]\s\W*"),
    "marker": re.compile(r"\W*(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.):]?\W*", re.IGNORECASE),
}
WRITTEN = ("before", "after", "marker")

# The first line of each part, and the right edge of its first box, all panes scrolled up.
ORDERED = r"""((order) => {
  scrollTo(0, 0);
  document.querySelectorAll('*').forEach(e => { if (e.scrollTop) e.scrollTop = 0; });
  const range = document.createRange();
  const place = e => {
    range.selectNodeContents(e);
    const line = [...range.getClientRects()].find(r => r.width > 1 && r.height > 1);
    const box = e.getClientRects()[0] || line;
    return line && [e.textContent.trim().slice(0, 60),
      line.left, line.top, line.right, line.bottom, Math.max(box.right, line.right)];
  };
  const rows = order.flatMap(([root, parts]) => [...document.querySelectorAll(root)].map(
    e => [...e.querySelectorAll(parts)].slice(0, 1000).map(place).filter(p => p)));
  return JSON.stringify(rows);
})"""

# In a world of its own, whose functions no script of the page has replaced. `find` gives the pieces
# of text in the window as [text, line, left, top, right, bottom]; before, it scrolls to one of them
# where a reader could scroll to.
WATCH = r"""(() => {
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const strong = ':not(#a):not(#b):not(#c):not(#d)';
  const sheet = text => { const s = new CSSStyleSheet(); s.replaceSync(text); return s; };
  const still = sheet(`*${strong} { transition: none !important; scroll-behavior: auto !important;
    animation-play-state: paused !important; caret-color: transparent !important }
    *${strong}::before, *${strong}::after, *${strong}::marker {
    -webkit-text-fill-color: currentcolor !important }`);
  const bare = sheet(`*${strong} { -webkit-text-fill-color: transparent !important;
    -webkit-text-stroke-color: transparent !important; text-shadow: none !important }
    text${strong}, tspan${strong}, textPath${strong} {
    fill: transparent !important; stroke: transparent !important }
    .--letters-of-ground${strong} { background: none !important }`);
  bare.disabled = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, still, bare];
  const skipped = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|OPTION|TEXTAREA|TITLE)$/i;
  const range = document.createRange(), nodes = [];
  const walk = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
  while (nodes.length < 5000 && walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (node.data.trim() && parent && !skipped.test(parent.tagName)) nodes.push(node);
  }
  const turned = element => {
    let m = new DOMMatrix();
    for (let e = element; e; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (s.transform !== 'none') m = new DOMMatrix(s.transform).multiply(m);
      if (s.rotate !== 'none' && /^-?[\d.]+deg$/.test(s.rotate))
        m = new DOMMatrix(`rotate(${s.rotate})`).multiply(m);
      if (s.scale !== 'none')
        m = new DOMMatrix(`scale(${s.scale.split(' ').join(',')})`).multiply(m);
    }
    return m.a <= 0 || m.d <= 0;
  };
  const shown = nodes.map(n => {
    const e = n.parentElement, s = getComputedStyle(e);
    if (/text/.test(s.webkitBackgroundClip)) e.classList.add('--letters-of-ground');
    return e.checkVisibility({opacityProperty: true, visibilityProperty: true}) &&
      !/override/.test(s.unicodeBidi) && !turned(e) &&
      (s.webkitTextSecurity || 'none') === 'none';
  });
  const lines = n => {
    range.selectNodeContents(nodes[n]);
    return [...range.getClientRects()].filter(r => r.width > 1);
  };
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowY);
  const root = document.scrollingElement || document.documentElement;
  const fixed = [document.documentElement, document.body].filter(e => e)
    .map(e => getComputedStyle(e))
    .find(s => s.overflowY !== 'visible' || s.overflowX !== 'visible');
  const isBodyBox = getComputedStyle(document.documentElement).overflowY !== 'visible';
  const free = side => !fixed || !/hidden|clip/.test(fixed['overflow' + side]);
  const approach = (n, k, place) => {
    const at = () => lines(n)[k];
    for (let e = nodes[n].parentElement; e && at(); e = e.parentElement) {
      if (e === root || (e === document.body && !isBodyBox) || !scrolls(e)) continue;
      const r = at(), b = e.getBoundingClientRect();
      e.scrollTop += r.top + r.height / 2 - b.top - b.height / 2;
      if (r.left < b.left || r.right > b.right) e.scrollLeft += r.left - b.left - 10;
    }
    const r = at();
    if (r && free('Y')) root.scrollTop += r.top + r.height / 2 - innerHeight * place;
    if (r && free('X') && (r.left < 0 || r.right > innerWidth)) root.scrollLeft += r.left - 10;
  };
  globalThis.pieces = () => JSON.stringify(nodes.map((node, n) => ({
    text: node.data, lines: shown[n] ? lines(n).map(r => r.width) : []})));
  globalThis.find = (n, k, place) => {
    approach(n, k, place);
    const found = [];
    for (let m = 0; m < nodes.length && found.length < 3000; m++) {
      if (shown[m]) lines(m).forEach((r, l) => {
        if (r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth)
          found.push([m, l, r.left, r.top, r.right, r.bottom]);
      });
    }
    return JSON.stringify(found);
  };
  globalThis.strip = on => { bare.disabled = !on; };
})()"""


@dataclass
class SeenLine:
    """A line of a text: how much of it was seen, from 0 to 1, and how often it was looked for."""

    letters: float
    seen: float = 0.0
    tries: int = 0

    @property
    def is_open(self) -> bool:
        return self.seen < LEAST_SEEN and self.tries < len(PLACES)


@dataclass
class SeenText:
    """A text of the page and its lines."""

    text: str
    pieces: list[SeenLine] = field(default_factory=list)

    @property
    def letters(self) -> int:
        return len("".join(self.text.split()))

    @property
    def seen(self) -> float:
        """The number of its letters that were seen."""
        return sum(piece.letters for piece in self.pieces if piece.seen >= LEAST_SEEN)

    @property
    def missed(self) -> float:
        """The number of its letters that were looked for in vain."""
        if not self.pieces:
            return self.letters
        return sum(p.letters for p in self.pieces if not p.is_open and p.seen < LEAST_SEEN)


def expect_visible(case: Case, page: Page, file: str, is_pointed: bool = False) -> bool:
    """Nine tenths of the page's letters can be seen, wherever a reader can scroll to.

    If `is_pointed`, while the pointer is on them.
    """
    texts = texts_of(page, MOST_LOST, is_pointed)
    all_letters = sum(text.letters for text in texts)
    lost = all_letters - round(sum(text.seen for text in texts))
    worst = max(texts, key=lambda text: text.letters - text.seen, default=SeenText(""))
    example = " ".join(worst.text.split())[:60]
    state = "under the pointer" if is_pointed else "in a browser"
    return case.expect(
        f"its text is seen {state}",
        lost <= MOST_LOST * all_letters,
        "letters that are drawn where a reader can scroll to",
        f"{lost} of {all_letters} letters are not seen",
        file,
        f"{state.capitalize()} {file} does not show its text, such as “{example}”.",
    )


def seen_in(page: Page) -> str:
    """The page's text as far as it is seen."""
    return "".join(t.text for t in texts_of(page) if t.seen >= t.letters / 2)


def texts_of(page: Page, most_lost: float = 1.0, is_pointed: bool = False) -> list[SeenText]:
    """Every text of the page, with what is seen of it, also if a reader points at it.

    The search ends when a larger share than `most_lost` was looked for in vain.
    """
    world = page.own_world()
    page.evaluate(WATCH, world)
    texts = [text_from(entry) for entry in listed(page.text("pieces()", world))]
    blind, most = 0, most_lost * sum(text.letters for text in texts)
    for _ in range(MOST_LOOKS):
        if blind >= MOST_BLIND_LOOKS or sum(text.missed for text in texts) > most:
            break
        boxes = next_boxes(page, world, texts)
        if boxes is None:
            break
        if is_pointed:
            _, _, left, top, right, bottom = boxes[0]
            page.point((max(left, 0) + min(right, WIDTH)) / 2, (top + bottom) / 2)
        blind = 0 if look(page, world, texts, boxes) else blind + 1
    return texts


def listed(text: str) -> list[Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def text_from(entry: Any) -> SeenText:
    facts = foreign_values.facts(entry)
    text = SeenText(foreign_values.text(facts.get("text")))
    widths = [foreign_values.number(width) for width in facts.get("lines") or ()]
    text.pieces = [SeenLine(text.letters * width / sum(widths)) for width in widths]
    return text


def next_boxes(page: Page, world: int, texts: list[SeenText]) -> list[list[float]] | None:
    """The boxes in the window after scrolling to the next open piece, its own first.

    None when none is left.
    """
    for number, text in enumerate(texts):
        for line, piece in enumerate(text.pieces):
            while piece.is_open:
                place = PLACES[piece.tries]
                piece.tries += 1
                boxes = listed(page.text(f"find({number}, {line}, {place})", world))
                boxes = [box for box in boxes if is_box(box, texts)]
                own = [box for box in boxes if box[:2] == [number, line]]
                if own and is_whole(own[0]):
                    return own[:1] + [box for box in boxes if box is not own[0]]
    return None


def is_box(box: Any, texts: list[SeenText]) -> bool:
    if not isinstance(box, list) or len(box) != 6:
        return False
    if not all(isinstance(value, int | float) and abs(value) < 1e6 for value in box):
        return False
    number, line = box[:2]
    return number in range(len(texts)) and line in range(len(texts[int(number)].pieces))


def is_whole(box: list[float]) -> bool:
    """True if the box lies in the window from its top to its bottom, and with most of its width."""
    _, _, left, top, right, bottom = box
    width = min(right, WIDTH) - max(left, 0)
    return top >= -1 and bottom <= HEIGHT + 1 and width >= LEAST_SEEN * (right - left)


def look(page: Page, world: int, texts: list[SeenText], boxes: list[list[float]]) -> bool:
    """Note what is seen in the window now; whether anything is."""
    import cv2

    page.settle(world)
    drawn = page.picture()
    page.evaluate("strip(true)", world)
    bare = page.picture()
    page.evaluate("strip(false)", world)
    if drawn is None or bare is None or drawn.shape != bare.shape:
        return False
    edges = steps(cv2.absdiff(drawn, bare))
    piled = overlaps(boxes, drawn.shape)
    found = False
    for box in boxes:
        if is_whole(box):
            piece = texts[int(box[0])].pieces[int(box[1])]
            piece.seen = max(piece.seen, share_seen(box, piece, edges, piled))
            piece.tries += CLEAR[0] * HEIGHT < box[3] and box[5] < CLEAR[1] * HEIGHT
            found = found or piece.seen > 0
    return found


def steps(off: Any) -> Any:
    """Places at which the difference of two pictures changes from one pixel to the next."""
    import numpy as np

    levels = off.astype(np.int16)
    edges = np.zeros(off.shape, bool)
    edges[:, 1:] |= np.abs(np.diff(levels, axis=1)) >= LEAST_STEP
    edges[1:] |= np.abs(np.diff(levels, axis=0)) >= LEAST_STEP
    return edges


def overlaps(boxes: list[list[float]], shape: tuple[int, ...]) -> Any:
    """Number of texts over each other at each pixel, by the middle thirds of their lines."""
    import numpy as np

    count = np.zeros(shape[:2], np.uint16)
    for box in boxes:
        rows, columns = middle(box)
        count[rows, columns] += 1
    return count


def middle(box: list[float]) -> tuple[slice, slice]:
    _, _, left, top, right, bottom = box
    third = (bottom - top) / 3
    rows = slice(max(0, round(top + third)), max(0, round(bottom - third)))
    return rows, slice(max(0, round(left)), max(0, round(right)))


def share_seen(box: list[float], piece: SeenLine, edges: Any, piled: Any) -> float:
    """The share of a line's width in which its letters can be seen."""
    _, _, left, top, right, bottom = box
    height, width = bottom - top, right - left
    if height < LEAST_HEIGHT or width < LEAST_LETTER * height * piece.letters:
        return 0.0
    heaped = piled[middle(box)]
    if heaped.size and heaped.mean() > PILED:
        return 0.0
    number = max(1, round(width / height))
    rows = slice(max(0, int(top)), max(0, round(bottom)))
    found = 0
    for n in range(number):
        one = max(0, int(left + n * width / number))
        other = max(0, round(left + (n + 1) * width / number))
        found += int(edges[rows, one:other].sum()) >= LEAST_EDGES
    return found / number


@dataclass(frozen=True)
class Form:
    """Order of a page's parts, and the elements in which its style may write nothing."""

    order: Mapping[str, str]  # {selector of what holds a row of parts: selector of the parts}
    bare: tuple[str, ...] = ()  # names of elements
    marks: Mapping[str, str] = field(default_factory=dict)  # {a class: pattern of what may be said}


@dataclass(frozen=True)
class ShownPart:
    """One part of a page: its text, its first line, and the right edge of its box."""

    text: str
    left: float
    top: float
    bottom: float
    edge: float

    def may_follow(self, other: ShownPart) -> bool:
        """True if it is read after `other`: below it, to its right, or in the next column."""
        height = min(self.bottom - self.top, other.bottom - other.top)
        lower = (self.top + self.bottom - other.top - other.bottom) / 2
        if lower > SAME_LINE * height:
            return True
        least = other.left if lower >= -SAME_LINE * height else other.edge
        return self.left >= least - SLACK


@dataclass(frozen=True)
class Added:
    """A text that the style writes, before or after what an element holds; its elements around."""

    text: str
    part: str
    around: tuple[str, ...]
    classes: frozenset[str]


def expect_as_written(case: Case, page: Page, file: str, form: Form) -> bool:
    """The page's parts follow each other on the screen as in the file, and none says more."""
    turned = next((pair for row in rows_of(page, form) for pair in wrong_pairs(row)), None)
    said = f"“{turned[1].text}” before “{turned[0].text}”" if turned else ""
    if not case.expect(
        "in its order on the screen",
        not turned,
        "parts one after the other",
        said or "so",
        file,
        f"In a browser {file} shows {said}, which comes after it in the file.",
    ):
        return False
    added = [one for one in added_texts(page) if says_more(one, form)]
    text = " ".join(added[0].text.split())[:60] if added else ""
    return case.expect(
        "nothing written by its style",
        not added,
        "what the page holds",
        f"{len(added)} texts more" if added else "so",
        file,
        f"In a browser {file} shows “{text}”, which its style adds to what the page says.",
    )


def rows_of(page: Page, form: Form) -> list[list[ShownPart]]:
    """The parts of the page in the order of the file, row by row, where they are on the screen."""
    asked = json.dumps(list(form.order.items()))
    try:
        found = json.loads(page.text(f"{ORDERED}({asked})", page.own_world()))
    except ValueError:
        return []
    rows = found if isinstance(found, list) else []
    return [[part_from(p) for p in row if is_place(p)] for row in rows if isinstance(row, list)]


def is_place(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 6
        and isinstance(value[0], str)
        and all(isinstance(one, int | float) for one in value[1:])
    )


def part_from(value: list[Any]) -> ShownPart:
    text, left, top, _, bottom, edge = value
    return ShownPart(" ".join(text.split()), left, top, bottom, edge)


def wrong_pairs(row: list[ShownPart]) -> Iterator[tuple[ShownPart, ShownPart]]:
    """Neighbours of which the later one is read first."""
    for one, other in itertools.pairwise(row):
        if not other.may_follow(one):
            yield one, other


def says_more(added: Added, form: Form) -> bool:
    """True if a text has letters or digits, and is neither a numbering nor one of the marks."""
    if not any(c.isalnum() for c in added.text) or not set(form.bare) & set(added.around):
        return False
    if added.part in NUMBERING and NUMBERING[added.part].fullmatch(added.text):
        return False
    patterns = [pattern for name, pattern in form.marks.items() if name in added.classes]
    return not any(re.fullmatch(pattern, added.text.strip(), re.IGNORECASE) for pattern in patterns)


def added_texts(page: Page) -> list[Added]:
    """The texts that the style writes, as the browser lays them out."""
    found = page.ask("DOMSnapshot.captureSnapshot", computedStyles=[])
    try:
        return added_in(found["documents"][0], found["strings"])
    except (AttributeError, LookupError, TypeError, ValueError):
        raise BrowserBroken("a layout that cannot be read") from None


def added_in(document: Mapping[str, Any], strings: Sequence[str]) -> list[Added]:
    nodes, layout = document["nodes"], document["layout"]
    kinds = nodes.get("pseudoType", {"index": [], "value": []})
    part_of = {n: strings[name] for n, name in zip(kinds["index"], kinds["value"], strict=True)}
    texts: dict[int, str] = {}
    for node, text in zip(layout["nodeIndex"], layout["text"], strict=True):
        if text >= 0 and part_of.get(node) in WRITTEN and len(texts) < MOST_TEXTS:
            texts[node] = texts.get(node, "") + strings[text]
    return [added_at(node, text, part_of[node], nodes, strings) for node, text in texts.items()]


def added_at(
    node: int, text: str, part: str, nodes: Mapping[str, Any], strings: Sequence[str]
) -> Added:
    """A text that the style writes, with the elements around it."""
    around: list[str] = []
    classes: set[str] = set()
    while (node := nodes["parentIndex"][node]) >= 0:
        around.append(strings[nodes["nodeName"][node]].lower())
        attributes = [strings[number] for number in nodes["attributes"][node]]
        said = dict(zip(attributes[::2], attributes[1::2], strict=True))
        classes |= set(said.get("class", "").split())
    return Added(text, part, tuple(around), frozenset(classes))
