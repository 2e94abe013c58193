"""An endpoint on loopback that writes one line per turn, takes its time, and counts its calls."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from runner.tests.support.endpoint_server import Handler, completion, hang_up, misbehaving, status

CELLS = 2  # turns with code, before the final answer
LONGEST_WAIT_S = 500.0  # less than the suite of lines allows for a reply


@dataclass
class Behaviour:
    """Behaviour of the endpoint from now on, and a record of its callers."""

    delay_s: float = 0.0
    status: int = 200
    tokens: tuple[int, int] = (10, 5)  # of each prompt and reply, as it counts them
    epilogue: str = ""  # what each cell does in addition
    calls: list[str] = field(default_factory=list)  # the bearer of each
    is_ending: threading.Event = field(default_factory=threading.Event)
    hold_after: int | None = None  # calls; later ones wait for `may_go_on`
    hold_finals_after: int | None = None  # last replies of a conversation; later ones wait too
    may_go_on: threading.Event = field(default_factory=threading.Event)
    finals: int = 0  # last replies that were asked for
    waiting: int = 0  # calls that wait for `may_go_on`, with those whose caller has died
    at_once: int = 0  # calls under way
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def under_way(self) -> Iterator[None]:
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            with self.lock:
                self.at_once -= 1

    def let_pass(self, caller: str, is_final: bool) -> None:
        """Count the call; return once it is due."""
        with self.lock:
            self.calls.append(caller)
            self.finals += is_final
            number, final = len(self.calls), self.finals if is_final else 0
        self.is_ending.wait(self.delay_s)
        if not self.is_held(number, final):
            return
        with self.lock:
            self.waiting += 1
        until_s = time.monotonic() + LONGEST_WAIT_S
        while self.is_held(number, final) and time.monotonic() < until_s:
            self.may_go_on.wait(0.05)
        with self.lock:
            self.waiting -= 1

    def is_held(self, number: int, final: int) -> bool:
        """True while this call may not be answered; `final` is its number among the last ones."""
        if self.may_go_on.is_set():
            return False
        is_late = self.hold_after is not None and number > self.hold_after
        return is_late or (self.hold_finals_after is not None and final > self.hold_finals_after)


def turns_in(messages: list[dict[str, Any]]) -> int:
    return sum(message["role"] == "assistant" for message in messages)


def reply_to(messages: list[dict[str, Any]], epilogue: str = "") -> str:
    """Append a line to the output in each of the first turns, then say that it is done."""
    turn = turns_in(messages)
    if turn >= CELLS:
        return "The lines are in ./output/lines.txt."
    code = f"open('output/lines.txt', 'a').write('line {turn + 1}\\n')\n{epilogue}"
    return f"Line {turn + 1} is next.\n```python\n{code}\n```"


@contextlib.contextmanager
def slow_endpoint(port: int = 0) -> Iterator[tuple[str, Behaviour]]:
    """The base URL, and the behaviour to be changed while it serves; `port` 0 is any."""
    behaviour = Behaviour()

    def answer(handler: Handler) -> None:
        if behaviour.is_ending.is_set():  # gone for those too that are connected already
            return hang_up(handler)
        caller = handler.headers.get("authorization", "").removeprefix("Bearer ")
        with behaviour.under_way():
            behaviour.let_pass(caller, turns_in(handler.body["messages"]) >= CELLS)
        if behaviour.status != 200:
            return status(behaviour.status, "no")(handler)
        reply = reply_to(handler.body["messages"], behaviour.epilogue)
        sent, said = behaviour.tokens
        usage = {"prompt_tokens": sent, "completion_tokens": said}
        return completion(reply, model=handler.body["model"], usage=usage)(handler)

    with misbehaving(answer, port=port, idle_s=None) as server:
        try:
            yield server.base_url, behaviour
        finally:
            behaviour.is_ending.set()
            behaviour.may_go_on.set()
