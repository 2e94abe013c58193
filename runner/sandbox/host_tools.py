"""Programs and libraries of the host without which some checks cannot decide."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

USR = Path("/usr")  # of which sandboxes see nothing else than the host's


@dataclass(frozen=True)
class HostTool:
    """One of them, as the code of a check names it and as the host has it."""

    key: str
    title: str
    package: str  # of Debian
    names: frozenset[str]  # modules and commands, by which code that needs it is known
    files: tuple[str, ...]  # below /usr; one is enough, and the first is the best
    cost_of_others: str = ""  # than the first

    def find(self) -> Path | None:
        """The best that is there; None if the host has none."""
        return next((path for like in self.files for path in USR.glob(like)), None)


TOOLS = (
    HostTool(
        "chromium",
        "Chromium",
        "chromium-headless-shell",
        frozenset({"runner.checks.programs.browser"}),
        ("lib/chromium/chromium-headless-shell", "lib/chromium/chromium"),
        "This one costs five times the CPU.",
    ),
    HostTool("ffmpeg", "ffmpeg", "ffmpeg", frozenset({"ffmpeg", "ffprobe"}), ("bin/ffmpeg",)),
    HostTool(
        "tesseract", "Tesseract", "tesseract-ocr", frozenset({"pytesseract"}), ("bin/tesseract",)
    ),
    HostTool(
        "zbar",
        "the library zbar",
        "libzbar0",
        frozenset({"pyzbar"}),
        ("lib/*/libzbar.so.0", "lib64/libzbar.so.0"),
    ),
)
