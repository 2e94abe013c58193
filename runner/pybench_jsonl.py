"""Attempts as rows of PyBench jsonl, with facts unknown to PyBench under one extra key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from runner.contract import AttemptResult, Opening, Step
from runner.model.calls_in_text import TOOL_NAME

if TYPE_CHECKING:
    from runner.suite.reader import Suite, SuiteTask

OURS = "pybench_site"


def row_of(
    suite: Suite,
    task: SuiteTask,
    number: int,
    opening: Opening | None,
    steps: Sequence[Step],
    result: AttemptResult,
) -> dict[str, Any]:
    """One attempt as one row. `opening` is None when the attempt ended before it began."""
    sent = [*(opening.messages if opening else ()), *(m for s in steps for m in s.messages)]
    titles = {category.key: category.title for category in suite.categories}
    return {
        "messages": [plain(message) for message in sent],
        "index": task.spec.key,
        "category1": titles[task.spec.category],
        "category2": "",
        "category3": task.spec.title,
        "user": opening.query if opening else task.spec.query,
        "file_paths": [f"./data/{name}" for name in task.spec.inputs],
        "attachments": list(task.spec.inputs),
        OURS: {
            "suite": suite.name,
            "suite_version": suite.version,
            "suite_digest": suite.digest,
            "task": task.spec.key,
            "category": task.spec.category,
            "attempt": number,
            "seed": opening.seed if opening else None,
            "parameters": dict(opening.parameters) if opening else {},
            **facts_of(result),
            "steps": [step_facts(step) for step in steps],
        },
    }


def facts_of(result: AttemptResult) -> dict[str, Any]:
    """Facts about the end of the attempt, in plain values."""
    verdict = result.verdict
    return {
        "outcome": result.outcome.value,
        "passed": verdict.passed if verdict else None,
        "answer": result.answer,
        "turns": result.turns,
        "usage": asdict(result.usage),
        "model_s": result.model_s,
        "cell_s": result.cell_s,
        "wall_s": result.wall_s,
        "problem": asdict(result.problem) if result.problem else None,
        "verdict": asdict(verdict) if verdict else None,
        "outputs": [
            {"path": f.path, "size_bytes": f.size_bytes, "sha256": f.sha256}
            for f in result.harvest.files
        ],
        "refused": [asdict(refused) for refused in result.harvest.refused],
        "environment": dict(result.environment),
    }


def step_facts(step: Step) -> dict[str, Any]:
    """Facts of a step that are not in its messages."""
    return {
        "index": step.index,
        "status": step.status.value,
        "reply": step.reply,
        "thought": step.thought,
        "code": step.code,
        "notes": list(step.notes),
        "usage": asdict(step.usage),
        "finish_reason": step.finish_reason,
        "model_s": step.model_s,
        "cell_s": step.cell_s,
        "started_at": step.started_at,
        "changes": [
            {
                "path": change.path,
                "kind": change.kind.value,
                "size_bytes": change.size_bytes,
                "size_before_bytes": change.size_before_bytes,
                "sha256": change.sha256,
            }
            for change in step.changes
        ],
    }


def plain(message: Mapping[str, Any]) -> dict[str, str]:
    """A message of two strings: a tool call becomes a code block, its result the user's word."""
    role, content = str(message["role"]), str(message.get("content") or "")
    if role == "tool":
        return {"role": "user", "content": content}
    blocks = [f"```python\n{code}\n```" for code in called_code(message)]
    return {"role": role, "content": "\n\n".join(part for part in (content, *blocks) if part)}


def called_code(message: Mapping[str, Any]) -> list[str]:
    """The code in a message's tool calls."""
    found = []
    for call in message.get("tool_calls", ()):
        function = call["function"]
        code = json.loads(function["arguments"]).get("code")
        if function["name"] == TOOL_NAME and isinstance(code, str):
            found.append(code.strip("\n"))
    return found
