"""The sample that a run of the tests plays, drawn by the commit: a red CI can be repeated.

TEST_SAMPLE=all leaves nothing out, as before a release. Needs the standard library alone.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Collection
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODEL_SERVERS = ("litellm", "llama-cpp", "transformers")  # one of them is tried in a CI


def is_whole() -> bool:
    return os.environ.get("TEST_SAMPLE") == "all"


@cache
def commit() -> str:
    """The commit of the checkout; "none" outside one."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
        )
    except FileNotFoundError:
        return "none"
    return done.stdout.strip() or "none"


def draw(names: Collection[str]) -> set[str]:
    """One of `names`, or all of them where nothing is left out."""
    if is_whole():
        return set(names)
    number = int.from_bytes(hashlib.sha256(commit().encode()).digest()[:4], "big")
    return {sorted(names)[number % len(names)]}
