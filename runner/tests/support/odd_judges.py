"""Judges that no site should meet, at a server like that of the scripted ones."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from runner.judge import prompts
from runner.judge.messages import texts_of_message
from runner.scripted.judges import ScriptedJudge, careful, reply_with, view_of
from runner.scripted.replies import ScriptedReply
from runner.scripted.server import Handler, ScriptedServer

ENDLESS = "judge-endless"


def invents_steps(messages: Sequence[Mapping[str, Any]]) -> str:
    return reply_with(view_of(messages), dict.fromkeys(prompts.CRITERIA, "yes"), [9_999])


def invalid_json(messages: Sequence[Mapping[str, Any]]) -> str:
    return '{"criteria": {"files_produced": {"answer": "yes", <script>alert(1)</script>'


def late_json(messages: Sequence[Mapping[str, Any]]) -> str:
    """Unreadable at first, right when asked again."""
    asked_again = prompts.REFUSED.partition("{reason}")[0] in texts_of_message(messages[-1])
    return careful(messages) if asked_again else "I would say that it passes."


ODD_JUDGES: dict[str, ScriptedJudge] = {
    "judge-invents-steps": invents_steps,
    "judge-invalid-json": invalid_json,
    "judge-late-json": late_json,
    ENDLESS: careful,  # the reply never ends
}


class OddHandler(Handler):
    """Sends blanks, each second, in the place of the endless judge's reply."""

    def send_json(self, status: int, body: Mapping[str, Any]) -> None:
        if body.get("model") != ENDLESS:
            return super().send_json(status, body)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.send_chunk(b" ")
            time.sleep(1)


class OddServer(ScriptedServer):
    """Serves the odd judges beside the scripted ones."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = OddHandler

    def reply(self, model: str, messages: Any) -> ScriptedReply:
        judge = ODD_JUDGES.get(model)
        return ScriptedReply(judge(messages)) if judge else super().reply(model, messages)
