"""Measures how long a preflight takes: `python -m bench.preflights`.

Real preflights, with a kernel of the real sandbox, of scripted endpoints and of ones that
misbehave: one that never answers, one that drips, one that never stops, a model whose code never
ends. Times are a submitter's: from the question to the report. Nothing is judged. The last row is
of the same preflight alone and while a pattern in another account's text never ends (goal: at most
1.2 times as long).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial

from bench.measuring.spread import spread
from runner.contract import EndpointSpec
from runner.preflight.checks import State
from runner.preflight.probe import TOTAL_S, preflight, session_of
from runner.preflight.report import Report
from runner.reading.readers import UnreadableText, readers
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.scripted.server import ScriptedServer
from runner.tests.support import endpoint_server

Opened = Callable[[], AbstractContextManager[EndpointSpec]]

REPLY_S = 0.2  # of the last row's endpoint: faster than models are
ENDLESS_TEXT = (re.match, "(a+)+$", "a" * 60 + "b")
ENDLESS_CODE = "```python\nwhile True: pass\n```"
BAD_ENDPOINTS: dict[str, endpoint_server.Answer] = {
    "key refused": endpoint_server.status(401, "expired"),
    "server error, asks to wait": endpoint_server.status(500, "oops", {"Retry-After": "99"}),
    "rate limited, asks to wait": endpoint_server.status(429, "later", {"Retry-After": "99"}),
    "hangs up": endpoint_server.hang_up,
    "never answers": endpoint_server.silence,
    "drips for ever": endpoint_server.dripping,
    "never stops": endpoint_server.endless,
    "its code never ends": endpoint_server.said(ENDLESS_CODE),
}


@contextmanager
def scripted(model: str, latency_s: float = 0.0) -> Iterator[EndpointSpec]:
    server = ScriptedServer(latency_s=latency_s)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield EndpointSpec(server.base_url, model)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@contextmanager
def misbehaving(name: str) -> Iterator[EndpointSpec]:
    with endpoint_server.misbehaving(BAD_ENDPOINTS[name]) as server:
        yield EndpointSpec(server.base_url, "m")


def measure(opened: Opened, rounds: int) -> tuple[list[float], Report]:
    """Seconds of each preflight, and the last one's report."""

    async def look(spec: EndpointSpec) -> tuple[float, Report]:
        sandbox: Sandbox = open_sandbox()
        try:
            await warm_up(sandbox)
            started_s = time.perf_counter()
            report = await preflight(spec, sandbox)
            return time.perf_counter() - started_s, report
        finally:
            await sandbox.close()

    taken: list[float] = []
    for _ in range(rounds):
        with opened() as spec:
            took_s, report = asyncio.run(look(spec))
        taken.append(took_s)
    return taken, report


async def beside_slow_text(rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of a sound endpoint's preflight, alone and beside a text that is read for ever."""
    alone: list[float] = []
    beside: list[float] = []
    sandbox: Sandbox = open_sandbox()

    async def timed(spec: EndpointSpec) -> float:
        await asyncio.sleep(1.0)  # a text that takes long has got the least priority by then
        started_s = time.perf_counter()
        await preflight(spec, sandbox)
        return time.perf_counter() - started_s

    try:
        await warm_up(sandbox)
        with scripted("reference", REPLY_S) as spec:
            await timed(spec)
            for _ in range(rounds):
                alone.append(await timed(spec))
                reading = asyncio.create_task(readers().read("another account", *ENDLESS_TEXT))
                beside.append(await timed(spec))
                for reader in list(readers().busy):
                    reader.process.kill()
                with suppress(UnreadableText):
                    await reading
    finally:
        await sandbox.close()
    return alone, beside


async def warm_up(sandbox: Sandbox) -> None:
    """The site's service has its kernels' parent started long before a preflight asks for one."""
    async with session_of(sandbox) as session:
        await session.run("1", 120.0)


def say(report: Report) -> str:
    """Its checks that are not passed, or that all are."""
    said = [f"{check.name} {check.state}" for check in report.checks if check.state != State.OK]
    return ", ".join(said) or "all passed"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.preflights", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    ways: dict[str, Opened] = {
        **{f"scripted: {model}": partial(scripted, model) for model in ("reference", "silent")},
        **{name: partial(misbehaving, name) for name in BAD_ENDPOINTS},
    }
    longest = 0.0
    for name, opened in ways.items():
        taken, report = measure(opened, rounds)
        longest = max(longest, *taken)
        print(f"{name:30} {spread(taken):>22} s   {say(report)}", flush=True)
    alone, beside = asyncio.run(beside_slow_text(5 * rounds))
    ratio = statistics.median(beside) / statistics.median(alone)
    print(f"alone {spread(alone)} s, beside slow text {spread(beside)} s: {ratio:.2f} times")
    print(f"the longest took {longest:.2f} s of {TOTAL_S:.0f}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
