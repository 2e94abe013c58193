"""A Celery process that stands still in some part once a file of that part's name lies in `var`.

Of the consumer of messages, the loop (`consumer`) or the requests for messages alone (`intake`);
else the driver, or every task that begins (`tasks`). Its watch has patience until a file
`patience_ends` lies there too: however slow the machine, a test sees what the worker says before
it ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

TICK_S = 0.25  # between the questions of its watch
ENDS_WITHIN_S = 3.0  # instead of eight
ENDS = "patience_ends"
STILL_S = 600.0


def from_when(mark: str, owner: object, act: str, instead: Callable[[], None]) -> None:
    """Call something else than `act` from when the file exists on."""
    soundly: Callable[..., Any] = getattr(owner, act)

    def changed(*arguments: Any, **named: Any) -> Any:
        from django.conf import settings

        return instead() if (settings.VAR / mark).exists() else soundly(*arguments, **named)

    setattr(owner, act, changed)


def stand_still() -> None:
    time.sleep(STILL_S)


def have_patience() -> None:
    """Let the watch end nothing until the file exists."""
    from django.conf import settings

    from pybench_site.monitoring import watch

    most, watch.MOST_MISSED = watch.MOST_MISSED, 10**6
    while not (settings.VAR / ENDS).exists():
        time.sleep(0.2)
    watch.MOST_MISSED = most


def change_tasks(**_: Any) -> None:
    """Change modules that need Django, once that is set up."""
    from leaderboard.handoff import attempts
    from runner.worker import process

    process.ENDS_WITHIN_S = ENDS_WITHIN_S
    from_when("tasks", attempts, "waiting_run", stand_still)


def main() -> None:
    from celery import signals
    from celery.__main__ import main
    from kombu.asynchronous import Hub
    from kombu.transport.redis import Channel

    from pybench_site.monitoring import watch
    from runner.worker.driver import Driver

    signals.worker_init.connect(change_tasks)
    watch.TICK_S, watch.LONGEST_TASK = TICK_S, 8
    from_when("consumer", Hub, "fire_timers", stand_still)
    from_when("intake", Channel, "_brpop_start", lambda: None)
    from_when("driver", Driver, "contend", stand_still)
    threading.Thread(target=have_patience, daemon=True).start()
    main()


if __name__ == "__main__":
    main()
