"""A trajectory as a log of Inspect (version 2, JSON) with one sample.

After inspect_ai's log models (src/inspect_ai/log/_log.py), which read it in the tests. Pictures and
files are not in it; outputs of cells are the text that the model was sent. A request's event does
not repeat the conversation before it, which is the sample's messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from leaderboard.trajectories.formats.trajectory import Trajectory, json_line
from runner.contract import StepStatus
from runner.pybench_jsonl import OURS
from runner.suite.canary import CANARY

STOP_REASONS = {"stop": "stop", "length": "max_tokens", "tool_calls": "tool_calls"}
STOP_REASONS["content_filter"] = "content_filter"
USAGE = {
    "prompt_tokens": "input_tokens",
    "completion_tokens": "output_tokens",
    "cached_tokens": "input_tokens_cache_read",
    "reasoning_tokens": "reasoning_tokens",
}
STEP_FACTS = (
    "index", "status", "thought", "code", "notes", "usage", "finish_reason", "model_s", "cell_s",
    "started_at", "changes",
)  # fmt: skip
ROLES = {"developer": "system", "function": "tool"}
LOSS = (
    "Pictures, files and outputs of cells are left out, but for the text that the model was sent. "
    "Events of requests do not repeat the conversation before them."
)


def inspect_log(trajectory: Trajectory) -> str:
    """The log as one JSON document."""
    facts = trajectory.facts
    model = str(facts.get("entry") or "unknown")
    messages = [message_of(m, n) for n, m in enumerate(trajectory.messages(), 1)]
    events = list(events_of(trajectory, messages, model))
    verdict = facts.get("verdict") or {}
    scores = score_of(facts, verdict, trajectory.answer)
    begun = moment(first_moment(trajectory))
    ended = moment(first_moment(trajectory) + float(facts.get("wall_s") or 0))
    run = f"run-{facts.get('run')}"
    usage = usage_of(facts.get("usage") or {})
    document = {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": f"{run}-{trajectory.task}-{facts.get('attempt')}",
            "run_id": run,
            "created": begun,
            "task": str(facts.get("suite") or "pybench"),
            "task_id": f"{run}-{trajectory.task}",
            "task_version": str(facts.get("suite_version") or 0),
            "dataset": {"name": str(facts.get("suite") or "pybench"), "samples": 1,
                        "sample_ids": [trajectory.task], "shuffled": False},
            "model": model,
            "config": {},
            "metadata": {"canary": CANARY, "source": trajectory.source, "left_out": LOSS},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {
            "total_samples": 1,
            "completed_samples": 1,
            "scores": results_of(facts),
        },
        "stats": {"started_at": begun, "completed_at": ended, "model_usage": {model: usage}},
        "samples": [
            {
                "id": trajectory.task,
                "epoch": int(facts.get("attempt") or 1),
                "input": trajectory.query,
                "target": "",
                "messages": messages,
                "output": output_of(messages, model, usage),
                "scores": scores,
                "metadata": {OURS: ours_of(trajectory)},
                "store": {},
                "events": events,
                "model_usage": {model: usage},
                "total_time": float(facts.get("wall_s") or 0),
            }
        ],
    }  # fmt: skip
    return json_line(document)


def ours_of(trajectory: Trajectory) -> dict[str, Any]:
    steps = [{name: step.get(name) for name in STEP_FACTS} for step in trajectory.steps]
    return {
        **trajectory.facts,
        "task": trajectory.task,
        "title": trajectory.title,
        "category": trajectory.category,
        "query": trajectory.query,
        "inputs": list(trajectory.inputs),
        "answer": trajectory.answer,
        "steps": steps,
    }


def message_of(message: Mapping[str, Any], number: int) -> dict[str, Any]:
    """A message in Inspect's words, with an id that its event names."""
    role = str(message.get("role"))
    role = ROLES.get(role, role)
    told: dict[str, Any] = {
        "id": f"m{number}",
        "role": role if role in ("system", "user", "assistant", "tool") else "user",
        "content": text_of(message.get("content")),
    }
    if calls := [call_of(call) for call in message.get("tool_calls") or ()]:
        told["tool_calls"] = calls
    if role == "tool":
        told["tool_call_id"] = str(message.get("tool_call_id") or "")
    return told


def text_of(content: object) -> str:
    if isinstance(content, list):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(str(part) for part in parts)
    return content if isinstance(content, str) else ""


def call_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call; arguments that are no JSON object are named as the error that they are."""
    function = call.get("function") or {}
    told = {"id": str(call.get("id") or ""), "function": str(function.get("name") or ""),
            "type": "function"}  # fmt: skip
    said = function.get("arguments")
    try:
        arguments = json.loads(said) if isinstance(said, str) else said
    except ValueError:
        arguments = None
    if isinstance(arguments, dict):
        return {**told, "arguments": arguments}
    return {**told, "arguments": {"raw": said}, "parse_error": "The arguments are no JSON object."}


def events_of(
    trajectory: Trajectory, messages: list[dict[str, Any]], model: str
) -> Iterator[dict[str, Any]]:
    """For each reply, when it was asked for, how long it took and what it used; and its cell."""
    replies = iter([message for message in messages if message["role"] == "assistant"])
    since_s = 0.0
    for step in trajectory.steps:
        reply = next(replies, None)
        if reply is None:
            return
        model_s, cell_s = float(step.get("model_s") or 0), float(step.get("cell_s") or 0)
        began = float(step.get("started_at") or 0) or first_moment(trajectory) + since_s
        reason = STOP_REASONS.get(str(step.get("finish_reason")), "unknown")
        yield {
            "event": "model",
            "timestamp": moment(began),
            "working_start": since_s,
            "model": model,
            "input": [],
            "tools": [],
            "tool_choice": "auto",
            "config": {},
            "output": {
                "model": model,
                "choices": [{"message": reply, "stop_reason": reason}],
                "usage": usage_of(step.get("usage") or {}),
                "time": model_s,
            },
        }
        since_s += model_s
        if step.get("code") is not None and step.get("status") != StepStatus.ANSWER:
            yield cell_event(step, reply, since_s, began + model_s)
        since_s += cell_s


def cell_event(
    step: Mapping[str, Any], reply: Mapping[str, Any], since_s: float, at: float
) -> dict[str, Any]:
    calls = reply.get("tool_calls") or [{"id": f"step-{step.get('index')}"}]
    return {
        "event": "tool",
        "timestamp": moment(at),
        "working_start": since_s,
        "working_time": float(step.get("cell_s") or 0),
        "type": "function",
        "id": calls[0]["id"],
        "function": "execute_python",
        "arguments": {"code": step.get("code")},
        "result": str(step.get("observation") or ""),
        "events": [],
    }


def output_of(
    messages: list[dict[str, Any]], model: str, usage: Mapping[str, Any]
) -> dict[str, Any]:
    last = next((m for m in reversed(messages) if m["role"] == "assistant"), None)
    choices = [{"message": last, "stop_reason": "stop"}] if last else []
    return {"model": model, "choices": choices, "usage": usage}


def score_of(
    facts: Mapping[str, Any], verdict: Mapping[str, Any], answer: str | None
) -> dict[str, Any]:
    """The check's verdict as a score: C for passed, I for failed; none where there is none."""
    if facts.get("passed") is None:
        return {}
    told = {
        "value": "C" if facts["passed"] else "I",
        "explanation": str(verdict.get("sentence") or ""),
        "metadata": {"assertions": verdict.get("assertions") or []},
    }
    return {"strict": {**told, **({"answer": answer} if answer else {})}}


def results_of(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    if facts.get("passed") is None:
        return []
    accuracy = {"name": "accuracy", "value": 1.0 if facts["passed"] else 0.0}
    return [{"name": "strict", "scorer": "strict", "metrics": {"accuracy": accuracy}}]


def usage_of(said: Mapping[str, Any]) -> dict[str, int]:
    """Tokens in Inspect's names; an unknown count is left out, or 0 where one is needed."""
    told = {theirs: said[ours] for ours, theirs in USAGE.items() if said.get(ours) is not None}
    both = (told.get("input_tokens", 0), told.get("output_tokens", 0))
    return {"input_tokens": 0, "output_tokens": 0, **told, "total_tokens": sum(both)}


def first_moment(trajectory: Trajectory) -> float:
    """When the first reply was asked for, in seconds since 1970; 0 if that is not known."""
    return next((float(s["started_at"]) for s in trajectory.steps if s.get("started_at")), 0.0)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
