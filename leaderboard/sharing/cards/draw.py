"""A social card as a PNG: a title, rates with their intervals, and where they are from."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leaderboard.rendering.numbers import say_interval
from leaderboard.sharing.cards import faces

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

WIDTH_PX, HEIGHT_PX, PAD_PX = 1200, 630, 64
GROUND, INK, SOFT, LINE, ACCENT = "#fbfbf9", "#17191c", "#656a71", "#c4c4bc", "#2a4fc7"
MAX_ROWS = 5
ROWS_Y, ROW_PX = 236, 62
NAME_PX, VALUE_X, AXIS_X, AXIS_PX, NOTE_X = 370, 600, 630, 330, 985


@dataclass(frozen=True)
class Rate:
    """One rate of a card, in shares of 1."""

    name: str  # in a card with several
    fallback: str  # a name that every face can draw
    words: str  # as "62.9 %", or "7 of 9" of few tasks
    rate: float
    low: float | None  # None of few tasks, which have no axis
    high: float | None
    note: str = ""  # as "rank 1–3"


@dataclass(frozen=True)
class Card:
    """Content of a card. Equal cards are equal pictures."""

    title: str
    fallback: str  # a title that every face can draw
    about: str
    rates: tuple[Rate, ...]
    foot: str  # suite, n and date
    empty: str = ""  # in the place of rates


def draw_card(card: Card) -> bytes:
    """The PNG. Nothing of a name is markup, and nothing of it leaves its line."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), GROUND)
    canvas = ImageDraw.Draw(picture)
    draw_mark(canvas)
    room_px = WIDTH_PX - 2 * PAD_PX
    write(canvas, (PAD_PX, 150), card.title, 54, room_px, card.fallback, faces.BOLD)
    write(canvas, (PAD_PX, 205), card.about, 28, room_px, "", colour=SOFT)
    if len(card.rates) == 1:
        draw_one(canvas, card.rates[0])
    for number, rate in enumerate(card.rates[:MAX_ROWS] if len(card.rates) > 1 else ()):
        draw_row(canvas, ROWS_Y + ROW_PX * number + ROW_PX // 2, rate)
    if not card.rates:
        write(canvas, (PAD_PX, 330), card.empty, 40, room_px, "")
    write(canvas, (PAD_PX, HEIGHT_PX - 44), card.foot, 26, room_px, "", colour=SOFT)
    stored = io.BytesIO()
    picture.save(stored, "PNG")
    return stored.getvalue()


def draw_mark(canvas: ImageDraw) -> None:
    """The site's sign and name."""
    y = 66
    canvas.line((PAD_PX, y, PAD_PX + 62, y), INK, 4)
    for x in (PAD_PX, PAD_PX + 62):
        canvas.line((x, y - 9, x, y + 9), INK, 4)
    dot(canvas, PAD_PX + 38, y, 9, INK)
    write(canvas, (PAD_PX + 78, y + 12), "PyBench", 34, 400, "", faces.BOLD)


def draw_one(canvas: ImageDraw, rate: Rate) -> None:
    """A rate alone: large, with the whole axis below."""
    write(canvas, (PAD_PX, 370), rate.words, 110, 560, "", faces.BOLD)
    write(canvas, (640, 370), rate.note, 48, WIDTH_PX - PAD_PX - 640, "", colour=INK)
    draw_whisker(canvas, (PAD_PX, 452), WIDTH_PX - 2 * PAD_PX, rate, 13, 5)
    interval = say_interval(rate.low, rate.high).strip(" ()")
    write(canvas, (PAD_PX, 512), interval, 28, 800, "", colour=SOFT)


def draw_row(canvas: ImageDraw, y: int, rate: Rate) -> None:
    """One of several rates."""
    write(canvas, (PAD_PX, y + 11), rate.name, 30, NAME_PX, rate.fallback)
    write(canvas, (VALUE_X, y + 11), rate.words, 30, 150, "", faces.BOLD, anchor="rs")
    draw_whisker(canvas, (AXIS_X, y), AXIS_PX, rate, 8, 3)
    write(canvas, (NOTE_X, y + 11), rate.note, 26, WIDTH_PX - PAD_PX - NOTE_X, "", colour=SOFT)


def draw_whisker(
    canvas: ImageDraw, at: tuple[int, int], length_px: int, rate: Rate, radius: int, width: int
) -> None:
    """The rate and its interval on an axis from 0 to 100 %; nothing without an interval."""
    if rate.low is None or rate.high is None:
        return
    x, y = at
    canvas.line((x, y, x + length_px, y), LINE, max(1, width // 2))
    low, high = x + length_px * rate.low, x + length_px * rate.high
    canvas.line((low, y, high, y), INK, width)
    for end in (low, high):
        canvas.line((end, y - radius, end, y + radius), INK, width)
    dot(canvas, x + length_px * rate.rate, y, radius, ACCENT)


def dot(canvas: ImageDraw, x: float, y: float, radius: int, colour: str) -> None:
    canvas.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def write(
    canvas: ImageDraw,
    at: tuple[int, int],
    text: str,
    size_px: int,
    room_px: float,
    fallback: str,
    weight: int = faces.REGULAR,
    colour: str = INK,
    anchor: str = "ls",
) -> None:
    """One line on its baseline; `fallback` where no face has half of its letters."""
    path, drawn = faces.choose_face(text)
    if fallback and not faces.is_told(text, drawn):
        path, drawn = faces.choose_face(fallback)
    line = faces.fit(path, drawn, size_px, weight, room_px)
    canvas.text(at, line, fill=colour, font=faces.load_face(path, size_px, weight), anchor=anchor)
