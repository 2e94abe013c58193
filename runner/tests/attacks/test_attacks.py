"""The promise, line by line: each row says what hostile code tries, and what must come of it.

The rows are in the modules beside this one; two more files play those that take long.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from runner.tests.attacks.ends import ARTEFACTS, LIFE
from runner.tests.attacks.messages import MESSAGES
from runner.tests.attacks.output import OUTPUT
from runner.tests.attacks.played import Ground, comes_to_nothing
from runner.tests.attacks.powers import PRIVILEGE, SHARED
from runner.tests.attacks.reach import NETWORK, READING, WRITING
from runner.tests.attacks.rows import SMALL, Attack, rows
from runner.tests.attacks.turns import TURNS
from runner.tests.attacks.use import PROCESSES, RESOURCES
from runner.tests.support.sessions import opened

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

GROUPS = (
    READING, WRITING, NETWORK, PRIVILEGE, SHARED, PROCESSES, RESOURCES, LIFE, ARTEFACTS, OUTPUT,
    MESSAGES, TURNS,
)  # fmt: skip


async def test_every_group_has_its_rows() -> None:
    counts = [len(group) for group in GROUPS]
    assert min(counts) >= 8, counts
    assert sum(counts) >= 90, counts
    names = Counter(attack.name for group in GROUPS for attack in group)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(
    "attack",
    rows(
        reading=READING,
        writing=WRITING,
        network=NETWORK,
        privilege=PRIVILEGE,
        shared=SHARED,
        life=LIFE,
        artefacts=ARTEFACTS,
        messages=MESSAGES,
    ),
)
async def test_attack_comes_to_nothing(attack: Attack, ground: Ground, tmp_path: Path) -> None:
    await comes_to_nothing(attack, ground, tmp_path)


async def test_file_that_becomes_a_link_while_read_is_not_followed(
    ground: Ground,
) -> None:
    """Changed files are read while the cell's threads live on."""
    secret = Path("/etc/passwd").read_bytes()
    flip = (
        "import os, threading\ndef flip():\n    while True:\n"
        "        open('x', 'w').write('own'); os.rename('x', 'output/x')\n"
        "        os.symlink('/etc/passwd', 'x'); os.rename('x', 'output/x')\n"
        "threading.Thread(target=flip, daemon=True).start()"
    )
    async with opened(ground.sandbox, ground.inputs, SMALL) as session:
        await session.run(flip, 20)
        for _ in range(200):
            for change in await session.changes():
                assert change.content in (None, b"", b"own")
                assert change.content != secret
