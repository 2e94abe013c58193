"""Texts and tables of unknown encoding and dialect, as the programs that people use write them."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Of files without a mark that are no UTF-8, as charset-normalizer names them.
USUAL = [
    "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr",
    "cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp874",
]  # fmt: skip
NAMES = {
    "gb18030": "GB 18030", "big5": "Big5", "shift_jis": "Shift JIS", "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR", "koi8_r": "KOI8-R", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16",
}  # fmt: skip
DELIMITERS = ",;\t|"
LOOKED_AT, SAMPLE_CHARS = 30, 20_000  # records that tell how the fields are parted
LONGEST_CELL = 1 << 20


def decode(content: bytes) -> tuple[str, str] | None:
    """The text of `content`, and the encoding's name where it was guessed; None for no text.

    `content` may be the head of a file: a character that is cut at its end is left out.
    """
    for mark, name in MARKS:
        if content.startswith(mark):
            return decode_as(content, name), ""
    if name := wide_encoding(content):
        return decode_as(content, name), NAMES[name]
    if b"\0" in content:
        return None
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(content), ""
    except UnicodeDecodeError:
        return guess(content)


def wide_encoding(content: bytes) -> str:
    """UTF-16 without a mark, by where its zeros stand; "" for anything else."""
    head = content[:4096]
    pairs = len(head) // 2
    if pairs < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.3 * pairs and even < 0.02 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 * pairs and odd < 0.02 * pairs else ""


def guess(content: bytes) -> tuple[str, str] | None:
    """The text in the encoding that fits best; None where much of it is no writing."""
    if sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in content) > len(content) // 100:
        return None
    from charset_normalizer import from_bytes

    found = from_bytes(content, cp_isolation=USUAL, enable_fallback=False).best()
    name = found.encoding if found else "cp1252"
    text = decode_as(content, name)
    # Few Chinese words look like Korean with Chinese characters among it, which nobody writes now.
    if name == "euc_kr" and any("\u4e00" <= char <= "\u9fff" for char in text):
        name, text = "gb18030", decode_as(content, "gb18030")
    elif text == decode_as(content, "cp1252"):
        name = "cp1252"
    return text, NAMES.get(name) or name.replace("cp", "Windows-")


def decode_as(content: bytes, encoding: str) -> str:
    return codecs.getincrementaldecoder(encoding)("replace").decode(content)


def read_records(text: str, usual: str = ",") -> list[list[str]]:
    """The records of a table with any delimiter; [] where it cannot be read as one.

    A first line "sep=;", as spreadsheets write it, is obeyed and left out.
    """
    first, _, rest = text.partition("\n")
    named = first.strip().strip('"')
    if len(named) == 5 and named.lower().startswith("sep="):
        return parse(rest, named[4])
    rates = {sign: rate_delimiter(text, sign) for sign in {*DELIMITERS, usual}}
    best = max(rates, key=lambda sign: (rates[sign][0], sign == usual, rates[sign][1]))
    return parse(text, best if rates[best][1] else usual)


def rate_delimiter(text: str, delimiter: str) -> tuple[float, int]:
    """The share of records that have the commonest number of fields, and that number; (0, 0)
    where most have one field."""
    records = parse(text[:SAMPLE_CHARS], delimiter)[:LOOKED_AT]
    counts = Counter(map(len, records))
    fields, records_with = max(counts.items(), key=lambda one: one[1], default=(0, 0))
    return (records_with / len(records), fields) if fields > 1 else (0.0, 0)


def parse(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        return [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
    except csv.Error:
        return []
