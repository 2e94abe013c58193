"""Social cards as PNG, for previews of links: of public runs, entries, boards and tasks."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone

from leaderboard.process_cache import Shelf
from leaderboard.sharing.cards.draw import Card, draw_card
from leaderboard.sharing.cards.facts import card_of_board, card_of_run, card_of_task
from leaderboard.sharing.public_rows import load_public, load_public_of
from leaderboard.views.board import ask_board
from leaderboard.views.conditional import has_copy
from leaderboard.views.tasks import find_suite, find_task, rate_of

KEPT = 200  # pictures of some 30 kB
CARDS: Shelf[bytes] = Shelf(size=KEPT)


def run_card(request: HttpRequest, run_id: int) -> HttpResponse:
    return send(request, card_of_run(load_public(run_id)))


def entry_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The entry's public run whose figures stand for it."""
    return send(request, card_of_run(load_public_of(slug)))


def board_card(request: HttpRequest) -> HttpResponse:
    """The board that the address asks for; `runs=1,2` for those alone."""
    asked = ask_board(request)
    if asked is None:
        return send(request, Card("PyBench", "", "", (), "", "No suite is installed yet."))
    rows = [*asked.rows.ranked, *(asked.rows.unranked if asked.address.runs else ())]
    return send(request, card_of_board(rows, asked.name, asked.day))


def task_card(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    found = find_task(find_suite(request, suite), key)
    solved = rate_of(found)
    rate = solved.rate if solved.models else None
    low, high = solved.interval if solved.models else (0.0, 1.0)
    return send(request, card_of_task(found, rate, low, high, timezone.now().date()))


def send(request: HttpRequest, card: Card) -> HttpResponse:
    """The picture, or 304: a copy is known by the card's facts, without drawing it."""
    tag = hashlib.sha256(repr(card).encode("utf-8", "replace")).hexdigest()[:32]
    headers = {
        "ETag": f'"{tag}"',
        "Cache-Control": "public, max-age=300",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    if has_copy(request, headers["ETag"]):
        return HttpResponseNotModified(headers=headers)
    picture = CARDS.get(card, lambda: draw_card(card), lambda known: True)
    return HttpResponse(picture, content_type="image/png", headers=headers)
