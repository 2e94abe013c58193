"""Modules of an agent's own are called as any program would import them."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks import Case
from runner.checks.programs import modules

PLAIN = "def double(x):\n    return 2 * x\n"
DATACLASS = (
    "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
    "@dataclass(frozen=True)\nclass Pair:\n    left: int\n\n"
    "def double(x):\n    return 2 * Pair(x).left\n"
)
OWN_NAME = f"if __name__ == 'm':\n    {PLAIN.replace(chr(10), chr(10) + '    ')}\n"
TALKING = f"print('loaded')\n{PLAIN}"


@pytest.mark.parametrize(
    ("source", "is_silent", "fails"),
    [
        (PLAIN, True, []),
        (DATACLASS, True, []),
        (OWN_NAME, True, []),
        (TALKING, False, []),
        (TALKING, True, ["prints nothing on import"]),
    ],
)
def test_module_is_imported_as_any_program_does(
    tmp_path: Path, source: str, is_silent: bool, fails: list[str]
) -> None:
    (tmp_path / "m.py").write_text(source)
    case = Case(tmp_path, tmp_path)
    replies = modules.call_all(case, "m.py", [modules.Call("double", (21,))], is_silent=is_silent)
    assert replies[0].value == 42
    assert [a["name"] for a in case.assertions if not a["passed"]] == fails
