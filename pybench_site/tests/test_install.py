"""The set-up says what is missing and which command brings it; what is there is not redone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pybench_site.local import install

ABSENT = install.Package("a-package", "something needed", ("run",), lambda: False)
PRESENT = install.Package("another", "something else", ("run",), lambda: True)
OPTIONAL = install.Package("a-tool", "a few tasks", ("run",), lambda: False, is_optional=True)


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands that the set-up would run."""
    ran: list[Sequence[str]] = []

    def record(what: str, command: Sequence[str], env: dict[str, str] | None = None) -> None:
        ran.append(list(command))

    monkeypatch.setattr(install, "run", record)
    return ran


def test_command_runs_this_checkout_from_any_folder(tmp_path: Path) -> None:
    folder = tmp_path / "with a space"
    folder.mkdir()
    (folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (folder / "python").chmod(0o755)
    install.write_command(folder / "pybench")
    done = subprocess.run(
        [folder / "pybench", "follow", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("usage: pybench follow ")


def test_without_rights_the_exact_command_is_shown(
    monkeypatch: pytest.MonkeyPatch, commands: list[Sequence[str]]
) -> None:
    monkeypatch.setattr(install, "privilege", lambda: None)
    with pytest.raises(install.SetupError) as caught:
        install.install_packages([PRESENT, ABSENT], "run")
    assert (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends a-package"
        in str(caught.value)
    )
    assert commands == []


@pytest.mark.parametrize("has_rights", [True, False])
def test_optional_package_that_cannot_be_had_stops_no_run_but_every_test(
    has_rights: bool,
    monkeypatch: pytest.MonkeyPatch,
    commands: list[Sequence[str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Such as a browser on a distribution that has no package of it."""
    monkeypatch.setattr(install, "privilege", lambda: [] if has_rights else None)
    monkeypatch.setattr(install, "is_offered", lambda name: False)
    monkeypatch.setattr(install, "APT_LISTS", tmp_path)
    (tmp_path / "an_archive_Packages.lz4").touch()
    install.install_packages([PRESENT, OPTIONAL], "run")
    said = capsys.readouterr().out
    assert "missing: a-tool (a few tasks)" in said
    assert "without a-tool: tasks that need them wait" in said
    assert ("sudo apt-get install" in said) is not has_rights
    assert commands == []  # at each start anew
    with pytest.raises(install.SetupError, match="a-tool"):
        install.install_packages([PRESENT, OPTIONAL], "test")


@pytest.mark.parametrize("source", [install.PAGE_TOOLS_LOCK, install.API_TOOLS_LOCK])
def test_node_tools_are_installed_once_from_their_lock(
    source: Path, commands: list[Sequence[str]], tmp_path: Path
) -> None:
    install.install_node_tools(tmp_path / "tools", source)
    install.install_node_tools(tmp_path / "tools", source)
    assert [command[:2] for command in commands] == [["npm", "ci"]]
    lock = (tmp_path / "tools" / "package-lock.json").read_text("utf-8")
    assert "resolved" not in lock  # registries are the machine's to choose
    names = {package.name for package in install.packages_for("test-peers")}
    assert {"nodejs", "npm", "postgresql"} <= names
    assert not {"nodejs", "npm"} & {package.name for package in install.packages_for("test")}


def test_peer_that_does_not_install_is_named_and_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installed: list[str] = []

    def pretend(folder: Path, python: Path, what: str, locks: Sequence[Path], apart: str) -> None:
        if what == "one":
            raise install.SetupError("no wheel")
        installed.append(folder.name)

    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("")
    monkeypatch.setattr(install, "PEER_LOCKS", tmp_path)
    monkeypatch.setattr(install, "install_node_tools", lambda *_: None)
    monkeypatch.setattr(install, "install_environment", pretend)
    install.install_peers()
    assert installed == ["two"]
    assert "Without one its tests are skipped" in capsys.readouterr().out


def test_package_apart_comes_first_and_without_dependencies(
    tmp_path: Path, commands: list[Sequence[str]]
) -> None:
    lock, folder = tmp_path / "one.txt", tmp_path / "one"
    lock.write_text("")
    folder.mkdir()
    python = Path("/usr/bin/python3")
    install.install_environment(folder, python, "one", [lock], "torch==2.13.0+cpu")
    [_, pip, last] = [list(command) for command in commands if "uv==" not in str(command)]
    assert pip[1:4] == ["-m", "pip", "install"]
    assert {"--no-deps", "torch==2.13.0+cpu"} <= set(pip)
    assert {"--require-hashes", "--no-deps", str(lock)} <= set(last)
    commands.clear()
    install.install_environment(folder, python, "one", [lock], "torch==2.13.0+cpu")
    assert not commands


def test_with_rights_only_what_is_missing_is_installed(
    monkeypatch: pytest.MonkeyPatch, commands: list[Sequence[str]]
) -> None:
    looks: list[bool] = []

    def appears_after_install() -> bool:
        looks.append(bool(commands))
        return bool(commands)

    monkeypatch.setattr(install, "privilege", lambda: ["sudo", "-n"])
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    late = install.Package("late", "x", ("run",), appears_after_install)
    install.install_packages([PRESENT, late], "run")
    assert [c[2:4] for c in commands] == [["apt-get", "update"], ["apt-get", "install"]]
    assert commands[1][-1] == "late"
    assert looks == [False, True, True]


def test_a_package_that_stays_away_is_named(
    monkeypatch: pytest.MonkeyPatch, commands: list[Sequence[str]]
) -> None:
    monkeypatch.setattr(install, "privilege", list)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(install.SetupError, match="still not found: a-package"):
        install.install_packages([ABSENT], "run")


def test_nothing_is_done_when_all_is_there(commands: list[Sequence[str]]) -> None:
    install.install_packages([PRESENT], "run")
    assert commands == []


def test_an_environment_is_installed_once_per_lock(
    tmp_path: Path, commands: list[Sequence[str]]
) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text("a==1\n")
    folder = tmp_path / "env"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()

    def set_up() -> int:
        commands.clear()
        install.install_environment(folder, Path("/usr/bin/python3"), "env", [lock])
        return len([c for c in commands if "--require-hashes" in c])

    assert set_up() == 1
    assert set_up() == 0
    lock.write_text("a==2\n")
    assert set_up() == 1


def test_lock_that_fails_to_install_gives_advice_and_no_stamp(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lock = tmp_path / "requirements.txt"
    nowhere = (tmp_path / "nowhere-1-py3-none-any.whl").as_uri()
    lock.write_text(f"nowhere @ {nowhere} --hash=sha256:{'0' * 64}\n")
    folder = tmp_path / "env"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    stamp = folder / "installed-requirements"
    stamp.write_text("of an earlier lock")
    with pytest.raises(install.SetupError) as caught:
        install.install_environment(folder, Path(sys.executable), "kernel environment", [lock])
    told = str(caught.value)
    assert "The kernel environment is not complete, so nothing was started" in told
    assert str(lock) in told
    assert "MB are free" in told
    assert not stamp.exists()
    assert capfd.readouterr().err


def test_a_failing_step_shows_its_words(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(install.SetupError, match="failed; its output is above"):
        install.run("a step", ["sh", "-c", "echo the reason; exit 3"])
    assert "the reason" in capfd.readouterr().err


def test_a_step_without_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "STEP_TIMEOUT_S", 0.1)
    with pytest.raises(install.SetupError, match="was not done in"):
        install.run("a step", ["sleep", "60"])


@pytest.mark.parametrize(
    ("purpose", "port", "said"),
    [
        ("run", "", "and the kernels. Next comes the site, at http://127.0.0.1:8000\n"),
        ("run", "8765", "and the kernels. Next comes the site, at http://127.0.0.1:8765\n"),
        ("prove", "", "and the kernels. Next come the proofs of the suites.\n"),
        ("test", "", "the tests. Next come the checks: lint, types, tests, proofs.\n"),
    ],
)
def test_the_last_line_says_what_is_ready_and_what_comes_next(
    purpose: str,
    port: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also where there was nothing to do."""
    monkeypatch.setattr(install, "install_together", lambda purpose: None)
    monkeypatch.setattr(install, "STEPS", [])
    monkeypatch.setattr("sys.argv", ["install.py", purpose])
    monkeypatch.delenv("PYBENCH_HOST", raising=False)
    monkeypatch.delenv("PYBENCH_PORT", raising=False)
    if port:
        monkeypatch.setenv("PYBENCH_PORT", port)
    install.main()
    told = capsys.readouterr().out
    assert told.startswith("· ready: packages, and the environments of the application")
    assert told.endswith(said)
    assert told.count("\n") == 1


def test_a_set_up_that_stops_does_not_say_that_it_is_ready(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        raise install.SetupError("There is no room.")

    for step in ("install_packages", "install_environment"):
        monkeypatch.setattr(install, step, lambda *_: None)
    monkeypatch.setattr(install, "install_kernel_environment", stop)
    monkeypatch.setattr("sys.argv", ["install.py", "run"])
    with pytest.raises(install.SetupError):
        install.main()
    assert capsys.readouterr().out == ""


def test_every_lock_pins_with_hashes() -> None:
    for name in (
        "requirements.txt",
        "requirements-dev.txt",
        "suites/environment/requirements.txt",
    ):
        lines = (install.ROOT / name).read_text().splitlines()
        pins = [line for line in lines if line and not line.startswith((" ", "#"))]
        assert pins, name
        assert all("==" in pin and pin.endswith("\\") for pin in pins), name
        assert sum("--hash=sha256:" in line for line in lines) >= len(pins), name


def test_commands_of_the_kernel_environment_find_their_python_where_they_are_shown(
    tmp_path: Path,
) -> None:
    """The folder has another name inside: there, its own path does not exist."""
    commands = tmp_path / "env" / "bin"
    commands.mkdir(parents=True)
    inside = tmp_path / "inside" / "bin"
    program = "import sys; print(sys.argv[1:])\n"
    long = f"#!/bin/sh\n'''exec' '{commands}/python3' \"$0\" \"$@\"\n' '''\n{program}"
    (commands / "short").write_text(f"#!{commands}/python3.11\n{program}")
    (commands / "long").write_text(long)
    (commands / "shell").write_text("#!/bin/sh\necho shell $1\n")
    (commands / "program").write_bytes(b"\x7fELF" + str(commands).encode())
    for path in commands.iterdir():
        path.chmod(0o755)
    (commands / "python3").symlink_to(sys.executable)
    install.free_commands_of_place(commands.parent)
    install.free_commands_of_place(commands.parent)  # again: nothing more to do
    commands.parent.rename(inside.parent)
    for name, said in (("short", "['a']"), ("long", "['a']"), ("shell", "shell a")):
        environment = {"PATH": f"{inside}:/usr/bin:/bin"}
        told = subprocess.run([name, "a"], env=environment, capture_output=True, text=True)
        assert (told.stdout.strip(), told.stderr) == (said, "")
        assert os.access(inside / name, os.X_OK)
    assert (inside / "program").read_bytes().startswith(b"\x7fELF/")


def test_setup_ends_with_the_seconds_of_its_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "STEPS", [])
    monkeypatch.setattr(
        install, "install_together", lambda purpose: install.run("a step of it", ["true"])
    )
    monkeypatch.setattr("sys.argv", ["install.py", "run"])
    install.main()
    begun, heading, step, ready = capsys.readouterr().out.splitlines()
    assert begun == "· a step of it …"
    assert "seconds of each step" in heading
    assert re.fullmatch(r"  a step of it +\d+\.\d", step)
    assert ready.startswith("· ready")


def test_user_without_rights_is_told_all_packages_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch, commands: list[Sequence[str]]
) -> None:
    monkeypatch.setattr(install, "can_make_venv", lambda: False)
    venv = install.Package("python3-venv", "environments", ("run",), install.can_make_venv)
    monkeypatch.setattr(install, "PACKAGES", (venv, ABSENT, OPTIONAL))
    monkeypatch.setattr(install, "privilege", lambda: None)
    with pytest.raises(install.SetupError, match=r"python3-venv a-package a-tool"):
        install.install_together("run")
    assert commands == []


@pytest.mark.parametrize("broken", ["install_packages", "install_kernel_environment"])
def test_part_that_fails_beside_the_others_stops_the_setup(
    broken: str, monkeypatch: pytest.MonkeyPatch, commands: list[Sequence[str]]
) -> None:
    done: list[str] = []

    def fail(packages: Sequence[install.Package] = (ABSENT,), purpose: str = "") -> None:
        if packages:
            raise install.SetupError("no room")

    for part in ("make_venv", "installer", "install_packages", "install_kernel_environment"):
        monkeypatch.setattr(install, part, lambda *_: None)
    monkeypatch.setattr(install, "install_application_environment", done.append)
    monkeypatch.setattr(install, "PACKAGES", (ABSENT,))
    monkeypatch.setattr(install, "privilege", list)
    monkeypatch.setattr(install, broken, fail)
    with pytest.raises(install.SetupError, match="no room"):
        install.install_together("run")
    assert done == ["run"]
    assert commands == []


def test_clean_removes_what_was_set_up_and_follows_no_link(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkout, shared, elsewhere = (tmp_path / name for name in ("site", "shared", "elsewhere"))
    for folder in (checkout / "var", checkout / "a" / "__pycache__", shared, elsewhere):
        folder.mkdir(parents=True)
    (checkout / ".venv").symlink_to(shared)
    (checkout / ".mypy_cache").mkdir()
    (checkout / "a" / "kept.py").touch()
    (checkout / "var" / "kernel-env").symlink_to(elsewhere)
    monkeypatch.setattr(install, "ROOT", checkout)
    monkeypatch.setattr(install, "VENV", checkout / ".venv")
    monkeypatch.setattr(install, "KERNEL_ENV", checkout / "var" / "kernel-env")
    monkeypatch.setattr(install, "kernel_folder", lambda: (checkout / "var").stat() and elsewhere)
    install.clean()
    install.clean()
    assert sorted(path.name for path in checkout.rglob("*")) == ["a", "kept.py"]
    assert shared.is_dir()
    assert not elsewhere.exists()
