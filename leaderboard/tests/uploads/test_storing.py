"""Large uploads are stored and deleted in short transactions, and seen only when they are whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import AccountUse, Attempt, AttemptText, Entry, Import, Run, Step, Suite
from leaderboard.storage import short_transactions
from leaderboard.tests.support.uploaded import bring, chat_line, signed_in
from leaderboard.uploads import delete
from leaderboard.uploads.delete import STORED_WITHIN, delete_old
from leaderboard.uploads.keep import hand_over, read_in, store
from leaderboard.uploads.receive import received

LINES = "\n".join(chat_line(str(number)) for number in range(8))

Pause = Callable[[], None]


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> list[Pause]:
    """Acts in each pause between transactions, of which every write has one of its own."""
    acts: list[Pause] = []

    def pause(_: float) -> None:
        assert not connection.in_atomic_block
        for act in acts:
            act()

    monkeypatch.setattr(short_transactions, "LONGEST_S", -1.0)
    monkeypatch.setattr(short_transactions, "sleep", pause)
    return acts


@pytest.mark.django_db(transaction=True)
def test_others_write_while_an_upload_is_stored_that_nobody_sees(
    ada: User, between: list[Pause]
) -> None:
    stored: list[int] = []
    client = signed_in(ada)

    def look() -> None:
        stored.append(Attempt.objects.count())
        sweep_queue()
        run = Run.objects.get()
        assert client.get(f"/runs/{run.pk}/").status_code == 404
        assert f"/runs/{run.pk}/" not in client.get("/view/").content.decode()

    between.append(look)
    run = bring(ada, LINES)
    assert (stored[0], len(stored), stored[-1]) == (1, 16, 8)
    assert client.get(f"/runs/{run.pk}/").status_code == 200
    # What had no steps yet was not tagged.
    assert AttemptText.objects.filter(body__contains="print(1)").count() == 8


@pytest.mark.django_db(transaction=True)
def test_one_file_in_two_processes_at_once_is_one_upload(ada: User, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINES)
    file = received(path, path.name)
    both = [store(read_in(ada, file), "") for _ in range(2)]  # neither knows of the other
    first, second = (hand_over(ada, stored) for stored in both)
    assert first == second == Import.objects.get().run
    Run.objects.update(created_at=timezone.now() - STORED_WITHIN - timedelta(seconds=1))
    delete_old()
    assert Run.objects.get() == first


@pytest.mark.django_db(transaction=True)
def test_half_stored_upload_is_swept(ada: User, between: list[Pause]) -> None:
    def break_off() -> None:
        if Attempt.objects.count() == 4:
            raise MemoryError

    between.append(break_off)
    with pytest.raises(MemoryError):
        bring(ada, LINES)
    between.clear()
    delete_old()
    assert Attempt.objects.count() == 4  # it may be under way in another process
    Run.objects.update(created_at=timezone.now() - STORED_WITHIN - timedelta(seconds=1))
    delete_old()
    assert count_rows() == 0
    assert bring(ada, LINES).attempts.count() == 8
    assert AccountUse.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_others_write_while_a_large_upload_is_deleted_that_nobody_sees(
    ada: User, between: list[Pause], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = bring(ada, LINES)
    client, left = signed_in(ada), list[int]()
    monkeypatch.setattr(short_transactions, "DELETED_AT_ONCE", 5)
    monkeypatch.setattr(delete, "DELETED_AT_ONCE", 15)

    def break_off() -> None:
        left.append(Step.objects.count())
        if len(left) == 3:
            raise MemoryError

    between.append(break_off)
    assert client.post(f"/runs/{run.pk}/delete/").status_code == 302
    assert left == []  # the sweep deletes it
    assert client.get(f"/runs/{run.pk}/").status_code == 404
    assert f"/runs/{run.pk}/" not in client.get("/view/").content.decode()
    with pytest.raises(MemoryError):
        delete_old()
    assert left == [11, 6, 1]
    between.clear()
    delete_old()
    assert count_rows() == 0


@pytest.mark.django_db(transaction=True)
def test_small_upload_is_deleted_at_once(ada: User) -> None:
    run = bring(ada, LINES)
    signed_in(ada).post(f"/runs/{run.pk}/delete/")
    assert count_rows() == 0


def count_rows() -> int:
    return sum(model.objects.count() for model in (Run, Attempt, Step, Suite, Entry, Import))
