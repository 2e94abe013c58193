"""The trial of judges: figures, labels by people, disagreements; private runs count nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.asserts import assertNumQueries

from leaderboard.judge.ceilings import AT_CEILING
from leaderboard.judge.trial import list_disagreements, try_judge
from leaderboard.models import FailureTag, HumanLabel, Judge, Judging, Run
from leaderboard.scoring.agreement import Confusion
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.judging import judged_as, make_judge, store_verdicts
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    set_price,
    tell_failure,
)

pytestmark = pytest.mark.django_db

VERDICTS = ["pass", "fail", "pass", "pass", "fail", "cannot tell"]  # of three passed, three failed


@pytest.fixture
def judge() -> Judge:
    return make_judge()


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite("small", 6), make_entry("Foo 70B")), 3)


@pytest.fixture
def reader() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    return client


def label(run: Run, passed: list[bool], name: str = "person") -> None:
    author, _ = User.objects.get_or_create(username=name)
    for attempt, one in zip(run.attempts.order_by("pk"), passed, strict=False):
        HumanLabel.objects.create(attempt=attempt, author=author, try_number=1, passed=one)


def test_trial_counts_public_verdicts_against_the_check(judge: Judge, run: Run) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    trial = try_judge(judge)
    assert trial.overall.counts == Confusion(2, 1, 1, 1)
    assert (trial.overall.cannot_tell, trial.overall.errors, trial.overall.asked) == (1, 0, 6)
    assert [line.name for line in trial.models] == ["Foo 70B"]
    assert sum((line.counts for line in trial.categories), Confusion()) == trial.overall.counts
    assert {line.name for line in trial.languages} <= {"English", "Chinese"}
    titles = {category["title"] for category in run.suite.categories}
    assert {line.name for line in trial.categories} <= titles
    kinds = [
        list_disagreements(judge, kind).count() for kind in ("", "judge-passes", "check-passes")
    ]
    assert kinds == [2, 1, 1]


def test_private_and_withdrawn_runs_count_in_no_public_figure(
    judge: Judge, run: Run, client: Client
) -> None:
    private = finish_run(make_run(run.suite, make_entry("Secret"), is_public=False), 3)
    store_verdicts(judge, private, judged_as(private, VERDICTS))
    label(private, [True, False])
    assert try_judge(judge).overall.asked == 0
    for address in ("/judge/", "/judge.json", "/api/v1/judges/", "/api/v1/judgings/"):
        assert b"Secret" not in client.get(address).content
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    assert try_judge(judge).overall.asked == 6
    withdraw(run.pk)
    assert try_judge(judge).overall.asked == 0
    assert list_disagreements(judge).count() == 0


def test_verdict_on_an_earlier_try_does_not_count(judge: Judge, run: Run) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    run.attempts.update(tries=2)
    Run.objects.update(sequence=9)
    assert try_judge(judge).overall.asked == 0


def test_people_give_sensitivity_specificity_and_the_corrected_rate(judge: Judge, run: Run) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    assert try_judge(judge).corrected is None
    label(run, [True, True, True, False, False])
    trial = try_judge(judge)
    assert trial.people == Confusion(2, 1, 1, 1)
    sensitivity, specificity = trial.people.sensitivity, trial.people.specificity
    assert sensitivity is not None
    assert specificity is not None
    assert sensitivity.value == pytest.approx(2 / 3)
    assert specificity.value == 1 / 2
    assert sensitivity.low < 2 / 3 < sensitivity.high
    # p = 3/5, (0.6 + 0.5 - 1) / (2/3 + 0.5 - 1) = 0.6
    assert trial.corrected is not None
    assert trial.corrected.value == pytest.approx(0.6)
    assert (trial.corrected.low, trial.corrected.high) == (0.0, 1.0)
    label(run, [False], "other")
    trial = try_judge(judge)
    assert (trial.people.count, trial.split_labels) == (4, 1)


def test_label_of_the_runs_owner_is_no_truth(judge: Judge, run: Run) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    label(run, [True] * 6, "owner")
    assert try_judge(judge).people.count == 5
    run.entry.owner = User.objects.get(username="owner")
    run.entry.save()
    HumanLabel.objects.first().save()  # type: ignore[union-attr]
    assert try_judge(judge).people.count == 0


def test_failures_that_a_judge_misses_are_counted_by_their_first_tag(
    judge: Judge, run: Run
) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    tags = ["wrong-value", "wrong-value", "no-code"]
    for attempt, tag in zip(run.attempts.filter(passed=False).order_by("pk"), tags, strict=True):
        FailureTag.objects.create(attempt=attempt, tag=tag, position=0, version="1")
        FailureTag.objects.create(attempt=attempt, tag="out-of-turns", position=1, version="1")
    found = [(tag.key, tag.missed, tag.failed) for tag in try_judge(judge).missed]
    assert found == [("wrong-value", 1, 2)]


def test_page_shows_figures_and_says_scripted(judge: Judge, run: Run, client: Client) -> None:
    empty = client.get("/judge/").content.decode()
    assert "No verdict yet" in empty
    store_verdicts(judge, run, judged_as(run, VERDICTS), reason="<b>looks fine</b>")
    page = client.get("/judge/").content.decode()
    assert "a program with fixed rules, agrees with the checks on 60.0 %" in page
    assert page.count("cripted") >= 3
    assert "&lt;b&gt;looks fine&lt;/b&gt;" in page
    assert "over 80 %" in page
    assert "71.7" in page
    assert f"/runs/{run.pk}/tasks/" in page
    only = client.get("/judge/?judge=judge&kind=check-passes").content.decode()
    assert only.count("looks fine") == 1
    assert client.get("/judge/?judge=nobody").status_code == 404
    assert client.get("/judge/?kind=zz&page=zz").status_code == 200
    record = client.get("/judge.json").json()
    assert record["judges"][0]["overall"]["kappa"]["value"] == pytest.approx(1 / 6)
    assert record["judges"][0]["is_scripted"] is True
    assert record["paper_table_6"]["same"] == 43


def test_page_names_the_models_that_an_endpoint_put_in_the_pinned_ones_place(
    judge: Judge, run: Run, client: Client
) -> None:
    judged = judged_as(run, VERDICTS)
    first = dict(list(judged.items())[:4])
    store_verdicts(judge, run, first, replied_as=judge.model_name)
    assert "Another name" not in client.get("/judge/").content.decode()
    second = {attempt: verdict for attempt, verdict in judged.items() if attempt not in first}
    store_verdicts(judge, run, second, replied_as="other-\u202emodel <b>")
    page = client.get("/judge/").content.decode()
    assert f"<bdi>{judge.model_name}</bdi> gave 4 verdicts and <bdi>other-" in page
    assert "&lt;b&gt;</bdi> gave 2 verdicts." in page
    record = client.get("/judge.json").json()["judges"][0]
    assert sorted(record["replied_as"].values()) == [2, 4]


def test_page_costs_the_same_queries_with_more_verdicts(
    judge: Judge, run: Run, client: Client
) -> None:
    store_verdicts(judge, run, judged_as(run, VERDICTS))
    client.get("/judge/")
    other = finish_run(make_run(run.suite, make_entry("Bar")), 3)
    store_verdicts(judge, other, judged_as(other, VERDICTS))
    with assertNumQueries(11):
        client.get("/judge/")
    with assertNumQueries(6):
        client.get("/judge/")


def test_replay_and_run_show_the_verdict_with_its_steps(
    judge: Judge, run: Run, client: Client
) -> None:
    attempt = tell_failure(run.attempts.order_by("pk")[3])
    criteria = [{"key": "answer_backed", "answer": "yes", "steps": [2, 5], "why": "<i>seen</i>"}]
    store_verdicts(judge, run, {attempt: "pass"}, criteria=criteria, reason="All is there.")
    page = client.get(attempt.get_absolute_url()).content.decode()
    assert "differs from the check" in page
    assert "scripted" in page
    assert "All is there." in page
    assert "&lt;i&gt;seen&lt;/i&gt;" in page
    assert '#step-2">step 2</a>' in page
    assert '#step-5">step 5</a>' in page
    whole = client.get(run.get_absolute_url()).content.decode()
    assert "By judges" in whole
    assert "scripted: fixed rules" in whole


def test_reader_labels_an_attempt_and_takes_it_back(run: Run, reader: Client) -> None:
    attempt = run.attempts.order_by("pk")[0]
    address = f"/runs/{run.pk}/tasks/{attempt.task.key}/label/"
    assert Client().post(address, {"label": "pass"}).status_code == 302
    assert HumanLabel.objects.count() == 0
    reader.post(address, {"label": "pass", "words": "I checked <b>"})
    kept = HumanLabel.objects.get()
    assert (kept.passed, kept.words) == (True, "I checked <b>")
    page = reader.get(attempt.get_absolute_url()).content.decode()
    assert "1 pass, 0 fail." in page
    assert "You said <b>pass</b>" in page
    reader.post(address, {"label": "fail"})
    assert HumanLabel.objects.get().passed is False
    for wrong in ({}, {"label": "maybe"}, {"label": "pass", "words": "x" * 501}):
        reader.post(address, wrong)
        assert HumanLabel.objects.get().passed is False
    reader.post(address, {"label": "none"})
    assert HumanLabel.objects.count() == 0
    assert reader.get(address).status_code == 405
    Run.objects.update(is_public=False)
    assert reader.post(address, {"label": "pass"}).status_code == 404


def test_only_maintainers_ask_judges(judge: Judge, run: Run, reader: Client) -> None:
    assert reader.get("/judge/ask/").status_code == 404
    assert reader.post("/judge/ask/", {"judge": judge.pk, "run": run.pk}).status_code == 404
    assert Judging.objects.count() == 0
    User.objects.update(is_staff=True)
    wrong: list[dict[str, Any]] = [
        {"judge": judge.pk},
        {"judge": judge.pk, "run": 10**30},
        {"judge": judge.pk, "run": 99_999},
        {"judge": judge.pk, "run": run.pk, "suite": run.suite_id},
        {"judge": judge.pk, "run": run.pk, "ceiling_tokens": 1_000},
        {"judge": judge.pk, "run": run.pk, "ceiling_dollars": 1},
        {"judge": judge.pk, "run": run.pk, "ceiling_dollars": "nan"},
        {"judge": 0, "run": run.pk},
    ]
    for facts in wrong:
        assert reader.post("/judge/ask/", facts).status_code == 400, facts
    assert Judging.objects.count() == 0
    assert reader.post("/judge/ask/", {"judge": judge.pk, "suite": run.suite_id}).status_code == 302
    judging = Judging.objects.get()
    page = reader.get("/judge/ask/").content.decode()
    assert f"run {run.pk}" in page
    assert "queued" in page
    reader.post(f"/judge/{judging.pk}/stop/")
    judging.refresh_from_db()
    assert judging.state == "stopped"
    reader.post(f"/judge/{judging.pk}/resume/")
    judging.refresh_from_db()
    assert judging.state == "queued"
    assert reader.post("/judge/999/stop/").status_code == 404
    prices = {"prompt": 3.0, "completion": 15.0}
    facts = {"state": "stopped", "problem": AT_CEILING, "spent": 417_000}
    Judging.objects.update(ceiling=500_000, ceiling_prices=prices, **facts)
    page = reader.get("/judge/ask/").content.decode()
    assert "$0.42 of $0.50" in page
    assert "millionths" not in page
    set_price(judge.model_name)
    for dollars, state in (("0.3", "stopped"), ("-1", "stopped"), ("2", "queued")):
        reader.post(f"/judge/{judging.pk}/resume/", {"ceiling_dollars": dollars})
        assert Judging.objects.get().state == state, dollars


def test_published_page_quotes_the_papers_tables(client: Client) -> None:
    page = client.get("/published/").content.decode()
    for number in (2, 4, 5, 6):
        assert f'id="table-{number}"' in page
    assert "58.7" in page


def test_api_gives_trials_verdicts_and_takes_labels(judge: Judge, run: Run) -> None:
    user = make_user()
    judging = store_verdicts(judge, run, judged_as(run, VERDICTS), reason="Seen.")
    program, stranger = Caller(user), Caller()
    [trial] = stranger.ask("judges/")["results"]
    assert trial["overall"]["false_pass"] == 1
    [found] = stranger.ask(f"judgings/?run={run.pk}")["results"]
    assert (found["id"], found["judge"], found["is_scripted"]) == (judging.pk, "judge", True)
    verdicts = stranger.ask(f"judgings/{judging.pk}/verdicts/")["results"]
    assert [row["verdict"] for row in verdicts] == VERDICTS[::-1]
    attempt = run.attempts.order_by("pk")[0]
    assert program.send(f"attempts/{attempt.pk}/label/fail/")["said"].endswith("fail.")
    assert HumanLabel.objects.get().author == user
    stranger.send(f"attempts/{attempt.pk}/label/fail/", expect=401)
    program.send(f"attempts/{attempt.pk}/label/maybe/", expect=404)
    asked = {"judge": "judge", "run": run.pk}
    assert program.send("judgings/", asked, expect=403)["code"] == "maintainers_only"
    program.send(f"judgings/{judging.pk}/stop/", expect=403)
    User.objects.update(is_staff=True)
    program.send("judgings/", {"judge": "judge"}, expect=400)
    program.send("judgings/", {**asked, "suite": "small"}, expect=400)
    program.send("judgings/", {**asked, "judge": "nobody"}, expect=404)
    program.send("judgings/", {**asked, "run": 999}, expect=404)
    assert program.send("judgings/", {"judge": "judge", "suite": "small"}, expect=201)
    Judging.objects.update(state="queued")
    assert program.send(f"judgings/{judging.pk}/stop/")["state"] == "stopped"
    assert program.send("judgings/", asked, expect=201)[0]["state"] == "queued"
    Judging.objects.update(state="stopped", problem=AT_CEILING, ceiling=5_000, spent=4_900)
    resume = f"judgings/{judging.pk}/resume/"
    assert program.send(resume, {}, expect=409)["code"] == "ceiling_reached"
    for wrong in ({"ceiling_tokens": 1}, {"ceiling_dollars": 1e9}, {"more": 1}):
        program.send(resume, wrong, expect=400)
    again = program.send(resume, {"ceiling_tokens": 90_000})
    assert (again["state"], again["counts_money"]) == ("queued", False)
    assert again["ceiling_used"] == "4\u202f900 of 90.0k tokens"
    stranger.send(resume, {}, expect=401)
    User.objects.update(is_staff=False)
    program.send(resume, {}, expect=403)
    Run.objects.update(is_public=False)
    stranger.ask(f"judgings/{judging.pk}/verdicts/", expect=404)
    assert stranger.ask("judgings/")["results"] == []
