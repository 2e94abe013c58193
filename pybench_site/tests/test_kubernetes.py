"""The Kubernetes manifests are valid, and say the same as the compose file and the code."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from django.core.management import load_command_class

from pybench_site.local.install import ROOT
from pybench_site.monitoring.probes import ProbeRequest, Probes

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
LEAST_GRACE_S = 15


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


@pytest.mark.peers
def test_a_misspelt_field_would_be_refused() -> None:
    [hpa] = documents(BASE / "scaling.yaml")
    hpa["spec"]["maxReplica"] = hpa["spec"].pop("maxReplicas")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(hpa, VERSIONS[-1], strict=True)


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


def test_the_site_gives_what_the_base_asks_for() -> None:
    [site] = documents(SITE / KUSTOMIZATION)
    [secrets] = site["secretGenerator"]
    assert (secrets["name"], secrets["envs"]) == ("pybench-secrets", ["secrets.env"])
    assert {container["image"] for _, _, container in containers()} == {site["images"][0]["name"]}
    [patch] = documents(SITE / "settings.yaml")
    [settings] = objects("ConfigMap").values()
    assert patch["metadata"] == settings["metadata"]
    assert set(patch["data"]) <= set(settings["data"])
    needed = {name for name, value in settings["data"].items() if not value}
    assert needed - set(patch["data"]) == {"PYBENCH_LOOPBACK_PORTS", "PYBENCH_S3_REGION"}


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


def test_each_release_is_prepared_by_the_same_commands(compose: dict[str, Any]) -> None:
    before = compose["prepare"]["command"][2].split(" && ")
    [collected] = [one for one in before if "collectstatic" in one]
    assert shlex.join(pods()["web"].containers["collect-static"]["command"]) == collected
    migrated = pods()["migrate"].containers["migrate"]["command"][2].split(" && ")
    assert migrated == [one for one in before if one != collected]


def test_garbage_is_collected_by_a_command_that_there_is() -> None:
    program, manage, name, *options = pods()["collect-garbage"].containers["collect-garbage"][
        "command"
    ]
    assert (program, manage) == (".venv/bin/python", "manage.py")
    parser = load_command_class("leaderboard", name).create_parser("manage.py", name)
    assert isinstance(parser.parse_args(options), argparse.Namespace)
    assert objects("CronJob")["pybench-collect-garbage"]["spec"]["concurrencyPolicy"] == "Forbid"


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


def test_probes_ask_what_the_processes_answer() -> None:
    probes = Probes(checks={}, metrics=lambda: b"")
    for name, port in (("web", "8000"), ("worker", "8002")):
        container = pods()[name].containers[name]
        [listening] = container["ports"]
        said = [*container["command"], *(one["value"] for one in container.get("env", ()))]
        assert str(listening["containerPort"]) == port
        assert port in said
        for probe, path in (("readinessProbe", "/readyz"), ("livenessProbe", "/healthz")):
            asked = container[probe]["httpGet"]
            assert asked == {"path": path, "port": listening["name"]}
            assert container[probe]["timeoutSeconds"] >= 5
            answer = probes.answer(ProbeRequest(path, "10.0.0.1"))
            assert answer is not None
            assert answer.status == 200


@pytest.mark.django_db
def test_workers_are_scaled_on_a_metric_that_the_site_has() -> None:
    from leaderboard.operations.metrics import queue_depth
    from runner.worker.process import JOB_THREADS

    [scaling] = objects("HorizontalPodAutoscaler").values()
    spec = scaling["spec"]
    target = objects("Deployment")[spec["scaleTargetRef"]["name"]]
    assert "replicas" not in target["spec"]
    assert spec["minReplicas"] >= 1
    [metric] = spec["metrics"]
    family = queue_depth()
    assert metric["external"]["metric"]["name"] == family.name
    [expression] = metric["external"]["metric"]["selector"]["matchExpressions"]
    states = {sample.labels[expression["key"]] for sample in family.samples}
    assert set(expression["values"]) == states - {"pausing"}
    command = target["spec"]["template"]["spec"]["containers"][0]["command"]
    places = int(command[command.index("-c") + 1]) - JOB_THREADS
    assert int(metric["external"]["target"]["averageValue"]) <= places


def test_workers_are_given_time_to_put_their_work_back() -> None:
    assert pods()["worker"].spec["terminationGracePeriodSeconds"] > LEAST_GRACE_S


def test_names_lead_to_what_they_name() -> None:
    image = (DEPLOY / "Containerfile").read_text()
    [var] = re.findall(r"PYBENCH_VAR=(\S+)", image)
    for pod, name, container in containers():
        volumes = {one["name"] for one in pod.spec["volumes"]}
        mounts = {one["mountPath"]: one["name"] for one in container["volumeMounts"]}
        assert set(mounts.values()) <= volumes, name
        assert "/tmp" in mounts, name
        assert (var in mounts) == (name != "sandboxd"), name
        assert container.get("envFrom", ENV_FROM) == ENV_FROM
    for name, one in objects("Deployment").items():
        assert (
            one["spec"]["selector"]["matchLabels"] == one["spec"]["template"]["metadata"]["labels"]
        )
        assert one["spec"]["selector"]["matchLabels"] == {"app.kubernetes.io/name": name}
    for name, one in objects("PodDisruptionBudget").items():
        assert one["spec"]["selector"]["matchLabels"] == {"app.kubernetes.io/name": name}
    [service] = objects("Service").values()
    assert service["spec"]["selector"] == pods()["web"].labels
    [ingress] = documents(SITE / "ingress.yaml")
    backend = ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == service["metadata"]["name"]
    assert backend["port"]["name"] == service["spec"]["ports"][0]["name"]


def test_the_page_tells_lines_that_the_doctor_prints() -> None:
    sandbox = ROOT / "runner" / "sandbox"
    doctor = [(sandbox / f"{name}.py").read_text() for name in ("doctor", "host_findings")]
    lines = set(re.findall(r'Finding\(\s*"([^"]+)"', "\n".join(doctor)))
    table = (FOLDER / "README.md").read_text().partition("| line | when")[2]
    told = {
        name
        for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE)
        for name in re.findall(r"`([^`]+)`", row)
    }
    assert "a session" in told
    assert told <= lines
