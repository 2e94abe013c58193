"""A run of published solutions is marked, has no place, and waits for a maintainer's ruling."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Attempt, Run, RunReview, Standing
from leaderboard.reviews.evidence import Evidence, review_runs
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

REASONS = [
    (Evidence(), []),
    (Evidence(comparable=20, alike=4), []),
    (Evidence(comparable=20, alike=5), ["The code of 5 of 20 attempts"]),
    (Evidence(comparable=100, alike=19), []),
    (Evidence(passed=25, unlooked=5), ["5 of 25 passed attempts"]),
    (Evidence(passed=26, unlooked=5), []),
    (Evidence(tokens=90_000, model_s=8.9), ["10,112 tokens a second"]),
    (Evidence(tokens=90_000, model_s=9.1), []),
    (Evidence(tokens=4_900, model_s=0.01), []),
    (Evidence(tokens=90_000), []),
    (Evidence(9, 9, 9, 9, 90_000, 0.1), ["9 of 9 attempts", "9 of 9 passed", "tokens a second"]),
]


@pytest.mark.parametrize(("evidence", "said"), REASONS)
def test_reasons(evidence: Evidence, said: list[str]) -> None:
    assert len(evidence.reasons) == len(said)
    for reason, part in zip(evidence.reasons, said, strict=True):
        assert part in reason


def play(is_scripted: bool = False, **columns: Any) -> Run:
    """A finished run whose attempts have these columns, filed as the sweep does."""
    run = finish_run(make_run(make_suite(tasks=8), make_entry(is_scripted=is_scripted)), 8)
    Attempt.objects.filter(run=run).update(**columns)
    sweep()
    return run


def sweep() -> None:
    file_runs()
    refresh_changed()


@pytest.mark.django_db
def test_an_honest_run_has_its_place_and_no_mark(client: Client) -> None:
    run = play(resemblance=0.3)
    assert not RunReview.objects.exists()
    assert Standing.objects.get().run_id == run.pk
    assert 'id="review"' not in client.get(run.get_absolute_url()).content.decode()


@pytest.mark.django_db
def test_a_run_of_published_solutions_is_withheld_and_says_why(client: Client) -> None:
    run = play(resemblance=0.97)
    assert not Standing.objects.exists()
    assert "withheld, under review" in client.get("/").content.decode()
    page = client.get(run.get_absolute_url()).content.decode()
    assert "Rank withheld: under review" in page
    assert "The code of 8 of 8 attempts resembles the solutions" in page


@pytest.mark.django_db
def test_baselines_are_labelled_and_need_no_review() -> None:
    play(is_scripted=True, resemblance=1.0)
    assert not RunReview.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "is_placed", "said"),
    [("clear", True, "Reviewed and cleared"), ("uphold", False, "Rank withheld</h2>")],
)
def test_a_maintainer_rules(action: str, is_placed: bool, said: str, client: Client) -> None:
    run = play(resemblance=0.97)
    client.force_login(User.objects.create_superuser("root", password="x"))
    review = RunReview.objects.get()
    form = {"action": action, "_selected_action": [review.pk]}
    answer = client.post("/admin/leaderboard/runreview/", form, follow=True)
    assert answer.status_code == 200
    sweep()
    review.refresh_from_db()
    assert review.ruled_by is not None
    assert Standing.objects.filter(run=run).exists() is is_placed
    assert said in client.get(run.get_absolute_url()).content.decode()
    review_runs([run.pk])
    review.refresh_from_db()
    assert review.is_withheld is not is_placed  # looked at again, the ruling stands


@pytest.mark.django_db
def test_answers_without_a_look_count_where_there_are_files() -> None:
    run = play(cell_s=0.0)
    assert not RunReview.objects.exists()  # these tasks have no files
    run.suite.tasks.update(inputs=["a.csv"])
    review_runs([run.pk])
    assert "8 of 8 passed attempts on tasks with files ran no code" in str(
        RunReview.objects.get().reasons
    )
