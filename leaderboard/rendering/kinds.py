"""Kinds of files, by their first bytes where these are of one kind alone, else by their name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

OTHER = "application/octet-stream"
LARGE_PICTURE = "image/x-large"  # with more pixels than a page shows
HEAD_BYTES = 512  # that tell a kind
OFFICE = "application/vnd.openxmlformats-officedocument"
OPEN = "application/vnd.oasis.opendocument"


@dataclass(frozen=True)
class FileKind:
    """A kind that a browser shows as it is, that a sandbox opens, or both."""

    mime: str
    suffixes: tuple[str, ...]
    agrees: Callable[[bytes], bool]  # with the first bytes
    reader: str = ""  # word of `runner.previews.inside`


def starts(*signs: bytes, at: int = 0) -> Callable[[bytes], bool]:
    return lambda head: head[at:].startswith(signs)


def is_mpeg_audio(head: bytes) -> bool:
    """The eleven set bits that start a frame of MPEG audio, or the tag before it."""
    is_frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    return head[:3] == b"ID3" or is_frame


def is_adts(head: bytes) -> bool:
    return len(head) > 1 and head[0] == 0xFF and head[1] & 0xF6 == 0xF0


def riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda head: head[:4] == b"RIFF" and head[8:12] == kind


def is_workbook_of_old(head: bytes) -> bool:
    """Excel's of before 2007, or what is often saved under its name: a newer one, a page, text."""
    is_text = b"\0" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return starts(b"\xd0\xcf\x11\xe0", b"\x09\x08", b"PK\x03\x04")(head) or is_text


def is_binary(head: bytes) -> bool:
    """True for what is no text: a program's source has suffixes of films, as TypeScript does."""
    return any(byte < 9 or byte > 126 for byte in head[:64])


OTHER_SOUND = ("aif", "aiff", "wma", "au", "ac3", "amr", "m4b", "mka", "caf")
OTHER_FILM = ("mpg", "mpeg", "wmv", "flv", "ts", "3gp", "ogv", "m2ts")
OTHER_PICTURES = ("tga", "ppm", "pgm", "pbm", "pcx", "dds", "icns", "xbm", "qoi")
ZIP = starts(b"PK\x03\x04")
OLE = starts(b"\xd0\xcf\x11\xe0")  # also of newer documents with a password
FTYP = starts(b"ftyp", at=4)

KINDS = (
    FileKind("application/pdf", ("pdf",), starts(b"%PDF-"), "pdf"),
    FileKind(f"{OFFICE}.spreadsheetml.sheet", ("xlsx", "xlsm"), lambda h: ZIP(h) or OLE(h), "xlsx"),
    FileKind(f"{OFFICE}.wordprocessingml.document", ("docx", "docm"), ZIP, "docx"),
    FileKind(f"{OFFICE}.presentationml.presentation", ("pptx", "pptm"), ZIP, "pptx"),
    FileKind("application/vnd.ms-excel", ("xls",), is_workbook_of_old, "xls"),
    FileKind(f"{OPEN}.spreadsheet", ("ods",), ZIP, "ods"),
    FileKind(f"{OPEN}.text", ("odt",), ZIP, "odt"),
    FileKind(f"{OPEN}.presentation", ("odp",), ZIP, "odt"),
    FileKind("application/epub+zip", ("epub",), ZIP, "epub"),
    FileKind("message/rfc822", ("eml",), lambda head: b"\0" not in head, "eml"),
    FileKind("application/x-ipynb+json", ("ipynb",), lambda head: b"\0" not in head, "ipynb"),
    FileKind(
        "application/vnd.sqlite3",
        ("sqlite", "sqlite3", "db"),
        starts(b"SQLite format 3\0"),
        "sqlite",
    ),
    FileKind("application/x-duckdb", ("duckdb", "ddb", "db"), starts(b"DUCK", at=8), "duckdb"),
    FileKind("application/vnd.apache.parquet", ("parquet",), starts(b"PAR1"), "parquet"),
    FileKind(
        "application/vnd.apache.arrow.file",
        ("feather", "arrow"),
        starts(b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"),
        "feather",
    ),
    FileKind("application/x-npy", ("npy",), starts(b"\x93NUMPY"), "npy"),
    FileKind("application/x-npz", ("npz",), ZIP, "npz"),
    FileKind("application/zip", ("zip",), starts(b"PK\x03\x04", b"PK\x05\x06"), "zip"),
    FileKind("application/x-tar", ("tar",), starts(b"ustar", at=257), "tar"),
    FileKind(
        "application/gzip",
        ("gz", "tgz", "bz2", "xz", "txz", "tbz2"),
        starts(b"\x1f\x8b", b"BZh", b"\xfd7zXZ"),
        "gz",
    ),
    FileKind("image/tiff", ("tif", "tiff"), starts(b"II*\0", b"MM\0*"), "picture"),
    FileKind("image/heic", ("heic", "heif"), starts(b"heic", b"heix", b"mif1", at=8), "picture"),
    FileKind("image/vnd.adobe.photoshop", ("psd",), starts(b"8BPS"), "picture"),
    FileKind("image/jp2", ("jp2",), starts(b"\0\0\0\x0cjP"), "picture"),
    FileKind(LARGE_PICTURE, (), lambda head: False, "picture"),
    FileKind("audio/wav", ("wav",), riff(b"WAVE"), "wav"),
    FileKind("audio/aac", ("aac",), is_adts, "aac"),
    FileKind("audio/mpeg", ("mp3",), is_mpeg_audio, "mp3"),
    FileKind("audio/ogg", ("ogg", "oga", "opus"), starts(b"OggS"), "ogg"),
    FileKind("audio/flac", ("flac",), starts(b"fLaC"), "flac"),
    FileKind("audio/mp4", ("m4a",), FTYP, "m4a"),
    FileKind("application/x-matlab-data", ("mat",), starts(b"MATLAB 5.0"), "mat"),
    FileKind("video/x-other", ("y4m",), starts(b"YUV4MPEG2 "), "media"),
    FileKind("audio/x-other", OTHER_SOUND, is_binary, "media"),
    FileKind("video/x-other", OTHER_FILM, is_binary, "media"),
    FileKind("image/x-other", OTHER_PICTURES, lambda head: True, "picture"),
    FileKind("application/x-orc", ("orc",), starts(b"ORC"), "orc"),
    FileKind(
        "application/x-stata", ("dta",), starts(b"<stata_dta>", b"\x71", b"\x72", b"\x73"), "dta"
    ),
    FileKind(
        "video/quicktime", ("mov",), starts(b"ftypqt", b"moov", b"mdat", b"wide", at=4), "mov"
    ),
    FileKind("video/mp4", ("mp4", "m4v"), FTYP, "mp4"),
    FileKind("video/webm", ("webm",), starts(b"\x1a\x45\xdf\xa3"), "webm"),
    FileKind("video/x-matroska", ("mkv",), starts(b"\x1a\x45\xdf\xa3"), "mkv"),
    FileKind("video/x-msvideo", ("avi",), riff(b"AVI "), "avi"),
)

READ_AS = {kind.mime: kind.reader for kind in KINDS}
OPENED_IN_SANDBOX = frozenset(suffix for kind in KINDS for suffix in kind.suffixes)
PDF = "application/pdf"
# That browsers show and play as they are, by the name that Pillow has for the pictures.
PICTURES = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/bmp": "BMP",
    "image/x-icon": "ICO",
    "image/avif": "AVIF",
}
IMAGES = frozenset(PICTURES)
AUDIO = frozenset({"audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/mp4", "audio/aac"})
VIDEOS = frozenset({"video/mp4", "video/webm"})

# Markup and scripts are plain text here: nothing a model wrote gets an active type.
PLAIN = [
    "txt",
    "md",
    "py",
    "sql",
    "log",
    "srt",
    "tex",
    "ini",
    "toml",
    "yaml",
    "yml",
    "html",
    "htm",
    "css",
    "js",
    "xml",
]
TEXTS = dict.fromkeys(PLAIN, "text/plain") | {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "svg": "image/svg+xml",  # shown through <img> alone, where scripts do not run
}


def suffix_of(name: str) -> str:
    return PurePosixPath(name).suffix.lstrip(".").lower()


def kind_by_bytes(head: bytes, name: str) -> str:
    """The MIME type of a file with the first bytes `head`; OTHER for one that nothing tells.

    The kind that its name claims comes first, if its bytes agree.
    """
    suffix = suffix_of(name)
    if suffix in TEXTS and b"\0" not in head:
        return TEXTS[suffix]
    claimed = [kind for kind in KINDS if suffix in kind.suffixes]
    known = [kind for kind in KINDS if kind.mime in KNOWN_BY_BYTES]
    return next(
        (kind.mime for kind in (*claimed, *known) if kind.agrees(head)), TEXTS.get(suffix, OTHER)
    )


# Kinds whose first bytes are theirs alone, whatever the file is called.
KNOWN_BY_BYTES = frozenset({
    "application/pdf", "application/vnd.sqlite3", "application/vnd.apache.parquet",
    "application/vnd.apache.arrow.file", "application/x-npy", "application/zip",
    "application/x-tar", "application/gzip", "image/tiff", "image/heic",
    "audio/wav", "audio/ogg", "audio/flac", "video/quicktime", "video/mp4", "video/webm",
    "video/x-msvideo",
})  # fmt: skip
