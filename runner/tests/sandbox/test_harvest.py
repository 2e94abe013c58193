"""Taking files out of folders that somebody hostile filled, and telling what changed in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.contract import ChangeKind, FileChange
from runner.sandbox.files.changes import KEPT_PER_FILE_BYTES, Watcher
from runner.sandbox.files.harvest import FILES, harvest


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work" / "output").mkdir(parents=True)
    (tmp_path / "work" / "data").mkdir()
    return tmp_path / "work"


@pytest.fixture
def fd(work: Path) -> Iterator[int]:
    opened = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
    yield opened
    os.close(opened)


def kinds(changes: tuple[FileChange, ...]) -> list[tuple[str, str]]:
    return [(change.path, change.kind.value) for change in changes]


def test_regular_files_come_with_size_digest_and_place(work: Path, fd: int, tmp_path: Path) -> None:
    (work / "output" / "a.txt").write_text("abc")
    (work / "output" / "sub").mkdir()
    (work / "output" / "sub" / "b.bin").write_bytes(bytes(3 << 20))
    (work / "elsewhere.txt").write_text("not output")
    taken = harvest(fd, "output", tmp_path / "dest")
    assert [(f.path, f.size_bytes) for f in taken.files] == [("a.txt", 3), ("sub/b.bin", 3 << 20)]
    assert taken.files[0].sha256 == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert taken.files[1].location.read_bytes() == bytes(3 << 20)
    assert taken.refused == ()


def test_executable_and_set_uid_bits_are_not_carried_over(
    work: Path, fd: int, tmp_path: Path
) -> None:
    (work / "output" / "run").write_text("#!/bin/sh")
    (work / "output" / "run").chmod(0o4777)
    taken = harvest(fd, "output", tmp_path / "dest")
    assert taken.files[0].location.stat().st_mode & 0o7777 == 0o644


def test_links_are_refused_and_what_they_lead_to_is_not_read(
    work: Path, fd: int, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("secret")
    (work / "output" / "soft").symlink_to(tmp_path / "secret")
    (work / "output" / "hard").hardlink_to(tmp_path / "secret")
    (work / "output" / "folder").symlink_to(tmp_path)
    taken = harvest(fd, "output", tmp_path / "dest")
    assert taken.files == ()
    assert {refused.path for refused in taken.refused} == {"soft", "hard", "folder"}
    assert list((tmp_path / "dest").iterdir()) == []


def test_no_more_than_so_many_files_are_taken(work: Path, fd: int, tmp_path: Path) -> None:
    for number in range(FILES + 20):
        (work / "output" / f"{number:04}").touch()
    taken = harvest(fd, "output", tmp_path / "dest")
    assert len(taken.files) == FILES
    assert len(taken.refused) == 20


def test_what_was_asked_for_is_taken_before_all_else(work: Path, fd: int, tmp_path: Path) -> None:
    for number in range(FILES + 20):
        (work / "output" / f"{number:04}").touch()
    (work / "output" / "zoo.csv").write_text("asked for")
    taken = harvest(fd, "output", tmp_path / "dest", ["zoo.csv"])
    assert taken.files[0].path == "zoo.csv"
    assert len(taken.files) == FILES
    assert len(taken.refused) == 21


def test_a_missing_output_folder_is_an_empty_harvest(work: Path, fd: int, tmp_path: Path) -> None:
    (work / "output").rmdir()
    taken = harvest(fd, "output", tmp_path / "dest")
    assert (taken.files, taken.refused) == ((), ())


def test_changes_tell_created_changed_and_deleted(work: Path, fd: int) -> None:
    watcher = Watcher()
    assert watcher.look(fd) == ()
    (work / "output" / "a.txt").write_text("one")
    (work / "note.txt").write_text("n")
    first = watcher.look(fd)
    assert kinds(first) == [("note.txt", "created"), ("output/a.txt", "created")]
    assert first[1].content == b"one"
    (work / "output" / "a.txt").write_text("three")
    (work / "note.txt").unlink()
    second = watcher.look(fd)
    assert kinds(second) == [("note.txt", "deleted"), ("output/a.txt", "changed")]
    assert (second[1].size_before_bytes, second[1].size_bytes) == (3, 5)
    assert second[0].kind is ChangeKind.DELETED
    assert watcher.look(fd) == ()


def test_a_change_with_old_size_and_old_times_is_still_noticed(work: Path, fd: int) -> None:
    path = work / "output" / "a.txt"
    path.write_text("one")
    watcher = Watcher()
    watcher.look(fd)
    before = path.stat()
    path.write_text("two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kinds(watcher.look(fd)) == [("output/a.txt", "changed")]


def test_the_same_content_written_again_is_no_change(work: Path, fd: int) -> None:
    (work / "a").write_text("one")
    watcher = Watcher()
    watcher.look(fd)
    (work / "a").write_text("one")
    assert watcher.look(fd) == ()


def test_inputs_links_and_special_files_are_no_changes(work: Path, fd: int) -> None:
    watcher = Watcher()
    (work / "data" / "in.csv").write_text("x")
    (work / "output" / "soft").symlink_to("/etc/passwd")
    os.mkfifo(work / "output" / "pipe")
    assert watcher.look(fd) == ()


def test_large_files_are_digested_but_not_kept_and_huge_ones_only_measured(
    work: Path, fd: int
) -> None:
    (work / "large").write_bytes(bytes(KEPT_PER_FILE_BYTES + 1))
    os.truncate(work / "large", KEPT_PER_FILE_BYTES + 1)
    (work / "huge").touch()
    os.truncate(work / "huge", 1 << 40)
    huge, large = Watcher().look(fd)
    assert (huge.size_bytes, huge.sha256, huge.content) == (1 << 40, "", None)
    assert len(large.sha256) == 64
    assert large.content is None


def test_oversized_folder_is_read_in_part_and_reports_no_deletions(work: Path, fd: int) -> None:
    watcher = Watcher()
    (work / "z").touch()
    watcher.look(fd)
    for number in range(6_000):
        (work / f"{number:05}").touch()
    changes = watcher.look(fd)
    assert 0 < len(changes) <= 5_000
    assert {change.kind for change in changes} == {ChangeKind.CREATED}
