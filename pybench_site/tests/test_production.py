"""A site for strangers does not start with unsafe settings, and says which ones."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from pybench_site.local.install import ROOT
from pybench_site.production_checks import Chosen, find_dangers

SAFE = Chosen(
    hosts=["bench.example.org"],
    is_debug=False,
    secret_key="s" * 50,
    field_keys=[Fernet.generate_key().decode()],
)


def test_a_safe_site_has_no_danger() -> None:
    assert find_dangers(SAFE) == []


def test_each_unsafe_setting_is_named(subtests: pytest.Subtests) -> None:
    for chosen, named in [
        (replace(SAFE, is_debug=True), "PYBENCH_DEBUG"),
        (replace(SAFE, hosts=["*"]), "PYBENCH_HOSTS"),
        (replace(SAFE, hosts=["127.0.0.1", "*"]), "PYBENCH_HOSTS"),
        (replace(SAFE, secret_key=""), "PYBENCH_SECRET_KEY"),
        (replace(SAFE, secret_key="change-me"), "PYBENCH_SECRET_KEY"),
        (replace(SAFE, field_keys=[]), "PYBENCH_FIELD_KEYS"),
        (replace(SAFE, field_keys=["not a key"]), "PYBENCH_FIELD_KEYS"),
    ]:
        with subtests.test(chosen=chosen, named=named):
            [danger] = find_dangers(chosen)
            assert danger.startswith(named)


def test_one_machine_needs_no_secrets_from_its_user() -> None:
    alone = Chosen(["127.0.0.1", "localhost"], True, "", [])
    assert find_dangers(alone) == []


def check(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=ROOT,
        env={**os.environ, "PYBENCH_VAR": str(folder), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_nothing_starts_for_strangers_with_this_machines_own_secrets(tmp_path: Path) -> None:
    done = check(tmp_path, PYBENCH_HOSTS="bench.example.org")
    assert done.returncode != 0
    assert "does not start with unsafe settings" in done.stderr
    assert "PYBENCH_SECRET_KEY is not set" in done.stderr
    assert "PYBENCH_FIELD_KEYS is not set" in done.stderr


def test_what_works_but_not_well_is_a_warning(tmp_path: Path) -> None:
    safe = {
        "PYBENCH_HOSTS": "bench.example.org",
        "PYBENCH_SECRET_KEY": SAFE.secret_key,
        "PYBENCH_FIELD_KEYS": SAFE.field_keys[0],
    }
    done = check(tmp_path, **safe)
    assert done.returncode == 0, done.stderr
    for number in (1, 2, 3, 4):
        assert f"pybench.W00{number}" in done.stderr
    better = {
        "PYBENCH_HTTPS": "1",
        "DATABASE_URL": "postgres://user:password@127.0.0.1:1/pybench",
        "PYBENCH_CACHE_URL": "rediscache://127.0.0.1:1/1",
        "PYBENCH_MAIL_URL": "smtp+tls://user:password@127.0.0.1:1",
    }
    without_confirmation = check(tmp_path, **safe, **better).stderr
    assert without_confirmation.count("pybench.W") == 1
    assert "PYBENCH_EMAIL_VERIFICATION=mandatory" in without_confirmation
    better["PYBENCH_EMAIL_VERIFICATION"] = "mandatory"
    assert "pybench.W" not in check(tmp_path, **safe, **better).stderr
