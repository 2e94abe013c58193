"""Archives and packed files: their members, never unpacked, or the text that is packed."""

from __future__ import annotations

import bz2
import datetime
import gzip
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from runner.previews.inside.documents import read_docx, read_pptx
from runner.previews.inside.parts import (
    MAX_DOCUMENT_ENTRIES,
    MAX_ENTRIES,
    MAX_UNPACKED_BYTES,
    CannotOpen,
    Part,
    head_of,
    sentence,
    table,
    text,
)
from runner.previews.inside.workbooks import read_xlsx
from runner.previews.texts import decode, read_records

MAX_TEXT_BYTES = 8 << 20  # unpacked of a packed text
DOCUMENTS = {  # by the member that only they have, whatever the file is called
    "xl/workbook.xml": read_xlsx,
    "word/document.xml": read_docx,
    "ppt/presentation.xml": read_pptx,
}
NAME = sys.argv[2] if len(sys.argv) > 2 else ""  # of the file


def read_zip(path: str) -> Part:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    held = {entry.filename for entry in entries}
    if inner := next((read for name, read in DOCUMENTS.items() if name in held), None):
        return inner(path)
    listed = [["Name", "Bytes", "Packed", "Changed"]]
    names, guessed = member_names(entries[:MAX_ENTRIES])
    for name, entry in zip(names, entries, strict=False):
        day = "{:04}-{:02}-{:02}".format(*entry.date_time[:3])
        listed.append([name, f"{entry.file_size:,}", f"{entry.compress_size:,}", day])
    locked = any(entry.flag_bits & 1 for entry in entries)
    return list_members(
        listed,
        len(entries),
        sum(entry.file_size for entry in entries),
        sentence(
            "Members are protected by a password." if locked else "",
            f"Names read as {guessed}." if guessed else "",
        ),
    )


def member_names(entries: Sequence[zipfile.ZipInfo]) -> tuple[list[str], str]:
    """Their names in the encoding of whoever packed them, and that encoding if it was guessed.

    Python takes unmarked ones for CP437, which is right where that makes words of them.
    """
    unmarked = [entry.filename for entry in entries if not entry.flag_bits & 0x800]
    high = [char for name in unmarked for char in name if ord(char) > 127]
    if not high or all(char.isalpha() and not "\u0370" <= char <= "\u03ff" for char in high):
        return [entry.filename for entry in entries], ""
    found = decode("\n".join(unmarked).encode("cp437", "replace"))
    right = iter(found[0].split("\n") if found else unmarked)
    names = [
        entry.filename if entry.flag_bits & 0x800 else next(right, entry.filename)
        for entry in entries
    ]
    return names, found[1] if found else ""


def list_members(listed: list[list[str]], count: int, unpacked: int, note: str = "") -> Part:
    return {
        "facts": [["members", f"{count:,}"], ["bytes unpacked", f"{unpacked:,}"]],
        "parts": [table("Members", listed, count, is_list=True)],
        "note": note,
    }


def read_tar(path: str) -> Part:
    listed, count, unpacked = [["Name", "Bytes", "Kind", "Changed"]], 0, 0
    with tarfile.open(path, "r|*") as archive:
        for entry in archive:
            count += 1
            unpacked += entry.size
            if count > MAX_DOCUMENT_ENTRIES or unpacked > MAX_UNPACKED_BYTES:
                return list_members(listed, count, unpacked, "It has more: reading stopped there.")
            if count <= MAX_ENTRIES:
                day = datetime.datetime.fromtimestamp(entry.mtime, datetime.UTC).date()
                kind = "folder" if entry.isdir() else "file" if entry.isfile() else "link"
                listed.append([entry.name, f"{entry.size:,}", kind, str(day)])
    return list_members(listed, count, unpacked)


def read_gz(path: str) -> Part:
    """A packed tar, or a packed text or table."""
    with suppress(tarfile.TarError):
        return read_tar(path)
    head = head_of(path)
    unpack = (
        bz2.open if head.startswith(b"BZh") else lzma.open if head[1:4] == b"7zX" else gzip.open
    )
    with unpack(path) as packed_text:
        content = packed_text.read(MAX_TEXT_BYTES + 1)
    found = decode(content)
    if found is None:
        raise CannotOpen("what is packed in it is no text")
    inner = PurePosixPath(NAME).with_suffix("").name
    is_cut = len(content) > MAX_TEXT_BYTES
    guessed = f"Read as {found[1]}." if found[1] else ""
    note = sentence(guessed, "It goes on: the beginning was unpacked." if is_cut else "")
    if inner.lower().endswith((".csv", ".tsv")):
        records = read_records(found[0])[: -1 if is_cut else None]
        count = None if is_cut else len(records) - 1
        return {"parts": [table(inner, records, count)], "note": note}
    return {"parts": [text(inner, found[0].splitlines())], "note": note}
