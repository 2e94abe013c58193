"""A Celery process whose reader of replies never ends on one kind of text."""

from __future__ import annotations

import re

from runner import episode
from runner.contract import ActionFormat
from runner.model.reply import Action, ModelReply
from runner.model.reply import read as read_soundly
from runner.reading import readers

ENDLESS = re.compile("#(a+)+$")  # no engine that backtracks ends this on many
TEXT = "#" + "a" * 60
READ_FOR_S = 600.0  # instead of 2 s of CPU: until the test sends what the kernel sends then


def read(reply: ModelReply, action_format: ActionFormat) -> Action:
    """As `runner.model.reply.read`, with a pattern that no site has."""
    ENDLESS.search(reply.text)
    return read_soundly(reply, action_format)


def main() -> None:
    from celery.__main__ import main

    episode.read = read  # type: ignore[attr-defined]  # by name, which a reading process imports
    readers.CPU_S = readers.WALL_S = READ_FOR_S
    main()


if __name__ == "__main__":
    from leaderboard.tests.support import stuck_reader

    stuck_reader.main()
