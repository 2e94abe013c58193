"""The promise, line by line: each row says what hostile code tries, and what must come of it."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from runner.contract import CellStatus, Harvest
from runner.tests.attacks import (
    artefacts,
    life,
    network,
    output,
    privilege,
    processes,
    reading,
    resources,
    writing,
)
from runner.tests.attacks.conftest import Ground
from runner.tests.attacks.rows import OK, SECRET, SMALL, Attack
from runner.tests.attacks.surroundings import find_traces, show

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

GROUPS = {
    "reading": reading.ATTACKS,
    "writing": writing.ATTACKS,
    "privilege": privilege.ATTACKS,
    "network": network.ATTACKS,
    "processes": processes.ATTACKS,
    "resources": resources.ATTACKS,
    "output": output.ATTACKS,
    "life": life.ATTACKS,
    "artefacts": artefacts.ATTACKS,
}
ROWS = [
    pytest.param(attack, id=f"{group}-{attack.name}")
    for group, attacks in GROUPS.items()
    for attack in attacks
]
CLEARED_WITHIN_S = 30.0  # generous: what counts is that nothing stays


@pytest.mark.parametrize("attack", ROWS)
async def test_attack_comes_to_nothing(attack: Attack, ground: Ground, tmp_path: Path) -> None:
    session = await ground.sandbox.open(ground.inputs, SMALL)
    try:
        result = await session.run(ground.surroundings.fill(attack.code), attack.timeout_s)
        after = await session.run("print(6 * 7)", 20)
        await session.changes()
        harvest = await session.harvest(tmp_path / "taken")
    finally:
        await session.close()
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


async def test_the_next_attempt_on_the_worker_is_unharmed(ground: Ground, tmp_path: Path) -> None:
    """After every row above, honest work comes out right."""
    session = await ground.sandbox.open(ground.inputs, SMALL)
    try:
        first = await session.run("import csv; rows = list(csv.reader(open('data/a.csv')))", 60)
        second = await session.run(
            "open('output/sum.txt', 'w').write(str(int(rows[1][0]) + int(rows[1][1])))\nrows", 60
        )
        changes = await session.changes()
        harvest = await session.harvest(tmp_path / "taken")
    finally:
        await session.close()
    assert (first.status, second.status) == (CellStatus.OK, CellStatus.OK)
    assert "[['x', 'y'], ['1', '2']]" in show(second)
    assert [change.path for change in changes] == ["output/sum.txt"]
    assert [stored.location.read_text() for stored in harvest.files] == ["3"]
    await expect_no_traces(ground)


async def test_a_file_that_turns_into_a_link_while_it_is_read_leads_nowhere(
    ground: Ground,
) -> None:
    """What changed is read while the cell's threads live on."""
    secret = Path("/etc/passwd").read_bytes()
    flip = (
        "import os, threading\ndef flip():\n    while True:\n"
        "        open('x', 'w').write('own'); os.rename('x', 'output/x')\n"
        "        os.symlink('/etc/passwd', 'x'); os.rename('x', 'output/x')\n"
        "threading.Thread(target=flip, daemon=True).start()"
    )
    session = await ground.sandbox.open(ground.inputs, SMALL)
    try:
        await session.run(flip, 20)
        for _ in range(200):
            for change in await session.changes():
                assert change.content in (None, b"", b"own")
                assert change.content != secret
    finally:
        await session.close()


async def test_the_suite_covers_every_group() -> None:
    counts = {group: len(attacks) for group, attacks in GROUPS.items()}
    assert min(counts.values()) >= 8, counts
    assert sum(counts.values()) >= 90, counts
    names = Counter(attack.name for attacks in GROUPS.values() for attack in attacks)
    assert [name for name, count in names.items() if count > 1] == []


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
