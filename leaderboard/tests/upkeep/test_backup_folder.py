"""Backups into odd folders: nothing foreign is touched, and what was interrupted is no burden."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError

from leaderboard.handoff import attempts
from leaderboard.tests.support.jobs import claim_one, judged, step
from leaderboard.tests.support.rows import start_run
from leaderboard.upkeep import backup, backup_folder
from leaderboard.upkeep.backup_folder import find_damage, read_manifest

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 11, 22, tzinfo=UTC)

BackUp = Callable[[], None]


@pytest.fixture
def back_up(tmp_path: Path) -> BackUp:
    """Back up a site with a few files, a day later each time."""
    job = claim_one(start_run(1))
    attempts.step(job, step(1))
    attempts.record_result(job, judged(True))
    days = iter(range(99))

    def once() -> None:
        backup.back_up(tmp_path / "backup", NOW + timedelta(days=next(days)), lambda line: None)

    return once


def dumps_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("database-"))


def assert_sound(folder: Path) -> None:
    assert list(find_damage(folder, read_manifest(folder))) == []


def test_folder_with_other_things_is_refused_untouched(back_up: BackUp, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    (folder / "database-notes.txt").write_text("mine")
    with pytest.raises(CommandError, match=r"it holds database-notes\.txt"):
        back_up()
    assert [path.name for path in folder.iterdir()] == ["database-notes.txt"]
    assert folder.stat().st_mode & 0o777 == 0o755


def test_folder_in_the_store_of_artifacts_is_refused(tmp_path: Path) -> None:
    store = Path(default_storage.location)  # type: ignore[attr-defined]
    (tmp_path / "link").symlink_to(store)
    for folder in (store, store / "backup", tmp_path / "link" / "backup"):
        with pytest.raises(CommandError, match="lies in the store of artifacts"):
            backup.back_up(folder, NOW, lambda line: None)
    assert not (store / "backup").exists()


def test_file_put_beside_a_backup_is_kept(back_up: BackUp, tmp_path: Path) -> None:
    back_up()
    note = tmp_path / "backup" / "database-notes.txt"
    note.write_text("mine")
    back_up()
    assert note.read_text() == "mine"
    assert len(dumps_in(tmp_path / "backup")) == 2
    assert_sound(tmp_path / "backup")


def test_backup_without_room_says_so_and_leaves_no_dump(
    back_up: BackUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up()
    held = dumps_in(tmp_path / "backup")
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        patch.setattr(backup, "sync", lambda path: (_ for _ in ()).throw(full))
        with pytest.raises(CommandError, match="No space left on device"):
            back_up()
    assert dumps_in(tmp_path / "backup") == held
    assert_sound(tmp_path / "backup")


def test_dumps_of_killed_backups_are_removed(back_up: BackUp, tmp_path: Path) -> None:
    """Whatever moment it was killed at: with the first, with no manifest yet, or a later one."""
    folder = tmp_path / "backup"
    for number in range(2):
        folder.mkdir(exist_ok=True)
        stamp = f"2026010{number + 1}T000000.000000Z"
        for name in (f"database-{stamp}.sqlite3", f"database-{stamp}.sqlite3-journal"):
            (folder / name).write_text("cut")
        (folder / f"files-{stamp}.sha256").write_text("cut")
        (folder / backup_folder.DRAFT).write_text("{")
        back_up()
        assert len(dumps_in(folder)) == 1
        assert_sound(folder)


def test_second_backup_at_the_same_time_is_refused(back_up: BackUp, tmp_path: Path) -> None:
    back_up()
    held = os.open(tmp_path / "backup", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CommandError, match="another backup is being written"):
            back_up()
    finally:
        os.close(held)
    back_up()
    assert_sound(tmp_path / "backup")
