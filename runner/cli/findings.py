"""Findings of a preflight in a shell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MARKS = {
    "ok": "ok",
    "warning": "warning",
    "failed": "FAILED",
    "skipped": "–",
    "unseen": "not seen",
}


def show(report: Mapping[str, Any]) -> None:
    """Print the findings of a preflight, one check a line."""
    for check in report.get("checks", ()):
        said = f"{check['said']} {check['next_step']}".strip()
        print(f"  {MARKS.get(check['state'], check['state']):<8} {check['title']:<14} {said}")
