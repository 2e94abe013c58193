"""Small files of trajectories as other harnesses write them, made after their published schemas.

Each tells of one attempt: a query, a cell that prints 42, and the answer.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

QUERY = "Multiply 6 by 7."
CODE = "print(6 * 7)"
ANSWER = "It is 42."
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9"
    "awAAAABJRU5ErkJggg=="
)


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def lines_of(*values: object) -> bytes:
    return b"".join(dumped(value) + b"\n" for value in values)


def chat_call(name: str = "python", arguments: object = None, id: str = "c1") -> dict[str, Any]:
    told = arguments if isinstance(arguments, str) else json.dumps(arguments or {"code": CODE})
    return {"id": id, "type": "function", "function": {"name": name, "arguments": told}}


def chat_messages(*more: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A conversation with a tool call."""
    return [
        {"role": "system", "content": "You compute."},
        {"role": "user", "content": QUERY},
        {"role": "assistant", "content": "I compute.", "tool_calls": [chat_call()]},
        {"role": "tool", "tool_call_id": "c1", "content": "42\n"},
        *(more or [{"role": "assistant", "content": ANSWER}]),
    ]


def response_items() -> list[dict[str, Any]]:
    return [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": QUERY}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Six sevens."}]},
        {"type": "message", "role": "assistant",
         "content": [{"type": "output_text", "text": "I compute."}]},
        {"type": "function_call", "call_id": "c1", "name": "python",
         "arguments": json.dumps({"code": CODE})},
        {"type": "function_call_output", "call_id": "c1", "output": "42\n"},
        {"type": "message", "role": "assistant",
         "content": [{"type": "output_text", "text": ANSWER}]},
    ]  # fmt: skip


def atif(version: str = "ATIF-v1.8", **more: Any) -> dict[str, Any]:
    call = {"tool_call_id": "c1", "function_name": "python", "arguments": {"code": CODE}}
    result = {"source_call_id": "c1", "content": "42\n"}
    return {
        "schema_version": version,
        "session_id": "s1",
        "agent": {"name": "terminus", "version": "1", "model_name": "some/model"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "You compute."},
            {"step_id": 2, "source": "user", "message": QUERY},
            {
                "step_id": 3,
                "source": "agent",
                "timestamp": "2026-01-02T03:04:05Z",
                "message": "I compute.",
                "reasoning_content": "Six sevens.",
                "tool_calls": [call],
                "observation": {"results": [result]},
                "metrics": {"prompt_tokens": 20, "completion_tokens": 5},
            },
            {"step_id": 4, "source": "agent", "message": ANSWER},
        ],
        **more,
    }


def inspect_sample(number: int = 1, **more: Any) -> dict[str, Any]:
    call = {"id": "c1", "function": "python", "arguments": {"code": CODE}, "type": "function"}
    reply = {"id": "m2", "role": "assistant", "content": "I compute.", "tool_calls": [call]}
    output = {
        "choices": [{"message": reply, "stop_reason": "tool_calls"}],
        "usage": {"input_tokens": 20, "output_tokens": 5, "total_tokens": 25},
        "time": 1.5,
    }
    return {
        "id": f"s{number}",
        "epoch": 1,
        "input": QUERY,
        "target": "42",
        "messages": [
            {"id": "m1", "role": "user", "content": "attachment://abc"},
            reply,
            {"id": "m3", "role": "tool", "tool_call_id": "c1", "content": "42\n"},
            {"id": "m4", "role": "assistant", "content": ANSWER},
        ],
        "scores": {"includes": {"value": "C"}},
        "events": [
            {"event": "model", "timestamp": "2026-01-02T03:04:05+00:00", "output": output},
            {"event": "tool", "id": "c1", "working_time": 0.25},
        ],
        "attachments": {"abc": QUERY},
        **more,
    }


def inspect_log(samples: int = 1, version: int = 2, **more: Any) -> dict[str, Any]:
    return {
        "version": version,
        "status": "success",
        "eval": {"task": "sums", "model": "some/model"},
        "plan": {},
        "samples": [inspect_sample(number) for number in range(1, samples + 1)],
        **more,
    }


def zipped(
    members: Mapping[str, bytes] | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """A zip archive; a list may have a name twice."""
    made = io.BytesIO()
    pairs = list(members.items()) if isinstance(members, Mapping) else members
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in pairs:
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return made.getvalue()


def inspect_archive(samples: int = 1, is_finished: bool = True) -> bytes:
    head = {key: value for key, value in inspect_log().items() if key != "samples"}
    members = {"_journal/start.json": dumped(head)}
    members |= {f"samples/s{n}_epoch_1.json": dumped(inspect_sample(n))
                for n in range(1, samples + 1)}  # fmt: skip
    if is_finished:
        members |= {"summaries.json": b"[]", "header.json": dumped(head)}
    return zipped(members)


def swe_agent() -> dict[str, Any]:
    return {
        "environment": "swe_main",
        "trajectory": [
            {
                "action": "python -c 'print(6 * 7)'\n",
                "observation": "42\n",
                "response": "I compute.\n```\npython -c 'print(6 * 7)'\n```",
                "thought": "I compute.",
                "state": "{}",
                "execution_time": 0.5,
            },
            {"action": "submit", "observation": "", "response": "submit", "thought": "Done."},
        ],
        "history": [
            {"role": "system", "content": "You compute.", "message_type": "system_prompt"},
            {"role": "user", "content": "demo", "is_demo": True},
            {"role": "user", "content": QUERY, "message_type": "observation"},
            {"role": "assistant", "content": "I compute.", "message_type": "action"},
        ],
        "info": {"exit_status": "submitted", "submission": "diff"},
    }


def mini_swe_agent() -> dict[str, Any]:
    bash = chat_call("bash", {"command": "python -c 'print(6 * 7)'"})
    usage = {"usage": {"prompt_tokens": 20, "completion_tokens": 5}}
    return {
        "info": {"mini_version": "2.2.7", "exit_status": "Submitted",
                 "config": {"model": {"model_name": "some/model"}}},
        "messages": [
            {"role": "system", "content": "You compute."},
            {"role": "user", "content": QUERY},
            {"role": "assistant", "content": "I compute.", "tool_calls": [bash],
             "extra": {"response": usage}},
            {"role": "tool", "tool_call_id": "c1", "content": "42\n"},
            {"role": "exit", "content": "diff"},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }  # fmt: skip


def openhands_events() -> list[dict[str, Any]]:
    return [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You compute."}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": QUERY},
         "timestamp": "2026-01-02T03:04:05"},
        {"id": 2, "source": "user", "action": "recall", "args": {}},
        {"id": 3, "source": "agent", "action": "run_ipython",
         "args": {"code": CODE, "thought": "I compute.", "kernel_init_code": "x"},
         "tool_call_metadata": {"function_name": "execute_ipython_cell", "model_response":
                                {"usage": {"prompt_tokens": 20, "completion_tokens": 5}}}},
        {"id": 4, "source": "agent", "cause": 3, "observation": "run_ipython",
         "content": "42\n", "extras": {"code": CODE}},
        {"id": 5, "source": "agent", "action": "finish", "args": {"final_thought": ANSWER}},
    ]  # fmt: skip


def openhands_row() -> dict[str, Any]:
    return {
        "instance_id": "sum-1",
        "instruction": QUERY,
        "metadata": {"llm_config": {"model": "some/model"}},
        "history": openhands_events(),
    }


def openhands_sdk() -> list[dict[str, Any]]:
    def text(said: str) -> list[dict[str, str]]:
        return [{"type": "text", "text": said}]

    return [
        {"kind": "SystemPromptEvent", "source": "agent",
         "system_prompt": {"type": "text", "text": "You compute."}},
        {"kind": "MessageEvent", "source": "user",
         "llm_message": {"role": "user", "content": text(QUERY)}},
        {"kind": "ActionEvent", "source": "agent", "thought": text("I compute."),
         "tool_name": "ipython", "tool_call_id": "c1",
         "tool_call": {"name": "ipython", "arguments": json.dumps({"code": CODE})}},
        {"kind": "ObservationEvent", "source": "environment", "tool_call_id": "c1",
         "observation": {"content": text("42\n")}},
        {"kind": "MessageEvent", "source": "agent",
         "llm_message": {"role": "assistant", "content": text(ANSWER)}},
    ]  # fmt: skip


def session_trace() -> bytes:
    """A session in the Hub's own format."""
    call = {"id": "c1", "function": {"name": "python", "arguments": json.dumps({"code": CODE})}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": QUERY},
        {"role": "assistant", "content": "I compute.", "toolCalls": [call], "model": "some/model",
         "reasoningContent": "Six sevens.", "timestamp": 1767323045000},
        {"role": "tool", "toolCallId": "c1", "content": "42\n"},
        {"role": "assistant", "content": ANSWER},
    ]  # fmt: skip
    head = {"type": "session", "harness": "my-agent", "id": "abc", "name": "Sums"}
    return lines_of(head, *({"type": "message", "message": one} for one in messages))


def claude_code_session() -> bytes:
    def line(kind: str, content: object) -> dict[str, Any]:
        message = {"role": kind, "content": content, "model": "some/model"}
        return {"type": kind, "sessionId": "abc", "uuid": "u", "message": message,
                "timestamp": "2026-01-02T03:04:05Z"}  # fmt: skip

    return lines_of(
        {"type": "summary", "leafUuid": "u", "summary": "Sums"},
        line("user", QUERY),
        line("assistant", [
            {"type": "thinking", "thinking": "Six sevens."},
            {"type": "text", "text": "I compute."},
            {"type": "tool_use", "id": "c1", "name": "python", "input": {"code": CODE}},
        ]),
        line("user", [{"type": "tool_result", "tool_use_id": "c1", "content": "42\n"}]),
        line("assistant", [{"type": "text", "text": ANSWER}]),
    )  # fmt: skip


def codex_session() -> bytes:
    items = ({"type": "response_item", "payload": item} for item in response_items())
    return lines_of(
        {"type": "session_meta", "payload": {"id": "abc"}},
        {"type": "turn_context", "payload": {"model": "some/model"}},
        *items,
    )


def smolagents_steps() -> list[dict[str, Any]]:
    return [
        {"task": QUERY, "task_images": None},
        {"step_number": 1, "model_output": "I compute.", "code_action": CODE,
         "tool_calls": [], "observations": "42\n", "error": None,
         "timing": {"start_time": 1767323045.0}, "token_usage":
         {"input_tokens": 20, "output_tokens": 5}},
        {"step_number": 2, "model_output": "", "tool_calls": [chat_call(
            "final_answer", {"answer": ANSWER})], "observations": None, "error": None},
    ]  # fmt: skip


def notebook(**more: Any) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = [
        {"output_type": "stream", "name": "stdout", "text": ["42\n"]},
        {"output_type": "display_data", "metadata": {},
         "data": {"image/png": PIXEL, "text/plain": "<Figure>", "application/javascript": "x()"}},
    ]  # fmt: skip
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
        "cells": [
            {"cell_type": "markdown", "source": ["# Sums\n", "\n", QUERY], "metadata": {}},
            {"cell_type": "markdown", "source": "I compute.", "metadata": {}},
            {"cell_type": "code", "source": CODE, "outputs": outputs, "metadata": {},
             "execution_count": 1},
            {"cell_type": "markdown", "source": ANSWER, "metadata": {}},
        ],
        **more,
    }  # fmt: skip


def every_format() -> dict[str, bytes]:
    """A file of each format, by the words that a reading has for it."""
    plain = [message for message in chat_messages() if message["role"] != "system"]
    return {
        "PyBench jsonl": lines_of({"index": "7", "user": QUERY, "messages": chat_messages()}),
        "OpenAI chat messages": lines_of({"messages": chat_messages()}),
        "OpenAI Responses items": dumped(response_items()),
        "ATIF 1.8": dumped(atif()),
        "an Inspect log of version 2": dumped(inspect_log()),
        "an SWE-agent trajectory": dumped(swe_agent()),
        "a mini-SWE-agent trajectory of version 2.2.7": dumped(mini_swe_agent()),
        "OpenHands events": lines_of(openhands_row()),
        "a session trace (STS-Format)": session_trace(),
        "a session of Claude Code": claude_code_session(),
        "a session of Codex": codex_session(),
        "a run of smolagents": dumped(smolagents_steps()),
        "a Jupyter notebook (nbformat 4.5)": dumped(notebook()),
        "OpenAI chat messages ": dumped(plain),
    }
