"""Attempts side by side: rows that correspond, what differs in them, and who may see them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Entry, Step, Suite
from leaderboard.side_by_side import step_contents
from leaderboard.side_by_side.rows import RowDifference, lay_out
from leaderboard.tests.support.rows import (
    add_step,
    change,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
    tell_failure,
)
from leaderboard.views import side_by_side
from runner.contract import ChangeKind, StepStatus
from runner.contract import Step as PlayedStep

pytestmark = pytest.mark.django_db

KEY = "quarterly-sales"
PAGE = f"/tasks/starter/{KEY}/side-by-side/"
READ = "import pandas as pd\nsales = pd.read_csv('data/sales.csv')\nprint(sales.head())"
SUM = "totals = sales.groupby('quarter').amount.sum()\ntotals.to_csv('output/totals.csv')"


@pytest.fixture(autouse=True)
def _forget() -> None:
    side_by_side.ALIGNED.clear()
    side_by_side.DRAWN.clear()


def play(
    name: str, steps: Sequence[PlayedStep], *, is_public: bool = True, passed: int = 3
) -> Attempt:
    suite = Suite.objects.filter(name="starter").first() or make_suite()
    run = finish_run(make_run(suite, make_entry(name), is_public=is_public), passed)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=KEY)
    attempt.steps.all().delete()
    for step in steps:
        add_step(attempt, step)
    return attempt


def totals(index: int, content: bytes | None, code: str = SUM) -> PlayedStep:
    kind = ChangeKind.CREATED if content else ChangeKind.DELETED
    return make_step(index, code=code, changes=[change("output/totals.csv", content, kind)])


def get(client: Client, *attempts: Attempt, more: str = "") -> str:
    asked = "&".join(f"a={attempt.run_and_number}" for attempt in attempts)
    response = client.get(f"{PAGE}?{asked}{more}")
    assert response.status_code == 200
    return response.content.decode()


def differences(page: str) -> list[str]:
    return re.findall(r'data-difference="(\w+)"', page)


def test_each_row_says_what_differs_in_it(client: Client) -> None:
    looked = printed("  quarter amount\n0 Q1 12\n")
    a = play("A", [
        make_step(1, code=READ, outputs=[looked]),
        make_step(2, code="print(len(sales))", outputs=[printed("8")]),
        totals(3, b"Q1,12\n"),
        make_step(4, code="The totals are saved.", status=StepStatus.ANSWER),
    ])  # fmt: skip
    b = play("B", [
        make_step(1, code=f"# first of all\n{READ}\n\n", outputs=[looked]),
        make_step(2, code="print( len(sales) )", outputs=[printed("9")]),
        totals(3, b"Q1,13\n", f"{SUM}\nprint('saved')"),
        make_step(4, code="totals.missing()", outputs=[raised()], status=StepStatus.ERROR),
        make_step(5, code="The totals are saved.", status=StepStatus.ANSWER),
    ])  # fmt: skip
    page = get(client, a, b)
    assert differences(page) == ["same", "result", "files", "alone", "same"]
    assert "first difference: row 2" in page
    assert "first difference: row 3" in get(client, a, b, more="&differ=files")
    assert "first difference: row 2" in get(client, a, b, more="&differ=code")
    assert f'href="{b.get_absolute_url()}#step-5"' in page
    assert page.count("no step here") == 1


def test_equal_files_have_equal_letters(client: Client) -> None:
    a, b, c, d = (
        play(name, [totals(1, content)])
        for name, content in (("A", b"1"), ("B", b"2"), ("C", b"1"), ("D", None))
    )
    (row,) = lay_out([a, b, c, d]).rows
    assert row.difference is RowDifference.FILES
    assert [cell.version for cell in row.files[0].cells] == ["A", "B", "A", ""]
    same = lay_out([a, c]).rows[0]
    assert (same.difference, same.files[0].differs) == (RowDifference.SAME, False)


def test_files_are_followed_from_step_to_step(client: Client) -> None:
    """Rows tell the state on disk, not only the change: a later step can make it equal again."""
    a = play("A", [totals(1, b"1"), make_step(2, code="print('alpha beta')")])
    b = play("B", [totals(1, b"2"), totals(2, b"1", "print('alpha beta')")])
    first, second = lay_out([a, b]).rows
    assert first.files[0].differs
    assert not second.files[0].differs
    assert second.difference is not RowDifference.FILES


def test_only_the_try_that_counts_is_shown(client: Client) -> None:
    a, b = play("A", [make_step(1, code=READ)]), play("B", [make_step(1, code="void_try()")])
    add_step(b, make_step(1, code=READ), try_number=2)
    page = get(client, a, b)
    assert differences(page) == ["same"]
    assert "void_try" not in page


def test_assertions_with_other_results_come_first(client: Client) -> None:
    suite = make_suite()
    failed, passed = (
        finish_run(make_run(suite, make_entry(name)), 3)
        .attempts.select_related("task", "run")
        .get(task__key=KEY)
        for name in ("A", "B")
    )
    tell_failure(failed)
    page = get(client, failed, passed)
    table = page[page.index('id="assertions"') :].partition("</table>")[0]
    assert table.index("not reached") > table.index("is-different")


def test_a_long_attempt_is_shown_window_by_window(client: Client) -> None:
    steps = [make_step(n, code=f"number_{n} = compute_{n}({n})") for n in range(1, 46)]
    a, b = play("A", steps), play("B", [*steps[:29], *steps[30:]])
    first = get(client, a, b, more="&from=1")
    assert differences(first) == ["same"] * 20
    assert "first difference: row 30" in first
    assert "from=21&amp;#row-30" in first or "from=21#row-30" in first
    second = get(client, a, b, more="&from=21")
    assert differences(second) == ["same"] * 9 + ["alone"] + ["same"] * 10
    assert "before the first difference" not in second
    begun = get(client, a, b)
    folded, _, rest = begun.partition("</details>")
    assert "9 rows before the first difference" in folded
    assert differences(folded) == ["same"] * 9
    assert differences(rest) == ["alone"] + ["same"] * 10
    assert 'data-rows="45"' in second
    for wrong in ("61", "x", "-1", "99999999999"):
        asked = f"{PAGE}?a={a.run_id}&a={b.run_id}&from={wrong}"
        assert client.get(asked).status_code == 404


def test_steps_after_the_last_that_is_aligned_are_named(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_contents, "MAX_STEPS", 3)
    a = play("A", [make_step(n, code=f"step_{n}()") for n in range(1, 6)])
    b = play("B", [make_step(1, code="step_1()")])
    page = get(client, a, b)
    assert "2 more steps after the last that is aligned" in page


def test_costs_do_not_grow_with_the_steps(client: Client) -> None:
    few = [play(name, [make_step(1), totals(2, b"1")]) for name in "AB"]
    with CaptureQueriesContext(
        connection,
    ) as cold_few:
        get(client, *few)
    many = [play(name, [make_step(1), totals(2, b"1")]) for name in "CD"]
    for attempt in many:
        one = attempt.steps.get(index=1)
        Step.objects.bulk_create(
            Step(attempt=attempt, index=n, status="ok", body=one.body) for n in range(3, 400)
        )
    with CaptureQueriesContext(connection) as cold_many:
        get(client, *many)
    assert len(cold_many) <= len(cold_few) + 14  # windows know what was before them
    with CaptureQueriesContext(connection) as warm:
        get(client, *many)
    assert len(warm) <= 12


def test_a_private_attempt_is_not_there_for_others(client: Client) -> None:
    owner = User.objects.create_user("ada")
    public = play("A", [make_step(1)])
    hidden = play("Zaphod", [make_step(1, code="secret_plan()")], is_public=False)
    Entry.objects.filter(pk=hidden.run.entry_id).update(owner=owner)
    asked = f"{PAGE}?a={public.run_id}&a={hidden.run_id}"
    client.force_login(owner)
    assert "secret_plan" in client.get(asked).content.decode()  # and is kept for the next reader
    for other in (Client(), signed_in("eve")):
        response = other.get(asked)
        assert response.status_code == 404
        said = response.content.decode()
        assert f"There is no attempt 1 of run {hidden.run_id} at this task, or it is not" in said
        assert "Zaphod" not in said
        assert "secret_plan" not in said


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name))
    return client


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ("a=1&a=999999", 404, "There is no attempt 1 of run 999999 at this task"),
        ("a=1.7&a=1", 404, "There is no attempt 7 of run 1 at this task"),
        ("a=one&a=2", 400, "“one” names no attempt."),
        ("a=7.2.3&a=2", 400, "“7.2.3” names no attempt."),
        ("a=１&a=2", 400, "names no attempt."),
        ("a=9999999999&a=2", 400, "names no attempt."),
        ("a=<script>&a=2", 400, "“&lt;script&gt;” names no attempt."),
        ("a=1&a=2&a=3&a=4&a=5", 400, "Up to 4 attempts stand side by side; 5 were named."),
        ("", 200, "Choose two to four attempts."),
        ("a=&a=", 200, "Choose two to four attempts."),
        ("a=1", 200, "Choose two to four attempts."),
        ("a=1&a=1.1&a=1", 200, "Choose two to four attempts."),
    ],
)
def test_what_cannot_be_shown_is_said(client: Client, asked: str, status: int, said: str) -> None:
    a, _ = play("A", [make_step(1)]), play("B", [make_step(1)])
    asked = re.sub(r"(?<=a=)1(?=[.&]|$)", str(a.run_id), asked)
    response = client.get(f"{PAGE}?{asked}")
    assert response.status_code == status
    page = response.content.decode()
    assert said.replace("run 1 ", f"run {a.run_id} ") in page
    assert page.count('type="checkbox"') == 2


def test_an_attempt_at_another_task_does_not_fit(client: Client) -> None:
    a = play("A", [make_step(1)])
    asked = f"/tasks/starter/rotate-photo/side-by-side/?a={a.run_id}&a={a.run_id}.2"
    assert client.get(asked).status_code == 404


def test_too_few_attempts_are_said(client: Client) -> None:
    make_suite()
    page = client.get(PAGE).content.decode()
    assert "Two public attempts at this task are needed; there is none." in page


def test_pages_lead_to_it(client: Client) -> None:
    a, b = play("A", [make_step(1)]), play("B", [make_step(1)], passed=0)
    task = client.get(f"/tasks/starter/{KEY}/").content.decode()
    assert f'href="{PAGE}?version=1"' in task
    replay = client.get(a.get_absolute_url()).content.decode()
    assert f'{PAGE}?version=1&amp;a={a.run_id}&amp;a={b.run_id}"' in replay
    compared = client.get(f"/compare/?runs={a.run_id},{b.run_id}").content.decode()
    assert f'{PAGE}?version=1&amp;a={a.run_id}&amp;a={b.run_id}"' in compared


def test_hostile_words_stay_words(client: Client) -> None:
    evil = '<img src=x onerror=alert(1)>"\u202e</pre><script>alert(1)</script>'
    steps = [
        make_step(1, code=f"x = '''{evil}'''", thought=evil, outputs=[printed(evil)]),
        make_step(2, code="y = 2", changes=[change(f"output/{evil}.csv", b"1")]),
    ]
    a, b = play(evil, steps), play("B", [])
    page = get(client, a, b)
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
