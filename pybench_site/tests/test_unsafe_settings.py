"""Nothing starts half-safe: a host without the sandbox's parts learns what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pybench_site.local import serve
from pybench_site.local.install import ROOT

WITHOUT = ("bwrap",)


@pytest.fixture
def bare_path(tmp_path: Path) -> str:
    """A PATH with everything that this one has, but for the sandbox's programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*") if Path(place).is_dir() else ():
            target = folder / program.name
            if program.name not in WITHOUT and not target.exists():
                target.symlink_to(program)
    return str(folder)


def start(command: Sequence[str], folder: Path, **environment: str) -> tuple[int, str]:
    """Run the command and return its exit status and all its output."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYBENCH_VAR": str(folder / "var"), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
    )
    return done.returncode, done.stdout


CELERY = ["-m", "celery", "-A", "pybench_site", "--quiet"]
WORKER = [*CELERY, "worker", "-Q", "attempts,jobs", "-P", "threads", "-c", "16"]


@pytest.mark.parametrize(
    "command", [["-m", "pybench_site.local.serve"], WORKER], ids=["site", "worker"]
)
def test_host_without_bubblewrap_learns_how_to_install_it(
    command: list[str], bare_path: str, tmp_path: Path
) -> None:
    ports = {"PYBENCH_PORT": "0", "PYBENCH_SCRIPTED_PORT": "0"}
    code, said = start(command, tmp_path, PATH=bare_path, **ports)
    assert code not in (0, None)
    assert "cannot run the sandbox" in said
    assert "apt-get install bubblewrap" in said
    assert "Traceback" not in said
    assert not (tmp_path / "var" / "site.sqlite3").exists()


def test_a_kernel_environment_that_is_missing_is_named(tmp_path: Path) -> None:
    code, said = start(WORKER, tmp_path, PYBENCH_KERNEL_ENV=str(tmp_path / "nowhere"))
    assert code != 0
    assert "kernel environment" in said
    assert "make run" in said


def test_host_without_user_namespaces_learns_which_switch_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from runner.sandbox import host_findings

    refusal = "unshare failed: Operation not permitted"
    monkeypatch.setattr(host_findings, "run", lambda argv: refusal)
    findings = host_findings.find_lacks()
    assert not host_findings.is_safe(findings)
    told = host_findings.render(findings)
    assert refusal in told
    assert "apparmor_restrict_unprivileged_userns" in told


@pytest.mark.parametrize(
    ("missing", "package"),
    [("CJK", "fonts-noto-cjk"), ("ffmpeg", "ffmpeg"), ("chromium", "chromium-headless-shell")],
)
def test_a_missing_font_or_tool_stops_nothing_and_is_said(
    missing: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runner.sandbox import host_findings

    glob = Path.glob
    monkeypatch.setattr(
        Path, "glob", lambda self, like: iter(()) if missing in like else glob(self, like)
    )
    findings = host_findings.find_lacks()
    assert host_findings.is_safe(findings)
    assert f"apt-get install {package}" in host_findings.render(findings)


def test_a_full_disk_stops_the_start_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(ROOT)._replace(free=1 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(SystemExit, match="1 MB free"):
        serve.refuse_full_disk()
