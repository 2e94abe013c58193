"""Restores that are killed half-way, run twice, or read from a backup that is not as written."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError

from leaderboard.tests.support.backups import busy, look, make_environment
from leaderboard.tests.support.site import Site, migrate
from leaderboard.tests.support.small_disk import small_disk
from leaderboard.tests.support.warm import ROOT, run_python
from leaderboard.upkeep.backup_folder import find_damage, read_manifest

NOT_READY = """
from pybench_site.monitoring.readiness import check_database
print(check_database())
"""


@dataclass
class Backup:
    site: Site  # that was backed up
    folder: Path
    pages: str


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Backup:
    """A complete backup of a small site on SQLite, which no test changes."""
    home = tmp_path_factory.mktemp("backed up")
    site = new_site(home / "old")
    migrate(site)
    with busy(site, home / "busy"):
        pass
    site.manage("sweep")
    site.manage("backup", str(home / "backup #1 50%?"))
    return Backup(site, home / "backup #1 50%?", look(site))


@pytest.fixture
def copied(backup: Backup, tmp_path: Path) -> Path:
    """A copy of the backup, to be spoiled."""
    return Path(shutil.copytree(backup.folder, tmp_path / "copied"))


def new_site(folder: Path, **more: str) -> Site:
    folder.mkdir()
    return Site(folder, make_environment(folder, "", **more))


def kill_restore(site: Site, folder: Path, place: str) -> None:
    program = "leaderboard.tests.support.killed_restore"
    done = run_python(["-m", program, str(folder), place], site.environment)
    assert done.returncode == -signal.SIGKILL


# At all of these the database is still empty.
@pytest.mark.parametrize("place", ["a file", "half a file", "the dump", "in the dump"])
def test_killed_restore_never_serves_and_is_run_again(
    backup: Backup, tmp_path: Path, place: str
) -> None:
    new = new_site(tmp_path / "new")
    kill_restore(new, backup.folder, place)
    assert "A restore into this site was interrupted" in new.refused("migrate")
    assert "A restore into this site was interrupted" in new.refused("prepare")
    assert "it lacks" in new.manage("shell", "-v", "0", "-c", NOT_READY)
    assert "is a restore unfinished?" in new.refused("verify")
    new.manage("restore", str(backup.folder))
    assert new.manage("verify") == "no faults found\n"
    assert look(new) == backup.pages


def test_restore_killed_before_migrations_is_whole(backup: Backup, tmp_path: Path) -> None:
    new = new_site(tmp_path / "new")
    kill_restore(new, backup.folder, "the migrations")
    assert "not empty" in new.refused("restore", str(backup.folder))
    new.manage("migrate", "-v", "0")
    assert new.manage("verify") == "no faults found\n"
    assert look(new) == backup.pages


def test_restore_into_a_site_with_rows_changes_nothing(backup: Backup, tmp_path: Path) -> None:
    new = new_site(tmp_path / "new")
    migrate(new)
    with busy(new, tmp_path / "busy"):
        pass
    before = sorted(path.name for path in (tmp_path / "new" / "files").rglob("*"))
    pages = look(new)
    for _ in range(2):
        assert "overwrites nothing" in new.refused("restore", str(backup.folder))
    assert sorted(path.name for path in (tmp_path / "new" / "files").rglob("*")) == before
    assert look(new) == pages


def enlarge(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=256m", str(disk)], check=True)


def some_file(folder: Path) -> Path:
    return min(path for path in (folder / "files").rglob("*") if path.is_file())


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def link_elsewhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def link_in_circles(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link_to_memory(path: Path) -> None:
    """Reading it begins well and then fails."""
    path.unlink()
    path.symlink_to("/proc/self/mem")


SPOILERS = (cut, lengthen, link_elsewhere, link_in_circles, make_folder, make_pipe, link_to_memory)


@pytest.mark.parametrize("spoil", SPOILERS)
@pytest.mark.parametrize("part", ["a file", "the list", "the dump"])
def test_spoiled_part_is_named(copied: Path, spoil: Callable[[Path], None], part: str) -> None:
    path = part_of(copied, part)
    spoil(path)
    assert path.name in " ".join(find_damage(copied, read_manifest(copied)))


@pytest.mark.parametrize("part", ["a file", "the list", "the dump"])
def test_nothing_of_a_spoiled_backup_is_restored(copied: Path, tmp_path: Path, part: str) -> None:
    path = part_of(copied, part)
    cut(path)
    new = new_site(tmp_path / "new")
    assert path.name in new.refused("verify", "--backup", str(copied))
    assert path.name in new.refused("restore", str(copied))
    assert not (tmp_path / "new" / "files").exists()
    assert new.manage("migrate", "contenttypes", "-v", "0") == ""  # as on any empty database


def part_of(folder: Path, part: str) -> Path:
    patterns = {"the list": "files-*.sha256", "the dump": "database-*.sqlite3"}
    return some_file(folder) if part == "a file" else next(folder.glob(patterns[part]))


BAD_LISTS = (b"\xff\xfe\x00", b"\x00" * 64 + b"\n", b"../" * 30, b"/" * 64 + b"\n" * 1000, b"")
BAD_MANIFESTS: tuple[dict[str, object], ...] = (
    {"dump": None},
    {"rows": []},
    {"migrations": None},
    {"migrations": [1]},
    {"file_count": "many"},
    {"field_keys": {}},
    {"more": 1},
    {"dump": "x\x00"},
    {"dump": ".."},
    {"files": "a/../../b"},
    {"format": "1"},
    {"dump_sha256": 0},
)


@pytest.mark.parametrize("content", BAD_LISTS)
def test_list_of_nonsense_is_reported_as_damaged(copied: Path, content: bytes) -> None:
    listed = next(copied.glob("files-*.sha256"))
    listed.write_bytes(content)
    said = list(find_damage(copied, read_manifest(copied)))
    assert f"{listed.name} is damaged" in said[0]
    assert "the files were not checked" in said[1]


@pytest.mark.parametrize("facts", BAD_MANIFESTS, ids=str)
def test_manifest_of_nonsense_is_refused(copied: Path, facts: dict[str, object]) -> None:
    path = copied / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | facts))
    with pytest.raises(CommandError, match=r"manifest\.json is damaged|format 1"):
        read_manifest(copied)


def test_nested_manifest_is_refused(copied: Path) -> None:
    (copied / "manifest.json").write_text("[" * 200_000)
    with pytest.raises(CommandError, match="cannot be read"):
        read_manifest(copied)


def test_damaged_file_of_right_size_is_copied_again(backup: Backup, copied: Path) -> None:
    path = some_file(copied)
    path.write_bytes(b"x" * path.stat().st_size)
    backup.site.manage("backup", str(copied), "--check")
    assert backup.site.manage("verify", "--backup", str(copied)) == "no faults found\n"


def test_backup_writes_through_no_planted_link(
    backup: Backup, copied: Path, tmp_path: Path
) -> None:
    path, mine = some_file(copied), tmp_path / "mine"
    mine.write_text("mine")
    path.unlink()
    path.with_suffix(".new").symlink_to(mine)
    backup.site.manage("backup", str(copied))
    assert mine.read_text() == "mine"
    assert not path.is_symlink()
    assert backup.site.manage("verify", "--backup", str(copied)) == "no faults found\n"


def test_folders_that_cannot_be_made_are_refused(backup: Backup, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/backup")):
        assert str(folder) in backup.site.refused("backup", str(folder))
        assert str(folder) in backup.site.refused("restore", str(folder))
        assert str(folder) in backup.site.refused("verify", "--backup", str(folder))


def test_restore_onto_a_full_disk_says_so(backup: Backup, tmp_path: Path) -> None:
    """RLIMIT_FSIZE stands for the disk: no file may grow beyond 4 KB, or the database's size."""
    new = new_site(tmp_path / "new")
    for limit in (0, 100):
        script = f"ulimit -f {limit}; trap '' XFSZ; exec \"$@\""
        done = subprocess.run(
            ["sh", "-c", script, "-", sys.executable, "manage.py", "restore", str(backup.folder)],
            cwd=ROOT,
            env=new.environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 1, done.stdout
        assert "Traceback" not in done.stderr, done.stderr
        assert "restore again" in done.stderr or "did not take" in done.stderr, done.stderr
    new.manage("restore", str(backup.folder))
    assert look(new) == backup.pages


@pytest.mark.parametrize("share", [0.01, 0.5, 1.01])
def test_backup_onto_a_full_disk_says_so(backup: Backup, tmp_path: Path, share: float) -> None:
    """A page, half of the dump, or the dump alone has room; with more it goes on from there."""
    size = next(backup.folder.glob("database-*")).stat().st_size
    with small_disk(tmp_path / "disk", max(4, int(size * share / 1024))) as disk:
        said = backup.site.refused("backup", str(disk / "backup"))
        free = re.search(r"([\d,]+) bytes are free there. The backup is not complete.", said)
        assert free, said
        assert int(free[1].replace(",", "")) < size
        enlarge(disk)
        backup.site.manage("backup", str(disk / "backup"))
        assert "no faults found" in backup.site.manage("verify", "--backup", str(disk / "backup"))


def test_backup_that_fills_the_disk_leaves_the_earlier_one(backup: Backup, tmp_path: Path) -> None:
    size = sum(file.stat().st_size for file in backup.folder.rglob("*") if file.is_file())
    room = 400 << 10  # for pages, folders and a piece of the next dump
    with small_disk(tmp_path / "disk", (size + room) >> 10) as disk:
        shutil.copytree(backup.folder, disk / "backup")
        assert "not complete" in backup.site.refused("backup", str(disk / "backup"))
        assert "no faults found" in backup.site.manage("verify", "--backup", str(disk / "backup"))


@pytest.mark.parametrize("share", [0.05, 0.6, 0.95])
def test_restore_into_a_site_on_a_full_disk_is_run_again(
    backup: Backup, tmp_path: Path, share: float
) -> None:
    size = next(backup.folder.glob("database-*")).stat().st_size
    with small_disk(tmp_path / "disk", int(size * share / 1024)) as disk:
        new = new_site(disk / "new")
        said = new.refused("restore", str(backup.folder))
        assert "restore again" in said or "did not take" in said, said
        enlarge(disk)
        new.manage("restore", str(backup.folder))
        assert look(new) == backup.pages


@pytest.mark.services
@pytest.mark.peers
@pytest.mark.parametrize("place", ["a file", "the mark"])
def test_killed_restore_on_postgresql_is_run_again(
    tmp_path: Path, new_postgres_database: Callable[[], str], place: str
) -> None:
    sites = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        environment = make_environment(tmp_path / name, new_postgres_database())
        sites.append(Site(tmp_path / name, environment))
    old, new = sites
    migrate(old)
    with busy(old, tmp_path / "busy"):
        pass
    old.manage("sweep")
    old.manage("backup", str(tmp_path / "backup"))
    kill_restore(new, tmp_path / "backup", place)
    if place == "the mark":  # the dump is loaded, and nothing is missing
        assert "not empty" in new.refused("restore", str(tmp_path / "backup"))
        new.manage("migrate", "-v", "0")
    else:
        assert "A restore into this site was interrupted" in new.refused("migrate")
        new.manage("restore", str(tmp_path / "backup"))
    assert new.one("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'pybench_restore%'") == 0
    assert new.manage("verify") == "no faults found\n"
    assert look(new) == look(old)
