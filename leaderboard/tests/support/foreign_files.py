"""Small files of trajectories as other harnesses write them, made after their published schemas.

Each tells of one attempt: a query, a cell that prints 42, and the answer. The documents are in
data/foreign_formats.json.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DOCUMENTS = (Path(__file__).parents[1] / "data" / "foreign_formats.json").read_text("utf-8")
QUERY = "Multiply 6 by 7."
CODE = "print(6 * 7)"
ANSWER = "It is 42."


def document(name: str) -> Any:
    """A copy of its own, which a test may change."""
    return json.loads(DOCUMENTS)[name]


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def lines_of(*values: object) -> bytes:
    return b"".join(dumped(value) + b"\n" for value in values)


def chat_call(name: str = "python", arguments: object = None, id: str = "c1") -> dict[str, Any]:
    told = arguments if isinstance(arguments, str) else json.dumps(arguments or {"code": CODE})
    return {"id": id, "type": "function", "function": {"name": name, "arguments": told}}


def chat_messages(*more: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A conversation with a tool call; `more` is in place of its end."""
    whole = document("chat_messages")
    return [*whole[:-1], *more] if more else whole


def response_items() -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = document("response_items")
    return items


def atif(version: str = "ATIF-v1.8", **more: Any) -> dict[str, Any]:
    return {**document("atif"), "schema_version": version, **more}


def inspect_sample(number: int = 1, **more: Any) -> dict[str, Any]:
    return {**document("inspect_sample"), "id": f"s{number}", **more}


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
    members: Mapping[str, str | bytes] | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED
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


def openhands_row() -> dict[str, Any]:
    return {
        "instance_id": "sum-1",
        "instruction": QUERY,
        "metadata": {"llm_config": {"model": "some/model"}},
        "history": document("openhands_events"),
    }


def session_trace() -> bytes:
    """A session in the Hub's own format."""
    return lines_of(*document("session_trace"))


def codex_session() -> bytes:
    items = ({"type": "response_item", "payload": item} for item in response_items())
    return lines_of(*document("codex_session"), *items)


def notebook(**more: Any) -> dict[str, Any]:
    return {**document("notebook"), **more}


def every_format() -> dict[str, bytes]:
    """A file of each format, by the words that a reading has for it."""
    plain = [message for message in chat_messages() if message["role"] != "system"]
    return {
        "PyBench jsonl": lines_of({"index": "7", "user": QUERY, "messages": chat_messages()}),
        "OpenAI chat messages": lines_of({"messages": chat_messages()}),
        "OpenAI Responses items": dumped(response_items()),
        "ATIF 1.8": dumped(atif()),
        "an Inspect log of version 2": dumped(inspect_log()),
        "an SWE-agent trajectory": dumped(document("swe_agent")),
        "a mini-SWE-agent trajectory of version 2.2.7": dumped(document("mini_swe_agent")),
        "OpenHands events": lines_of(openhands_row()),
        "a session trace (STS-Format)": session_trace(),
        "a session of Claude Code": lines_of(*document("claude_code_session")),
        "a session of Codex": codex_session(),
        "a run of smolagents": dumped(document("smolagents_steps")),
        "a Jupyter notebook (nbformat 4.5)": dumped(notebook()),
        "OpenAI chat messages ": dumped(plain),
    }
