"""Version of the site's own code, as manifests name it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

UNKNOWN = "unknown"


@cache
def read_code_version() -> str:
    """The checkout's commit, or "unknown" where the code was installed without one."""
    folder = Path(settings.BASE_DIR, ".git")
    try:
        if folder.is_file():  # a linked work tree
            folder = Path(folder.read_text("utf-8").removeprefix("gitdir:").strip())
        head = (folder / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head[:40]
        return find_reference(folder, head.removeprefix("ref: ")) or UNKNOWN
    except (OSError, UnicodeDecodeError):
        return UNKNOWN


def find_reference(folder: Path, name: str) -> str:
    """The commit of a branch, loose or packed; "" if there is none."""
    shared = folder / "commondir"
    places = [folder, folder / shared.read_text("utf-8").strip()] if shared.exists() else [folder]
    for place in places:
        if (place / name).is_file():
            return (place / name).read_text("utf-8").strip()[:40]
        if (place / "packed-refs").is_file():
            for line in (place / "packed-refs").read_text("utf-8").splitlines():
                if line.endswith(f" {name}"):
                    return line[:40]
    return ""
