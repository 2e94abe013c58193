"""Every page, asked for what no page has: a sensible answer, never a server error."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from leaderboard.models import Artifact, Entry, Run, Task
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import (
    finish_run,
    make_board,
    make_entry,
    make_private_run,
    make_run,
    make_suite,
)

pytestmark = pytest.mark.django_db

THEIRS = ("admin/", "account/")  # Django's and allauth's own, which have tests of their own
RIGHT_TO_LEFT = "نموذج \u202eabc\u2066 עברית"
MARKUP = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"

# Every parameter that some page reads, and one that none does.
PARAMETERS = [
    "page", "sort", "suite", "show", "attempt", "try", "step", "version", "runs", "draft", "in",
    "q", "since", "columns", "scripted", "size", "weights", "provenance", "category", "tag",
    "exception", "task", "entry", "state", "baselines", "a", "b", "k", "nothing",
    "as_of", "season", "skill", "file", "by", "before", "from", "server", "model", "page_size",
]  # fmt: skip

VALUES = [
    "", "0", "-1", "1", "2", "1.5", "1e9", "9" * 20, "9" * 5000, "NaN", "null", "[]", "{}", "true",
    "../../etc/passwd", "'; DROP TABLE leaderboard_run; --", "%", "_", "*", '"', "\\", "(", "AND",
    'NEAR("a" "b", 99)', "a:b", "^a", "a*", "-", "rate,-rate,", "1,2", "1,1", ",,,", "99999,1",
    "starter", "starter@1", "starter@", "@", "@@", "hide", "failed", MARKUP, RIGHT_TO_LEFT, "🙂",
    "\ufffe", "a b\tc\nd\re", "x" * 300, "字" * 300, "2026-13-45", "9999-99-99", "0000-00-00",
    "0001-01-01", "9999-12-31", "2026-W47-1", "٣", "１", "1_0", "1e400", "inf", "-inf", "0x10",
    str(2**31), str(2**63), str(-(2**63) - 1), "\u0301" * 300, "a OR", "* *", "ﷺ" * 300, "İ" * 300,
    "starter@-1", "starter@" + "9" * 20, "1," * 500,
]  # fmt: skip
PLACES: dict[str, list[str]] = {
    "int": ["0", "1", "99", "9" * 19, "9" * 30, "9" * 5000],
    "slug": ["absent", "-", "_", "0", "x" * 300, "rotate-photo"],
    "sha256": ["0" * 64, "f" * 64],
    "str": ["absent", "🙂", RIGHT_TO_LEFT, MARKUP, "x" * 300, "..", "a%2fb", "%", " "],
    "path": ["a/b", "x" * 300],
}


def list_routes(patterns: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """The site's routes, "runs/<int:run_id>/" for one, without those that are not ours."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if route not in THEIRS:
                yield from list_routes(pattern.url_patterns, route)
        else:
            yield route, pattern


def fill(route: str, pattern: URLPattern, known: dict[str, list[str]]) -> list[str]:
    """Addresses of the route: with what there is, and with what there is not."""
    kinds = dict(pattern.pattern.converters.items())
    choices = [
        known.get(name, [])[:2] + PLACES.get(kind_of(converter), PLACES["str"])
        for name, converter in kinds.items()
    ]
    # What there is in every place, and then one place after the other changed.
    first = [options[0] for options in choices]
    rows = {tuple(first)} | {
        (*first[:i], option, *first[i + 1 :]) for i, opts in enumerate(choices) for option in opts
    }
    return [put(route, list(kinds), row) for row in sorted(rows)]


def kind_of(converter: object) -> str:
    return type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")


def put(route: str, names: list[str], values: tuple[str, ...]) -> str:
    for name, value in zip(names, values, strict=True):
        start = route.index("<")
        end = route.index(">", start)
        assert name in route[start:end]
        route = route[:start] + quote(value, safe="") + route[end + 1 :]
    return "/" + route.replace("^", "").replace("\\Z", "")


def what_there_is() -> dict[str, list[str]]:
    run = Run.objects.order_by("pk")[0]
    tasks = Task.objects.filter(suite=run.suite)
    artifacts = Artifact.objects.exclude(blob=None)
    return {
        "run_id": [str(run.pk), str(Run.objects.order_by("-pk")[0].pk)],
        "attempt_id": [str(run.attempts.order_by("pk")[0].pk)],
        "artifact_id": [str(a.pk) for a in artifacts[:2]],
        "task_id": [str(tasks[0].pk)],
        "key": [tasks[0].key, "pass-rate"],
        "suite": [run.suite.name],
        "slug": list(Entry.objects.values_list("slug", flat=True)[:2]),
        "sha256": [str(a.blob_id) for a in artifacts[:2]],
        "reference": [run.suite.name],
        "form": ["ipynb", "pybench.jsonl"],
    }


def hold(client: Client, address: str, has_names: bool = False) -> int:
    """The status of the address. The client raises a server error as it happened.

    With `has_names` the page shows names that must not turn its text round.
    """
    answer: Any = client.get(address)
    if answer.streaming:
        b"".join(answer.streaming_content)
    assert answer.status_code < 500, address
    assert answer.status_code in (200, 302, 304, 400, 401, 404, 405, 429), address
    if answer.status_code == 200 and "html" in answer["Content-Type"]:
        page = answer.content.decode()
        assert "<script>alert" not in page, address
        assert "<img src=x" not in page, address
        assert not has_names or "\u202e" not in page, address
    return int(answer.status_code)


@pytest.fixture(autouse=True)
def unthrottled(settings: Any) -> None:
    settings.API_REQUESTS_PER_MINUTE = dict.fromkeys(("stranger", "token", "write"), 10**9)


def signed_in() -> Client:
    """The owner of a private run, who may see the most."""
    owner = make_user()
    make_board()
    make_private_run(owner)
    client = Client()
    client.force_login(owner)
    return client


def test_every_address_with_and_without_what_it_names() -> None:
    client = signed_in()
    known = what_there_is()
    seen: dict[str, set[int]] = {}
    for route, pattern in list_routes():
        for address in fill(route, pattern, known):
            seen.setdefault(route, set()).add(hold(client, address))
    assert len(seen) > 35
    answered = {route for route, statuses in seen.items() if 200 in statuses}
    assert {"", "runs/<int:run_id>/", "runs/<int:run_id>/tasks/<slug:key>/"} <= answered


def test_every_page_with_every_question_that_means_nothing() -> None:
    client = signed_in()
    known = what_there_is()
    pages = [fill(route, pattern, known)[0] for route, pattern in list_routes()]
    pages = [page for page in pages if hold(client, page) == 200]
    assert len(pages) > 20
    asked = list(itertools.product(pages, PARAMETERS, VALUES))
    for page, name, value in random.Random(7).sample(asked, 500):
        hold(client, f"{page}?{urlencode({name: value})}")
    for page, value in itertools.product(pages, random.Random(8).sample(VALUES, 6)):
        hold(client, f"{page}?{urlencode([(name, value) for name in PARAMETERS] * 2)}")


@pytest.mark.parametrize(
    "query",
    ["page=%00", "q=a%00b", "%00=1", "page=%ff%fe", "page=%", "page=%zz", "&&&==&", "a" * 9000],
)
def test_a_question_that_cannot_be_read_is_refused_or_left_out(query: str) -> None:
    make_board()
    for page in ("/", "/tasks/starter/", "/failures/", "/compare/", "/board.json", "/api/v1/runs/"):
        status = hold(Client(), f"{page}?{query}")
        if "%00" in query or len(query) > 8000:
            assert status == 400, page


def test_pages_of_an_empty_site() -> None:
    client = Client()
    client.force_login(make_user())
    for route, pattern in list_routes():
        hold(client, fill(route, pattern, {})[0])


def test_addresses_of_what_was_deleted_are_not_found() -> None:
    make_board()
    known = what_there_is()
    run = Run.objects.order_by("pk")[0]
    addresses = [
        fill(route, pattern, known)[0]
        for route, pattern in list_routes()
        if "run_id" in pattern.pattern.converters
    ]
    attempt = run.attempts.order_by("pk")[0]
    addresses += [f"/api/v1/attempts/{attempt.pk}/", attempt.get_absolute_url()]
    run.delete()
    for address in addresses:
        assert hold(Client(), address) in (302, 401, 404, 405), address
    stale = f"/compare/?runs={run.pk},{Run.objects.all()[0].pk}"
    assert hold(Client(), stale) in (200, 400, 404)


@pytest.mark.parametrize("name", [MARKUP, RIGHT_TO_LEFT, "x" * 200, "字" * 200, "🙂" * 100, " "])
def test_names_of_any_kind_are_shown_as_text(name: str) -> None:
    suite = make_suite()
    run = finish_run(make_run(suite, make_entry(name, organisation=name)), 4, void=1)
    make_run(suite, make_entry(name))
    Entry.objects.update(description=name, model_name=name)
    Task.objects.update(title=name, query=name, note=name)
    run.attempts.update(sentence=name, problem=name, next_step=name)
    client, known = Client(), what_there_is()
    for route, pattern in list_routes():
        hold(client, fill(route, pattern, known)[0], has_names=True)
