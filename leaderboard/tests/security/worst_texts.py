"""The worst texts for what the site reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.failures import answer_claims, conclusion, facts
from leaderboard.failures.tags import AttemptFacts, tags_of
from leaderboard.models import clean
from leaderboard.queue import transitions
from leaderboard.search import filters, words
from leaderboard.side_by_side import alignment, content, step_contents
from leaderboard.trajectories import import_file
from leaderboard.trajectories.readers import (
    any_format,
    conversation,
    interpreter_output,
    json_documents,
    stored_record,
)
from runner.recorded import PASSING
from runner.suite import placeholders
from runner.tests.support.worst_texts import K, Reader, repeated

ERRORS = (
    "ImportError", "ModuleNotFoundError", "ValueError", "AttributeError", "FileNotFoundError",
    "KeyError",
)  # fmt: skip


def name_outputs(chars: int) -> str:
    """As many names of outputs, none twice."""
    return "".join(f"output/{number} " for number in range(chars // 8))[:chars]


def tag_errors(text: str) -> object:
    """All rules over cells that raised with these words, having run these words."""
    outputs = [
        {"kind": "error", "error_name": name, "error_value": text, "text": text} for name in ERRORS
    ]
    step: Mapping[str, Any] = {
        "status": "error", "code": text, "outputs": outputs, "observation": text, "notes": [text],
    }  # fmt: skip
    return tags_of(
        AttemptFacts(
            "finished", [step, step], passed=False, answer="42", expected=("a.csv",), files=()
        )
    )


def compare_values(text: str) -> object:
    return answer_claims.is_same_but_for_presentation(text, text + "1")


def support_numbers(text: str) -> object:
    return answer_claims.unsupported_numbers("It is 12345.5.", [text])


def told(text: str) -> object:
    """Numbers of an answer, none of them seen."""
    return answer_claims.unsupported_numbers(text, ["7 8 9"])


def cut_escapes(text: str) -> object:
    return conclusion.ends_of(conclusion.ESCAPES.sub("", text))


def say_again(text: str) -> object:
    for pattern, instead in PASSING:
        text = pattern.sub(instead, text)
    return text


def fill_in(text: str) -> object:
    return placeholders.is_filled_in(["a", "b", "ab", "b", "c"], text)


def read_file(text: str) -> object:
    return any_format.read_any(text.encode())


MESSAGE = '{"role": "assistant", "content": "```python\\nx\\n```"},'
END = '{"role": "assistant", "content": "x"}]}'
CALL = '{"id": "c", "function": {"name": "python", "arguments": "{}"}},'
STEP = '{"source": "agent", "message": "x", "tool_calls": [{"function_name": "python"}]},'
CELL = '{"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "x"}]},'
SAMPLE = '{"id": "a", "messages": [{"role": "assistant", "content": "attachment://a"}]},'
EVENT = '{"source": "agent", "action": "run_ipython", "args": {"code": "x"}},'
ITEM = '{"type": "function_call", "name": "python", "arguments": "x"},'
READERS = (
    Reader(
        "leaderboard.queue.transitions.hide_paths",
        transitions.hide_paths,
        4_000,
        {
            "slashes": repeated("/"),
            "quoted slashes": repeated("'/\"/“/"),
            "open quotes": repeated("'/a "),
            "addresses": repeated("http://"),
        },
        patterns=("leaderboard.queue.transitions.PATH",),
    ),
    Reader(
        "leaderboard.side_by_side.alignment.count_words",
        alignment.count_words,
        content.TEXT_CHARS,
        {
            "letters": repeated("a"),
            "words": repeated("ab "),
            "spaces": repeated(" "),
            "signs": repeated("+-"),
        },
        patterns=("leaderboard.side_by_side.alignment.WORD",),
    ),
    Reader(
        "leaderboard.side_by_side.step_contents.without_addresses",
        step_contents.without_addresses,
        2 * content.TEXT_CHARS,
        {
            "addresses": repeated("0x7ffe12 "),
            "digits": repeated("0", before="0x"),
            "beginnings": repeated("0x"),
            "letters": repeated("a"),
        },
        patterns=("leaderboard.side_by_side.step_contents.ADDRESS",),
    ),
    Reader(
        "leaderboard.failures.answer_claims.told_numbers",
        told,
        answer_claims.MAX_ANSWER_CHARS,
        {
            "line breaks": repeated("\n"),
            "spaces": repeated(" "),
            "dashes": repeated("a-"),
            "names": repeated("a-b.csv-"),
            "letters": repeated("a"),
            "slashes": repeated("/"),
            "paths": repeated("a/", after="~"),
            "one backtick": repeated("a ", before="`"),
            "backticks": repeated("`a"),
            "groups of digits": repeated(",111", before="1", after="x"),
            "spaced groups": repeated(" 111", before="1", after="x"),
            "digits": repeated("1", after="x"),
            "numbers": repeated("123.5 "),
            "list items": repeated("1) "),
            "signs of headings": repeated("# "),
            "addresses": repeated("http://"),
            "accents": repeated("\u0301\u0316", before="a"),
            "signs that become many": repeated("ﷺ"),
        },
        (
            "leaderboard.failures.answer_claims.NAME_OR_PATH",
            "leaderboard.failures.answer_claims.ORDERED_ITEM",
            "leaderboard.failures.answer_claims.NUMBER",
        ),
    ),
    Reader(
        "leaderboard.failures.answer_claims.unsupported_numbers",
        support_numbers,
        answer_claims.MAX_SEEN_CHARS,
        {
            "numbers": lambda chars: " ".join(f"{n}.2" for n in range(chars // 8)),
            "commas": lambda chars: ",".join(str(n) for n in range(chars // 6)),
            "ones": repeated("1,"),
            "one long number": repeated("1"),
            "accents": repeated("\u0301\u0316", before="1"),
            "exponents": repeated("1e1"),
            "signs": repeated("-"),
        },
        ("leaderboard.failures.answer_claims.SEEN_NUMBER",),
    ),
    Reader(
        "leaderboard.failures.answer_claims.claims_a_file",
        lambda text: answer_claims.claims_a_file(text, ["a.csv"], ["b.csv"]),
        answer_claims.MAX_ANSWER_CHARS,
        {
            "sentences": repeated("saved not. "),
            "stops": repeated(". "),
            "spaces": repeated(" ", before="."),
            "is now": repeated("is now "),
            "line breaks": repeated("\n"),
            "letters": repeated("n"),
            "names": repeated("a.csv saved. "),
            "who": repeated("I have now just "),
            "adverbs": repeated(" now", before="was"),
            "verbs": repeated("were saved at 1 "),
            "ready": repeated("is ready "),
            "marks": repeated("-"),
        },
        (
            "leaderboard.failures.answer_claims.CLAIM",
            "leaderboard.failures.answer_claims.CLAIM_OF_FILE",
            "leaderboard.failures.answer_claims.FILE",
            "leaderboard.failures.answer_claims.DENIAL",
            "leaderboard.failures.answer_claims.SENTENCE_END",
        ),
    ),
    Reader(
        "leaderboard.trajectories.readers.stored_record.read_page",
        lambda text: stored_record.read_page(text.encode()),
        1 << 20,
        {
            "beginnings": repeated('<script id="stored-record" type="application/json">'),
            "letters": repeated("a", before='<script id="stored-record" type="application/json">'),
        },
        ("leaderboard.trajectories.readers.stored_record.IN_PAGE",),
    ),
    Reader(
        "leaderboard.failures.answer_claims.is_same_but_for_presentation",
        compare_values,
        answer_claims.MAX_VALUE_CHARS,
        {
            "separators": repeated(", "),
            "units": repeated("1 kg "),
            "thousands": repeated("1,111"),
            "digits": repeated("1"),
            "quotes": repeated('"'),
            "commas": repeated("1,1"),
            "points": repeated(".111", before="1"),
        },
        (
            "leaderboard.failures.answer_claims.UNIT",
            "leaderboard.failures.answer_claims.SEPARATORS",
            "leaderboard.failures.answer_claims.THOUSANDS",
            "leaderboard.failures.answer_claims.POINTS_OF_THOUSANDS",
            "leaderboard.failures.answer_claims.DECIMAL_COMMA",
        ),
    ),
    Reader(
        "leaderboard.failures.tags.tags_of",
        tag_errors,
        facts.MAX_CODE_CHARS,
        {
            "names that are not there": repeated("cannot import name x from "),
            "one long name": repeated("a", before="cannot import name "),
            "dotted name": repeated("a.", before="No module named "),
            "requires": repeated("a requires b"),
            "one long requirement": repeated("b", before="a requires "),
            "files that are not there": repeated("No such file or directory: '"),
            "other quotes": repeated('No such file or directory: b"', after="'"),
            "lines of files": repeated("No such file or directory: '\n"),
            "numbers": repeated("0x"),
            "digits": repeated("1 "),
            "modules": repeated("module 'pandas' has no attribute '"),
            "commands": repeated("pip curl "),
            "addresses": repeated("http"),
            "more": repeated("more code block "),
            "spaces": repeated(" "),
        },
        (
            "leaderboard.failures.rules.OTHER_VERSION",
            "leaderboard.failures.rules.HALF_IMPORTED",
            "leaderboard.failures.rules.NO_NAME",
            "leaderboard.failures.rules.NO_MODULE",
            "leaderboard.failures.rules.names",
            "leaderboard.failures.rules.MISSING",
            "leaderboard.failures.rules.GOES_ONLINE",
            "leaderboard.failures.rules.NOT_RUN",
            "leaderboard.failures.rules.PASSING",
        ),
        is_cut_before=True,  # the observation is, by its limit
    ),
    Reader(
        "leaderboard.failures.conclusion.text_of",
        cut_escapes,
        conclusion.WITH_ESCAPES_CHARS,
        {
            "escapes": repeated("\x1b]"),
            "escape digits": repeated("0", before="\x1b["),
            "endless escape": repeated("a", before="\x1b]"),
            "colours": repeated("\x1b[31m"),
        },
        ("leaderboard.failures.conclusion.ESCAPES",),
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.models.packed_json.clean",
        clean,
        300 * K,
        {"halves of pairs": repeated("\ud800"), "zeros": repeated("\x00a")},
        ("leaderboard.models.packed_json.UNSTORABLE",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.search.filters.excerpt_of",
        lambda text: filters.excerpt_of(text, ["a" * 150 + "b", "c" * 200]),
        conclusion.TEXT_CHARS,
        {"letters": repeated("a"), "dotted letters": repeated("İ")},
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.search.filters.Filter.words",
        lambda text: (filters.Filter(q=text).words, words.is_indexed(text)),
        filters.MAX_VALUE_CHARS,
        {"quotes": repeated('"'), "spaces": repeated(" ", before='"'), "letters": repeated("a")},
        ("leaderboard.search.filters.WORD", "leaderboard.search.words.INDEXED"),
        is_cut_before=True,
    ),
    Reader(
        "leaderboard.trajectories.readers.interpreter_output.read_observation",
        interpreter_output.read_observation,
        100 * K,
        {
            "letters": repeated("a", after=f" {interpreter_output.TRACEBACK}\nE: a\nValueError: b"),
            "dashes": repeated("-", after=f"\n{interpreter_output.TRACEBACK}\nValueError: b"),
            "errors": repeated("There are some errors in the code. \nError: "),
            "dots": repeated("a.", before=f"{interpreter_output.TRACEBACK}\n"),
            "line breaks": repeated("\n", before=interpreter_output.TRACEBACK),
            "tracebacks": repeated(f"{interpreter_output.TRACEBACK}\n"),
        },
        (
            "leaderboard.trajectories.readers.interpreter_output.RAISED",
            "leaderboard.trajectories.readers.interpreter_output.PLAIN_ERROR",
            "leaderboard.trajectories.readers.interpreter_output.HEADING",
        ),
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.readers.conversation.split_reply",
        conversation.split_reply,
        300 * K,
        {
            "line breaks": repeated("\n", after="```\n"),
            "labels": repeated("Action: ", after="x```\n"),
            "spaces behind a fence": repeated(" ", before="```", after="x"),
            "fences": repeated("```"),
            "blocks": repeated("```python\n```\n"),
            "blocks of shell": repeated("```bash\n```\n"),
            "one long tag": repeated("a", before="```"),
            "tags of cells": repeated("<execute_ipython>"),
        },
        ("leaderboard.trajectories.readers.conversation.FENCE",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.readers.json_documents.closed",
        json_documents.closed,
        300 * K,
        {
            "quotes": repeated('"'),
            "backslashes": repeated("\\", before='{"a": "'),
            "escaped quotes": repeated('\\"', before='{"a": "'),
            "open brackets": repeated("["),
            "brackets": repeated("[]", before="["),
            "commas": repeated(",", before="["),
            "letters": repeated("a"),
        },
        ("leaderboard.trajectories.readers.json_documents.TOKEN",),
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.readers.any_format.read_any",
        read_file,
        300 * K,
        {
            "messages": repeated(MESSAGE, '{"messages": [', END),
            "messages without an end": repeated(MESSAGE, '{"messages": ['),
            "calls of one reply": repeated(
                CALL, '{"messages": [{"role": "assistant", "tool_calls": [', "{}]}]}"
            ),
            "lines": repeated('{"messages": []}\n'),
            "lines that are cut": repeated('{"messages": [\n'),
            "steps of ATIF": repeated(STEP, '{"schema_version": "ATIF-v1.8", "steps": [', "{}]}"),
            "steps of ATIF without an end": repeated(
                STEP, '{\n"schema_version": "ATIF-v1.8", "steps": ['
            ),
            "cells": repeated(CELL, '{"nbformat": 4, "cells": [', "{}]}"),
            "samples": repeated(SAMPLE, '{"version": 2, "eval": {}, "samples": [', "{}]}"),
            "events": repeated(EVENT, "[", "{}]"),
            "items": repeated(ITEM, "[", "{}]"),
            "headers of sessions": repeated('{"type": "session", "id": "a"}\n'),
            "brackets": repeated("["),
            "quotes": repeated('"', before="{\n"),
        },
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.import_file.outputs_in",
        import_file.outputs_in,
        100 * K,
        {
            "folders": repeated("output/"),
            "dots": repeated(".a", before="output/"),
            "names": repeated("output/a.b "),
            "names without an ending": name_outputs,
            "letters": repeated("a", before="output/"),
        },
        (
            "leaderboard.trajectories.import_file.OUTPUT",
            "leaderboard.trajectories.import_file.UP_TO_ENDING",
        ),
        is_whole=True,
    ),
    Reader(
        "leaderboard.trajectories.import_file.category_key",
        lambda text: (import_file.ASIDE.sub("", text), import_file.CHINESE.search(text)),
        100 * K,
        {"brackets": repeated("("), "lines": repeated("(\n")},
        (
            "leaderboard.trajectories.import_file.ASIDE",
            "leaderboard.trajectories.import_file.CHINESE",
        ),
        is_whole=True,
    ),
    Reader(
        "runner.suite.placeholders.is_filled_in",
        fill_in,
        300 * K,
        {"parts": repeated("ab", before="a", after="x"), "letters": repeated("b", "a", "c")},
        is_whole=True,
    ),
    Reader(
        "runner.recorded.PASSING",
        say_again,
        64 * 1024,
        {
            "digits": repeated("1"),
            "dotted digits": repeated("1."),
            "hexadecimal": repeated("0x"),
            "folders": repeated("/tmp/"),
            "cells": repeated("Cell In ["),
            "hours": repeated("11:"),
        },
        ("runner.recorded.PASSING",),
        is_cut_before=True,
    ),
)  # fmt: skip
