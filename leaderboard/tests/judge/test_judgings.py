"""Judging a run or a board: queued, played, resumed after a kill, stopped; UT stays as it is."""

from __future__ import annotations

import asyncio
import functools
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Sum
from django.utils import timezone
from pytest_django.fixtures import Settings

from conftest import served
from leaderboard.handoff import judgings
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.judge import actions
from leaderboard.judge.ceilings import AT_CEILING, ceiling_of
from leaderboard.judge.judges import register_judge, register_scripted
from leaderboard.judge.shown import show_attempt
from leaderboard.models import Attempt, Judge, JudgeVerdict, Judging, Run, Verdict
from leaderboard.money.ceiling import AskedCeiling
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import run_policy
from leaderboard.tests.support.judging import (
    judge_run,
    make_judge,
    play_judgings,
)
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    set_price,
    tell_failure,
)
from runner.contract import ProblemError
from runner.judge.asking import JudgeAnswer
from runner.judge.playing import play_judging
from runner.judge.profile import JudgeForm, JudgeProfile
from runner.tests.support.odd_judges import OddServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[OddServer]:
    with served(OddServer()) as server:
        settings.SCRIPTED_PORT = server.server_port
        yield server


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite("small", 5), make_entry("Foo 70B")), 3, void=1)
    tell_failure(run.attempts.order_by("pk")[3])
    return run


def sealed() -> list[Any]:
    """Everything that a judge must not touch."""
    columns = ("pk", "passed", "sentence", "outcome", "status", "turns", "tries")
    return [
        list(Attempt.objects.order_by("pk").values_list(*columns)),
        list(Verdict.objects.order_by("pk").values_list("pk", "passed", "sentence")),
        list(Run.objects.order_by("pk").values_list("pk", "status", "sequence", "is_filed")),
    ]


def test_judging_a_run_keeps_verdicts_and_touches_no_check(endpoint: OddServer, run: Run) -> None:
    before = sealed()
    judging = judge_run(make_judge(endpoint.base_url), run)
    assert judging.forecast["attempts"] == 4
    assert 500 < judging.forecast["low"] < judging.forecast["high"]
    assert play_judgings() == 1
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count(), judging.problem) == ("done", 4, "")
    told = judging.verdicts.get(attempt=run.attempts.order_by("pk")[3])
    assert told.verdict == "pass"
    assert told.criteria[2] == {
        "key": "answer_backed", "answer": "yes", "steps": [5], "why": "By a fixed rule.",
    }  # fmt: skip
    silent = judging.verdicts.get(attempt=run.attempts.order_by("pk")[0])
    assert silent.verdict == "fail"
    used = [(v.prompt_tokens or 0) + (v.completion_tokens or 0) for v in judging.verdicts.all()]
    assert judging.spent == sum(used) > 1_000
    assert sealed() == before


def test_judge_sees_neither_model_nor_account(run: Run, django_user_model: Any) -> None:
    run.entry.owner = django_user_model.objects.create(username="alice-lab")
    run.entry.organisation = "Foo Labs"
    run.entry.save()
    attempt = Attempt.objects.select_related("run__entry__owner", "task").get(
        pk=run.attempts.order_by("pk")[3].pk
    )
    shown = show_attempt(attempt, takes_images=True)
    assert {"Foo 70B", "foo 70b", "Foo Labs", "alice-lab"} <= set(shown.names)
    assert [file.path for file in shown.files] == ["plot.png", "quarters.csv"]
    assert shown.files[0].picture.startswith("data:image/png;base64,")
    assert shown.files[1].text.startswith("quarter | amount\nQ1 | 12480.50")
    assert shown.inputs.startswith("sales.csv, text/csv, ")
    assert "how it ended: finished" in shown.facts
    assert len(shown.steps) == 6
    assert (shown.steps[1].code != "", shown.steps[5].code) == (True, "")


def test_judging_goes_on_after_a_worker_was_killed(endpoint: OddServer, run: Run) -> None:
    judging = judge_run(make_judge(endpoint.base_url), run)
    job = judgings.take_due()
    assert job is not None
    assert judgings.take_due() is None  # another worker leaves it alone
    first = judgings.next_attempts(job, 2)
    keep(job, first[0])  # and then it dies
    Judging.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert play_judgings() == 1
    keep(job, first[1])  # a ghost writes nothing
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count()) == ("done", 4)
    assert judging.verdicts.exclude(replied_as="ghost").count() == 3


def keep(job: Any, asked: Any) -> None:
    judgings.record(job, asked, JudgeAnswer(problem="none", replies=1, model="ghost"), "text")


def test_judging_stops_at_its_ceiling_and_goes_on_above_it(endpoint: OddServer, run: Run) -> None:
    judge = make_judge(endpoint.base_url)
    judging = judge_run(judge, run, ceiling=AskedCeiling(tokens=5_000))
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.problem) == ("stopped", AT_CEILING)
    assert 0 < judging.spent <= 5_000
    done = judging.verdicts.count()
    assert 0 < done < 4
    with pytest.raises(ProblemError, match=r"stopped at its ceiling: .* of 5.000 tokens"):
        actions.resume(judging.pk)
    [left] = actions.judge_board(judge, run.suite)
    assert left.state == "stopped"
    with pytest.raises(ProblemError, match="has used"):
        actions.resume(judging.pk, ceiling=AskedCeiling(tokens=judging.spent))
    judge_run(judge, run, ceiling=AskedCeiling(tokens=1_000_000))
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count()) == ("done", 4)


def test_ceiling_is_not_dropped_where_the_judging_is_open_without_it(run: Run) -> None:
    judge = make_judge()
    first = judge_run(judge, run)
    with pytest.raises(ProblemError, match="already, without this ceiling"):
        judge_run(judge, run, ceiling=AskedCeiling(tokens=5_000))
    [left] = actions.judge_board(judge, run.suite, ceiling=AskedCeiling(tokens=5_000))
    assert (left.pk, left.ceiling) == (first.pk, None)
    actions.stop(first.pk)
    again = judge_run(judge, run, ceiling=AskedCeiling(tokens=5_000))
    assert (again.pk, again.ceiling) == (first.pk, 5_000)
    assert judge_run(judge, run, ceiling=AskedCeiling(tokens=5_000)) == again


@pytest.mark.django_db(transaction=True)
def test_judging_that_several_ask_for_at_once_is_made_once(run: Run) -> None:
    judge, gate = make_judge(), threading.Barrier(3)

    def ask(_: int) -> int:
        gate.wait()
        try:
            return judge_run(judge, run).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(ask, range(3)))) == 1


def test_ceiling_in_dollars_counts_at_the_judges_price(endpoint: OddServer, run: Run) -> None:
    judge = make_judge(endpoint.base_url)
    with pytest.raises(ProblemError, match="no price for this model"):
        judge_run(judge, run, ceiling=AskedCeiling(dollars=1.0))
    set_price(judge.model_name, prompt="5", completion="2")
    judging = judge_run(judge, run, ceiling=AskedCeiling(dollars=0.02))
    least, most = judging.forecast["dollars"]
    assert 0.001 < least < most < 1
    play_judgings()
    judging.refresh_from_db()
    use = ceiling_of(judging)
    assert use is not None
    assert (judging.state, use.is_reached) == ("stopped", True)
    assert re.fullmatch(r"\$0\.0\d+ of \$0\.02\d*", use.words), use.words
    sums = judging.verdicts.aggregate(sent=Sum("prompt_tokens"), said=Sum("completion_tokens"))
    assert 5 * sums["sent"] <= judging.spent <= 20_000
    resume = functools.partial(actions.resume, judging.pk)
    with pytest.raises(ProblemError, match=r"used .* of .* tokens"):
        resume(ceiling=AskedCeiling(tokens=sums["sent"] + sums["said"]))
    resume(ceiling=AskedCeiling(tokens=100_000))
    judging.refresh_from_db()
    assert judging.spent == sums["sent"] + sums["said"]
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count()) == ("done", 4)


def test_what_a_stopped_judging_still_took_is_counted(endpoint: OddServer, run: Run) -> None:
    judging = judge_run(make_judge(endpoint.base_url), run, ceiling=AskedCeiling(tokens=9_000))
    job = judgings.take_due()
    assert job is not None
    asked = judgings.next_attempts(job, 2)
    actions.stop(judging.pk)
    actions.resume(judging.pk)
    assert judgings.take_due() is None  # calls are under way: their cost is not known yet
    judgings.record(job, asked[0], JudgeAnswer(problem="x", replies=1, sent=700, said=50), "text")
    judgings.charge(job, JudgeAnswer(sent=1_000))  # of a call that failed after a first reply
    assert judgings.next_attempts(job, 1, [asked[1].attempt_id]) == []
    assert judgings.take_due() is None
    assert judgings.next_attempts(job, 1) == []
    again = judgings.take_due()
    assert again is not None
    assert again.left == 9_000 - 1_750
    assert JudgeVerdict.objects.count() == 0


def test_judging_is_given_back_when_its_worker_ends(endpoint: OddServer, run: Run) -> None:
    judging = judge_run(make_judge(endpoint.base_url, "judge-endless"), run)
    job = judgings.take_due()
    assert job

    async def end_soon() -> None:
        async with asyncio.timeout(0.5):
            await play_judging(job, judgings, run_policy())

    with pytest.raises(TimeoutError):
        async_to_sync(end_soon)()
    judging.refresh_from_db()
    assert (judging.lease_until, judging.is_open) == (None, True)
    assert judgings.take_due() is not None


@pytest.mark.parametrize(
    ("model", "verdicts"),
    [("judge-invents-steps", {"judge error"}), ("judge-invalid-json", {"judge error"})],
    ids=["invents-steps", "invalid-json"],
)
def test_hostile_judge_is_contained_and_visible(
    endpoint: OddServer, run: Run, model: str, verdicts: set[str]
) -> None:
    judging = judge_run(make_judge(endpoint.base_url, model), run)
    play_judgings()
    judging.refresh_from_db()
    rows = judging.verdicts.all()
    assert {row.verdict for row in rows} == verdicts
    assert all(row.problem and row.replies == 2 and row.criteria == [] for row in rows)
    assert judging.state == "done"


def test_judge_that_never_ends_is_given_up(
    endpoint: OddServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judgings, "SILENT_IN_A_ROW", 3)
    judging = judge_run(make_judge(endpoint.base_url, "judge-endless"), run)
    play_judgings(timeout_s=0.2)
    judging.refresh_from_db()
    assert judging.state == "failed"
    assert "did not finish a reply" in judging.problem
    Judge.objects.update(base_url="http://127.0.0.1:1/v1")
    actions.resume(judging.pk)
    assert judging.verdicts.count() == 0  # none of them was a reply
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.failures) == ("queued", 1)
    assert judging.not_before is not None
    assert judging.not_before > timezone.now()
    assert judging.problem


def test_stopped_judging_asks_no_more(endpoint: OddServer, run: Run) -> None:
    judging = judge_run(make_judge(endpoint.base_url), run)
    job = judgings.take_due()
    assert job is not None
    asked = judgings.next_attempts(job, 1)
    actions.stop(judging.pk)
    keep(job, asked[0])
    assert judgings.next_attempts(job, 4) == []
    assert (JudgeVerdict.objects.count(), play_judgings()) == (0, 0)
    actions.resume(judging.pk)
    assert play_judgings() == 1
    assert JudgeVerdict.objects.count() == 4


def test_board_is_judged_with_one_act_by_two_judges(endpoint: OddServer, run: Run) -> None:
    other = finish_run(make_run(run.suite, make_entry("Bar")), 2)
    finish_run(make_run(run.suite, make_entry("Secret"), is_public=False), 2)
    for name in ("first", "second"):
        make_judge(endpoint.base_url, name=name)
        call_command("judge_board", "small", "--judge", name, stdout=StringIO())
    assert set(Judging.objects.values_list("run", flat=True)) == {run.pk, other.pk}
    assert play_judgings() == 4
    assert JudgeVerdict.objects.count() == 2 * (4 + 5)


def test_scripted_judge_is_asked_about_scripted_baselines_alone(
    endpoint: OddServer, run: Run
) -> None:
    baseline = finish_run(make_run(run.suite, make_entry("junk", is_scripted=True)), 2)
    sweep_queue()
    assert not Judging.objects.exists()  # no judge is registered
    make_judge("https://judge.example/v1")
    judge = register_scripted()
    for _ in range(3):
        sweep_queue()
    assert list(Judging.objects.values_list("judge", "run")) == [(judge.pk, baseline.pk)]
    make_run(run.suite, make_entry("hold", is_scripted=True))
    late = finish_run(make_run(run.suite, make_entry("empty", is_scripted=True)), 2)
    sweep_queue()
    assert not Judging.objects.filter(run=late).exists()  # an attempt waits


def test_pairwise_judge_sees_a_reference_first(endpoint: OddServer, run: Run) -> None:
    judge = make_judge(endpoint.base_url, form=JudgeForm.PAIRWISE)
    with pytest.raises(ProblemError, match="no run of the reference solutions"):
        judge_run(judge, run)
    best = make_entry("reference", is_scripted=True)
    reference = finish_run(make_run(run.suite, best), 5)
    judging = judge_run(judge, run)
    assert judging.reference == reference
    play_judgings()
    extra = judging.verdicts.order_by("pk")[0].extra
    assert set(extra) == {"agent_1", "agent_2", "preference"}


def test_private_reference_is_sent_to_no_judge_either(
    endpoint: OddServer, run: Run, django_user_model: Any
) -> None:
    judge = make_judge(endpoint.base_url, form=JudgeForm.PAIRWISE)
    other = finish_run(make_run(run.suite, make_entry("Bar")), 5)
    judging = judge_run(judge, run, reference=other)
    other.entry.owner = django_user_model.objects.create(username="b")
    other.entry.save()
    Run.objects.filter(pk=other.pk).update(is_public=False)
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count()) == ("stopped", 0)
    for ask in (actions.resume, lambda pk: again(pk, judge, run, other.pk)):
        with pytest.raises(ProblemError, match=f"Run {other.pk} is private"):
            ask(judging.pk)


def again(judging_id: int, judge: Judge, run: Run, reference_id: int) -> Judging:
    Judging.objects.filter(pk=judging_id).delete()
    return judge_run(judge, run, reference=Run.objects.get(pk=reference_id))


def test_commands_say_what_is_wrong(endpoint: OddServer, run: Run) -> None:
    with pytest.raises(CommandError, match="no judge “nobody”. Registered: none yet"):
        call_command("judge_run", str(run.pk), "--judge", "nobody")
    with pytest.raises(CommandError, match="Give --name"):
        call_command("register_judge")
    out = StringIO()
    call_command("register_judge", "--scripted", stdout=out)
    assert out.getvalue() == "judge scripted-judge: judge, prompt single-1\n"
    with pytest.raises(CommandError, match="There is no run 999"):
        call_command("judge_run", "999", "--judge", "scripted-judge")
    waiting = make_run(run.suite, make_entry("Waiting"))
    with pytest.raises(CommandError, match="is not over"):
        call_command("judge_run", str(waiting.pk), "--judge", "scripted-judge")
    call_command("judge_run", str(run.pk), "--judge", "scripted-judge", stdout=out)
    assert f"run {run.pk} is queued: 4 attempts" in out.getvalue()


def test_private_run_is_sent_to_no_judge_but_at_its_owners_wish(
    endpoint: OddServer, run: Run, django_user_model: Any
) -> None:
    owner, maintainer = (django_user_model.objects.create(username=name) for name in "ab")
    run.entry.owner, run.is_public = owner, False
    run.entry.save()
    run.save()
    judge = make_judge(endpoint.base_url)
    for asked_by in (None, maintainer):
        with pytest.raises(ProblemError, match="only its owner"):
            judge_run(judge, run, asked_by=asked_by)
    judging = judge_run(judge, run, asked_by=owner)
    assert judging.is_open
    actions.stop(judging.pk)
    Judging.objects.update(asked_by=maintainer)  # as if the run had been public then
    with pytest.raises(ProblemError, match="only its owner"):
        actions.resume(judging.pk, asked_by=maintainer)
    Judging.objects.update(state="queued")
    play_judgings()
    judging.refresh_from_db()
    assert (judging.state, judging.verdicts.count()) == ("stopped", 0)
    assert "private now" in judging.problem
    assert judge_run(judge, run, asked_by=owner).is_open
    play_judgings()
    assert judging.verdicts.count() == 4


def test_judge_is_pinned_and_its_key_is_encrypted(endpoint: OddServer, run: Run) -> None:
    base_url, key = "https://judge.example/v1", "sk-0123456789"
    judge = register_judge(JudgeProfile("m-1"), name="M", base_url=base_url, api_key=key)
    assert key.encode() not in bytes(judge.encrypted_key)
    assert encryption.decrypt(judge.encrypted_key) == key
    call_command("rotate_keys", stdout=StringIO())
    judge.refresh_from_db()
    assert encryption.decrypt(judge.encrypted_key) == key
    for wrong in (("", base_url, "m"), ("N", "ftp://x/v1", "m"), ("N", base_url, "m" * 301)):
        with pytest.raises(ProblemError, match="no letter|not the address|at most 300"):
            register_judge(JudgeProfile(wrong[2]), name=wrong[0], base_url=wrong[1])
    with pytest.raises(ProblemError, match="pinned to another model"):
        register_judge(JudgeProfile("m-2"), name="M", base_url=base_url)
    with pytest.raises(ProblemError, match="pinned to another model"):
        register_judge(JudgeProfile("m-1"), name="M", base_url=endpoint.base_url)
    Judge.objects.filter(pk=judge.pk).update(digest="0" * 64)
    judge.refresh_from_db()
    with pytest.raises(ProblemError, match="older prompt"):
        judge_run(judge, run)
    assert register_scripted().is_scripted
    assert register_scripted().pk == register_scripted().pk
