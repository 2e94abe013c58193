"""Names as long as they may be, and in scripts that run the other way: no page breaks."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, ViewportSize

from leaderboard.models import Draft, Entry, Run, Suite
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.pybench_lines import ANSWER, CELL, RESULT, line
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)
from leaderboard.tests.support.submit_form import filled_in, text_of
from leaderboard.trajectories.import_file import import_file, names_for

FORM_CHARS, API_CHARS, IMPORTED_CHARS = 200, 200, 300
ARABIC = "نموذج لغوي كبير جدا "
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}

BODY = {
    "suite": "starter",
    "base_url": "https://api.some-host.com/v1",
    "model": "foo",
    "preflight": False,
}


def fill(text: str, chars: int) -> str:
    """`text` again and again, `chars` long, without a blank at its end."""
    return (text * chars)[: chars - 1] + "ـ"


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["W", ARABIC, "字", "🙂", "a "])
def test_the_form_takes_a_name_of_200_characters_and_no_more(
    signed_in: Client, suite: Suite, text: str
) -> None:
    longest = fill(text, FORM_CHARS)
    assert signed_in.post("/submit/", filled_in(suite, name=longest)).status_code == 302
    assert Draft.objects.get().facts["name"] == longest
    refused = signed_in.post("/submit/", filled_in(suite, name=fill(text, FORM_CHARS + 1)))
    assert refused.status_code == 422
    assert "at most 200 characters" in text_of(refused)
    assert text_of(refused).count('class="field has-error"') == 1


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["W", ARABIC, "字", "🙂"])
def test_the_api_takes_a_name_of_200_characters_and_no_more(
    owner: User, suite: Suite, text: str
) -> None:
    longest = fill(text, API_CHARS)
    run = Caller(owner).send("runs/", BODY | {"name": longest}, 201)
    entry = Entry.objects.get()
    assert (entry.name, entry.slug) == (longest, run["entry"])
    assert len(entry.slug) <= 80
    error = Caller(owner).send("runs/", BODY | {"name": longest + "x"}, 400)["error"]
    assert list(error["fields"]) == ["name"]


def import_long_name() -> Run:
    """A recording whose entry was given a name of 300 characters."""
    names = names_for("a.jsonl", entry="x" * IMPORTED_CHARS)
    run = import_file(line(CELL, RESULT, ANSWER), names).run
    assert run is not None
    return run


@pytest.mark.django_db
def test_an_imported_name_of_300_characters_is_cut_to_what_is_kept() -> None:
    entry = import_long_name().entry
    assert entry.name == "x" * API_CHARS
    assert Client().get(entry.runs.get().get_absolute_url()).status_code == 200
    assert Client().get(f"/models/{entry.slug}/").status_code == 200


@pytest.fixture
def addresses(owner: User) -> list[str]:
    """Pages that show names as long as rows can hold, unbroken and from right to left."""
    suite = make_suite()
    runs: list[Run] = []
    for name in ("W" * API_CHARS, fill(ARABIC, API_CHARS), "\u202e" + "x" * 100, "字" * API_CHARS):
        entry = make_entry(name, organisation=name)
        Entry.objects.filter(pk=entry.pk).update(owner=owner, model_name=name, description=name * 5)
        runs.append(finish_run(make_run(suite, Entry.objects.get(pk=entry.pk)), 5))
    told = tell_failure(
        runs[0].attempts.select_related("task", "run").get(task__key="quarterly-sales")
    )
    turned = tell_failure(
        runs[1].attempts.select_related("task", "run").get(task__key="quarterly-sales")
    )
    return [
        "/",
        *(run.get_absolute_url() for run in runs),
        *(f"/models/{run.entry.slug}/" for run in runs),
        told.get_absolute_url(),
        turned.get_absolute_url(),
        import_long_name().get_absolute_url(),
        "/tasks/starter/quarterly-sales/",
        "/failures/",
        f"/compare/?runs={runs[0].pk},{runs[1].pk}",
        "/submissions/",
    ]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_is_broken_by_a_name(
    addresses: list[str], owner: User, page: Page, watch: Watch, live_server: Any, size: Any
) -> None:
    signed_in = Client()
    signed_in.force_login(owner)
    cookie = signed_in.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page.set_viewport_size(size)
    broken = {}
    for path in addresses:
        answer = page.goto(live_server.url + path)
        assert answer is not None
        assert answer.status == 200, path
        width = page.evaluate("document.documentElement.scrollWidth")
        outside = page.evaluate(OUTSIDE)
        if outside or width != size["width"]:
            broken[path] = (width, outside)
    assert broken == {}
    assert watch.refusals == []


# What stands beside the window, though nothing that scrolls holds it.
OUTSIDE = """() => {
  const scrolls = (part) => {
    for (let box = part; box && box !== document.body; box = box.parentElement) {
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(box).overflowX)) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("main *, header *")]
    .filter((part) => part.getClientRects().length && !scrolls(part))
    .filter((part) => !part.closest(".skip, .visually-hidden, svg"))
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1);
    })
    .map((part) => part.outerHTML.slice(0, 120));
}"""
