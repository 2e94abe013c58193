"""Model servers on this machine, found at their usual ports."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

USUAL_PORTS: Mapping[str, int] = {
    "Ollama": 11434,
    "vLLM": 8000,
    "llama.cpp": 8080,
    "LM Studio": 1234,
}
ASK_TIMEOUT_S = 3.0  # a busy machine's; a port without a server refuses at once
MAX_ANSWER_BYTES = 1 << 20
MAX_MODELS = 50
MAX_NAME_CHARS = 200
SCRIPTED_OWNER = "scripted baseline"  # of the models of a site's scripted endpoints

Found = list[dict[str, Any]]


@dataclass(frozen=True)
class ModelList:
    """What a server answers to the question for its models."""

    models: tuple[str, ...] = ()
    wants_key: bool = False  # it answers nobody without one


def find_model_servers(ports: Mapping[str, int]) -> Found:
    """The servers that list models there: name, port and models."""
    found = []
    for name, port in ports.items():
        if models := list_models(port).models:
            found.append({"name": name, "port": port, "models": list(models)})
    return found


def list_models(port: int) -> ModelList:
    """The models that `/v1/models` names; none if nothing or something else answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ASK_TIMEOUT_S)
    try:
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        answer = connection.getresponse()
        body = read_body(answer) if answer.status == http.HTTPStatus.OK else b""
        models = read_models(json.loads(body)) if body else []
        return ModelList(tuple(models), answer.status == http.HTTPStatus.UNAUTHORIZED)
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return ModelList()
    finally:
        connection.close()


def read_body(answer: http.client.HTTPResponse) -> bytes:
    """Bytes that came in time: a program at such a port may stream for ever."""
    body, until_s = b"", time.monotonic() + ASK_TIMEOUT_S
    while len(body) < MAX_ANSWER_BYTES and time.monotonic() < until_s:
        if not (piece := answer.read1(MAX_ANSWER_BYTES - len(body))):
            break
        body += piece
    return body


def read_models(answer: object) -> list[str]:
    """Names in an answer of the OpenAI protocol; none of a site's scripted endpoints."""
    rows = answer.get("data") if isinstance(answer, dict) else None
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    if any(row.get("owned_by") == SCRIPTED_OWNER for row in rows):
        return []
    names = [row.get("id") for row in rows]
    fit = (n for n in names if isinstance(n, str) and 0 < len(n) <= MAX_NAME_CHARS)
    return [name for name in dict.fromkeys(fit) if name.isprintable()][:MAX_MODELS]
