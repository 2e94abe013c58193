"""A replay of any length: windows of steps, each as cheap as any other, drawn once and kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Run, Step, pack, unpacked_size
from leaderboard.replay import drawing
from leaderboard.replay.step_windows import MAX_UNPACKED_BYTES, WINDOW_STEPS
from leaderboard.tests.support.replay_pages import get, step_of
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    end_judged,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
)
from leaderboard.views import downloads
from leaderboard.views import replay as replay_page
from runner.contract import ChangeKind, StepStatus

pytestmark = pytest.mark.django_db

KEY = "quarterly-sales"


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite()), 3)
    found: Attempt = run.attempts.select_related("task", "run").get(task__key=KEY)
    found.steps.all().delete()
    return found


def add_steps(attempt: Attempt, count: int) -> None:
    """Many at once, all alike."""
    add_step(attempt, make_step(1, outputs=[printed("seen\n")]))
    one = attempt.steps.get()
    Step.objects.bulk_create(
        Step(attempt=attempt, try_number=one.try_number, index=n, status=one.status, body=one.body)
        for n in range(2, count + 1)
    )


def indexes(page: str) -> list[int]:
    return [int(part.partition('"')[0]) for part in page.split('id="step-')[1:]]


def test_long_attempt_is_shown_window_by_window(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 2 * WINDOW_STEPS + 5)
    page = get(client, attempt)
    assert indexes(page) == list(range(1, WINDOW_STEPS + 1))
    assert f"steps 1–{WINDOW_STEPS} of 45" in page
    assert f'href="?from={WINDOW_STEPS + 1}#step-{WINDOW_STEPS + 1}"' in page
    assert 'href="?from=41#step-45"' in page
    url = attempt.get_absolute_url()
    last = client.get(f"{url}?from=45").content.decode()
    assert indexes(last) == list(range(41, 46))
    assert "later ›" not in last
    middle = client.get(f"{url}?from=33").content.decode()  # a step inside a window
    assert indexes(middle) == list(range(21, 41))


def test_short_attempt_has_no_windows(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, WINDOW_STEPS)
    page = get(client, attempt)
    assert indexes(page) == list(range(1, WINDOW_STEPS + 1))
    assert "steps 1–" not in page


@pytest.mark.parametrize("asked", ["999", "abc", "-1", "99999"])
def test_window_that_is_not_there_is_not_found(
    client: Client, attempt: Attempt, asked: str
) -> None:
    add_steps(attempt, 30)
    assert client.get(f"{attempt.get_absolute_url()}?from={asked}").status_code == 404


def test_window_knows_what_was_before_it(client: Client, attempt: Attempt) -> None:
    """The version before a change, the failure that is repeated, who wrote what is checked."""
    add_step(attempt, make_step(1, changes=[change("output/a.txt", b"one\n")]))
    failing = {"status": StepStatus.ERROR, "outputs": [raised("KeyError", "'x'")]}
    add_step(attempt, make_step(2, **failing))  # type: ignore[arg-type]
    for index in range(3, 25):
        add_step(attempt, make_step(index))
    changed = change("output/a.txt", b"two\n", ChangeKind.CHANGED)
    add_step(attempt, make_step(25, changes=[changed]))
    add_step(attempt, make_step(26, **failing))  # type: ignore[arg-type]
    page = client.get(f"{attempt.get_absolute_url()}?from=21").content.decode()
    assert "1 line added, 1 removed" in step_of(page, 25)
    assert "from=2#step-2" in step_of(page, 26)  # “repeats 2”
    assert 'class="jump" href="?attempt=1&amp;try=1&amp;from=2#step-2"' in page
    first = get(client, attempt)
    assert 'class="jump" href="#step-2"' in first


def test_final_answer_stands_behind_the_last_window(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 30)
    assert 'id="answer"' not in get(client, attempt)
    last = client.get(f"{attempt.get_absolute_url()}?from=30").content.decode()
    assert 'id="answer"' in last


def test_attempt_under_way_shows_its_last_steps(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 30)
    Attempt.objects.filter(pk=attempt.pk).update(status="running", outcome="")
    assert indexes(get(client, attempt)) == list(range(21, 31))


def test_step_too_large_for_a_page_says_so(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 3)
    body = pack({"reply": "", "outputs": [], "code": "x" * (MAX_UNPACKED_BYTES + 1)})
    attempt.steps.filter(index=2).update(body=body)
    page = get(client, attempt)
    assert "record is too large for a page" in step_of(page, 2)
    assert "seen" in step_of(page, 1)
    assert "seen" in step_of(page, 3)
    assert len(page) < 200_000


def test_finished_attempt_is_drawn_once_for_all_readers(
    client: Client, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_steps(attempt, 3)
    drawn = []
    draw = drawing.draw_replay

    def count(*facts: Any) -> Any:
        drawn.append(1)
        return draw(*facts)

    monkeypatch.setattr(replay_page, "draw_replay", count)
    pages = {get(client, attempt), get(Client(), attempt)}
    assert len(pages) == 1
    assert len(drawn) == 1
    end_judged(attempt, passed=False)  # another verdict is another page
    get(client, attempt)
    assert len(drawn) == 2


def test_kept_page_of_a_private_run_is_for_its_owner_alone(
    client: Client, attempt: Attempt
) -> None:
    add_steps(attempt, 3)
    assert get(client, attempt)
    Run.objects.filter(pk=attempt.run_id).update(is_public=False)
    assert client.get(attempt.get_absolute_url()).status_code == 404


def test_window_costs_the_same_whatever_the_length(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 2 * WINDOW_STEPS)

    def queries(address: str) -> int:
        replay_page.KEPT.clear()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    url = attempt.get_absolute_url()
    queries(url)
    few = queries(url)
    one = attempt.steps.get(index=1)
    Step.objects.bulk_create(
        Step(attempt=attempt, try_number=1, index=n, status=one.status, body=one.body)
        for n in range(2 * WINDOW_STEPS + 1, 2001)
    )
    assert queries(url) == few
    assert queries(f"{url}?from=1000") <= few + 1
    client.get(url)
    with CaptureQueriesContext(connection) as warm:
        client.get(url)
    assert len(warm) < few


def test_many_files_and_outputs_are_drawn_as_far_as_the_page_affords(
    client: Client, attempt: Attempt
) -> None:
    for index in range(1, 6):
        outputs = [printed(f"line {n}\n" * 2_000) for n in range(60)]
        files = [change(f"output/{n}.csv", b"a,b\n" * 100) for n in range(40)]
        add_step(attempt, make_step(index, outputs=outputs, changes=files))
    page = get(client, attempt)
    assert len(page) < 1_500_000
    assert "more outputs are in the" in page
    assert "more files, named in the" in page


def test_output_files_are_shown_with_the_last_window(client: Client, attempt: Attempt) -> None:
    add_steps(attempt, 30)
    add_file(attempt, "a.csv", b"a,b\n1,2\n")
    last = client.get(f"{attempt.get_absolute_url()}?from=21").content.decode()
    assert 'id="outputs"' in last


def test_a_step_has_its_record(client: Client, attempt: Attempt) -> None:
    sent = ({"role": "assistant", "content": "one"}, {"role": "user", "content": "two"})
    add_step(attempt, replace(make_step(1), messages=sent))
    add_step(attempt, make_step(2, code="second()"))
    page = get(client, attempt)
    address = f"{attempt.get_absolute_url()}steps/2.json"
    assert f'href="{address}?attempt=1&amp;try=1"' in page
    record = client.get(address).json()
    assert record["request"][-2:] == list(sent)
    assert record["request_is_whole"] is True
    assert (record["code"], record["index"]) == ("second()", 2)
    assert "```python" in record["reply"]
    for wrong in ("3.json", "0.json", "1.json?try=9", "1.json?attempt=2", "1.json?try=x"):
        assert client.get(f"{attempt.get_absolute_url()}steps/{wrong}").status_code == 404


def test_a_record_of_a_long_attempt_says_when_its_request_is_cut(
    client: Client, attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    for index in (1, 2, 3):
        message = {"role": "user", "content": str(index) * 300}
        add_step(attempt, replace(make_step(index), messages=(message,)))
    size = unpacked_size(attempt.steps.get(index=2).body)
    monkeypatch.setattr(downloads, "MAX_REQUEST_BYTES", size + 10)
    record = client.get(f"{attempt.get_absolute_url()}steps/3.json").json()
    assert record["request_is_whole"] is False
    assert record["request"][-1]["content"] == "2" * 300
    assert "1" * 300 not in str(record["request"])


def test_a_private_record_is_not_found(client: Client, attempt: Attempt) -> None:
    add_step(attempt, make_step(1))
    Run.objects.update(is_public=False)
    assert client.get(f"{attempt.get_absolute_url()}steps/1.json").status_code == 404
