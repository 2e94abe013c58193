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
    """The source of `inside` behind that of `texts`, which it imports."""
    texts, inside = (
        Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in ("texts", "inside")
    )
    return (
        "import sys, types\n"
        "for name in ('runner', 'runner.previews', 'runner.previews.texts'):\n"
        "    sys.modules[name] = types.ModuleType(name)\n"
        f"exec({texts!r}, sys.modules['runner.previews.texts'].__dict__)\n"
        f"exec({inside!r})\n"
    )
