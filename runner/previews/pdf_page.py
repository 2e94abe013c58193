"""Draws the first page of an untrusted PDF, in a sandbox: the bytes go in, a PNG comes out."""

from __future__ import annotations

from runner.contract import Limits
from runner.sandbox.base import Sandbox, ToolJob

MAX_PDF_BYTES = 32 << 20
MAX_PNG_BYTES = 4 << 20  # as much as a tool's report may have: one that long was cut
MAX_WIDTH_PX = 1_000
MAX_HEIGHT_PX = 2_000
TIMEOUT_S = 20.0
MEMORY_BYTES = 1 << 30

# What PyMuPDF has to say goes to stderr, so that stdout holds the picture alone.
DRAW = f"""
import os, sys
out = os.dup(1)
os.dup2(2, 1)
import fitz
page = fitz.open(stream=sys.stdin.buffer.read(), filetype="pdf")[0]
zoom = min({MAX_WIDTH_PX} / page.rect.width, {MAX_HEIGHT_PX} / page.rect.height)
while True:
    zoom *= 0.999  # a page rounded up must not be a pixel too wide
    png = page.get_pixmap(matrix=fitz.Matrix(zoom, zoom), alpha=False).tobytes("png")
    if len(png) < {MAX_PNG_BYTES}:
        break
    zoom /= 2
with open(out, "wb") as report:
    report.write(png)
"""


async def draw_first_page(sandbox: Sandbox, pdf: bytes) -> bytes | None:
    """A PNG of the first page, not yet verified; None when there is none to be had."""
    if len(pdf) > MAX_PDF_BYTES:
        return None
    job = ToolJob(
        argv=("python", "-I", "-B", "-c", DRAW),
        stdin=pdf,
        timeout_s=TIMEOUT_S,
        limits=Limits(memory_bytes=MEMORY_BYTES),
    )
    result = await sandbox.run_tool(job)
    is_whole = result.returncode == 0 and 0 < len(result.stdout) < MAX_PNG_BYTES
    return result.stdout if is_whole else None
