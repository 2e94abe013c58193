"""The contents of an untrusted file, read in a sandbox: bytes go in, a report comes out."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from runner.contract import Limits
from runner.sandbox.base import Sandbox, ToolJob

MAX_FILE_BYTES = 32 << 20
MAX_REPORT_BYTES = 4 << 20  # as much as a tool's report may have: one that long was cut
TIMEOUT_S = 30.0
MEMORY_BYTES = 1 << 30
# In the order in which they import each other.
MODULES = (
    "texts",
    "inside.parts",
    "inside.workbooks",
    "inside.documents",
    "inside.data",
    "inside.archives",
    "inside.media",
    "inside.read",
)
# The source comes before the file: it is longer than an argument may be.
START = "import sys; s = sys.stdin.buffer; exec(s.read(int(s.readline())))"


async def read_contents(sandbox: Sandbox, kind: str, name: str, content: bytes) -> bytes | None:
    """The report of `runner.previews.inside`, not yet verified; None when there is none."""
    if len(content) > MAX_FILE_BYTES:
        return None
    code = source().encode()
    job = ToolJob(
        argv=("python", "-I", "-B", "-c", START, kind, name),
        stdin=b"%d\n%b%b" % (len(code), code, content),
        timeout_s=TIMEOUT_S,
        limits=Limits(memory_bytes=MEMORY_BYTES),
    )
    result = await sandbox.run_tool(job)
    is_whole = result.returncode == 0 and 0 < len(result.stdout) < MAX_REPORT_BYTES
    return result.stdout if is_whole else None


@lru_cache(maxsize=1)
def source() -> str:
    """One program of the modules of `inside` and what they import, each in its own name."""
    folder = Path(__file__).parent
    lines = ["import sys, types"]
    for package in ("runner", "runner.previews", "runner.previews.inside"):
        lines.append(f"sys.modules[{package!r}] = types.ModuleType({package!r})")
    for name in MODULES:
        place, text = (
            f"runner.previews.{name}",
            (folder / f"{name.replace('.', '/')}.py").read_text(),
        )
        lines.append(f"sys.modules[{place!r}] = types.ModuleType({place!r})")
        lines.append(f"exec({text!r}, sys.modules[{place!r}].__dict__)")
    lines.append("sys.modules['runner.previews.inside.read'].main()")
    return "\n".join(lines)
