"""A trajectory as a document of ATIF 1.8, the Agent Trajectory Interchange Format of Harbor.

Fields that the format has no name for stand under `extra`. Pictures and files are named by their
digest: their bytes are not in the document, which its notes say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from leaderboard.trajectories.formats.trajectory import Trajectory
from runner.contract import StepStatus

SCHEMA = "ATIF-v1.8"
TOOL = "execute_python"
NOTES = (
    "Pictures that cells displayed are named files/<SHA-256>.<type>; their bytes, like those of "
    "the files in `extra`, are not in this document."
)
IMAGES = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
SOURCES = {"system": "system", "developer": "system", "assistant": "agent"}
USAGE = ("prompt_tokens", "completion_tokens", "cached_tokens")
# Of a step, beside what the format has names for.
STEP_FACTS = ("index", "status", "notes", "finish_reason", "model_s", "cell_s", "changes")


def atif_document(trajectory: Trajectory) -> str:
    """The document as indented JSON."""
    facts = trajectory.facts
    played = [told for step in trajectory.steps for told in steps_of(step)]
    steps = [*opening_steps(trajectory), *played]
    document = {
        "schema_version": SCHEMA,
        "session_id": f"run-{facts.get('run')}",
        "trajectory_id": f"run-{facts.get('run')}-{trajectory.task}-{facts.get('attempt')}",
        "agent": {
            "name": "pybench",
            "version": our_version(),
            "model_name": facts.get("entry"),
            "tool_definitions": [TOOL_DEFINITION],
        },
        "steps": [{"step_id": n, **step} for n, step in enumerate(steps, 1)],
        "notes": NOTES,
        "final_metrics": final_metrics(trajectory, len(steps)),
        "extra": {
            **facts,
            "title": trajectory.title,
            "query": trajectory.query,
            "answer": trajectory.answer,
            "inputs": list(trajectory.inputs),
            "outputs": list(trajectory.outputs),
            "source": trajectory.source,
        },
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    return text.encode(errors="backslashreplace").decode() + "\n"


TOOL_DEFINITION = {
    "type": "function",
    "function": {
        "name": TOOL,
        "description": "Run Python code in the attempt's Jupyter kernel.",
        "parameters": {
            "type": "object",
            "properties": {"code": {"type": "string"}},
            "required": ["code"],
        },
    },
}


def our_version() -> str:
    try:
        return version("pybench-site")
    except PackageNotFoundError:  # run from a checkout
        return "unreleased"


def opening_steps(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """The messages before the first reply; without any, the query."""
    messages = trajectory.opening or [{"role": "user", "content": trajectory.query}]
    for message in messages:
        source = SOURCES.get(str(message.get("role")), "user")
        yield {"source": source, "message": text_of(message.get("content"))}


def text_of(content: object) -> str:
    """A message's content, which may come in parts."""
    if isinstance(content, list):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(str(part) for part in parts)
    return content if isinstance(content, str) else ""


def steps_of(step: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A reply, and what it was answered if there was no call to answer."""
    told = agent_step(step)
    yield told
    if "observation" not in told and step.get("observation"):
        yield {"source": "user", "message": str(step["observation"])}


def agent_step(step: Mapping[str, Any]) -> dict[str, Any]:
    """A reply, the code in it as a call, and what the cell showed as its result."""
    usage = step.get("usage") or {}
    metrics = {name: usage[name] for name in USAGE if usage.get(name) is not None}
    told: dict[str, Any] = {
        "source": "agent",
        "message": step.get("reply") or step.get("thought") or step.get("left_out") or "",
        "llm_call_count": 1,
        "extra": {name: step[name] for name in STEP_FACTS if step.get(name) not in (None, [], "")},
    }
    if thinking := usage.get("reasoning_tokens"):
        metrics["extra"] = {"reasoning_tokens": thinking}
    if metrics:
        told["metrics"] = metrics
    if began := step.get("started_at"):
        told["timestamp"] = datetime.fromtimestamp(began, UTC).isoformat()
    if step.get("code") is not None and step.get("status") != StepStatus.ANSWER:
        call = f"step-{step.get('index')}"
        arguments = {"code": step["code"]}
        told["tool_calls"] = [{"tool_call_id": call, "function_name": TOOL, "arguments": arguments}]
        told["observation"] = {"results": [{"source_call_id": call, "content": observed(step)}]}
    return told


def observed(step: Mapping[str, Any]) -> str | list[dict[str, Any]]:
    """Observation of the cell that the model got; with its pictures, where there are any."""
    said = str(step.get("observation") or "")
    pictures = [picture for output in step.get("outputs") or () for picture in pictures_of(output)]
    return [{"type": "text", "text": said}, *pictures] if pictures else said


def pictures_of(output: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for mime, value in (output.get("data") or {}).items():
        if mime in IMAGES and isinstance(value, Mapping) and isinstance(value.get("blob"), str):
            path = f"files/{value['blob']}.{IMAGES[mime]}"
            yield {"type": "image", "source": {"media_type": mime, "path": path}}


def final_metrics(trajectory: Trajectory, steps: int) -> dict[str, Any]:
    usage = trajectory.facts.get("usage") or {}
    told = {f"total_{name}": usage[name] for name in USAGE if usage.get(name) is not None}
    return {**told, "total_steps": steps}
