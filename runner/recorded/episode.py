"""An episode without a model: recorded steps played again in their order."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from runner.cancellation import wait_for
from runner.contract import Limits, Listener, RecordedPlay, Step
from runner.recorded.steps import play_step
from runner.sandbox.base import Session


async def recite(
    recording: RecordedPlay,
    session: Session,
    limits: Limits,
    listener: Listener,
    slots: AbstractAsyncContextManager[None],
    count: Callable[[Step, Step], None],
) -> bool:
    """Play the steps; False if the attempt's time was over before the last one began.

    `count` gets each step as recorded and as it came out.
    Raises Stopped when it is called off, and Fenced when the listener does.
    """
    until_s = time.monotonic() + limits.attempt_timeout_s

    async def run(step: Step) -> Step:
        async with slots:
            return await play_step(session, limits, step, step.index in recording.typed)

    for recorded in recording.steps:
        if time.monotonic() > until_s:
            return False
        step = recorded
        if step.code is not None:
            step = await wait_for(run(step), listener.should_stop)
        count(recorded, step)
        await listener.step(step)
    return True
