"""The Kubernetes manifests, untried on a cluster, are valid and as safe as the compose file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from pybench_site.local.install import ROOT

DEPLOY = ROOT / "deploy"
FOLDER = DEPLOY / "kubernetes"
BASE, SITE = FOLDER / "base", FOLDER / "overlays" / "example"
KUSTOMIZATION = "kustomization.yaml"
FILES = [path for path in sorted(FOLDER.rglob("*.yaml")) if path.name != KUSTOMIZATION]
VERSIONS = ("1.33", kubernetes_validate.latest_version().rpartition(".")[0])
VARIABLE = re.compile(r"\b(?:PYBENCH_[A-Z_0-9]+|DATABASE_URL)\b")
ENV_FROM = [
    {"configMapRef": {"name": "pybench-settings"}},
    {"secretRef": {"name": "pybench-secrets"}},
]
WALLED = {"worker", "sandboxd"}  # whoever builds sandboxes


def documents(path: Path) -> list[dict[str, Any]]:
    return [dict(one) for one in yaml.safe_load_all(path.read_text())]


def objects(kind: str) -> dict[str, dict[str, Any]]:
    """The objects of the base of one kind, by name."""
    found = [one for path in FILES for one in documents(path) if path.parent == BASE]
    return {one["metadata"]["name"]: one for one in found if one["kind"] == kind}


@dataclass(frozen=True)
class Pod:
    name: str
    labels: dict[str, str]
    spec: dict[str, Any]

    @property
    def containers(self) -> dict[str, dict[str, Any]]:
        all_of = [*self.spec.get("initContainers", ()), *self.spec["containers"]]
        return {one["name"]: one for one in all_of}


def pods() -> dict[str, Pod]:
    """The pods that the base starts, by the name of who starts them."""
    templates = {name: one["spec"]["template"] for name, one in objects("Deployment").items()}
    templates |= {name: one["spec"]["template"] for name, one in objects("Job").items()}
    for name, one in objects("CronJob").items():
        templates[name] = one["spec"]["jobTemplate"]["spec"]["template"]
    return {
        name.removeprefix("pybench-"): Pod(name, one["metadata"]["labels"], one["spec"])
        for name, one in templates.items()
    }


def containers() -> Iterator[tuple[Pod, str, dict[str, Any]]]:
    for pod in pods().values():
        for name, container in pod.containers.items():
            yield pod, name, container


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"])


@pytest.mark.peers
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_manifest_is_valid(path: Path, version: str) -> None:
    for one in documents(path):
        assert kubernetes_validate.validate(one, version, strict=True) == version


@pytest.mark.parametrize("folder", [BASE, SITE], ids=lambda folder: folder.name)
def test_every_file_is_in_its_folders_kustomization(folder: Path) -> None:
    [kustomization] = documents(folder / KUSTOMIZATION)
    assert kustomization["apiVersion"] == "kustomize.config.k8s.io/v1beta1"
    assert kustomization["kind"] == "Kustomization"
    patches = [one["path"] for one in kustomization.get("patches", ())]
    named = {*kustomization["resources"], *patches}
    there = {path.name for path in folder.glob("*.yaml")} - {KUSTOMIZATION}
    assert named - {"../../base"} == there
    assert set(kustomization) <= {
        *("apiVersion", "kind", "labels", "resources", "namespace", "images", "patches"),
        "secretGenerator",
    }


@pytest.mark.parametrize(
    ("name", "pod"),
    [("web", "web"), ("worker", "worker"), ("sweeper", "sweeper"), ("sandboxd", "worker")],
)
def test_processes_are_started_as_the_compose_file_starts_them(
    compose: dict[str, Any], name: str, pod: str
) -> None:
    container = pods()[pod].containers[name]
    assert container["command"] == compose[name]["command"]
    uid = (
        container["securityContext"].get("runAsUser")
        or pods()[pod].spec["securityContext"]["runAsUser"]
    )
    gid = pods()[pod].spec["securityContext"]["runAsGroup"]
    assert f"{uid}:{gid}" == compose[name]["user"]
    given = {one["name"]: one["value"] for one in container.get("env", ())}
    asked_by_kubelet = {"PYBENCH_WORKER_HOST": "0.0.0.0"} if name == "worker" else {}
    assert given == {**compose[name].get("environment", {}), **asked_by_kubelet}


def test_settings_and_secrets_are_those_of_the_other_set_ups() -> None:
    example = (DEPLOY / "pybench.env.example").read_text()
    there = dict(re.findall(r"^#?((?:PYBENCH_|DATABASE_)\w+)=(.*)$", example, re.MULTILINE))
    [settings] = objects("ConfigMap").values()
    text = (SITE / "secrets.env.example").read_text()
    secrets = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    assert set(settings["data"]).isdisjoint(secrets)
    assert {*settings["data"], *secrets} == set(there)
    fixed = ("HTTPS", "PROXIES", "COLLECTED", "LOG", "EMAIL_VERIFICATION", "LOOPBACK_PORTS")
    for name in (f"PYBENCH_{word}" for word in fixed):
        assert settings["data"][name] == there[name], name
    hidden = {name for name in there if re.search(r"SECRET|KEYS?$|KEY_ID|TOKEN|_URL$", name)}
    assert set(secrets) == hidden
    assert {name for name, value in secrets.items() if not value} >= {
        *("PYBENCH_SECRET_KEY", "PYBENCH_FIELD_KEYS", "PYBENCH_METRICS_TOKEN")
    }
    assert "/deploy/kubernetes/overlays/*/secrets.env" in (ROOT / ".gitignore").read_text()
    assert "overlays/*/secrets.env" in (DEPLOY / "Containerfile.dockerignore").read_text()


def test_every_variable_is_one_of_the_codes() -> None:
    known = set(VARIABLE.findall((ROOT / "docs" / "operating.md").read_text()))
    for path in (path for path in FOLDER.rglob("*") if path.is_file()):
        assert set(VARIABLE.findall(path.read_text())) <= known, path


def test_the_sandbox_service_has_no_secret_and_nothing_of_the_workers() -> None:
    pod = pods()["worker"]
    service, worker = pod.containers["sandboxd"], pod.containers["worker"]
    assert service["restartPolicy"] == "Always"  # a sidecar, though listed before the worker
    assert "sandboxd" in [one["name"] for one in pod.spec["initContainers"]]
    assert "envFrom" not in service
    assert worker["envFrom"] == ENV_FROM
    shared = {one["name"] for one in service["volumeMounts"]} & {
        one["name"] for one in worker["volumeMounts"]
    }
    assert shared == {"sockets"}
    assert service["securityContext"]["runAsUser"] != worker["securityContext"]["runAsUser"]


def test_every_container_is_kept_small() -> None:
    for pod, name, container in containers():
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False, name
        assert security["readOnlyRootFilesystem"] is True, name
        assert security["capabilities"] == {"drop": ["ALL"]}, name
        assert pod.spec["securityContext"]["runAsNonRoot"] is True, name
        assert pod.spec["automountServiceAccountToken"] is False, name
        assert "memory" in container["resources"]["limits"], name
        assert (security.get("procMount") == "Unmasked") == (name in WALLED), name
        assert (pod.spec.get("hostUsers") is False) == (pod.name == "pybench-worker"), name
        profile = security.get("seccompProfile") or pod.spec["securityContext"]["seccompProfile"]
        assert profile["type"] == ("Localhost" if name in WALLED else "RuntimeDefault"), name


def test_the_walls_name_profiles_that_are_there() -> None:
    for name in WALLED:
        security = pods()["worker"].containers[name]["securityContext"]
        seccomp = security["seccompProfile"]["localhostProfile"]
        assert seccomp == "pybench/seccomp-sandbox.json"
        assert (DEPLOY / Path(seccomp).name).is_file()
        apparmor = security["appArmorProfile"]["localhostProfile"]
        assert f"profile {apparmor} " in (DEPLOY / "apparmor" / apparmor).read_text()


def test_the_page_tells_lines_that_the_doctor_prints() -> None:
    sandbox = ROOT / "runner" / "sandbox"
    doctor = [(sandbox / f"{name}.py").read_text() for name in ("doctor", "host_findings")]
    lines = set(re.findall(r'HostCheck\(\s*"([^"]+)"', "\n".join(doctor)))
    table = (FOLDER / "README.md").read_text().partition("| line | when")[2]
    told = {
        name
        for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", row)
    }
    assert "a session" in told
    assert told <= lines
