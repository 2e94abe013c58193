"""An upstream checkout of a few made-up tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def entry(index: object = "2", user: object = "Count.", paths: object = None) -> dict[str, Any]:
    return {
        "index": index,
        "user": user,
        "file_paths": ["./data/a.csv"] if paths is None else paths,
    }


def write_checkout(root: Path, entries: object, files: dict[str, bytes] | None = None) -> Path:
    meta = root / "data" / "meta"
    meta.mkdir(parents=True)
    text = entries if isinstance(entries, bytes) else json.dumps(entries).encode()
    (meta / "task.json").write_bytes(text)
    for name, content in (files or {"a.csv": b"n\n1\n"}).items():
        (root / "data" / name).write_bytes(content)
    return root
