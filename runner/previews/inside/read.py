"""Reads an untrusted file and writes what it holds as JSON: a tool that runs in a sandbox.

The sources of this folder and of `runner.previews.texts` are sent there, and import nothing else of
the project. The libraries are the kernel environment's. Nothing here has to be safe, only bounded:
whatever a file does to a library, it does to this process alone, which has no network, no other
file, and limits of time and memory.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from runner.previews.inside.archives import read_gz, read_tar, read_zip
from runner.previews.inside.data import (
    read_dta,
    read_duckdb,
    read_feather,
    read_mat,
    read_npy,
    read_npz,
    read_orc,
    read_parquet,
    read_sqlite,
)
from runner.previews.inside.documents import (
    read_docx,
    read_mail,
    read_notebook,
    read_ods,
    read_odt,
    read_pdf,
    read_pptx,
)
from runner.previews.inside.media import read_media, read_picture
from runner.previews.inside.parts import Part
from runner.previews.inside.workbooks import read_xls, read_xlsx

READERS: dict[str, Callable[[str], Part]] = {
    "xlsx": read_xlsx,
    "xls": read_xls,
    "ods": read_ods,
    "docx": read_docx,
    "pptx": read_pptx,
    "odt": read_odt,
    "pdf": read_pdf,
    "epub": read_pdf,
    "eml": read_mail,
    "ipynb": read_notebook,
    "sqlite": read_sqlite,
    "duckdb": read_duckdb,
    "parquet": read_parquet,
    "feather": read_feather,
    "orc": read_orc,
    "dta": read_dta,
    "mat": read_mat,
    "npy": read_npy,
    "npz": read_npz,
    "zip": read_zip,
    "tar": read_tar,
    "gz": read_gz,
    "picture": read_picture,
    "mp4": read_media,
    "mov": read_media,
    "webm": read_media,
    "mkv": read_media,
    "avi": read_media,
    "wav": read_media,
    "mp3": read_media,
    "ogg": read_media,
    "flac": read_media,
    "m4a": read_media,
    "aac": read_media,
    "media": read_media,
}


def main() -> None:
    """Read the file on stdin as what the first argument says."""
    out = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no report
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{sys.argv[1]}"
        path.write_bytes(sys.stdin.buffer.read())
        try:
            found = READERS[sys.argv[1]](str(path))
        except MemoryError:
            raise
        except Exception as error:  # whatever a library makes of the file
            reason = (str(error) or type(error).__name__).replace(str(path), "the file")
            found = {"note": f"It could not be opened: {reason[:160].rstrip('.')}."}
    with os.fdopen(out, "wb") as report:
        report.write(json.dumps(found).encode())
