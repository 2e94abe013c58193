"""Recognises files that hold no trajectories which can be read, so that a refusal can name them."""

from __future__ import annotations

MAGIC = (
    (b"BZh", "The file is compressed with bzip2: unpack it first"),
    (b"\xfd7zXZ\x00", "The file is compressed with xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "The file is compressed with zstd: unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "The file is a 7z archive: pack it as zip"),
    (b"Rar!", "The file is a RAR archive: pack it as zip"),
    (b"\x1f\x8b", "The file is compressed with gzip twice: unpack it first"),
    (b"PK\x03\x04", "The file is a zip archive inside another file: unpack it first"),
    (b"PAR1", "The file is a Parquet table: write it as JSON lines first"),
    (b"ARROW1", "The file is an Arrow table: write it as JSON lines first"),
    (b"SQLite format 3\x00", "The file is an SQLite database"),
    (b"%PDF", "The file is a PDF"),
    (b"\x89PNG\r\n", "The file is a picture"),
    (b"\xff\xd8\xff", "The file is a picture"),
    (b"GIF8", "The file is a picture"),
    (b"\x7fELF", "The file is a program"),
)


def other_format(data: bytes) -> str:
    """The format of a file that is no text, in the words of a sentence; "" if unknown."""
    if data[257:262] == b"ustar":
        return "The file is a tar archive: pack it as zip"
    return next((name for first, name in MAGIC if data.startswith(first)), "")
