"""Plays what the reader of a viewer carries on: a worker's driver in the viewer's own process."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.http import Clients
from runner.failure_log import logged
from runner.sandbox.factory import open_sandbox
from runner.worker.driver import Driver, Settings
from runner.worker.sandbox_player import SandboxPlayer

log = logging.getLogger(__name__)

PLACES = 2  # attempts at once
SWEEP_EVERY_S = 2.0
STOP_TIMEOUT_S = 4.0


class ViewerPlayer:
    """Plays from its making on, with `scratch` as its folder."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        how = Settings(
            worker="viewer",
            places=PLACES,
            renew_every_s=settings.QUEUE_LEASE_S / 4,
            scratch=scratch / "scratch",
        )
        self.driver = Driver(attempts, self.make_player, how, after_rows=connection.close)
        self.driver.start()
        threading.Thread(target=self.sweep, name="sweep", daemon=True).start()

    def make_player(self) -> SandboxPlayer:
        player = SandboxPlayer(
            settings.SUITES, self.scratch / "instances", AddressPolicy(), open_sandbox
        )
        player.clients = Clients()  # its reader may call any address, as the command line does
        return player

    def sweep(self) -> None:
        while True:
            time.sleep(SWEEP_EVERY_S)
            with logged(log, "the sweep failed; the next one tries again"):
                sweep_queue()
            connection.close()

    def stop(self) -> None:
        """End what is under way, with its sandbox."""
        self.driver.stop()
        self.driver.join(STOP_TIMEOUT_S)
