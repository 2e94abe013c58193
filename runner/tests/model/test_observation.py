"""Observation of a cell for the model."""

from __future__ import annotations

import pytest

from runner.contract import CellResult, CellStatus, Limits, Output, OutputKind
from runner.model.observation import as_written, observe

LIMITS = Limits(observation_chars=1000)
OUT, ERR, NOTICE = OutputKind.STDOUT, OutputKind.STDERR, OutputKind.NOTICE


def told(*outputs: Output, status: CellStatus = CellStatus.OK, reason: str = "") -> str:
    return observe(CellResult(status, outputs, 3.0, reason), LIMITS)


def rich(kind: OutputKind, text: str, **data: str) -> Output:
    named = {mime.replace("_", "/"): content for mime, content in data.items()}
    return Output(kind, text, {"text/plain": text, **named})


def test_says_what_was_printed_and_returned_in_order() -> None:
    result = rich(OutputKind.RESULT, "42")
    text = told(Output(OUT, "a"), Output(OUT, "b\n"), Output(ERR, "careful\n"), result)
    assert text == "ab\n[stderr]\ncareful\n42"


def test_a_picture_is_mentioned_never_sent() -> None:
    text = told(rich(OutputKind.DISPLAY, "<Figure>", image_png="iVBORw0KGgo="))
    assert "<Figure>" in text
    assert "image" in text
    assert "iVBOR" not in text


def test_says_that_nothing_was_printed() -> None:
    assert told() == "[The cell ran and printed nothing.]"
    assert told(Output(ERR, "\n")) == "[The cell ran and printed nothing.]"


def error(text: str, name: str = "KeyError", value: str = "'x'") -> Output:
    return Output(OutputKind.ERROR, text, error_name=name, error_value=value)


def test_a_traceback_loses_its_colours() -> None:
    text = told(error("\x1b[0;31mKeyError\x1b[0m: 'x'"), status=CellStatus.ERROR)
    assert text == "KeyError: 'x'"


def test_an_error_without_traceback_still_has_its_name() -> None:
    assert told(error(""), status=CellStatus.ERROR) == "KeyError: 'x'"


def test_a_long_traceback_keeps_both_ends() -> None:
    text = told(error("\n".join(f"frame {n}" for n in range(100)) + "\nKeyError: 'x'"))
    assert text.startswith("frame 0\n")
    assert text.endswith("KeyError: 'x'")
    assert "lines of the traceback cut" in text
    assert "frame 50" not in text


def test_long_output_is_cut_in_the_middle_with_the_cut_shown() -> None:
    text = told(Output(OUT, "a" * 5000 + "z" * 5000))
    assert text.startswith("aaa")
    assert text.endswith("zzz")
    assert "[… 9,000 characters cut …]" in text
    assert len(text) < 1100


def test_what_fits_is_not_cut() -> None:
    assert told(Output(OUT, "a" * 1000)) == "a" * 1000


ENDINGS = [
    (CellStatus.TIMEOUT, "", "Variables are kept"),
    (CellStatus.KILLED, "timeout", "variables and imports are lost"),
    (CellStatus.KILLED, "memory", "more memory"),
    (CellStatus.KILLED, "something new", "variables and imports are lost"),
]


@pytest.mark.parametrize(("status", "reason", "words"), ENDINGS)
def test_says_how_a_cell_ended_badly(status: CellStatus, reason: str, words: str) -> None:
    assert words in told(Output(OUT, "a"), status=status, reason=reason)


def test_the_sandbox_speaks_for_itself() -> None:
    notice = Output(NOTICE, "The cell was interrupted.")
    assert told(notice, status=CellStatus.TIMEOUT) == "[The cell was interrupted.]"


WRITTEN = [
    ("10%\r50%\r100%\n", "100%\n"),
    ("line\r\nline\r\n", "line\nline\n"),
    ("50%\r", "50%"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b[1m\x1b[38;5;9mred\x1b[0m", "red"),
    ("a\x00b\x07", "ab"),
    ("half \ud800 pair", "half \ufffd pair"),
    ("tab\tstays", "tab\tstays"),
]


def test_text_is_read_as_a_terminal_leaves_it(subtests: pytest.Subtests) -> None:
    for raw, text in WRITTEN:
        with subtests.test(raw=raw, text=text):
            assert as_written(raw) == text
