"""Files of results, to be viewed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from runner.pybench_jsonl import OURS

PLOT = b"region,total\nNorth,30\n"


def step_of(index: int, code: str | None, *changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "index": index,
        "status": "answer" if code is None else "ok",
        "thought": f"thought {index}",
        "code": code,
        "notes": [],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "finish_reason": "stop",
        "model_s": 0.5,
        "cell_s": 0.25,
        "started_at": 1_790_000_000.5,
        "changes": list(changes),
    }


def row_of(task: str, attempt: int, passed: bool | None, **more: Any) -> dict[str, Any]:
    """A line of trajectories.jsonl; `passed` None makes one that the endpoint failed."""
    code = "print('hello')"
    change = {
        "path": "output/totals.csv",
        "kind": "created",
        "size_bytes": len(PLOT),
        "size_before_bytes": 0,
        "sha256": hashlib.sha256(PLOT).hexdigest(),
    }
    is_void = passed is None
    verdict = {
        "passed": passed,
        "sentence": "All totals are right." if passed else "The total of North is 31, not 30.",
        "check_version": "c" * 64,
        "duration_s": 0.1,
        "assertions": [
            {"name": "totals", "passed": passed, "expected": "30", "actual": "31",
             "message": "", "file": "totals.csv"},
        ],
    }  # fmt: skip
    messages = [
        {"role": "system", "content": "You solve a task."},
        {"role": "user", "content": "Sum the amounts into ./output/totals.csv"},
        {"role": "assistant", "content": f"thought 1\n\n```python\n{code}\n```"},
        {"role": "user", "content": "hello\n"},
        {"role": "assistant", "content": "North has 30."},
    ]
    ours = {
        "suite": "demo", "suite_version": "1", "suite_digest": "d" * 64, "task": task,
        "category": "charts", "attempt": attempt, "seed": 7, "parameters": {},
        "outcome": "endpoint_failed" if is_void else "finished",
        "passed": passed, "answer": None if is_void else "North has 30.",
        "turns": 0 if is_void else 2,
        "usage": {"prompt_tokens": 20, "completion_tokens": 10},
        "model_s": 1.0, "cell_s": 0.25, "wall_s": 1.5,
        "problem": {"fault": "submitter", "code": "endpoint_unreachable",
                    "what": "The endpoint did not answer.", "next_step": "Start it."}
        if is_void else None,
        "verdict": None if is_void else verdict,
        "outputs": [], "refused": [], "environment": {"sandbox": "zygote"},
        "steps": [] if is_void else [step_of(1, code, change), step_of(2, None)],
    }  # fmt: skip
    return {
        "messages": [] if is_void else messages,
        "index": task,
        "category1": "Charts",
        "category2": "",
        "category3": f"Title of {task}",
        "user": "Sum the amounts into ./output/totals.csv",
        "file_paths": ["./data/sales.csv"],
        "attachments": ["sales.csv"],
        OURS: {**ours, **more},
    }


def make_results(folder: Path, rows: list[dict[str, Any]], model: str = "demo-7b") -> Path:
    """The folder with these rows and a file for each attempt that was played."""
    folder.mkdir(parents=True)
    manifest = {
        "suite": "demo", "suite_version": "1", "suite_digest": "d" * 64, "model": model,
        "base_url": "http://127.0.0.1:9/v1", "action_format": "fenced", "seed": 7,
        "sampling": {"temperature": 0.0}, "limits": {"max_turns": 10}, "prompt": "p",
    }  # fmt: skip
    (folder / "evaluation.json").write_text(json.dumps(manifest))
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "trajectories.jsonl").write_text(lines)
    for row in rows:
        if row[OURS]["steps"]:
            place = folder / "outputs" / row["index"] / f"attempt-{row[OURS]['attempt']}"
            place.mkdir(parents=True)
            (place / "totals.csv").write_bytes(PLOT)
    return folder


def usual_rows() -> list[dict[str, Any]]:
    """Two attempts at one task with one conversation, and one without a reply."""
    return [row_of("sums", 1, True), row_of("sums", 2, False), row_of("gone", 1, None)]
