"""A row of the attacks as it is played, and all that must hold when it is over."""

from __future__ import annotations

import asyncio
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from runner.contract import CellStatus, Harvest
from runner.sandbox.base import Sandbox, Session
from runner.tests.attacks.rows import OK, SECRET, SMALL, Attack
from runner.tests.attacks.surroundings import Surroundings, Traces, find_traces
from runner.tests.support.sessions import opened, show

CLEARED_WITHIN_S = 180.0  # generous: what counts is that nothing stays


@dataclass(frozen=True)
class Ground:
    """Scene of the attacks: one sandbox, in which another attempt is under way."""

    sandbox: Sandbox
    sibling: Session
    inputs: Path
    surroundings: Surroundings
    runtime: Path
    before: Traces  # with the sibling at work and nobody else


async def comes_to_nothing(attack: Attack, ground: Ground, tmp_path: Path) -> None:
    """Play an attack in a session of its own: it shows what it should, and leaves nothing."""
    async with opened(ground.sandbox, ground.inputs, SMALL) as session:
        result = await session.run(ground.surroundings.fill(attack.code), attack.timeout_s)
        after = await session.run("print(6 * 7)", 120)
        await session.changes()
        harvest = await session.harvest(tmp_path / "taken")
    shown = show(result)
    assert result.status in attack.ends, (result.status, shown[-2000:])
    if attack.reason != "*":
        assert result.reason == (attack.reason if result.reason else ""), shown[-2000:]
    assert re.search(attack.shows, shown), shown[-2000:]
    assert SECRET not in shown
    assert "SUCCEEDED" not in shown
    if not attack.spoils:
        assert after.status is OK, show(after)[-2000:]
        assert "42\n" in show(after)
    check_harvest(attack, harvest)
    assert (ground.inputs / "a.csv").read_text() == "x,y\n1,2\n"
    await expect_no_traces(ground)


async def honest_work_comes_right(ground: Ground, folder: Path) -> None:
    """See the next attempt unharmed by all that was tried before."""
    async with opened(ground.sandbox, ground.inputs, SMALL) as session:
        first = await session.run("import csv; rows = list(csv.reader(open('data/a.csv')))", 120)
        second = await session.run(
            "open('output/sum.txt', 'w').write(str(int(rows[1][0]) + int(rows[1][1])))\nrows", 60
        )
        changes = await session.changes()
        harvest = await session.harvest(folder / "taken")
    assert (first.status, second.status) == (CellStatus.OK, CellStatus.OK)
    assert "[['x', 'y'], ['1', '2']]" in show(second)
    assert [change.path for change in changes] == ["output/sum.txt"]
    assert [stored.location.read_text() for stored in harvest.files] == ["3"]
    await expect_no_traces(ground)


async def expect_no_traces(ground: Ground) -> None:
    """Nothing more is on the host than before, once what was killed is gone."""
    deadline_s = time.monotonic() + CLEARED_WITHIN_S
    while left := find_traces(ground.runtime, ground.surroundings.marker).exceeds(ground.before):
        assert time.monotonic() < deadline_s, left
        await asyncio.sleep(0.1)


def check_harvest(attack: Attack, harvest: Harvest) -> None:
    if not (attack.files or attack.refused):
        return
    assert sorted(stored.path for stored in harvest.files) == sorted(attack.files)
    reasons = {refused.path: refused.reason for refused in harvest.refused}
    for path, reason in attack.refused.items():
        assert reason in reasons[path]
    for stored in harvest.files:
        found = stored.location.lstat()
        assert found.st_uid == os.getuid()
        assert found.st_nlink == 1
        assert found.st_mode & 0o7777 == 0o644
