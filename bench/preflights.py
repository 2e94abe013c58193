"""Measures how long a preflight takes: `python -m bench.preflights`.

Real preflights, with a kernel of the real sandbox, of scripted endpoints and of ones that
misbehave: one that never answers, one that drips, one that never stops, a model whose code never
ends. Times are a submitter's: from the question to the report. Nothing is judged.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from bench.spread import spread
from runner.contract import EndpointSpec
from runner.preflight import TOTAL_S, preflight, session_of
from runner.preflight_report import Report, State
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.scripted_server import ScriptedServer
from runner.tests import misbehaving as bad

Opened = Callable[[], AbstractContextManager[EndpointSpec]]

ENDLESS_CODE = "```python\nwhile True: pass\n```"
BAD_ENDPOINTS: dict[str, bad.Answer] = {
    "key refused": bad.status(401, "expired"),
    "server error, asks to wait": bad.status(500, "oops", {"Retry-After": "99"}),
    "rate limited, asks to wait": bad.status(429, "later", {"Retry-After": "99"}),
    "hangs up": bad.hang_up,
    "never answers": bad.silence,
    "drips for ever": bad.dripping,
    "never stops": bad.endless,
    "its code never ends": bad.said(ENDLESS_CODE),
}


@contextmanager
def scripted(model: str) -> Iterator[EndpointSpec]:
    server = ScriptedServer()
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
    with bad.misbehaving(BAD_ENDPOINTS[name]) as server:
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
    print(f"the longest took {longest:.2f} s of {TOTAL_S:.0f}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
