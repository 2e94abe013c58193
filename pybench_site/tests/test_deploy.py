"""The production set-ups name what there is: commands, files, variables, and each other."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pybench_site.local import serve
from pybench_site.local.install import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
VARIABLE = re.compile(r"PYBENCH_[A-Z_0-9]+")
HOME = "/opt/pybench"
WALLED = {"worker", "sandboxd"}  # whoever builds sandboxes
OF_ENGINE = {"POSTGRES_PASSWORD", "RELEASE"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


class Unit(configparser.RawConfigParser):
    """A unit file; of a key that is repeated all values count."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, comment_prefixes=("#",))
        self.optionxform = str  # type: ignore[assignment,method-assign]
        self.text = path.read_text()
        self.read_string(self.text)

    def command(self) -> list[str]:
        return self["Service"]["ExecStart"].split()

    def all_of(self, key: str) -> list[str]:
        return re.findall(rf"^{key}=(.*)$", self.text, re.MULTILINE)


def unit(name: str) -> Unit:
    return Unit(DEPLOY / "systemd" / f"pybench-{name}.service")


def options_of(command: list[str]) -> list[str]:
    """The command without the paths of this machine or another."""
    return [word.strip('"') for word in command[1:] if word not in ("--quiet",)]


def local_services() -> dict[str, list[str]]:
    return {service.name: list(service.command) for service in serve.services()}


def test_the_compose_file_has_every_process(compose: dict[str, Any]) -> None:
    processes = {"web", "worker", "sweeper", "sandboxd"}
    assert set(compose["services"]) == processes | {"postgres", "redis", "prepare"}
    assert {path.stem.removeprefix("pybench-") for path in UNITS} == processes


@pytest.mark.parametrize("name", ["worker", "sweeper"])
def test_all_ways_start_celery_alike(compose: dict[str, Any], name: str) -> None:
    here = options_of(local_services()[name])
    assert options_of(compose["services"][name]["command"]) == here
    assert options_of(unit(name).command()) == here


def test_all_ways_start_the_same_web_server(compose: dict[str, Any]) -> None:
    def facts(command: list[str]) -> set[str]:
        return {word for word in command[1:] if word.startswith("--") or ":" in word}

    here = facts(local_services()["web"])
    assert facts(compose["services"]["web"]["command"]) == here
    assert facts(unit("web").command()) == here


def test_the_sandbox_service_is_started_with_options_that_it_has(compose: dict[str, Any]) -> None:
    from runner.sandbox.sandboxd.__main__ import parser

    for command in (compose["services"]["sandboxd"]["command"], unit("sandboxd").command()):
        assert command[1:3] == ["-m", "runner.sandbox.sandboxd"]
        options = parser().parse_args(command[3:])
        assert options.open_to_group
    socket = compose["services"]["sandboxd"]["command"][-2]
    assert compose["services"]["worker"]["environment"]["PYBENCH_SANDBOXD"] == socket
    there = unit("sandboxd").command()[-2]
    assert any(f"PYBENCH_SANDBOXD={there}" in line for line in unit("worker").all_of("Environment"))


def test_the_sandbox_service_has_no_secret_and_no_network(compose: dict[str, Any]) -> None:
    service = compose["services"]["sandboxd"]
    assert service["network_mode"] == "none"
    assert service["env_file"] == []
    assert service["volumes"] == ["sockets:/run/pybench"]
    assert service["user"] != compose["services"]["worker"]["user"]
    there = unit("sandboxd")
    assert there["Service"]["PrivateNetwork"] == "yes"
    assert there.all_of("EnvironmentFile") == []
    assert there["Service"]["User"] != unit("worker")["Service"]["User"]


def test_every_container_is_kept_small(compose: dict[str, Any]) -> None:
    for name in ("web", "worker", "sweeper", "sandboxd", "prepare"):
        service = compose["services"][name]
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"] is True, name
        assert service["user"].split(":")[0] not in ("0", "root"), name
        security = service["security_opt"]
        assert "no-new-privileges:true" in security, name
        is_walled = any("systempaths=unconfined" in option for option in security)
        assert is_walled == (name in WALLED), name
    assert compose["networks"]["inside"] == {"internal": True}


def test_what_the_set_ups_name_is_there(compose: dict[str, Any]) -> None:
    walls = compose["services"]["worker"]["security_opt"]
    [seccomp] = [o.partition("=")[2] for o in walls if o.startswith("seccomp=")]
    [apparmor] = [o.partition("=")[2] for o in walls if o.startswith("apparmor=")]
    profile = json.loads((DEPLOY / seccomp).read_text())
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    refused = set(profile["syscalls"][0]["names"])
    assert {"bpf", "kexec_load", "init_module", "keyctl"} <= refused
    assert refused.isdisjoint({"unshare", "clone", "clone3", "mount", "setns", "pivot_root"})
    assert f"profile {apparmor} " in (DEPLOY / "apparmor" / apparmor).read_text()
    build = compose["services"]["web"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve().is_file()
    for command in (compose["services"][n]["healthcheck"]["test"] for n in ("web", "worker")):
        assert (ROOT / command[2]).is_file()
    for path in UNITS:
        for program in re.findall(rf"{HOME}/(\S+)", Unit(path).text):
            assert (ROOT / program).exists(), program
    readme = (DEPLOY / "README.md").read_text()
    for path in DEPLOY.rglob("*"):
        if path.is_file() and path.parent == DEPLOY and path.suffix != ".dockerignore":
            assert path.name in readme or path.name == "README.md", path


def test_every_variable_in_a_set_up_is_one_of_the_codes(compose: dict[str, Any]) -> None:
    known = set(VARIABLE.findall((ROOT / "docs" / "operating.md").read_text()))
    files = [*UNITS, DEPLOY / "compose.yaml", DEPLOY / "pybench.env.example"]
    for path in [*files, DEPLOY / "Containerfile", DEPLOY / "README.md"]:
        assert set(VARIABLE.findall(path.read_text())) <= known, path
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert asked == OF_ENGINE


def test_secrets_are_left_for_the_operator_to_fill_in() -> None:
    lines = (DEPLOY / "pybench.env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    for name in ("PYBENCH_SECRET_KEY", "PYBENCH_FIELD_KEYS", "PYBENCH_METRICS_TOKEN"):
        assert given[name] == "", name


def test_workers_are_given_time_to_put_their_work_back(compose: dict[str, Any]) -> None:
    assert float(compose["services"]["worker"]["stop_grace_period"].rstrip("s")) > 15
    assert float(unit("worker")["Service"]["TimeoutStopSec"]) > serve.STOP_TIMEOUT_S


@pytest.mark.parametrize("name", sorted(WALLED))
def test_units_that_build_sandboxes_may(name: str) -> None:
    service = unit(name)["Service"]
    assert set(service["Delegate"].split()) == {"memory", "pids", "cpu"}
    in_the_way = {"RestrictNamespaces", "ProtectKernelTunables", "ProtectProc", "PrivateUsers"}
    assert in_the_way.isdisjoint(service.keys())


@pytest.mark.peers
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze on this host")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for path in UNITS:
        text = path.read_text().replace(f"{HOME}/.venv/bin/", f"{Path(sys.executable).parent}/")
        (tmp_path / path.name).write_text(text.replace(HOME, str(ROOT)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.glob("*.service"))],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if "DelegateSubgroup" not in line]
    assert said == []  # DelegateSubgroup= is younger than some of the hosts we test on
