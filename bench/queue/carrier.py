"""Threads that carry attempts to a worker's player as Celery's pool does, without a broker."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from runner.worker.attempt_player import AttemptPlayer, Player, Settings
from runner.worker.database_retries import Retrying
from runner.worker.event_loop import EventLoop


class Carrier:
    """A worker's event loop and player, with a thread for each place."""

    def __init__(
        self,
        door: Any,
        player: Callable[[], Player],
        settings: Settings,
        retrying: Retrying | None = None,
    ) -> None:
        self.loop = EventLoop()
        self.player = AttemptPlayer(door, player, settings, self.loop, retrying)
        self.pool = ThreadPoolExecutor(settings.places)

    def send(self, attempt_id: int, token: str) -> bool:
        """Carry an attempt that was sent; in place of a message."""
        self.pool.submit(self.player.play, attempt_id, token)
        return True

    def end(self) -> None:
        self.loop.stop()
        self.loop.join(60)
        self.pool.shutdown()
