"""Archives that strangers made: bounded, never written anywhere, and named for what they are."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.uploaded import CELL, chat_line, tarred
from leaderboard.trajectories.readers import zip_archive
from leaderboard.trajectories.readers.zip_archive import CUT
from leaderboard.uploads import archive, confined, reading
from leaderboard.uploads.confined import read_confined
from leaderboard.uploads.reading import Brought, read_in_parts, read_upload
from runner.contract import Fault, ProblemError

LINE = chat_line().encode()


def read(tmp_path: Path, content: bytes, name: str = "a.zip") -> Brought:
    path = tmp_path / "upload"
    path.write_bytes(content)
    return read_upload(path, name)


def reasons(brought: Brought) -> str:
    return " ".join([brought.refusal, *(part.what for part in brought.refused)])


def test_paths_lead_nowhere(tmp_path: Path) -> None:
    names = ["../../up.jsonl", "/etc/cron.d/a.jsonl", "..\\win.jsonl", "a/../../b.jsonl", "C:\\c"]
    files = {name: chat_line(f"task {number}").encode() for number, name in enumerate(names)}
    before = set(tmp_path.parent.rglob("*"))
    files["good.jsonl"] = LINE
    for content in (zipped(files), tarred(files)):
        brought = read(tmp_path, content)
        assert [one.file for one in brought.attempts] == ["good.jsonl"]
        assert reasons(brought).count("leaves its folder: left out.") == len(names)
    assert set(tmp_path.parent.rglob("*")) - before == {tmp_path / "upload"}


def test_links_and_devices_in_a_tar_are_left_aside(tmp_path: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)
        for number, kind in enumerate(kinds):
            entry = tarfile.TarInfo(f"link-{number}")
            entry.type, entry.linkname = kind, "/etc/passwd"
            tar.addfile(entry)
        entry = tarfile.TarInfo("good.jsonl")
        entry.size = len(LINE)
        tar.addfile(entry, io.BytesIO(LINE))
    brought = read(tmp_path, made.getvalue())
    assert [one.file for one in brought.attempts] == ["good.jsonl"]


def test_large_header_of_a_tar_is_not_looked_through(tmp_path: Path) -> None:
    """Which would take minutes: the library looks for a word from each of its digits."""
    header, digits = tarfile.TarInfo("pax"), b"1" * (1 << 20)
    header.type, header.size = tarfile.XHDTYPE, len(digits)
    for before in (b"", tarred_plainly(LINE)):
        brought = read(tmp_path, gzip.compress(before + header.tobuf() + digits + bytes(10_240)))
        assert "a header is larger than 64 KiB" in reasons(brought)
        assert len(brought.attempts) == bool(before)


def tarred_plainly(content: bytes) -> bytes:
    """A member of a tar, without the end of the archive."""
    header = tarfile.TarInfo("good.jsonl")
    header.size = len(content)
    return header.tobuf() + content + bytes(-len(content) % 512)


def test_zip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FREE_BYTES", 1 << 20)
    bomb = zipped({f"{number}.jsonl": bytes(1 << 20) for number in range(4)})
    assert "times its size" in read(tmp_path, bomb).refusal
    assert "times its size" in read(tmp_path, tarred({"a": bytes(4 << 20)})).refusal


def test_large_member_is_left_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (archive, zip_archive):
        monkeypatch.setattr(module, "MAX_MEMBER_BYTES", 4_000)
    for pack in (zipped, tarred):
        brought = read(tmp_path, pack({"large.jsonl": bytes(4_001), "good.jsonl": LINE}))
        assert [one.file for one in brought.attempts] == ["good.jsonl"]
        assert "MiB" in reasons(brought)


def test_total_and_number_of_members_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{number}.jsonl": chat_line(str(number)) for number in range(6)}
    monkeypatch.setattr(archive, "MAX_FILES", 5)
    assert "more than 5" in read(tmp_path, zipped(files)).refusal
    monkeypatch.setattr(archive, "MAX_FILES", 9)
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 600)
    assert "unpacks to more" in read(tmp_path, zipped(files)).refusal
    for module in (archive, zip_archive):
        monkeypatch.setattr(module, "MAX_MEMBERS", 3)
    aside = {f"._{n}": b"" for n in range(6)}
    for pack in (zipped, tarred):
        assert "more than 3 members" in read(tmp_path, pack(aside)).refusal


def test_cut_archives_are_named_and_what_is_there_is_read(tmp_path: Path) -> None:
    lines = {f"{number}.jsonl": chat_line(str(number)).encode() for number in range(40)}
    whole = tarred(lines)
    brought = read(tmp_path, whole[: len(whole) * 2 // 3], "a.tar.gz")
    assert "cut off" in reasons(brought)
    assert read(tmp_path, whole[:30], "a.tar.gz").attempts == ()
    cut = read(tmp_path, zipped(lines)[:3000])
    assert cut.attempts
    assert CUT in reasons(cut)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"query": "x" * (5 << 20)}, "holds more than 4 MiB beside its steps"),
        ({"said": f"```python\n{'x' * (6 << 20)}\n```"}, "Its step 1 is larger than 16 MiB"),
        ({"said": "x\x01" * (1 << 20)}, "Its step 1 is larger than 16 MiB"),
    ],
)
def test_attempt_that_no_page_could_read_is_named(
    tmp_path: Path, more: dict[str, str], words: str
) -> None:
    """A step counts as it is stored: with its code, as JSON in ASCII."""
    large = json.loads(chat_line(query=more.get("query", "Sum")))
    large["messages"][1]["content"] = more.get("said", CELL)
    brought = read(tmp_path, f"{json.dumps(large)}\n{chat_line()}".encode())
    assert len(brought.attempts) == 1
    assert words in reasons(brought)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (zipfile.ZIP_STORED, "is damaged"),
        (zipfile.ZIP_DEFLATED, "is damaged"),
        (zipfile.ZIP_BZIP2, "method 12, which is not read"),
        (zipfile.ZIP_LZMA, "method 14, which is not read"),
    ],
)
def test_damaged_or_unknown_member_is_named(tmp_path: Path, method: int, words: str) -> None:
    content = bytearray(zipped({"a.jsonl": LINE * 400}, method))
    content[50:70] = bytes(byte ^ 0xFF for byte in content[50:70])
    assert words in reasons(read(tmp_path, bytes(content)))


def test_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped({"a.jsonl": LINE}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in reasons(read(tmp_path, bytes(content)))


def test_archive_in_an_archive_is_not_followed(tmp_path: Path) -> None:
    inner = zipped({"a.jsonl": LINE})
    for _ in range(3):
        inner = zipped({"inner.zip": inner})
    assert read(tmp_path, inner).attempts == ()


def test_hostile_member_names_are_text(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("\u202e<img src=x>.jsonl", LINE)
        packed.writestr("a" * 5000 + ".jsonl", chat_line("8"))
    brought = read(tmp_path, made.getvalue())
    assert len(brought.attempts) == 2
    assert max(len(one.file) for one in brought.attempts) <= 300


def test_excess_of_attempts_and_steps_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "\n".join(chat_line(str(number)) for number in range(5)).encode()
    monkeypatch.setattr(reading, "MAX_ATTEMPTS", 3)
    brought = read(tmp_path, content, "a.jsonl")
    assert (len(brought.attempts), brought.refused_count) == (3, 2)
    monkeypatch.setattr(reading, "MAX_STEPS_IN_ALL", 4)
    assert "steps at most" in reasons(read(tmp_path, content, "a.jsonl"))
    monkeypatch.setattr(reading, "MAX_STEPS", 1)
    assert "more than 1 steps" in reasons(read(tmp_path, content, "a.jsonl"))


@pytest.mark.parametrize(
    "content",
    [b"[" * 3_000_000, b'{"a":' * 500_000, b"\x1f\x8b" + bytes(5000), b"PK\x05\x06" + bytes(18)],
    ids=["lists", "objects", "gzip", "empty zip"],
)
def test_hostile_file_ends_in_a_refusal_in_its_process(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "upload"
    path.write_bytes(content)
    assert next(read_confined(read_in_parts, path, "--help\n?.jsonl")).attempts == ()


def test_reading_that_takes_too_much_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined, "WALL_S", 0.01)
    path = tmp_path / "upload"
    path.write_bytes(LINE)
    with pytest.raises(ProblemError, match="more time or memory"):
        read_confined(read_in_parts, path, "a.jsonl")


def test_row_of_another_type_is_refused(tmp_path: Path) -> None:
    values: list[object] = [None, 7, "x", [], {}, [[]], {"messages": 7}, {"messages": [7]}]
    for value in values:
        brought = read(tmp_path, json.dumps(value).encode(), "a.json")
        assert brought.attempts == ()


@pytest.mark.parametrize(("deaths", "code"), [(1, ""), (2, "upload_reader_died")])
def test_a_reader_that_is_killed_says_nothing_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: int, code: str
) -> None:
    """It is asked once more; then the fault is ours."""
    source = tmp_path / "one.jsonl"
    source.write_bytes(LINE)
    started = subprocess.Popen
    left = [deaths]

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        child = started(command, **options)
        if left[0]:
            left[0] -= 1
            child.kill()
        return child

    monkeypatch.setattr(subprocess, "Popen", start)
    if code:
        with pytest.raises(ProblemError) as refused:
            read_confined(read_in_parts, source, "one.jsonl")
        assert (refused.value.problem.code, refused.value.problem.fault) == (code, Fault.US)
    else:
        assert len(list(read_confined(read_in_parts, source, "one.jsonl"))) == 4
