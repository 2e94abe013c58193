"""A run's page as a visitor gets it."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Entry, FailureTag, Run, Suite
from leaderboard.submissions.run_actions import NOTHING_USED
from leaderboard.tests.support.jobs import FLAKY, claim_one, void
from leaderboard.tests.support.rows import (
    TaskFacts,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_suite,
    start_run,
)
from runner.contract import Outcome, Problem, Status
from runner.sandbox.host_tools import TOOLS
from runner.task_code.needed_tools import describe
from runner.unplayed import CRASHED

pytestmark = pytest.mark.django_db

NO_CHROMIUM = describe(next(tool for tool in TOOLS if tool.key == "chromium"))


def get(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def table_of(page: str) -> str:
    return page[page.index('id="attempts"') :]


def test_a_finished_run_shows_its_rate_facts_and_every_task(client: Client, suite: Suite) -> None:
    run = finish_run(make_run(suite, make_entry("Foo", organisation="Foo Inc")), 5)
    page = get(client, run.get_absolute_url())
    for words in ("Foo Inc", "run here", "20261121", "<b>5 of 8</b>", "bwrap", "ef" * 32):
        assert words in page
    for task in suite.tasks.all():
        assert page.count(f"/runs/{run.pk}/tasks/{task.key}/") == 2  # in the grid and in the table
    assert "data-live" not in page


def test_attempts_can_be_filtered(client: Client, suite: Suite) -> None:
    run = finish_run(make_run(suite), 5, void=1)
    failed = table_of(get(client, f"/runs/{run.pk}/?show=failed"))
    assert failed.count("the query asks for 4") == 2
    assert "4 checks passed" not in failed
    passed = table_of(get(client, f"/runs/{run.pk}/?show=passed"))
    assert passed.count("4 checks passed") == 5
    assert table_of(get(client, f"/runs/{run.pk}/?show=void")).count("503") == 1
    assert table_of(get(client, f"/runs/{run.pk}/?show=nonsense")).count("<tr>") == 9


def test_a_filter_without_a_hit_says_so(client: Client, suite: Suite) -> None:
    run = finish_run(make_run(suite), 8)
    assert "No failed attempt" in get(client, f"/runs/{run.pk}/?show=failed")


def test_attempts_that_took_several_tries_are_counted(client: Client, suite: Suite) -> None:
    run = finish_run(make_run(suite), 4)
    assert "retried" not in get(client, run.get_absolute_url())
    run.attempts.filter(task__key="quarterly-sales").update(void_tries=2, tries=3)
    page = " ".join(get(client, run.get_absolute_url()).split())
    assert "<dt>retried</dt><dd>1 of 8 <small>attempts, after the endpoint or" in page


def test_cancelled_attempts_are_no_retries_and_have_no_figures(
    client: Client, suite: Suite
) -> None:
    run = finish_run(make_run(suite), 4)
    cut, unplayed = run.attempts.order_by("-pk")[:2]
    facts = {"status": Status.CANCELLED, "outcome": Outcome.CANCELLED, "passed": None}
    Attempt.objects.filter(pk=cut.pk).update(**facts, void_tries=1)
    Attempt.objects.filter(pk=unplayed.pk).update(**facts, **NOTHING_USED, started_at=None)
    Run.objects.filter(pk=run.pk).update(status=Status.CANCELLED)
    page = get(client, run.get_absolute_url())
    assert "retried" not in page
    rows = table_of(page).split("<tr>")
    cells = [re.findall(r'class="num">(.*?)<', row) for row in rows if "Cancelled before" in row]
    assert sorted(cells) == [["3", "4\u202f822", "12 s"], ["–", "–", "–"]]


def test_void_attempts_are_explained_and_leave_no_rate(client: Client, suite: Suite) -> None:
    run = finish_run(make_run(suite), 5, void=2)
    page = get(client, run.get_absolute_url())
    assert "<b>2 attempts</b>, on the submitter’s side" in page
    assert "The endpoint answered 503 to every request for 3 minutes." in page
    assert "Start the run again when the endpoint is up." in page
    assert "no rate until every attempt has a verdict" in page


def test_calls_that_the_server_left_in_the_text_are_named(client: Client, suite: Suite) -> None:
    entry = make_entry("Foo")
    Entry.objects.filter(pk=entry.pk).update(action_format="tools")
    run = finish_run(make_run(suite, entry), 5)
    assert "calls-in-text" not in get(client, run.get_absolute_url())
    for attempt in run.attempts.all()[:2]:
        FailureTag.objects.create(attempt=attempt, tag="call-in-text", position=0, version="4")
    Run.objects.filter(pk=run.pk).update(sequence=9)
    page = " ".join(get(client, run.get_absolute_url()).split())
    assert "In 2 attempts the server left tool calls in the text or reasoning of replies." in page
    assert '<span class="nowrap">--tool-call-parser</span> PARSER, SGLang' in page


def test_a_running_run_is_followed_until_it_is_over(client: Client, suite: Suite) -> None:
    run = make_run(suite)
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING, sequence=4)
    page = get(client, run.get_absolute_url())
    assert f'data-live="/runs/{run.pk}/progress/?show=' in page
    first = client.get(f"/runs/{run.pk}/progress/")
    assert '<b data-moves="ended">0 of 8</b> attempts ended' in first.content.decode()
    weak = client.get(f"/runs/{run.pk}/progress/", headers={"Accept-Encoding": "gzip"})
    for tag in (first["ETag"], weak["ETag"]):  # compression weakens it
        unchanged = client.get(f"/runs/{run.pk}/progress/", headers={"If-None-Match": tag})
        assert unchanged.status_code == 304
    end_judged(run.attempts.all()[0], passed=True)
    Run.objects.filter(pk=run.pk).update(sequence=5)
    changed = client.get(f"/runs/{run.pk}/progress/", headers={"If-None-Match": first["ETag"]})
    assert '<b data-moves="ended">1 of 8</b> attempts ended' in changed.content.decode()
    assert "data-over" not in changed.content.decode()
    finish_run(run, 3)
    assert "data-over" in get(client, f"/runs/{run.pk}/progress/")


@pytest.mark.parametrize("tail", ["", "progress/", "tasks/quarterly-sales/"])
def test_a_private_run_is_not_found(client: Client, suite: Suite, tail: str) -> None:
    run = finish_run(make_run(suite, is_public=False), 3)
    response = client.get(f"/runs/{run.pk}/{tail}")
    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


def test_a_long_run_is_paged_with_a_bounded_number_of_queries(client: Client) -> None:
    facts: list[TaskFacts] = [
        (f"task-{i}", f"Task {i}", "chart", "en", [], []) for i in range(1, 231)
    ]
    few = finish_run(make_run(make_suite("small")), 3)
    many = finish_run(make_run(make_suite("large", facts)), 3)
    counts = []
    for run in (few, many):
        with CaptureQueriesContext(connection) as queries:
            page = get(client, run.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8
    assert "page 1 of 2" in page
    assert table_of(page).count("<tr>") == 201
    second = table_of(get(client, f"/runs/{many.pk}/?show=failed&page=2"))
    assert second.count("<tr>") == 28  # 227 failed, 200 on the first page, and the head
    assert "show=failed&amp;page=1" in second


@pytest.mark.parametrize(
    ("outcome", "problem", "said", "unsaid"),
    [
        (
            Outcome.ENDPOINT_FAILED,
            FLAKY,
            [
                f"did not count, on the endpoint’s side: {FLAKY.what} The endpoint is away. We look again at",  # noqa: E501
                "goes on by itself once it is back",
            ],
            ["tasks wait", "no fault of the endpoint"],
        ),
        (
            Outcome.WORKER_LOST,
            CRASHED,
            ["no fault of the endpoint: The runner failed while it played", "We pause before"],
            ["the endpoint’s side", "task wait"],
        ),
        (
            Outcome.CHECK_CRASHED,
            NO_CHROMIUM,
            ["Attempts at 1 task wait.</b> The machine", "lacks Chromium", "apt-get install"],
            ["the endpoint’s side", "We pause", "last one did not count"],
        ),
    ],
    ids=["endpoint", "runner", "host"],
)
def test_waiting_run_names_the_party_whose_fault_it_is(
    client: Client, outcome: Outcome, problem: Problem, said: list[str], unsaid: list[str]
) -> None:
    run = start_run(1)
    attempts.record_result(claim_one(run), void(outcome, problem))
    run_page = " ".join(get(client, run.get_absolute_url()).split())
    for words in said:
        assert words in run_page
    board = get(client, "/")
    replay = " ".join(get(client, run.attempts.get().get_absolute_url()).split())
    waits_for_host = problem is NO_CHROMIUM
    assert ("Attempts at 1 task wait." in board) is waits_for_host
    assert ("it waits. The machine that plays attempts lacks Chromium" in replay) is waits_for_host
    for page in (run_page, board, replay):
        assert not [words for words in unsaid if words in page]
