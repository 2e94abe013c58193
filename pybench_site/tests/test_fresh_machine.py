"""A fresh machine is made with what this one has, and says what it lacks."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pybench_site.local import fresh_machine


@pytest.mark.parametrize(
    ("uid", "absent", "said"),
    [
        (1000, (), "root, for it makes a system and mounts it. Run: sudo make test-fresh"),
        (0, ("debootstrap",), "debootstrap. Run: apt-get install debootstrap"),
        (0, ("debootstrap", "git"), "debootstrap and git. Run: apt-get install debootstrap git"),
        (0, (), ""),
    ],
)
def test_machine_that_cannot_make_another_says_what_it_lacks(
    uid: int, absent: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(shutil, "which", lambda name: None if name in absent else f"/bin/{name}")
    assert fresh_machine.find_lack() == said


def test_folders_and_files_that_pip_is_told_of_are_those_that_are_shown_and_copied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("wheels", "index/simple", "unused"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "own-ca.pem").touch()
    configuration = tmp_path / "pip.conf"
    configuration.write_text(
        f"[global]\ncert = {tmp_path}/own-ca.pem\nextra-index-url =\n"
        f"    https://127.0.0.1/simple\n    file://{tmp_path}/index/simple\n"
        f"[install]\nno-warn-script-location = {tmp_path}/nowhere\n"
    )
    monkeypatch.setattr(fresh_machine, "PIP_FILES", (str(configuration),))
    monkeypatch.setattr(
        fresh_machine, "passed_environment", lambda: {"PIP_FIND_LINKS": f"{tmp_path}/wheels"}
    )
    assert sorted(fresh_machine.named_paths()) == [
        f"{tmp_path}/{name}" for name in ("index/simple", "own-ca.pem", "wheels")
    ]
    assert fresh_machine.shown_folders() == [f"{tmp_path}/index", f"{tmp_path}/wheels"]


def test_only_what_tells_of_packages_is_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("PIP_CERT", "UV_SYSTEM_CERTS", "https_proxy", "PYBENCH_PORT", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "1")
    passed = fresh_machine.passed_environment()
    assert {"PIP_CERT", "UV_SYSTEM_CERTS", "https_proxy"} <= passed.keys()
    assert not {"PYBENCH_PORT", "VIRTUAL_ENV", "PATH", "HOME"} & passed.keys()
