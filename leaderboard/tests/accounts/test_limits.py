"""Limits of an account: requests at the same time pass none of them, and deletion frees nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.accounts import quotas, tokens
from leaderboard.by_hand.session import open_session
from leaderboard.disputes.dispute import make_dispute
from leaderboard.forks.fork import fork_attempt
from leaderboard.forks.plan import After, ForkPlan
from leaderboard.handoff import attempts
from leaderboard.models import AccountUse, ApiToken, Attempt, Dispute, Draft, Run
from leaderboard.queue import preflights
from leaderboard.submissions import drafts
from leaderboard.submissions.run_actions import start
from leaderboard.submissions.submission import Submission
from leaderboard.submissions.submit import submit
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import make_suite, register_entry
from leaderboard.tests.support.uploaded import chat_line
from leaderboard.uploads import keep, score
from leaderboard.uploads.execute import execute_upload
from leaderboard.uploads.receive import ReceivedFile, received
from runner.contract import ProblemError, Status

pytestmark = pytest.mark.django_db(transaction=True)

THREADS, MOST = 8, 3
ENDPOINT = "http://127.0.0.1:8001/v1"
Kind = AccountUse.Kind


class World:
    """An account, and rows that its requests are about."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in (keep, score):  # so that only the database is between two of an account
            monkeypatch.setattr(module, "one_at_a_time", lambda _: nullcontext())
        monkeypatch.setattr(keep, "read_confined", lambda read, *more: iter(read(*more)))
        monkeypatch.setattr(preflights, "send_preflight_run", lambda run_id: None)
        monkeypatch.setattr(drafts, "send_preflight_draft", lambda draft_id: None)
        self.folder = folder
        self.ada = make_user()
        self.suite = make_suite()
        self.tasks = list(self.suite.tasks.order_by("pk"))
        played = start(
            register_entry("Model", api_key="sk-secret"), self.suite, attempts_per_task=4
        )
        while jobs := claim(played.pk, 50, "w"):
            for job in jobs:
                attempts.record_result(job, judged(False))
        self.played = list(played.attempts.select_related("run__entry", "task").order_by("pk"))

    def file(self, name: str, content: bytes | str) -> ReceivedFile:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return received(path, name)

    def submission(self, number: int) -> Submission:
        return Submission(ENDPOINT, f"model-{number}", f"Model {number}", self.suite)

    def submit(self, number: int) -> object:
        return submit(self.ada, self.submission(number))

    def submit_unchecked(self, number: int) -> object:
        return submit(self.ada, self.submission(number), is_checked=False)

    def check_and_refuse(self, number: int) -> object:
        run = submit(self.ada, self.submission(number), is_checked=False)
        preflights.refuse(run.pk, {"checks": []})
        return run

    def check_draft(self, number: int) -> object:
        draft = Draft.objects.create(owner=self.ada, facts={"number": number})
        asked = drafts.ask_for_draft(draft)
        Draft.objects.filter(pk=draft.pk).update(report={"checks": []})
        return asked

    def fork(self, number: int) -> object:
        return fork_attempt(self.ada, self.played[0], ForkPlan(0, After.END, "print(7)", "7"))

    def upload(self, number: int) -> Run:
        return keep.bring_in(self.ada, self.file(f"{number}.jsonl", chat_line(str(number))))

    def upload_refused(self, number: int) -> object:
        try:
            return keep.bring_in(self.ada, self.file(f"{number}.txt", f"nothing {number}"))
        except ProblemError as error:
            if error.problem.code != "upload_refused":
                raise
            return None

    def score(self, number: int) -> object:
        content = zipped({f"{self.tasks[0].key}/answer.txt": str(number)})
        return score.score_files(self.ada, self.file(f"{number}.zip", content), self.suite.name)

    def execute(self, number: int) -> object:
        task = self.tasks[0]
        line = chat_line(task.key, query=task.query, number=number)
        return execute_upload(self.ada, keep.bring_in(self.ada, self.file(f"{number}", line)))

    def dispute(self, number: int) -> object:
        attempt = self.played[number % len(self.played)]
        file = self.file(f"{number}.bin", f"{number}")
        return make_dispute(self.ada, attempt, number // len(self.played), "It is right.", file)

    def make_token(self, number: int) -> object:
        return tokens.make_token(self.ada, str(number))

    def open_session(self, number: int) -> object:
        return open_session(self.ada, self.tasks[number % len(self.tasks)])

    def open_of_another(self, number: int) -> object:
        return open_session(make_user(f"player-{number}"), self.tasks[0])

    def play(self, number: int) -> object:
        made = self.open_session(number)
        Attempt.objects.filter(run__entry__owner=self.ada).update(status=Status.DONE)
        Run.objects.filter(entry__owner=self.ada).update(status=Status.DONE)
        return made


@dataclass(frozen=True)
class Case:
    """A limit, what uses it, and the code of one use more."""

    act: Callable[[World, int], object]
    code: str
    setting: str = ""
    most: int = MOST


DAILY = {
    "submissions": Case(World.submit, "quota_used_up", "SUBMISSIONS_PER_DAY"),
    "forks": Case(World.fork, "quota_used_up", "SUBMISSIONS_PER_DAY"),
    "executions": Case(World.execute, "quota_used_up", "SUBMISSIONS_PER_DAY"),
    "scored files": Case(World.score, "quota_used_up", "SUBMISSIONS_PER_DAY"),
    "scored files as uploads": Case(World.score, "upload_quota_used_up", "UPLOADS_PER_DAY"),
    "uploads": Case(World.upload, "upload_quota_used_up", "UPLOADS_PER_DAY"),
    "refused uploads": Case(World.upload_refused, "upload_quota_used_up", "UPLOADS_PER_DAY"),
    "refused preflights": Case(
        World.check_and_refuse, "endpoint_checks_used_up", "ENDPOINT_CHECKS_PER_DAY"
    ),
    "disputes": Case(World.dispute, "disputes_used_up", "DISPUTES_PER_DAY"),
}
ONE_BY_ONE = {
    "drafts' preflights": Case(
        World.check_draft, "endpoint_checks_used_up", "ENDPOINT_CHECKS_PER_DAY"
    ),
    "sessions by hand": Case(World.play, "sessions_used_up", "HAND_SESSIONS_PER_DAY"),
}
AT_ONE_TIME = {
    "waiting preflights": Case(World.submit_unchecked, "checks_under_way"),
    "tokens": Case(World.make_token, "too_many_tokens"),
    "an open session": Case(World.open_session, "session_open", most=1),
    "people who play": Case(World.open_of_another, "no_session_free", "HAND_SESSIONS"),
}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> World:
    monkeypatch.setattr(tokens, "MAX_TOKENS", MOST)
    monkeypatch.setattr(drafts, "AGAIN_AFTER", drafts.AGAIN_AFTER * 0)
    settings.ENDPOINT_LOOPBACK_PORTS = ["8001"]
    return World(tmp_path, monkeypatch)


def try_to(world: World, case: Case, number: int) -> str:
    """Code of the refusal; "" if there is none."""
    try:
        case.act(world, number)
    except ProblemError as error:
        return error.problem.code
    return ""


@pytest.mark.parametrize("name", [*DAILY, *AT_ONE_TIME])
def test_requests_at_the_same_time_pass_no_limit(
    world: World, name: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = (DAILY | AT_ONE_TIME)[name]
    if case.setting:
        setattr(settings, case.setting, case.most)
        monkeypatch.setattr("leaderboard.submissions.submit.MAX_WAITING", 99)
    gate = threading.Barrier(THREADS)

    def act(number: int) -> str:
        gate.wait(120)
        try:
            return try_to(world, case, number)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        codes = list(pool.map(act, range(THREADS)))
    assert sorted(codes) == [""] * case.most + [case.code] * (THREADS - case.most)


@pytest.mark.parametrize("name", [*DAILY, *ONE_BY_ONE])
def test_deletion_frees_nothing(world: World, name: str, settings: Settings) -> None:
    case = (DAILY | ONE_BY_ONE)[name]
    setattr(settings, case.setting, case.most)
    for number in range(case.most):
        assert try_to(world, case, number) == ""
        Run.objects.filter(entry__owner=world.ada).delete()
        Dispute.objects.all().delete()
    assert try_to(world, case, case.most) == case.code


def test_revoked_token_makes_room_and_uses_are_forgotten_after_a_day(world: World) -> None:
    for number in range(MOST):
        world.make_token(number)
    token = ApiToken.objects.latest("pk")
    assert tokens.revoke_token(world.ada, token.pk)
    world.make_token(MOST)
    world.submit(1)
    quotas.forget_old()
    assert quotas.count(world.ada).used == 1
    AccountUse.objects.update(created_at=timezone.now() - 2 * quotas.WINDOW)
    assert quotas.count(world.ada).used == 0
    quotas.forget_old()
    assert not AccountUse.objects.exists()
