"""The failures page: facets, words, counts that agree, and what a stranger's address does."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.failures.tagging import conclude
from leaderboard.models import Attempt, Entry, Run
from leaderboard.search.filters import Filter
from leaderboard.search.words import find_texts
from leaderboard.tests.support.failure_search import find
from leaderboard.tests.support.rows import (
    add_step,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
    tell_failure,
)
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db

MAX_QUERIES = 19


@pytest.fixture
def run() -> Run:
    """Eight attempts: four passed, three failed, one void; one failed with a KeyError."""
    run = finish_run(make_run(make_suite(), make_entry("Foo 70B")), 4, void=1)
    tell_failure(attempt_at(run, "rotate-photo"))
    trim = end_judged(attempt_at(run, "trim-silence"), passed=False)
    outputs = [printed("频谱 shown, 50%_done"), raised(name="ValueError", value="bad rate")]
    add_step(trim, make_step(1, code="ünï = 1", outputs=outputs, status=StepStatus.ERROR))
    conclude_all(run)
    return run


def attempt_at(run: Run, key: str) -> Attempt:
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=key)
    return attempt


def conclude_all(run: Run) -> None:
    for attempt in run.attempts.all():
        conclude(attempt.pk)


def ask(client: Client, query: str = "") -> dict[str, Any]:
    """The page's twin, after making sure that the page says the same number."""
    page = client.get(f"/failures/{query}")
    assert page.status_code == 200
    answer: dict[str, Any] = client.get(f"/failures.json{query}").json()
    total = answer["total"]
    assert f"<h2>{total} attempt{'' if total == 1 else 's'}</h2>" in page.content.decode()
    return answer


def tasks_of(answer: dict[str, Any]) -> list[str]:
    return [attempt["task"] for attempt in answer["attempts"]]


def test_what_failed_is_listed_and_the_other_states_have_a_chip_each(
    client: Client, run: Run
) -> None:
    answer = ask(client)
    keys = ["rotate-photo", "trim-silence", "shortest-route"]
    assert tasks_of(answer) == keys
    assert tasks_of(ask(client, "?state=not-passed")) == [*keys, "static-page"]
    page = client.get("/failures/").content.decode()
    chips = page[page.index('aria-label="State"') :]
    assert re.findall(r"([a-z ]+) (\d)<", chips[: chips.index("</nav>")]) == [
        ("failed", "3"), ("did not count", "1"), ("passed", "4"), ("not passed", "4"),
    ]  # fmt: skip
    assert answer["states"] == {"failed": 3, "void": 1, "unjudged": 0, "passed": 4}


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("?tag=wrong-column", ["rotate-photo"]),
        ("?tag=infra-endpoint&state=not-passed", ["static-page"]),
        ("?tag=infra-endpoint", []),
        ("?exception=ValueError", ["trim-silence"]),
        ("?category=maths", ["shortest-route"]),
        ("?task=trim-silence", ["trim-silence"]),
        ("?suite=starter@1&state=void", ["static-page"]),
        ("?state=failed&exception=KeyError", ["rotate-photo"]),
        ("?q=bad+rate", ["trim-silence"]),
        ("?q=%22bad+rate%22", ["trim-silence"]),
        ("?q=%22rate+bad%22", []),
        ("?q=BAD+value", ["trim-silence"]),
        ("?q=%C3%9CN%C3%8F", ["trim-silence"]),
        ("?q=频谱", ["trim-silence"]),
        ("?q=0%25_d", ["trim-silence"]),
        ("?q=0%25xd", []),
        ("?q=keyerror&tag=repeated-error", ["rotate-photo"]),
        ("?tag=wrong-column&exception=ValueError", []),
    ],
)
def test_each_part_of_the_filter_narrows(
    client: Client, run: Run, query: str, keys: list[str]
) -> None:
    assert tasks_of(ask(client, query)) == keys


def test_each_facet_leads_to_as_many_attempts_as_it_counts(client: Client, run: Run) -> None:
    page = client.get("/failures/?state=failed").content.decode()
    facets = page[page.index('class="facets"') : page.index("</aside>")]
    options = re.findall(
        r'<a href="(\?[^"]*)"[^>]*><span>[^<]*</span><span class="n">(\d+)</span>', facets
    )
    assert len(options) > 10
    for query, count in options:
        assert ask(client, query.replace("&amp;", "&"))["total"] == int(count), query


def test_a_chosen_option_leads_back(client: Client, run: Run) -> None:
    page = client.get("/failures/?tag=wrong-column&state=failed").content.decode()
    link = re.search(r'<a href="\?([^"]*)" aria-current="true"[^>]*><span>wrong column', page)
    assert link is not None
    assert parse_qs(link[1]) == {"state": ["failed"]}
    assert "looked up a key" in page  # the tag's meaning


def test_what_was_found_shows_its_tags_and_where_the_word_stands(client: Client, run: Run) -> None:
    page = client.get("/failures/?q=bad+rate").content.decode()
    assert "<mark>bad</mark> rate" in page
    page = client.get("/failures/?task=rotate-photo").content.decode()
    assert (
        'class="tag is-primary is-infra" href="/failures/?tag=infra-input&amp;state=not-passed"'
        in page
    )
    assert 'href="/failures/?tag=wrong-column&amp;state=not-passed"' in page


def test_the_replays_address_carries_the_filter(client: Client, run: Run) -> None:
    page = client.get("/failures/?state=failed&q=bad+rate").content.decode()
    link = re.search(r'href="(/runs/\d+/tasks/trim-silence/[^"]*)"', page)
    assert link is not None
    carried = parse_qs(urlsplit(link[1]).query)["in"][0]
    assert parse_qs(carried) == {"q": ["bad rate"], "state": ["failed"]}


def test_scripted_baselines_are_asked_for(client: Client, run: Run) -> None:
    finish_run(make_run(run.suite, make_entry("silent", is_scripted=True)), 0)
    assert ask(client)["total"] == 3
    assert ask(client, "?baselines=1")["total"] == 11
    assert ask(client, f"?entry={Entry.objects.get(name='silent').slug}")["total"] == 8


def test_a_private_run_is_its_owners(client: Client, run: Run) -> None:
    owner = get_user_model().objects.create_user("owner")
    Entry.objects.filter(pk=run.entry_id).update(owner=owner)
    Run.objects.filter(pk=run.pk).update(is_public=False)
    answer = ask(client, "?q=bad")
    assert (answer["total"], answer["attempts"]) == (0, [])
    assert all(not options for options in answer["facets"].values())
    client.force_login(get_user_model().objects.create_user("stranger"))
    assert ask(client)["total"] == 0
    client.force_login(owner)
    assert ask(client)["total"] == 3


@pytest.mark.parametrize(
    "query",
    [
        "?tag=no-such-tag",
        "?q=" + "x" * 5000,
        "?q=%22",
        "?q=%22%22%22+OR+*",
        "?q=body:x+NEAR(a+b)",
        "?q='%3B+DROP+TABLE+x--",
        "?q=%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80",
        "?q=\ud83d".encode("utf-8", "surrogatepass").decode("latin-1"),
        "?suite=gone@9&entry=gone&task=gone&category=gone&exception=gone",
        "?state=bogus&page=99999",
        "?page=-1",
        "?page=x",
        "?entry=<script>",
    ],
)
def test_stale_and_strange_addresses_give_a_sensible_page(
    client: Client, run: Run, query: str
) -> None:
    for path in ("/failures/", "/failures.json"):
        assert client.get(path + query).status_code == 200
    assert b"<script>alert" not in client.get(f"/failures/{query}").content


def test_an_empty_site_says_what_would_be_here(client: Client) -> None:
    page = client.get("/failures/").content.decode()
    assert "No failure yet" in page
    assert "No attempt matches" in client.get("/failures/?tag=format").content.decode()


def test_an_empty_list_leads_to_the_baselines_that_it_left_out(client: Client) -> None:
    finish_run(make_run(make_suite(), make_entry("Junk files", is_scripted=True)), 1)
    page = client.get("/failures/?suite=starter@1").content.decode()
    assert "Scripted baselines are left out" in page
    [query] = re.findall(r'href="\?([^"]*)">include their attempts', page)
    page = client.get(f"/failures/?{unescape(query)}").content.decode()
    assert "No attempt matches" not in page
    assert "Junk files" in page
    assert re.search(r"scripted baselines</span> too ", page)
    empty = client.get("/failures/?baselines=1&tag=format").content.decode()
    assert "Scripted baselines are left out" not in empty


@pytest.mark.parametrize("query", ["", "?q=KeyError&state=failed", "?exception=KeyError"])
def test_queries_are_bounded_however_many_attempts_there_are(
    client: Client, run: Run, query: str
) -> None:
    client.force_login(get_user_model().objects.create_user("reader"))
    for number in range(3):
        more = finish_run(make_run(run.suite, make_entry(f"More {number}")), 1)
        tell_failure(attempt_at(more, "rotate-photo"))
        conclude_all(more)
    client.get("/failures/")  # the first look reads the sheets
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/failures/{query}")
    asked = [query for query in queries if "SAVEPOINT" not in query["sql"]]  # of the test
    assert len(asked) <= MAX_QUERIES


def test_equal_sentences_at_a_task_are_one_row(client: Client) -> None:
    suite = make_suite()
    for number in range(12):
        finish_run(make_run(suite, make_entry(f"Model {number}")), 0)
    newest = Run.objects.latest("pk")
    assert "· private" not in client.get("/failures/?by=sentence").content.decode()
    owner = get_user_model().objects.create_user("ann")
    Entry.objects.filter(pk=newest.entry_id).update(owner=owner)
    Run.objects.filter(pk=newest.pk).update(is_public=False)
    client.force_login(owner)
    own = attempt_at(newest, "trim-silence")
    Attempt.objects.filter(pk=own.pk).update(sentence="The sound is <b>silent</b>.")
    page = client.get("/failures/?by=sentence").content.decode()
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    rows = table.split("<tr>")[1:]
    counts = [int(count) for row in rows for count in re.findall(r'class="num">(\d+)<', row)]
    assert counts == [12] * 7 + [11, 1]
    assert "and 4 more" in rows[0]
    assert ["· private" in row for row in rows] == [True] * 7 + [False, True]
    assert len(re.findall(r'href="/runs/\d+/tasks/', rows[0])) == 8
    assert "&lt;b&gt;silent&lt;/b&gt;" in rows[-1]
    narrowed = client.get("/failures/?by=sentence&task=trim-silence").content.decode()
    assert '"?task=trim-silence&amp;"' in narrowed  # back to each attempt
    assert '"/failures.csv?task=trim-silence"' in narrowed


def test_grouping_looks_at_the_newest_and_says_so(
    client: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("search.same_sentences", "views.failures"):
        monkeypatch.setattr(f"leaderboard.{place}.MAX_GROUPED", 2)
    page = client.get("/failures/?by=sentence").content.decode()
    assert "Only the newest 2 are grouped." in page
    assert len(re.findall("<tr>", page[page.index("<tbody>") :])) == 2


def test_a_list_without_failures_leads_to_the_other_states(client: Client) -> None:
    finish_run(make_run(make_suite(), make_entry("Foo")), 7, void=1)
    page = client.get("/failures/").content.decode()
    assert "No attempt failed here" in page
    assert "8 attempts that match did not fail" in page


def test_the_table_for_spreadsheets_has_every_row_and_no_formula(client: Client, run: Run) -> None:
    Attempt.objects.filter(run=run, passed=False).update(sentence="=HYPERLINK(1)")
    answer = client.get("/failures.csv?state=not-passed")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["task"] for row in rows] == tasks_of(ask(client, "?state=not-passed"))
    assert {row["sentence"] for row in rows[:3]} == {"'=HYPERLINK(1)"}
    assert rows[0]["replay"].startswith("/runs/")
    assert client.get("/failures.csv?tag=gone").content.decode().count("\n") == 1


@pytest.fixture
def stopped(run: Run) -> Run:
    """As `run`; the shortest route ended out of turns, and a try before the last failed early."""
    shortest = attempt_at(run, "shortest-route")
    add_step(shortest, make_step(1, status=StepStatus.ERROR), try_number=1)
    for index in range(1, 13):
        status = StepStatus.TIMEOUT if index == 12 else StepStatus.OK
        add_step(shortest, make_step(index, status=status), try_number=2)
    Attempt.objects.filter(pk=shortest.pk).update(outcome="out_of_turns", turns=12)
    conclude_all(run)
    return run


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("?outcome=out_of_turns", ["shortest-route"]),
        ("?outcome=endpoint_failed&state=void", ["static-page"]),
        ("?outcome=finished", ["rotate-photo", "trim-silence"]),
        ("?outcome=%3Cb%3E", []),
        ("?step=1", ["trim-silence"]),
        ("?step=2", ["rotate-photo"]),
        ("?step=10%2B", ["shortest-route"]),
        ("?step=none&state=void", ["static-page"]),
        ("?step=none", []),
        ("?turns=10%2B", ["shortest-route"]),
        ("?turns=3&outcome=finished", ["rotate-photo", "trim-silence"]),
        ("?step=-1", []),
    ],
)
def test_outcome_step_and_turns_narrow_page_json_and_csv(
    client: Client, stopped: Run, query: str, keys: list[str]
) -> None:
    assert tasks_of(ask(client, query)) == keys
    rows = csv.DictReader(io.StringIO(client.get(f"/failures.csv{query}").content.decode()))
    assert [row["task"] for row in rows] == keys


def test_csv_names_the_first_failed_step_of_the_try_that_counts(
    client: Client, stopped: Run
) -> None:
    answer = client.get("/failures.csv?state=not-passed")
    rows = csv.DictReader(io.StringIO(answer.content.decode()))
    assert {row["task"]: row["first_failed_step"] for row in rows} == {
        "rotate-photo": "2",
        "trim-silence": "1",
        "shortest-route": "12",
        "static-page": "",
    }


def test_outcome_and_step_are_chips_with_counts_that_lead_on(client: Client, stopped: Run) -> None:
    page = client.get("/failures/").content.decode()
    facets = dict(re.findall(r"</span>(Outcome|First failed step)</summary>(.*?)</ul>", page, re.S))
    chip = re.compile(r'<a href="\?(.*?)".*?><span>(.*?)</span><span class="n">(\d+)</span>')
    assert {(words, n) for _, words, n in chip.findall(facets["Outcome"])} == {
        ("finished", "2"), ("out of steps", "1"),
    }  # fmt: skip
    steps = chip.findall(facets["First failed step"])
    assert {(words, n) for _, words, n in steps} == {
        ("step 1", "1"), ("step 2", "1"), ("step 10 or later", "1"),
    }  # fmt: skip
    for query, _, count in steps:
        assert len(tasks_of(ask(client, f"?{unescape(query)}"))) == int(count)
    chosen = client.get("/failures/?step=10%2B").content.decode()
    assert '<span class="faint">first failed</span> step 10 or later' in chosen


def test_pages_follow_each_other_without_a_gap(client: Client) -> None:
    suite = make_suite()
    for number in range(8):
        finish_run(make_run(suite, make_entry(f"Entry {number}")), 0)
    seen = [
        (attempt["run"], attempt["task"])
        for page in (1, 2)
        for attempt in client.get(f"/failures.json?page={page}").json()["attempts"]
    ]
    assert len(seen) == len(set(seen)) == 64
    assert "page=2" in client.get("/failures/").content.decode()


def test_the_index_follows_the_texts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.search.words.MAX_READ", 1)  # the rest is found by the index

    def found(word: str) -> int:
        return len(find_texts([word], AnonymousUser()).attempts)

    text = attempt_at(run, "trim-silence").text
    assert found("bad rate") == 1
    text.body = "something else"
    text.save()
    assert (found("bad rate"), found("something else")) == (0, 1)
    text.delete()
    assert found("something else") == 0


def test_a_filter_is_the_same_after_its_address(run: Run) -> None:
    wanted = Filter(q='a "b c" &=?', tag="format", suite="x@1+2")
    query = {name: values[0] for name, values in parse_qs(wanted.query()).items()}
    assert Filter(**query) == wanted
    assert wanted.words == ["a", "b c", "&=?"]
    assert find(wanted, get_user_model()(), "tag").count() == 0
