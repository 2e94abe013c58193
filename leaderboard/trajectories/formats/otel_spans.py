"""A trajectory as OpenTelemetry spans in OTLP's JSON, by the conventions for generative AI.

After semantic-conventions v1.41 (docs/gen-ai: agent spans, inference spans, tool execution, and
the event of an evaluation), all of them in development. An attempt is `invoke_agent`; under it each
reply is `chat`, each cell `execute_tool`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from leaderboard.trajectories.formats.inspect_log import first_moment, text_of
from leaderboard.trajectories.formats.trajectory import Trajectory, json_line
from runner.contract import StepStatus
from runner.suite.canary import CANARY

SCHEMA = "https://opentelemetry.io/schemas/1.41.0"
INTERNAL, CLIENT = 1, 3  # kinds of spans
FAILED = 2  # code of a status
AGENT, TOOL = "pybench", "execute_python"
LOSS = (
    "Each chat span has the messages since the reply before it; pictures, files and outputs of "
    "cells are left out, but for the text that the model was sent."
)


def otel_spans(trajectory: Trajectory) -> str:
    """An export request of traces, as OTLP/HTTP has it in JSON."""
    scope = {"name": "pybench-site", "attributes": attributes({"canary": CANARY})}
    document = {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes({"service.name": "pybench-site"})},
                "scopeSpans": [
                    {"scope": scope, "spans": list(spans_of(trajectory)), "schemaUrl": SCHEMA}
                ],
            }
        ]
    }
    return json_line(document)


def spans_of(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    """The attempt's span, then those of its steps. Without a clock they begin at 0."""
    facts = trajectory.facts
    name = f"run-{facts.get('run')}-{trajectory.task}-{facts.get('attempt')}"
    trace = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]
    model = str(facts.get("entry") or "unknown")
    began = first_moment(trajectory)
    children, now = [], began
    before = list(trajectory.opening)
    for step in trajectory.steps:
        start = max(now, float(step.get("started_at") or 0))
        replied = start + float(step.get("model_s") or 0)
        now = replied + float(step.get("cell_s") or 0)
        index = step.get("index")
        key = f"{name}/{index}"
        chat = chat_facts(step, before, model, name)
        chatted = span(trace, key, CLIENT, f"chat {model}", start, replied, chat)
        children.append(chatted)
        if step.get("code") is not None and step.get("status") != StepStatus.ANSWER:
            children.append(cell_span(step, trace, key, replied, now))
        before = [m for m in step.get("messages") or () if m.get("role") != "assistant"]
    end = max(now, began + float(facts.get("wall_s") or 0))
    told = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "openai",  # whose protocol is spoken, whoever serves it
        "gen_ai.agent.name": AGENT,
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": name,
        "pybench.task": trajectory.task,
        "pybench.suite": facts.get("suite"),
        "pybench.outcome": facts.get("outcome"),
        "pybench.left_out": LOSS,
        **usage_of(facts.get("usage") or {}),
    }
    root = span(trace, name, INTERNAL, f"invoke_agent {AGENT}", began, end, told, is_root=True)
    root["events"] = evaluation_of(facts, end)
    yield root
    for child in children:
        yield {**child, "parentSpanId": root["spanId"]}


def chat_facts(
    step: Mapping[str, Any], before: list[Mapping[str, Any]], model: str, name: str
) -> dict[str, Any]:
    reply = next((m for m in step.get("messages") or () if m.get("role") == "assistant"), None)
    reason = step.get("finish_reason") or "unknown"
    said = reply or {"role": "assistant", "content": step.get("reply") or ""}
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": name,
        "gen_ai.input.messages": as_json([message_of(message) for message in before]),
        "gen_ai.output.messages": as_json([{**message_of(said), "finish_reason": reason}]),
        "gen_ai.response.finish_reasons": [reason],
        "pybench.step": step.get("index"),
        **usage_of(step.get("usage") or {}),
    }


def cell_span(
    step: Mapping[str, Any], trace: str, key: str, start: float, end: float
) -> dict[str, Any]:
    told = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": TOOL,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": f"step-{step.get('index')}",
        "gen_ai.tool.call.arguments": as_json({"code": step.get("code")}),
        "gen_ai.tool.call.result": str(step.get("observation") or ""),
        "pybench.step": step.get("index"),
    }
    is_ok = step.get("status") == StepStatus.OK
    if not is_ok:
        told["error.type"] = str(step.get("status"))
    made = span(trace, f"{key}/cell", INTERNAL, f"execute_tool {TOOL}", start, end, told)
    return made if is_ok else {**made, "status": {"code": FAILED}}


def span(
    trace: str,
    key: str,
    kind: int,
    name: str,
    start: float,
    end: float,
    told: Mapping[str, Any],
    is_root: bool = False,
) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": hashlib.sha256(f"{key}/{is_root}".encode("utf-8", "replace")).hexdigest()[:16],
        "name": name,
        "kind": kind,
        "startTimeUnixNano": nanoseconds(start),
        "endTimeUnixNano": nanoseconds(end),
        "attributes": attributes(told),
    }


def evaluation_of(facts: Mapping[str, Any], at: float) -> list[dict[str, Any]]:
    """The check's verdict as the event of an evaluation; none where there is none."""
    if facts.get("passed") is None:
        return []
    told = {
        "gen_ai.evaluation.name": "strict",
        "gen_ai.evaluation.score.label": "pass" if facts["passed"] else "fail",
        "gen_ai.evaluation.score.value": 1.0 if facts["passed"] else 0.0,
        "gen_ai.evaluation.explanation": (facts.get("verdict") or {}).get("sentence"),
    }
    named = {"name": "gen_ai.evaluation.result", "timeUnixNano": nanoseconds(at)}
    return [{**named, "attributes": attributes(told)}]


def message_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message with its parts, in the words of the conventions."""
    parts: list[dict[str, Any]] = []
    content = text_of(message.get("content"))
    if message.get("role") == "tool":
        answered = str(message.get("tool_call_id") or "")
        parts = [{"type": "tool_call_response", "id": answered, "response": content}]
    elif content:
        parts = [{"type": "text", "content": content}]
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        said = {"id": call.get("id"), "name": function.get("name")}
        parts.append({"type": "tool_call", **said, "arguments": function.get("arguments")})
    return {"role": str(message.get("role")), "parts": parts}


def usage_of(said: Mapping[str, Any]) -> dict[str, Any]:
    names = {
        "prompt_tokens": "gen_ai.usage.input_tokens",
        "completion_tokens": "gen_ai.usage.output_tokens",
        "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    }
    return {theirs: said.get(ours) for ours, theirs in names.items()}


def attributes(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Key and value as OTLP has them; what is not known is left out."""
    return [{"key": k, "value": value_of(v)} for k, v in told.items() if v is not None]


def value_of(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}  # 64 bits are strings in OTLP's JSON
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [value_of(one) for one in value]}}
    return {"stringValue": str(value)}


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def nanoseconds(seconds: float) -> str:
    return str(int(seconds * 1_000_000_000))
