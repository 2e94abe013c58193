"""The replay as a visitor gets it: verdict, steps, outputs, files, assertions."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Artifact, Attempt, Run
from leaderboard.storage import attempt_rows
from leaderboard.tests.support.replay_pages import attempt_at, get, step_of
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    end_judged,
    end_void,
    finish_run,
    make_png,
    make_run,
    make_step,
    make_suite,
    printed,
    tell_failure,
)
from runner.contract import Assertion, ChangeKind, Outcome, Status, Step, StepStatus, Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite()), 4)


@pytest.fixture
def failed(run: Run) -> Attempt:
    return tell_failure(attempt_at(run, "quarterly-sales"))


def test_the_verdict_is_a_sentence_that_leads_to_the_step(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    assert "<b>Failed:</b> quarters.csv has 5 rows, the query asks for 4." in page
    assert '<a href="#step-5">(step 5 wrote it)</a>' in page
    assert "2 of 4 checks passed" in page


def test_every_step_stands_in_the_ribbon_and_has_an_anchor(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    ribbon = page[page.index('class="ribbon"') :]
    ribbon = ribbon[: ribbon.index("</nav>")]
    assert re.findall(r'href="(#step-\d)"', ribbon)[:6] == [f"#step-{i}" for i in range(1, 7)]
    assert 'class="jump" href="#step-2"' in ribbon
    for index in range(1, 7):
        assert page.count(f'id="step-{index}"') == 1


def test_the_opening_shows_query_inputs_and_what_the_model_was_sent(
    client: Client, failed: Attempt
) -> None:
    page = get(client, failed)
    opening = page[page.index('id="opening"') : page.index('id="step-1"')]
    assert "Sum the column `amount`" in opening
    assert "data/sales.csv" in opening
    assert "<td>2025-12-03</td>" in opening
    assert "<summary>Full prompt (2 messages)</summary>" in opening
    assert "You are given a Python interpreter." in opening


def test_a_step_shows_thought_code_and_output(client: Client, failed: Attempt) -> None:
    first = step_of(get(client, failed), 1)
    assert "<strong>amounts</strong>" in first
    assert '<span class="p-kn">import</span>' in first
    assert "$1,140.50" in first
    assert "2.3 s" in first
    assert "204 tok" in first


def test_an_error_shows_its_cell_and_folds_the_library(client: Client, failed: Attempt) -> None:
    second = step_of(get(client, failed), 2)
    assert "KeyError: &#x27;quarter&#x27;" in second
    assert "<summary>2 library frames</summary>" in second
    visible = re.sub(r"<details.*?</details>", "", second, flags=re.DOTALL)
    assert "site-packages" not in visible
    assert "value_counts" in visible


def test_a_repeated_error_points_at_the_first(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    assert '<a href="#step-2">repeats 2</a>' in step_of(page, 3)
    assert "repeats" not in step_of(page, 2)
    assert "1 more code block was not run." in step_of(page, 3)


def test_tables_and_pictures_of_a_cell_are_shown(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    assert "<td>12,480.50</td>" in step_of(page, 4)
    assert "vertical-align" not in page
    found = re.search(r'<img src="(/files/[0-9a-f]{64}/figure.png\?step=\d+)"', step_of(page, 5))
    assert found is not None
    picture = client.get(found[1])
    assert picture.status_code == 200
    assert picture["Content-Type"] == "image/png"
    assert picture.getvalue() == make_png()


def test_what_a_step_changed_opens_in_place(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    fifth = step_of(page, 5)
    assert "<td>合计</td>" in fifth
    assert re.search(r"before</figcaption>.*after</figcaption>", fifth, re.DOTALL)
    assert "812 B → " in fifth
    assert 'class="chip is-deleted"' in fifth
    assert "was 812 B" in fifth
    assert "before</figcaption>" not in step_of(page, 4)  # nothing was there before


def test_the_answer_the_files_and_every_assertion_are_shown(
    client: Client, failed: Attempt
) -> None:
    page = get(client, failed)
    assert "The totals are saved." in step_of(page, 6)
    assert 'id="answer"' not in page
    files = page[page.index('id="outputs"') :]
    assert "quarters.csv" in files
    assert "step 5 wrote it" in files
    evidence = page[page.index('class="evidence"') :]
    assert evidence.count('<li class="is-passed"') == 2
    assert evidence.count('<li class="is-failed"') == 2
    assert evidence.index("names the best quarter") < evidence.index("total")  # failures first
    assert '<dd>4</dd><dt>actual</dt><dd class="got">5</dd>' in evidence
    assert "the final answer" in evidence


def test_a_checked_file_is_shown_once_beside_what_was_asserted_of_it(
    client: Client, failed: Attempt
) -> None:
    evidence = get(client, failed).partition('class="evidence"')[2]
    wrong, answer, held = evidence.split('<section class="looked-at ')[1:]
    assert wrong.startswith('is-failed" id="checked-1"')
    assert "<td>58826.45</td>" in wrong
    assert '<a href="#step-5">step 5 wrote it</a>' in wrong
    assert "the final answer" in answer
    assert held.startswith("is-passed")
    assert '<a class="mono small" href="#checked-1">quarters.csv</a>, shown above' in held
    assert '<a href="#step-5">step 5 wrote it</a>' in held  # of what held just as well
    assert evidence.count("<td>58826.45</td>") == 1
    assert evidence.count('id="checked-1"') == 1


def test_files_of_which_everything_holds_are_shown_too(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    end_judged(attempt, passed=True)
    files = ("a.csv", "b.csv", "gone.csv", "never.csv")
    attempt_rows.save_verdict(
        attempt.pk,
        attempt.tries,
        Verdict(True, tuple(Assertion("is there", True, "yes", "yes", file=f) for f in files), ""),
    )
    written = [change(f"output/{name}", b"k\n1\n") for name in ("a.csv", "gone.csv")]
    add_step(attempt, make_step(1, changes=written))
    add_step(attempt, make_step(2, changes=[change("never.csv", b"k\n3\n")]))
    for name in ("a.csv", "b.csv"):
        add_file(attempt, name, b"k\n2\n")
    evidence = get(client, attempt).partition('class="evidence"')[2]
    first, second, gone, never = evidence.split('<section class="looked-at ')[1:]
    assert "<td>2</td>" in first
    assert "step 1 wrote it" in first
    assert "<td>2</td>" in second
    assert "no step wrote it" in second
    assert "step 1 wrote it</a>; it was not left in ./output" in gone
    assert "never.csv</span>, no step wrote it" in never


def test_a_page_that_was_checked_has_one_frame(client: Client, failed: Attempt) -> None:
    add_file(failed, "index.html", b"<p>hello</p>")
    body = Assertion("title", False, "a", "b", file="index.html")
    attempt_rows.save_verdict(failed.pk, failed.tries, Verdict(False, (body,), "No title."))
    page = get(client, failed)
    assert page.count("<iframe") == 1
    assert "&lt;p&gt;hello" in page.partition('id="checked-1"')[2]


def test_an_attempt_without_an_answer_says_why(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    Attempt.objects.filter(pk=attempt.pk).update(
        outcome=Outcome.OUT_OF_TURNS, closing=b"", sentence="index.html is missing."
    )
    add_step(attempt, make_step(1))
    page = get(client, attempt)
    assert "The model gave no final answer: out of steps." in page
    assert "Nothing was left in ./output." in page


def test_a_file_that_no_step_wrote_is_named(client: Client, failed: Attempt) -> None:
    failed.steps.filter(index=5).delete()
    assert "no step wrote it" in get(client, failed)


def test_refused_files_say_why(client: Client, failed: Attempt) -> None:
    Artifact.objects.create(
        attempt=failed, role=Artifact.Role.REFUSED, path="link.csv", reason="a symbolic link"
    )
    assert "not taken: a symbolic link" in get(client, failed)


def test_unreadable_code_shows_the_reply_as_it_came(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    reply = "```python\nprint(<b>1</b>"
    complaint = "[The code block is never closed.]\n[reply cut by length.]"
    add_step(
        attempt, Step(index=1, status=StepStatus.MALFORMED, reply=reply, observation=complaint)
    )
    first = step_of(get(client, attempt), 1)
    assert "<li>The code block is never closed.</li>" in first
    assert "print(&lt;b&gt;1&lt;/b&gt;" in first
    assert "unreadable code" in first


def test_a_void_attempt_says_whose_fault_it_is(client: Client, run: Run) -> None:
    attempt = end_void(attempt_at(run, "static-page"))
    page = " ".join(get(client, attempt).split())
    assert "<b>Did not count:</b> on the submitter’s side: The endpoint answered 503" in page
    assert "counts neither as passed nor as failed" in page
    assert "It ended before the model gave a first reply." in page


def test_earlier_tries_stay_as_evidence(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    add_step(attempt, make_step(1, code="first_try = 1"), try_number=1)
    add_step(attempt, make_step(1, code="second_try = 2"), try_number=2)
    page = get(client, attempt)
    assert "second_try" in page
    assert "first_try" not in page
    assert '<a href="?try=1">first, did not count · 1 step</a>' in " ".join(page.split())
    earlier = get(client, attempt, "?try=1")
    assert "first_try" in earlier
    assert "This one did not count" in earlier
    for bad in ("?try=7", "?try=x", "?try=-1", "?attempt=2", "?attempt=99999999"):
        assert client.get(attempt.get_absolute_url() + bad).status_code == 404


def test_a_running_attempt_shows_its_steps_so_far(client: Client) -> None:
    run = make_run(make_suite())
    attempt = attempt_at(run, "quarterly-sales")
    Attempt.objects.filter(pk=attempt.pk).update(status=Status.RUNNING)
    attempt.refresh_from_db()
    assert "the model has not answered" in get(client, attempt)
    add_step(attempt, make_step(1))
    page = get(client, attempt)
    assert "<b>Running:</b> 1 step so far." in " ".join(page.split())
    tag = client.get(attempt.get_absolute_url())["ETag"]
    again = client.get(attempt.get_absolute_url(), headers={"If-None-Match": tag})
    assert again.status_code == 304
    add_step(attempt, make_step(2))
    further = client.get(attempt.get_absolute_url(), headers={"If-None-Match": tag})
    assert "2 steps so far." in further.content.decode()
    assert "No verdict yet" in page
    assert 'id="outputs"' not in page


def test_neighbours_and_failed_neighbours_are_linked(client: Client, run: Run) -> None:
    here = attempt_at(run, "word-frequency")  # the third of four that passed
    page = get(client, here)
    base = f"/runs/{run.pk}/tasks"
    assert f'data-previous="{base}/station-temperatures/"' in page
    assert f'data-next="{base}/news-digest/"' in page
    assert f'data-next-failed="{base}/rotate-photo/"' in page
    assert "data-previous-failed" not in page
    assert "3 / 8" in page


def test_the_second_attempt_at_a_task_has_an_address(client: Client, run: Run) -> None:
    first = attempt_at(run, "static-page")
    second = Attempt(run=run, task=first.task, category=first.category, number=2)
    end_judged(second, passed=True, sentence="The second time it holds.")
    assert "The second time it holds." in get(client, second)
    assert "The second time it holds." not in get(client, first)
    assert f'href="{second.get_absolute_url()}"' in get(client, first)


def test_endless_output_is_bounded_and_says_so(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    outputs = [printed(f"line {i}\n", cut_chars=9) for i in range(80)]
    changes = [change(f"output/{i}.txt", b"x") for i in range(50)]
    add_step(attempt, make_step(1, outputs=outputs, changes=changes))
    first = step_of(get(client, attempt), 1)
    assert "20 more outputs are in the" in first
    assert "and 10 more files" in first
    assert "9 characters were cut when this was recorded" in first


def test_queries_and_reads_do_not_grow_with_steps_and_files(client: Client, run: Run) -> None:
    attempts = [attempt_at(run, key) for key in ("rotate-photo", "static-page")]
    for attempt, count in zip(attempts, (1, 12), strict=True):
        for index in range(1, count + 1):
            files = [change(f"output/{index}-{i}.csv", b"a,b\n1,2\n") for i in range(4)]
            add_step(attempt, make_step(index, changes=files))
            add_file(attempt, f"{index}.csv", b"a,b\n1,2\n")
    counts = []
    for attempt in attempts:
        with CaptureQueriesContext(connection) as queries:
            get(client, attempt)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10


def test_a_change_whose_bytes_were_not_kept_is_a_plain_chip(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    add_step(attempt, make_step(1, changes=[change("output/big.bin", None, ChangeKind.CHANGED)]))
    first = step_of(get(client, attempt), 1)
    assert "output/big.bin" in first
    assert "<details" not in first


def test_pictures_and_tables_stand_open_where_they_were_made(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    contents = {"notes.txt": b"text", "page.html": b"<p>made</p>", "a.csv": b"k\n1\n"}
    made = [change(f"output/{name}", content) for name, content in contents.items()]
    pictures = [change(f"output/{number}.png", make_png()) for number in range(6)]
    add_step(attempt, make_step(1, changes=made))
    add_step(attempt, make_step(2, changes=pictures))
    page = get(client, attempt)
    chips = [chip.partition("</summary>") for chip in step_of(page, 1).split("<details class=")[1:]]
    is_open = {
        name: head.partition(">")[0].endswith(" open")
        for head, _, _ in chips
        for name in contents
        if f">output/{name}<" in head
    }
    assert is_open == {"notes.txt": False, "page.html": True, "a.csv": True}
    first = step_of(page, 1)
    assert first.index("run this page here") < first.index("source of the page</summary>")
    assert len(re.findall(r'<details class="chip is-created"\s+open>', step_of(page, 2))) == 4
    assert len(re.findall(r'<details class="chip is-created"\s*>', step_of(page, 2))) == 2
