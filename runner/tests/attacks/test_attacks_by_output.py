"""Attacks by output, and by turns of a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.tests.attacks.output import OUTPUT
from runner.tests.attacks.played import Ground, comes_to_nothing
from runner.tests.attacks.rows import Attack, rows
from runner.tests.attacks.turns import TURNS

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]


@pytest.mark.parametrize("attack", rows(output=OUTPUT, turns=TURNS))
async def test_attack_comes_to_nothing(attack: Attack, ground: Ground, tmp_path: Path) -> None:
    await comes_to_nothing(attack, ground, tmp_path)
