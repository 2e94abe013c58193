"""Statements without Django's compiler read and write what Django does."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model
from django.db.models.sql.query import Query

from leaderboard.handoff import attempts
from leaderboard.models import (
    Artifact,
    Attempt,
    AttemptText,
    Endpoint,
    Entry,
    FailureTag,
    Run,
    RunSummary,
    StatusChange,
    Step,
    StepFile,
    Suite,
    Task,
    Verdict,
)
from leaderboard.models.statements import Sql, count, get, insert, insert_one, read, update
from leaderboard.queue import clock
from leaderboard.tests.support.jobs import claim_one, judged, step
from leaderboard.tests.support.rows import start_run
from runner.contract import Status

pytestmark = pytest.mark.django_db

ODD = "ünïcode % %s ' \" \\ 漢字 😀"


def facts(row: Model) -> dict[str, object]:
    values = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
    return {k: bytes(v) if isinstance(v, memoryview) else v for k, v in values.items()}


def play_one() -> Run:
    run = start_run(3)
    job = claim_one(run)
    attempts.step(job, step(1))
    attempts.record_result(job, judged(False))
    return run


@pytest.mark.parametrize(
    "model",
    [Attempt, AttemptText, Endpoint, Entry, Run, RunSummary, StatusChange, Step, Suite, Task],
)
def test_rows_read_equal_rows_of_django(model: type[Model]) -> None:
    play_one()
    expected = list(model._default_manager.order_by("pk"))
    assert expected
    for row in expected:
        found = get(model, **{row._meta.pk.name: row.pk})
        assert facts(found) == facts(row)
        assert not found._state.adding


def test_missing_row_raises() -> None:
    with pytest.raises(ObjectDoesNotExist):
        get(Run, id=0)


def test_odd_values_come_back_as_they_were() -> None:
    run = start_run(3)
    attempt = run.attempts.order_by("pk")[0]
    verdict = Verdict(
        attempt=attempt, check_version="1", passed=True, sentence=ODD, body=b"\x00\xff%s\\"
    )
    tags = [FailureTag(attempt=attempt, tag=f"t{n}", position=n, version="%") for n in range(3)]
    insert([verdict])
    insert(tags)
    insert([])
    stored = Verdict.objects.get(attempt=attempt)
    assert (stored.sentence, bytes(stored.body), stored.passed) == (ODD, verdict.body, True)
    assert stored.created_at is not None
    assert list(attempt.tags.values_list("tag", flat=True)) == ["t0", "t1", "t2"]
    update(Run, {"environment": {"a": [ODD, None]}, "started_at": None}, {"id": run.pk})
    assert get(Run, id=run.pk).environment == {"a": [ODD, None]}


def test_many_rows_are_inserted_in_batches() -> None:
    attempt = start_run(3).attempts.order_by("pk")[0]
    paths = [f"file {number}" for number in range(1_500)]
    insert([Artifact(attempt=attempt, role="output", path=path) for path in paths])
    assert sorted(attempt.artifacts.values_list("path", flat=True)) == sorted(paths)


def test_insert_one_sets_the_key() -> None:
    attempt = start_run(3).attempts.order_by("pk")[0]
    row = Step(attempt=attempt, index=1, status="ok", body=b"x")
    insert_one(row)
    insert([StepFile(step=row, path=ODD, kind="added")])
    assert Step.objects.get().pk == row.pk
    assert StepFile.objects.get().step == row


def test_insert_overwrites_the_row_with_the_same_unique_values() -> None:
    attempt = start_run(3).attempts.order_by("pk")[0]
    for body in ("one", "two"):
        insert([AttemptText(attempt=attempt, body=body)], unique=("attempt",))
    assert AttemptText.objects.get().body == "two"


def test_update_changes_only_rows_that_match() -> None:
    run = start_run(3)
    ids = list(run.attempts.order_by("pk").values_list("pk", flat=True))
    token, where = uuid.uuid4(), {"run": run.pk, "status": Status.QUEUED}
    columns = {"token": token, "turns": Sql("turns + %s", (2,)), "lease_until": clock.later_sql()}
    assert update(Attempt, columns, {**where, "id": ids[:2]}, {"turns": 1}) == 2
    assert update(Attempt, columns, {**where, "id": ids[:2]}, {"turns": 1}) == 0
    assert [row.turns for row in read(Attempt, where, "id")] == [2, 2, 0]
    assert [row.pk for row in read(Attempt, where, "id", 2)] == ids[:2]
    assert count(Attempt, {"token": str(token)}) == 2
    assert get(Attempt, id=ids[0]).lease_until is not None


def count_compiled(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> int:
    compiled: list[Query] = []
    original = Query.get_compiler

    def get_compiler(self: Query, *arguments: Any, **options: Any) -> Any:
        compiled.append(self)
        return original(self, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Query, "get_compiler", get_compiler)
        act()
    return len(compiled)


def test_an_attempts_acts_compile_next_to_no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    run = start_run(4)
    attempts.record_result(claim_one(run), judged(True))  # says what the run is played in
    job = claim_one(run)
    told = replace(step(1), changes=(), outputs=())  # new files are looked up
    assert count_compiled(monkeypatch, lambda: attempts.step(job, told)) == 0
    # Tags of before are deleted: an attempt can be over without a try. Steps are read by size.
    assert count_compiled(monkeypatch, lambda: attempts.record_result(job, judged(True))) <= 3
    attempts.note_worker("w:1", 8)
    assert attempts.dispatch()
    sent = run.attempts.filter(status=Status.QUEUED, lease_until__isnull=False).earliest("pk")
    token = str(sent.token)
    assert count_compiled(monkeypatch, lambda: attempts.claim(sent.pk, token, "w:1")) <= 1
