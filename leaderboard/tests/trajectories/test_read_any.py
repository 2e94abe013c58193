"""Any file of trajectories is read by its content, never raises, and is called what it is."""

from __future__ import annotations

import gzip
import json

from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.pybench_jsonl import read

ROW = {
    "index": "7",
    "messages": [
        {"role": "user", "content": "Sum it."},
        {"role": "assistant", "content": "```python\nprint(1)\n```"},
        {"role": "user", "content": "1"},
        {"role": "assistant", "content": "It is 1."},
    ],
}
LINE = json.dumps(ROW).encode()


def test_compressed_lines_are_read_like_plain_ones() -> None:
    lines = LINE + b"\n{\n"
    assert read_any(gzip.compress(lines), "x.zip") == read_any(lines) == read(lines)


def test_members_of_a_gzip_file_are_joined() -> None:
    found = read_any(gzip.compress(LINE + b"\n") + gzip.compress(b"{"))
    assert [row.index for row in found.rows] == ["7"]
    assert [error.line for error in found.errors] == [2]


def test_cut_gzip_file_gives_what_comes_before() -> None:
    whole = gzip.compress(b"".join(LINE.replace(b"7", b"%d" % n) + b"\n" for n in range(900)))
    found = read_any(whole[: len(whole) // 2])
    assert 100 < len(found.rows) < 900
    assert found.description == f"PyBench jsonl, cut at line {found.errors[0].line}"
    assert found.errors[-1].what == "The gzip file is cut off; what comes before was read."


def test_damaged_gzip_file_is_named() -> None:
    found = read_any(gzip.compress(b"")[:10] + b"\xff" * 20)
    assert found.description == "a gzip file"
    assert found.errors[0].what == "The gzip file is damaged: it cannot be unpacked."


def test_gzip_file_without_content_is_named() -> None:
    found = read_any(gzip.compress(LINE)[:10])
    assert found.description == "a gzip file"
    assert found.errors[0].what == "The gzip file is cut off before its first byte of content."
