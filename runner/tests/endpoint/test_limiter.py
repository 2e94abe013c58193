"""The gate before an endpoint: who waits, who passes, and what cancelled waiters leave behind."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import LimitReason
from runner.endpoint.errors import CUT_OFF, EndpointError
from runner.endpoint.limiter import ConcurrencyLimit, Gate, Gates, RequestOutcome


def refused(status: int, wait_s: float | None = None) -> EndpointError:
    error = EndpointError("endpoint_rate_limited", "Too many.", "Wait.", 6, wait_s)
    error.status = status
    return error


async def settle() -> None:
    """Let every task that can go on go on."""
    for _ in range(20):
        await asyncio.sleep(0)


class Visitors:
    """Tasks that enter and stay until they are released."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.inside = 0
        self.leave = asyncio.Event()

    async def ask(self) -> None:
        async with self.gate.request():
            self.inside += 1
            await self.leave.wait()


async def test_no_more_pass_than_there_is_room_for() -> None:
    visitors = Visitors(Gate(ConcurrencyLimit(4)))
    tasks = [asyncio.create_task(visitors.ask()) for _ in range(10)]
    await settle()
    assert visitors.inside == 4
    visitors.leave.set()
    await asyncio.gather(*tasks)
    assert visitors.inside == 10
    assert visitors.gate.pace.under_way == 0


async def test_attempts_begin_while_there_is_room() -> None:
    moves: list[bool] = []
    gate = Gate(ConcurrencyLimit(2), on_move=lambda: moves.append(gate.has_room()))
    while gate.has_room():
        gate.begin_attempt()
    assert gate.attempts == 2
    gate.end_attempt()
    assert moves == [True]


async def test_requests_pass_in_the_order_they_came() -> None:
    gate = Gate(ConcurrencyLimit(1))
    passed: list[str] = []

    async def ask(name: str, times: int) -> None:
        for _ in range(times):
            async with gate.request():
                passed.append(name)
                await asyncio.sleep(0)

    await asyncio.gather(ask("often", 6), ask("seldom", 3))
    assert passed[:6] == ["often", "seldom"] * 3


async def test_a_cancelled_waiter_leaves_no_trace() -> None:
    visitors = Visitors(Gate(ConcurrencyLimit(1)))
    tasks = [asyncio.create_task(visitors.ask()) for _ in range(3)]
    await settle()
    for task in tasks[:2]:  # the one inside and one that waits
        task.cancel()
    await settle()
    assert visitors.inside == 2
    visitors.leave.set()
    await tasks[2]
    assert visitors.gate.pace.under_way == len(visitors.gate.waiting) == 0


async def test_a_waiter_cancelled_as_it_is_let_in_gives_its_room_back() -> None:
    visitors = Visitors(Gate(ConcurrencyLimit(1)))
    ask = visitors.gate.pace.begin(0.0)
    tasks = [asyncio.create_task(visitors.ask()) for _ in range(2)]
    await settle()
    visitors.gate.leave(ask, RequestOutcome.UNCLEAR)  # lets the first in, which has not noticed yet
    tasks[0].cancel()
    await settle()
    assert visitors.inside == 1
    visitors.leave.set()
    await tasks[1]
    assert visitors.gate.pace.under_way == 0


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_a_refusal_halves_the_room(status: int) -> None:
    gate = Gate(ConcurrencyLimit(16))
    with pytest.raises(EndpointError):
        async with gate.request():
            raise refused(status)
    assert gate.pace.limit == 8


async def test_other_failures_do_not(subtests: pytest.Subtests) -> None:
    for status in [0, 400, 401, 500, 502]:
        with subtests.test(status=status):
            gate = Gate(ConcurrencyLimit(16))
            with pytest.raises(EndpointError):
                async with gate.request():
                    raise refused(status)
            assert gate.pace.limit == 16
            assert not gate.pace.under_way


async def test_the_gate_stays_shut_as_long_as_the_endpoint_asks() -> None:
    now_s = 100.0
    gate = Gate(ConcurrencyLimit(16), clock=lambda: now_s)
    with pytest.raises(EndpointError):
        async with gate.request():
            raise refused(429, wait_s=30.0)
    visitors = Visitors(gate)
    task = asyncio.create_task(visitors.ask())
    await settle()
    inside_before = visitors.inside
    now_s = 130.0
    gate.move()
    await settle()
    assert (inside_before, visitors.inside) == (0, 1)
    visitors.leave.set()
    await task


async def test_a_waiter_passes_by_itself_when_the_rest_is_over() -> None:
    gate = Gate(ConcurrencyLimit(16))
    with pytest.raises(EndpointError):
        async with gate.request():
            raise refused(429, wait_s=0.05)
    async with asyncio.timeout(180), gate.request():
        assert gate.clock() >= gate.pace.closed_until_s


async def test_runs_on_one_endpoint_share_a_gate() -> None:
    gates = Gates()
    one, other = gates.join("a", 1, 4), gates.join("a", 2, 16)
    assert one is other
    assert one is not gates.join("b", 3, 16)
    assert one.pace.most == 16
    gates.leave("a", 2)
    assert one.pace.most == 4
    gates.leave("a", 1)
    assert one.pace.most == 4
    assert gates.join("a", 4, 8).pace.most == 8


async def test_what_was_learnt_serves_the_next_run() -> None:
    gates = Gates()
    gate = gates.join("a", 1, 16)
    with pytest.raises(EndpointError):
        async with gate.request():
            raise refused(429)
    gates.leave("a", 1)
    assert gates.join("a", 2, 16).pace.limit == 8
    assert gate.pace.highest == 8


def broken() -> EndpointError:
    return EndpointError(CUT_OFF.code, CUT_OFF.what, CUT_OFF.next_step, CUT_OFF.tries)


class Interrupting:
    """An endpoint that ends the reply under way as soon as it is asked again."""

    def __init__(self) -> None:
        self.under_way: asyncio.Event | None = None
        self.broken = self.whole = 0

    async def reply(self) -> None:
        if self.under_way is not None:
            self.under_way.set()
        mine = self.under_way = asyncio.Event()
        try:
            async with asyncio.timeout(0.05):
                await mine.wait()
        except TimeoutError:
            self.whole += 1
            self.under_way = None
            return
        self.broken += 1
        raise broken()


async def test_endpoint_that_breaks_off_when_asked_twice_gets_one_request_at_a_time() -> None:
    gate, endpoint = Gate(ConcurrencyLimit(2)), Interrupting()

    async def play() -> None:
        for _ in range(4):
            for _ in range(30):
                try:
                    async with gate.request():
                        await endpoint.reply()
                    break
                except EndpointError:
                    await asyncio.sleep(0.01)

    await asyncio.gather(play(), play())
    assert gate.pace.takes_one
    assert gate.pace.limit == 1
    assert gate.pace.reason is LimitReason.TAKES_ONE
    assert endpoint.whole == 8
    assert endpoint.broken <= 5  # each was a reply that had another beside it


async def test_endpoint_that_falls_over_once_keeps_its_width() -> None:
    gate = Gate(ConcurrencyLimit(8))
    fall = asyncio.Event()

    async def ask() -> None:
        async with gate.request():
            await fall.wait()
            raise broken()

    tasks = [asyncio.create_task(ask()) for _ in range(8)]
    await settle()
    fall.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (gate.pace.breaks, gate.pace.takes_one, gate.pace.limit) == (1, False, 8)


def test_limit_says_why_it_is_below_what_the_submitter_allows() -> None:
    pace = ConcurrencyLimit(8)
    reasons = [pace.reason]
    pace.end(pace.begin(0.0), 0.1, RequestOutcome.REFUSED)
    reasons.append(pace.reason)
    pace.set_limit(8)
    reasons.append(pace.reason)
    assert reasons == [None, LimitReason.REFUSED, None]


async def test_next_runs_try_an_endpoint_that_took_one_at_a_time_again() -> None:
    gates = Gates()
    gate = gates.join("a", 1, 4)
    gate.pace.breaks = 2
    gate.pace.set_limit(4)
    assert gate.pace.limit == 1
    gates.leave("a", 1)
    gates.join("a", 2, 4).pace.set_limit(4)
    assert (gate.pace.takes_one, gate.pace.limit) == (False, 4)
