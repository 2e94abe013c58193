"""Subtitle files: tolerant of line ends and marks, strict in numbers, texts and times."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from runner.checks import Case, Stop
from runner.checks.media import subtitles

GOOD = "1\n00:00:01,500 --> 00:00:03,000\nZoë?\n- Who?\n\n2\n01:02:03,004 --> 01:02:05,000\n42\n"
EXPECTED = [
    subtitles.Subtitle(1500, 3000, "Zoë?\n- Who?"),
    subtitles.Subtitle(3_723_004, 3_725_000, "42"),
]


def said_of(content: bytes, folder: Path) -> list[str]:
    """Objections of the library against `content` as film.srt."""
    (folder / "film.srt").write_bytes(content)
    case = Case(folder, folder)
    with suppress(Stop):
        subtitles.expect_same(case, subtitles.read(case, "film.srt"), EXPECTED, "film.srt")
    assert case.assertions
    return [str(a["message"]) for a in case.assertions if not a["passed"]]


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
        GOOD.encode("utf-16"),
        f"\n\n{GOOD}\n\n".replace("\n\n2", "\n \n\n2").encode(),
        GOOD.replace("Zoë?", " Zoë? ").replace(" --> ", "-->").encode(),
        GOOD.replace("01,500", "01,499").replace("05,000", "05,001").encode(),
    ],
)
def test_the_same_subtitles_in_another_dress_are_right(content: bytes, tmp_path: Path) -> None:
    assert said_of(content, tmp_path) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (GOOD.split("\n\n")[0], "film.srt has 1 subtitle, expected 2."),
        (f"{GOOD}\n{GOOD}", "film.srt has 4 subtitles, expected 2."),
        (GOOD.replace("2\n01", "7\n01"), "numbers, no. 2: expected “2”, found “7”."),
        (GOOD.replace("\n42", "\n43"), "texts, no. 2: expected “42”, found “43”."),
        (
            GOOD.replace("05,000", "05,002"),
            "subtitle 2: expected 01:02:03,004 --> 01:02:05,000, "
            "found 01:02:03,004 --> 01:02:05,002.",
        ),
    ],
)
def test_what_differs_is_said_by_its_place(content: str, says: str, tmp_path: Path) -> None:
    said = said_of(content.encode(), tmp_path)
    assert len(said) == 1
    assert said[0].endswith(says)


@pytest.mark.parametrize(
    "content",
    [
        b"test",
        b"\0" * 100,
        b"\n" * 1000,
        GOOD.replace("1\n00", "one\n00").encode(),
        GOOD.replace("01,500", "01.500").encode(),
        GOOD.replace("00:00:01", "00:00:61").encode(),
        GOOD.replace("00:00:01", "9" * 5000 + ":00:01").encode(),
        GOOD.replace("00:00:01", "٠٠:00:01").encode(),
        GOOD.replace("\n\n", "\n").replace("2\n01", "\n01").encode(),
    ],
)
def test_what_is_no_subtitle_file_is_the_files_fault(content: bytes, tmp_path: Path) -> None:
    said = said_of(content, tmp_path)
    assert len(said) == 1
    assert said[0].startswith(("film.srt could not be read as subtitles", "film.srt has 0 sub"))


def test_the_reader_has_its_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subtitles, "MAX_SUBTITLES", 1)
    assert "more than 1 subtitles" in said_of(GOOD.encode(), tmp_path)[0]
    monkeypatch.setattr(subtitles, "MAX_BYTES", 10)
    assert "more than 10 bytes" in said_of(GOOD.encode(), tmp_path)[0]


def test_moments_are_written_and_read() -> None:
    for ms in (0, 999, 3_723_004, 359_999_999):
        assert subtitles.to_ms(subtitles.clock(ms)) == ms
    with pytest.raises(ValueError, match="no moment"):
        subtitles.to_ms("1:2:3")
