"""Social cards: pictures of public runs, boards and tasks, whatever their names are."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image, ImageChops

from leaderboard.models import Entry, Run, Suite
from leaderboard.scoring import standings
from leaderboard.sharing.cards import faces
from leaderboard.sharing.cards.draw import HEIGHT_PX, PAD_PX, WIDTH_PX, Card, Rate, draw_card
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from leaderboard.views import cards
from leaderboard.visitors import page_limits

pytestmark = pytest.mark.django_db

HOSTILE = [
    "<script>alert(1)</script>\"&'\u202e\x0b" + "w" * 260,
    "نموذج لغوي عربي",
    "通义千问" * 75,
    "🦙🔥" * 40,
    "\u202e\u200b",
    "e" + "\u0301" * 299,
    "שלום world 7B",
    "a\nb\tc\r\x00d",
]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cards.CARDS.clear()
    yield
    cards.CARDS.clear()


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(), make_entry("Foo 70B", organisation="Foo")), 5)
    finish_run(make_run(run.suite, make_entry("Bar")), 2)
    standings.refresh(run.suite)
    return run


def paths_of(run: Run) -> list[str]:
    return [
        f"/runs/{run.pk}/card.png",
        f"/models/{run.entry.slug}/card.png",
        "/card.png",
        f"/card.png?runs={run.pk}",
        "/tasks/starter/quarterly-sales/card.png",
    ]


def open_picture(content: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(content))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", (WIDTH_PX, HEIGHT_PX))
    return picture


def rename(run: Run, name: str) -> None:
    name = name.replace("\x00", "")
    Entry.objects.filter(pk=run.entry_id).update(name=name[:200])
    Suite.objects.filter(pk=run.suite_id).update(title=name[:200])
    run.suite.tasks.update(title=name[:200])


def draw(**changes: Any) -> bytes:
    rate = Rate("Foo", "Run 1", "50.0 %", 0.5, 0.2, 0.8, "rank 1–3")
    facts = {"title": "Foo", "fallback": "Run 1", "about": "", "rates": (rate,), "foot": "n 8"}
    return draw_card(Card(**{**facts, **changes}))


def test_each_card_is_a_picture_that_can_be_kept(run: Run) -> None:
    seen = set()
    for path in paths_of(run):
        answer = Client().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert len(answer.content) < 100_000
        open_picture(answer.content)
        seen.add(answer.content)
        again = Client().get(path, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert len(seen) == 4  # the entry's is its run's


def test_card_holds_the_facts_of_the_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Card] = []

    def note(card: Card) -> bytes:
        drawn.append(card)
        return b"png"

    monkeypatch.setattr(cards, "draw_card", note)
    for path in paths_of(run):
        Client().get(path)
    one, board, alone, task = drawn
    assert (one.title, one.about, one.foot) == (
        "Foo 70B",
        "Foo",
        "Starter suite v1  ·  n 8 tasks  ·  2026-11-20",
    )
    [rate] = one.rates
    assert (rate.rate, rate.low, rate.high) == (0.625, None, None)  # of 8 tasks
    assert (rate.words, rate.note) == ("5 of 8", "")
    assert (board.title, [r.name for r in board.rates]) == ("Starter suite v1", ["Foo 70B", "Bar"])
    assert [r.name for r in alone.rates] == ["Foo 70B"]
    assert (task.title, task.about) == ("Sales by quarter", "Task 1 of Starter suite v1")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_inside_the_picture(run: Run, name: str) -> None:
    rename(run, name)
    for path in paths_of(run):
        answer = Client().get(path)
        assert answer.status_code == 200
        picture = open_picture(answer.content).convert("RGB")
        ground = Image.new("RGB", picture.size, picture.getpixel((0, 0)))
        box = ImageChops.difference(picture, ground).getbbox()
        assert box is not None
        assert box[0] >= PAD_PX - 12
        assert box[2] <= WIDTH_PX - PAD_PX + 12


def test_name_without_drawable_letters_gives_way_to_the_runs_number() -> None:
    assert draw(title="🦙🔥🦙") == draw(title="Run 1") == draw(title="\u202e")
    assert draw(title="Foo 🦙") == draw(title="Foo")
    path, drawn = faces.choose_face("Llama 🦙")
    assert drawn == "Llama"
    assert path.name == "inter.woff2"


def test_other_scripts_are_drawn_by_a_face_that_has_them() -> None:
    """On a machine with the faces that the set-up installs."""
    for text in ("通义千问", "نموذج"):
        path, drawn = faces.choose_face(text)
        assert drawn == text
        assert path.name != "inter.woff2"
    assert draw(title="通义千问") != draw(title="Run 1")


def test_without_other_faces_names_fall_back(monkeypatch: pytest.MonkeyPatch) -> None:
    own = faces.list_faces()[:1]
    monkeypatch.setattr(faces, "list_faces", lambda: own)
    monkeypatch.setattr(faces, "can_reorder", lambda: False)
    for text in ("通义千问", "نموذج"):
        assert draw(title=text) == draw(title="Run 1")


def test_private_and_withdrawn_runs_have_no_card_even_for_their_owner(run: Run) -> None:
    owner = User.objects.create_user("ada")
    hidden = finish_run(make_run(run.suite, make_entry("Hidden"), is_public=False), 3)
    Entry.objects.filter(pk__in=[hidden.entry_id, run.entry_id]).update(owner=owner)
    withdraw(run.pk)
    client = Client()
    client.force_login(owner)
    for one in (hidden, run):
        for path in (f"/runs/{one.pk}/card.png", f"/models/{one.entry.slug}/card.png"):
            assert client.get(path).status_code == 404
        for path in (one.get_absolute_url(), f"/models/{one.entry.slug}/"):
            page = client.get(path).content.decode()
            assert "og:image" not in page
            assert 'content="summary"' in page
    for path in ("/runs/999/card.png", "/models/none/card.png", "/tasks/starter/none/card.png"):
        assert Client().get(path).status_code == 404


def test_withdrawn_run_is_not_sent_from_what_was_kept(run: Run) -> None:
    path = f"/runs/{run.pk}/card.png"
    tag = Client().get(path)["ETag"]
    withdraw(run.pk)
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 404


def test_pages_name_their_card(run: Run) -> None:
    both = f"{run.pk},{run.pk + 1}"
    wanted = {
        "/": "/card.png?suite=starter@1",
        run.get_absolute_url(): f"/runs/{run.pk}/card.png",
        f"/models/{run.entry.slug}/": f"/models/{run.entry.slug}/card.png",
        "/tasks/starter/quarterly-sales/": "/tasks/starter/quarterly-sales/card.png?version=1",
        "/changes/": "/card.png",
        "/about/method/": "/card.png",
        f"/compare/?runs={both}": f"/card.png?suite=starter@1&amp;runs={both}",
    }
    for page, card in wanted.items():
        found = re.findall(
            r'<meta property="og:image" content="([^"]*)">', Client().get(page).content.decode()
        )
        assert found == [f"http://testserver{card}"]
        assert Client().get(card.replace("&amp;", "&")).status_code == 200


def test_site_without_a_suite_has_a_card_too() -> None:
    open_picture(Client().get("/card.png").content)


def test_card_is_drawn_once_for_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Card] = []

    def count(card: Card) -> bytes:
        drawn.append(card)
        return draw_card(card)

    monkeypatch.setattr(cards, "draw_card", count)
    path = f"/runs/{run.pk}/card.png"
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            Client().get(path)
        assert len(queries) <= 3
    assert len(drawn) == 1
    Client().get(path, headers={"If-None-Match": Client().get(path)["ETag"]})
    assert len(drawn) == 1


def test_visitor_who_asks_for_too_many_cards_waits(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_limits, "ALLOWANCE", page_limits.Allowance(0.05))
    monkeypatch.setattr(cards.CARDS, "size", 1)
    deadline = time.monotonic() + 120
    client = Client(REMOTE_ADDR="198.51.100.7")
    paths = [f"/runs/{run.pk}/card.png", "/card.png"]
    while (answer := client.get(paths[0])).status_code == 200:
        assert time.monotonic() < deadline
        paths.reverse()
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert Client(REMOTE_ADDR="198.51.100.8").get(paths[0]).status_code == 200
