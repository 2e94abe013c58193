"""Lines of a file of upstream's trajectories."""

from __future__ import annotations

import json
from typing import Any

from leaderboard.trajectories.readers.interpreter_output import INTERPRETER

REPLY = "Analyse:\n1. Look.\n\nAction:\n```python\nprint(1)\n```"


def message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


SYSTEM, QUERY = message("system", "You are …"), message("user", "Sum it.")


CELL, RESULT = message("assistant", REPLY), message("user", INTERPRETER + "1\n")


ANSWER = message("assistant", "Finished: the sum is 1.")


def row(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": [SYSTEM, QUERY, *messages], "index": "7", "user": "Sum it."} | more


def line(*messages: dict[str, Any], **more: Any) -> bytes:
    return json.dumps(row(*messages, **more), ensure_ascii=False).encode()
