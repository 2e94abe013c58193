"""A run of published solutions is marked, has no place, and waits for a maintainer's ruling."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Attempt, Entry, Run, RunReview, Standing
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


def test_reasons(subtests: pytest.Subtests) -> None:
    for evidence, said in REASONS:
        with subtests.test(evidence=evidence, said=said):
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
    board = client.get("/").content.decode()
    assert "<b>Rank withheld</b> · under review" in board
    assert f'<a href="{run.get_absolute_url()}#review">withheld, under review</a>' in board
    assert "<b>Unranked</b>" not in board
    page = client.get(run.get_absolute_url()).content.decode()
    assert "Rank withheld: under review" in page
    assert "The code of 8 of 8 attempts resembles the solutions" in page


@pytest.mark.django_db
def test_baselines_are_labelled_and_need_no_review() -> None:
    play(is_scripted=True, resemblance=1.0)
    assert not RunReview.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruling", "is_placed", "heading"),
    [("cleared", True, "Reviewed and cleared"), ("upheld", False, "Rank withheld")],
)
def test_maintainer_rules_with_a_public_reason(
    ruling: str, is_placed: bool, heading: str, client: Client
) -> None:
    run = play(resemblance=0.97)
    client.force_login(User.objects.create_superuser("root", password="x"))
    assert run.entry.name in client.get("/reviews/").content.decode()
    form = {"ruling": ruling, "reason": "I read all eight replays."}
    answer = client.post(f"/runs/{run.pk}/review/rule/", form, follow=True)
    assert "Your ruling is added." in answer.content.decode()
    sweep()
    review = RunReview.objects.get()
    assert review.ruled_by is not None
    assert Standing.objects.filter(run=run).exists() is is_placed
    page = Client().get(run.get_absolute_url()).content.decode()
    assert heading in page
    assert "I read all eight replays." in page
    review_runs([run.pk])
    review.refresh_from_db()
    assert review.is_withheld is not is_placed  # looked at again, the ruling stands


@pytest.mark.django_db
def test_owner_answers_until_a_maintainer_has_ruled(client: Client) -> None:
    run = play(resemblance=0.97)
    owner = User.objects.create_user("owner")
    Entry.objects.update(owner=owner)
    client.force_login(owner)
    address = f"/runs/{run.pk}/review/answer/"
    page = client.get(run.get_absolute_url()).content.decode()
    assert 'name="words"' in page
    assert "Attempts concerned:\n" in page
    assert client.post(address, {"words": " "}).status_code == 422
    client.post(address, {"words": "The model was trained on them."})
    client.post(address, {"words": "Its training data had them."})
    page = Client().get(run.get_absolute_url()).content.decode()
    assert "Its training data had them." in page
    assert "was trained on them" not in page
    assert 'name="words"' not in page
    RunReview.objects.update(ruling="cleared")
    refused = client.post(address, {"words": "One more thing"})
    assert refused.status_code == 422
    assert "A maintainer has ruled on this review." in refused.content.decode()
    assert RunReview.objects.get().answer == "Its training data had them."


@pytest.mark.django_db
@pytest.mark.parametrize("is_owner", [True, False])
def test_only_maintainers_rule(is_owner: bool, client: Client) -> None:
    run = play(resemblance=0.97)
    user = User.objects.create_user("somebody")
    if is_owner:
        Entry.objects.update(owner=user)
    client.force_login(user)
    form = {"ruling": "cleared", "reason": "It is mine."}
    assert client.post(f"/runs/{run.pk}/review/rule/", form).status_code == 404
    assert RunReview.objects.get().ruling == "open"
    if not is_owner:
        assert client.post(f"/runs/{run.pk}/review/answer/", {"words": "Hm."}).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"ruling": "gone", "reason": "Why."}, "There is no such ruling."),
        ({"ruling": "cleared", "reason": ""}, "The words are missing."),
        ({"ruling": "upheld", "reason": "x" * 60_000}, "60,000 characters"),
    ],
)
def test_wrong_rulings_are_refused(form: dict[str, str], said: str, client: Client) -> None:
    run = play(resemblance=0.97)
    client.force_login(User.objects.create_superuser("root", password="x"))
    answer = client.post(f"/runs/{run.pk}/review/rule/", form)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert RunReview.objects.get().ruling == "open"


@pytest.mark.django_db
def test_reviews_of_private_runs_are_not_listed(client: Client) -> None:
    run = play(resemblance=0.97)
    Run.objects.update(is_public=False)
    assert run.entry.name not in client.get("/reviews/").content.decode()


@pytest.mark.django_db
def test_answers_without_a_look_count_where_there_are_files() -> None:
    run = play(cell_s=0.0)
    assert not RunReview.objects.exists()  # these tasks have no files
    run.suite.tasks.update(inputs=["a.csv"])
    review_runs([run.pk])
    assert "8 of 8 passed attempts on tasks with files ran no code" in str(
        RunReview.objects.get().reasons
    )
