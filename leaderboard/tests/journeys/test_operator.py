"""Reports of a worker and a web process to their operator: lines, counts, health, readiness."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django.fixtures import Settings

from conftest import free_port, wait_until
from leaderboard.handoff import attempts
from leaderboard.tests.support.jobs import claim, claim_one, judged, lose, void
from leaderboard.tests.support.rows import start_run
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import slow_endpoint
from leaderboard.tests.support.web_process import fetch, web
from pybench_site.monitoring.probes import ProbeRequest, Probes

TASKS = 2
KEY = "sk-a-key-that-no-line-may-hold"
Figures = dict[tuple[str, ...], float]


def figures_in(text: str) -> Figures:
    """Samples by their name and the values of their labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


# -- the rows as gauges


@pytest.mark.django_db
def test_the_queue_and_its_results_are_gauges(client: Client) -> None:
    run = start_run(6, concurrency=4)
    jobs = claim(run.pk, 4, "worker")
    attempts.record_result(jobs[0], judged(True))
    attempts.record_result(jobs[1], judged(False))
    attempts.record_result(jobs[2], void())  # rests, and so do the others
    lose(jobs[3])
    response = client.get("/metrics")
    assert response.status_code == 200
    figures = figures_in(response.content.decode())
    assert figures["pybench_queue_depth", "ready"] == 0
    assert figures["pybench_queue_depth", "pausing"] == 3
    assert figures["pybench_queue_depth", "running"] == 0  # a lost one is counted as expired
    assert figures["pybench_attempts_ended", "passed"] == 1
    assert figures["pybench_attempts_ended", "failed"] == 1
    assert figures["pybench_runs", "running"] == 1
    assert figures["pybench_leases_expired",] == 1


@pytest.mark.django_db
def test_asking_for_gauges_costs_few_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    claim_one(start_run(6))
    with django_assert_max_num_queries(9):
        client.get("/metrics")


def test_metrics_are_for_this_machine_or_for_the_token(subtests: pytest.Subtests) -> None:
    for token, asked, may in [
        ("", ProbeRequest("/metrics", "127.0.0.1"), True),
        ("", ProbeRequest("/metrics", "::1"), True),
        ("", ProbeRequest("/metrics", "127.0.0.1", is_forwarded=True), False),
        ("", ProbeRequest("/metrics", "192.0.2.7"), False),
        ("", ProbeRequest("/metrics", ""), False),
        ("secret", ProbeRequest("/metrics", "127.0.0.1"), False),
        ("secret", ProbeRequest("/metrics", "192.0.2.7", "Bearer wrong"), False),
        ("secret", ProbeRequest("/metrics", "192.0.2.7", "Bearer secret", is_forwarded=True), True),
    ]:
        with subtests.test(token=token, asked=asked, may=may):
            answer = Probes({}, lambda: b"figures", token).answer(asked)
            assert answer is not None
            assert (answer.status == 200) is may
            assert (b"figures" in answer.body) is may


# -- readiness in words


def test_readiness_names_what_fails_and_tells_no_secret() -> None:
    def fail() -> str:
        raise OSError("postgres://user:password@host is away")

    probes = Probes({"database": fail, "storage": lambda: "", "broker": lambda: "is full"}, bytes)
    answer = probes.answer(ProbeRequest("/readyz", "192.0.2.7"))
    assert answer is not None
    assert answer.status == 503
    assert json.loads(answer.body) == {
        "ready": False,
        "checks": {
            "database": "does not answer (OSError)",
            "storage": "ok",
            "broker": "is full",
        },
    }


def test_checks_are_not_asked_for_every_request() -> None:
    asked: list[int] = []

    def check() -> str:
        asked.append(1)
        return ""

    probes = Probes({"database": check}, bytes)
    for _ in range(20):
        probes.answer(ProbeRequest("/readyz", ""))
    assert len(asked) == 1


def test_a_probe_needs_no_host_name_of_the_site(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["bench.example.org"]
    response = client.get("/healthz", headers={"host": "10.0.0.7:8000"})
    assert (response.status_code, response.content) == (200, b"alive\n")


# -- a worker and a web process at work


@pytest.fixture(scope="module")
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    try:
        site = make_site(folder, "", redis_url, TASKS)
        told = {"PYBENCH_LOG": "json", "PYBENCH_WORKER_PORT": str(free_port())}
        yield site.with_environment(**told)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.services
@pytest.mark.sandbox
def test_a_worker_tells_what_it_does_in_lines_and_counts(site: Site) -> None:
    worker_url = f"http://127.0.0.1:{site.environment['PYBENCH_WORKER_PORT']}"
    with slow_endpoint() as (base_url, endpoint), site.worker(), site.sweeper():
        run = site.start_run(base_url, concurrency=2, SUBMITTED_KEY=KEY)
        site.wait_for_end(run)
        endpoint.status = 401
        refused = site.start_run(base_url, concurrency=1, SUBMITTED_KEY=KEY)
        site.wait_for_end(refused)
        assert fetch(f"{worker_url}/healthz") == (200, "alive\n")
        wait_until(lambda: fetch(f"{worker_url}/readyz")[0] == 200, "the worker is ready", 180)
        status, text = fetch(f"{worker_url}/metrics")
        with web(site) as (url, _):
            wait_until(lambda: fetch(f"{url}/readyz")[0] == 200, "the web process is ready", 180)
    assert status == 200
    figures = figures_in(text)
    assert figures["pybench_attempts_total", "finished"] == TASKS
    assert figures["pybench_attempts_total", "endpoint_failed"] >= 1
    assert figures["pybench_voids_total", "endpoint_unauthorised"] >= 1
    assert figures["pybench_kernel_start_seconds_count",] == TASKS
    assert figures["pybench_cell_seconds_count", "ok"] == 2 * TASKS
    assert figures["pybench_endpoint_reply_seconds_count", "reply"] == 3 * TASKS
    assert figures["pybench_endpoint_reply_seconds_count", "endpoint_unauthorised"] >= 1

    assert KEY not in site.log() + text
    of_run = [line for line in lines_of(site) if line.get("run") == run]
    assert {line["attempt"] for line in of_run if "claimed" in line["event"]} == set(
        attempts_of(site, run)
    )
    assert all({"timestamp", "level", "logger"} <= line.keys() for line in of_run)
    from_runner = [
        line for line in lines_of(site) if line["logger"].startswith("runner.worker.attempt_player")
    ]
    assert from_runner
    assert all("run" in line and "attempt" in line for line in from_runner)


def lines_of(site: Site) -> list[dict[str, Any]]:
    return [json.loads(line) for line in site.log().splitlines() if line.startswith("{")]


def attempts_of(site: Site, run: int) -> list[int]:
    return [pk for (pk,) in site.rows(f"SELECT id FROM leaderboard_attempt WHERE run_id = {run}")]


@pytest.mark.services
def test_a_web_process_says_which_part_is_away(site: Site) -> None:
    with web(site, PYBENCH_BROKER_URL="redis+socket:///nowhere/redis.sock") as (url, _):
        status, body = fetch(f"{url}/readyz")
        assert fetch(f"{url}/healthz") == (200, "alive\n")
    checks = json.loads(body)["checks"]
    assert status == 503
    assert checks["database"] == checks["storage"] == "ok"
    assert checks["broker"].startswith("does not answer")
