"""The stages of `make`: each runs, also after a failure, and CI runs all of them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from conftest import postgres_program
from leaderboard.tests.support.s3_server import s3_server
from pybench_site.local import verify
from pybench_site.local.install import ROOT
from pybench_site.local.sampling import commit

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands of the stages; the one for types fails."""
    commands: list[Sequence[str]] = []

    def record(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, int(command[0].endswith("mypy")))

    monkeypatch.setattr(subprocess, "run", record)
    return commands


def test_what_follows_a_failure_runs_all_the_same(
    ran: list[Sequence[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify.main(["test"]) == 1
    assert ran == [command for _, command in verify.TESTS]
    table = capsys.readouterr().out.rpartition("──\n")[2].splitlines()
    told = {line.partition("s CPU")[2].strip(): line.split()[0] for line in table}
    names = [name for name, _ in verify.TESTS]
    assert told == {name: "FAILED" if name == "types" else "passed" for name in names}


@pytest.mark.parametrize("checkout", [None, Path("/checkout")])
@pytest.mark.parametrize(
    ("purpose", "suites"),
    [("test", ["starter"]), ("prove", ["pybench"]), ("prove-all", ["starter", "pybench"])],
)
def test_proofs_are_of_every_suite_that_is_at_hand(
    purpose: str,
    suites: list[str],
    checkout: Path | None,
    ran: list[Sequence[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verify, "find_recorded", lambda: checkout)
    verify.main([purpose])
    proved = [command[3] for command in ran if "prove_suite" in command]
    assert proved == [name for name in suites if checkout or name == "starter"]
    is_imported = any("/checkout" in command for command in ran)
    assert is_imported == (bool(checkout) and "pybench" in suites)


@pytest.mark.parametrize(("purpose", "is_drawn"), [("test", True), ("prove-all", False)])
def test_the_commit_draws_what_is_proved_again_but_before_a_release(
    purpose: str, is_drawn: bool, ran: list[Sequence[str]]
) -> None:
    verify.main([purpose])
    [starter] = [command for command in ran if "starter" in command]
    assert ("--resume" in starter) == ("--draw" in starter) == is_drawn
    assert not is_drawn or starter[-1] == commit()


@pytest.fixture
def tests_that_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, list[str]]:
    """Names of tests that fail beside others and alone; the commands land under "commands"."""
    plan: dict[str, list[str]] = {"beside": [], "alone": [], "commands": []}
    monkeypatch.setattr(verify, "FAILED", tmp_path / "lastfailed")

    def play(command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        plan["commands"].append(" ".join(command[3:]))
        failing = plan["alone" if "--last-failed" in command else "beside"]
        if failing:
            verify.FAILED.write_text(json.dumps(dict.fromkeys(failing, True)), "utf-8")
        return subprocess.CompletedProcess(command, int(bool(failing)))

    monkeypatch.setattr(subprocess, "run", play)
    return plan


def test_tests_that_fail_beside_others_are_played_again_alone_and_named(
    tests_that_fail: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    tests_that_fail["beside"] = ["a.py::test_slow", "b.py::test_busy"]
    assert verify.main(["test-peers"]) == 0
    assert len(tests_that_fail["commands"]) == 2
    assert "(2 played again alone: a.py::test_slow, b.py::test_busy)" in capsys.readouterr().out


@pytest.mark.parametrize("beside", [1, verify.AGAIN_AT_MOST + 1])
def test_what_fails_alone_or_is_many_fails_the_stage(
    beside: int, tests_that_fail: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    tests_that_fail["beside"] = [f"a.py::test_{number}" for number in range(beside)]
    tests_that_fail["alone"] = ["a.py::test_0"] if beside == 1 else []
    assert verify.main(["test-peers"]) == 1
    assert len(tests_that_fail["commands"]) == (2 if beside == 1 else 1)
    assert "FAILED" in capsys.readouterr().out


def test_a_stage_that_never_reached_its_tests_is_not_played_again(
    tests_that_fail: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    verify.FAILED.write_text('{"a.py::test_of_an_earlier_run": true}', "utf-8")
    done: subprocess.CompletedProcess[str] = subprocess.CompletedProcess([], 4)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: done)
    assert verify.main(["test-peers"]) == 1
    assert not verify.FAILED.exists()


def test_a_test_is_in_the_core_or_among_the_peers(
    ran: list[Sequence[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    verify.main(["test"])
    assert "make test-peers" in capsys.readouterr().out
    verify.main(["test-peers"])
    chosen = [command[-2:] for command in ran if "pytest" in command]
    assert chosen == [["-m", "not peers"], ["-m", "peers"]]


@pytest.mark.parametrize("open_door", [lambda: postgres_program("initdb"), s3_server().__enter__])
def test_a_test_of_the_core_gets_no_server_of_other_people(open_door: Callable[[], object]) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"carries `@pytest\.mark\.peers`"):
        open_door()


@pytest.mark.peers
def test_one_among_the_peers_gets_it() -> None:
    assert Path(postgres_program("initdb")).is_file()


def test_ci_runs_what_the_makefile_has_for_it() -> None:
    commands = re.findall(
        r"^make ([\w-]+)", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE
    )
    assert commands == ["test", "test-peers", "prove"]
    for name in commands:
        recipe = MAKEFILE.partition(f"\n{name}:")[2].partition("\n\n")[0]
        assert f"install.py {name.partition('-')[0]}" in recipe
        assert f"pybench_site.local.verify {name}" in recipe


def test_every_target_that_a_document_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md", "docs/operating.md", "bench/README.md"):
        text = (ROOT / name).read_text("utf-8")
        assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)) <= targets, name
