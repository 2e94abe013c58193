"""Recognises the format of a file by its content, and sends it to that format's reader."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leaderboard.trajectories.readers import pybench_jsonl, stored_record, zip_archive
from leaderboard.trajectories.readers.assembled_attempt import damage_at, sequence
from leaderboard.trajectories.readers.attempt_reading import (
    AttemptReading,
    LineError,
    Row,
)
from leaderboard.trajectories.readers.conversation import Unusable
from leaderboard.trajectories.readers.harnesses import (
    agent_sessions,
    atif,
    inspect_log,
    notebook_cells,
    openhands,
    responses,
    smolagents,
    swe_agent,
)
from leaderboard.trajectories.readers.json_documents import (
    Document,
    in_utf8,
    parse_document,
    parse_line,
)
from leaderboard.trajectories.readers.other_formats import other_format
from leaderboard.trajectories.readers.zip_archive import Archive, content_of, list_members

GZIP = b"\x1f\x8b"
MAX_BYTES = 256 << 20  # of a file, unpacked
MAX_ERRORS = 1_000  # that are named
MAX_GZIP_MEMBERS = 20_000
GZIP_PIECE = 1 << 16  # fed at once: what follows a member's end in it is looked at again
MAX_LINES = 100_000  # of a file that has a message or an event on each


@dataclass(frozen=True)
class Reader:
    """A format: how its values look, and how they are read."""

    recognises: Callable[[object], bool]
    read: Callable[[Sequence[Document]], AttemptReading]


READERS = tuple(
    Reader(module.recognises, module.read)
    for module in (
        stored_record,
        atif,
        inspect_log,
        notebook_cells,
        swe_agent,
        openhands,
        smolagents,
        responses,
        agent_sessions,
    )
)


def read_packed(data: bytes) -> AttemptReading:
    """The attempts of a file, of a gzip file or of an archive."""
    try:
        return read_container(data)
    except Unusable as problem:
        return unknown(UNKNOWN, str(problem))


def read_container(data: bytes) -> AttemptReading:
    if data.startswith(zip_archive.ZIP):
        return read_zip(data)
    if not data.startswith(GZIP):
        return read_plain(data)
    try:
        unpacked, cut = gunzip(data)
    except Unusable as problem:
        return unknown("a gzip file", str(problem))
    reading = read_plain(unpacked)
    if not cut:
        return reading
    error = LineError(len(reading.rows) + len(reading.errors) + 1, cut)
    return replace(reading, errors=(*reading.errors, error), cut=reading.cut or "cut off")


def gunzip(data: bytes) -> tuple[bytes, str]:
    """The content of a gzip file, with a sentence if the file is cut off. Raises Unusable."""
    parts: list[bytes] = []
    size = place = members = 0
    while data[place : place + 2] == GZIP:  # members follow each other
        stream, members = zlib.decompressobj(wbits=31), members + 1
        if members > MAX_GZIP_MEMBERS:
            raise Unusable(f"The gzip file has more than {MAX_GZIP_MEMBERS:,} members.")
        while not stream.eof and place < len(data):
            piece = data[place : place + GZIP_PIECE]
            try:
                part = stream.decompress(piece, MAX_BYTES + 1 - size)
            except zlib.error:
                if size:
                    return b"".join(parts), "The gzip file is damaged; what comes before was read."
                raise Unusable("The gzip file is damaged: it cannot be unpacked.") from None
            parts.append(part)
            size += len(part)
            if size > MAX_BYTES:
                raise Unusable(f"The gzip file unpacks to more than {MAX_BYTES >> 20} MiB.")
            place += len(piece) - len(stream.unused_data)
        if not stream.eof and not size:
            raise Unusable("The gzip file is cut off before its first byte of content.")
        if not stream.eof:
            return b"".join(parts), "The gzip file is cut off; what comes before was read."
    return b"".join(parts), ""


def read_plain(data: bytes) -> AttemptReading:
    """The attempts of a file that is not packed."""
    if len(data) > MAX_BYTES:
        raise Unusable(f"The file is longer than {MAX_BYTES >> 20} MiB.")
    known = other_format(data)
    if known:
        return unknown("a file of another format", f"{known}.")
    text = in_utf8(data)
    if not text.strip(b" \t\r\n\x00"):
        return unknown("an empty file", "The file is empty.")
    if text.lstrip(b" \t\r\n\x00\xef\xbb\xbf")[:1] not in (b"{", b"["):
        if record := stored_record.read_page(text):
            return stored_record.read([record])
        lines = pybench_jsonl.read_lines(data)
        return lines if lines.rows else unknown(UNKNOWN, NO_JSON)
    probe = first_value(text)
    if probe is not None:
        return read_lines(data, text, probe.value)
    return read_whole(text)


UNKNOWN = "an unknown file"
NO_JSON = "The file holds neither a JSON object nor an array: it is of no known format."
SPANS = "resourceSpans"
NO_SPANS = "The file holds OpenTelemetry spans, which are not read: send another export."
NO_FORMAT = "The file is JSON, but of no known format."


def unknown(name: str, sentence: str) -> AttemptReading:
    """The reading of a file without attempts."""
    return AttemptReading((), (LineError(1, sentence),), name)


def first_value(text: bytes) -> Document | None:
    """The value of the first line that is one, if the file has a value on each line."""
    line, seen = 0, 0
    for raw in text.split(b"\n", 50)[:50]:
        line += 1
        if not raw.strip(b" \t\r\x00"):
            continue
        seen += 1
        if seen > 2:
            return None
        try:
            value, _ = parse_line(raw)
        except Unusable:
            if raw[:1] not in (b"{", b"["):
                return None
            continue
        if isinstance(value, dict) or (isinstance(value, list) and seen == 1):
            return Document(value, line)
    return None


def read_lines(data: bytes, text: bytes, first: Any) -> AttemptReading:
    """The attempts of a file with a JSON value on each line, or on its only line."""
    if isinstance(first, dict) and SPANS in first:
        return unknown("OpenTelemetry spans", NO_SPANS)
    reader = reader_for(first)
    if reader is None and isinstance(first, list):
        return read_list(Document(first))
    if reader is None and "role" not in first:
        lines = pybench_jsonl.read_lines(data)
        is_known = lines.rows or "messages" in first
        return lines if is_known else replace(lines, format_name=f"JSON lines of {NO_KNOWN}")
    documents, errors, cut = parse_lines(text)
    if reader is None:  # a message on each line
        whole = Document([one.value for one in documents])
        reader = reader_for(whole.value)
        reading = reader.read([whole]) if reader else read_list(whole)
    else:
        reading = reader.read(documents)
    told = sorted((*reading.errors, *errors), key=lambda error: error.line)
    return replace(reading, errors=tuple(told[:MAX_ERRORS]), cut=cut)


NO_KNOWN = "no known format"


def parse_lines(text: bytes) -> tuple[list[Document], list[LineError], str]:
    """The values of the lines, the faults, and the words for a file that ends within a line."""
    documents: list[Document] = []
    errors: list[LineError] = []
    lines = text.split(b"\n")
    for number, raw in enumerate(lines[:MAX_LINES], 1):
        if not raw.strip(b" \t\r\x00"):
            continue
        try:
            value = parse_line(raw)[0]
            if isinstance(value, dict | list):
                documents.append(Document(value, number, raw))
            else:
                errors.append(LineError(number, "The line is JSON, but neither object nor array."))
        except Unusable as problem:
            errors.append(LineError(number, str(problem)))
    if len(lines) > MAX_LINES:
        errors.append(LineError(MAX_LINES + 1, f"There are more than {MAX_LINES:,} lines."))
    is_cut = bool(errors) and errors[-1].line == len(lines)
    return documents, errors, f"cut at line {len(lines)}" if is_cut else ""


def read_whole(text: bytes) -> AttemptReading:
    """The attempts of a file that is one JSON document, or would be if it went on."""
    try:
        document = parse_document(text)
    except Unusable as problem:
        lines = pybench_jsonl.read_lines(text)
        return lines if lines.rows else unknown(f"JSON of {NO_KNOWN}", str(problem))
    reader, value = reader_for(document.value), document.value
    if reader is not None:
        return with_damage(reader.read([document]), document)
    if isinstance(value, dict) and SPANS in value:
        return unknown("OpenTelemetry spans", NO_SPANS)
    if isinstance(value, dict):
        document = replace(document, value=[value])
    reading = with_damage(read_list(document), document)
    if reading.rows or not document.damage:
        return reading
    lines = pybench_jsonl.read_lines(text)
    return lines if lines.rows else reading


def reader_for(value: object) -> Reader | None:
    return next((reader for reader in READERS if reader.recognises(value)), None)


def with_damage(reading: AttemptReading, document: Document) -> AttemptReading:
    """The reading, with a sentence on where the file ends or is no JSON."""
    if not document.damage:
        return reading
    words = "is cut off" if document.damage == "cut" else "is no valid JSON from here on"
    error = LineError(max(1, len(reading.rows)), f"The file {words}; what comes before was read.")
    return replace(reading, errors=(*reading.errors, error))


def read_list(document: Document) -> AttemptReading:
    """The attempts of a list: of conversations, of messages, or of documents of one format."""
    values = sequence(document.value)
    if values and all(isinstance(value, dict) and "role" in value for value in values[:50]):
        values = [{"messages": values}]
    elif values and isinstance(values[0], list):
        values = [{"messages": value} for value in values]
    reader = reader_for(values[0]) if values else None
    if reader is not None:
        return reader.read([Document(value, n) for n, value in enumerate(values, 1)])
    if not any(isinstance(value, dict) and "messages" in value for value in values):
        return unknown(f"JSON of {NO_KNOWN}", NO_FORMAT if values else "The JSON array is empty.")
    rows: list[Row] = []
    errors: list[LineError] = []
    for number, value in enumerate(values[: pybench_jsonl.MAX_ROWS], 1):
        try:
            rows.append(pybench_jsonl.read_row(value, number))
        except Unusable as problem:
            errors.append(LineError(number, str(problem)))
    first = next((value for value in values if isinstance(value, dict)), {})
    is_pybench = not pybench_jsonl.OWN_KEYS.isdisjoint(first)
    cut = damage_at(document, "attempt", len(values))
    return replace(pybench_jsonl.reading_of(rows, errors, is_pybench), unit="attempt", cut=cut)


def read_zip(data: bytes) -> AttemptReading:
    """The attempts of an archive: an Inspect log, or files of any format, each read by itself."""
    archive = list_members(data)
    if inspect_log.is_archive(archive):
        return inspect_log.read_archive(data, archive)
    if not archive.members:
        errors = [LineError(1, problem) for problem in archive.problems]
        empty = LineError(1, "The archive is cut off or damaged." if archive.is_cut else NO_MEMBER)
        return AttemptReading((), (*errors, empty), "a zip archive")
    return read_members(data, archive)


NO_MEMBER = "The archive has no file that can be read."
NESTED = "“{}” is an archive inside the archive: it is not unpacked."


def read_members(data: bytes, archive: Archive) -> AttemptReading:
    """The attempts of each file of an archive; files that hold none are left out."""
    rows: list[Row] = []
    errors = [LineError(1, problem) for problem in archive.problems]
    names: dict[str, None] = {}
    losses: dict[str, None] = {}
    room = MAX_BYTES
    for number, member in enumerate(archive.members, 1):
        try:
            content = content_of(data, member, room)
        except Unusable as problem:
            errors.append(LineError(number, str(problem)))
            continue
        room -= len(content)
        if not may_hold_attempts(member.name, content):
            if content.startswith((*zip_archive.ZIP, GZIP)) and not is_office(member.name):
                errors.append(LineError(number, NESTED.format(member.shown)))
            continue
        reading = read_plain(content)
        if not reading.rows and not is_trajectory(member.name):
            continue
        rows += [replace(row, line=number) for row in reading.rows]
        errors += [LineError(number, f"“{member.shown}”: {e.what}") for e in reading.errors[:100]]
        names.setdefault(reading.description)
        losses |= dict.fromkeys(reading.losses)
    if archive.is_cut:
        errors.append(LineError(len(archive.members), zip_archive.CUT))
    elif not rows and not errors:
        errors.append(LineError(1, NO_MEMBER))
    name = f"a zip archive of {', '.join(names)}" if names else "a zip archive"
    cut = f"cut at file {len(archive.members)}" if archive.is_cut else ""
    return AttemptReading(
        tuple(rows[: pybench_jsonl.MAX_ROWS]), tuple(errors[:MAX_ERRORS]), name, cut, tuple(losses),
        unit="file",
    )  # fmt: skip


def may_hold_attempts(name: str, content: bytes) -> bool:
    """True for text that begins like JSON; the name keeps tables of data out."""
    if name.endswith((".csv", ".py", ".txt", ".md", ".html")):
        return False
    return in_utf8(content[:64]).lstrip(b" \t\r\n")[:1] in (b"{", b"[")


def is_trajectory(name: str) -> bool:
    return name.endswith((".jsonl", ".traj", ".ipynb", ".trajectory.json", ".traj.json"))


def is_office(name: str) -> bool:
    """True for documents that are archives in themselves: they are a task's files."""
    return name.endswith((".xlsx", ".docx", ".pptx", ".npz", ".ods", ".odt"))
