"""Obstacles to the start of an attempt make it void, with a sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runner.contract import EndpointSpec, Job, Limits, Opening, Outcome, ReplyProgress, Step
from runner.endpoint.address_policy import AddressPolicy
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import ROOT, load_suite
from runner.worker.sandbox_player import SandboxPlayer


class Nobody:
    """A listener that must hear nothing."""

    async def opened(self, opening: Opening) -> None:
        pytest.fail("the attempt was opened")

    async def step(self, step: Step) -> None:
        pytest.fail("the attempt made a step")

    def should_stop(self) -> bool:
        return False

    def hear(self, progress: ReplyProgress) -> None:
        assert progress == ReplyProgress()  # nothing comes


def job() -> Job:
    suite = load_suite("starter")
    return Job(
        attempt_id=1,
        token="",
        suite="starter",
        task_key=suite.tasks[0].spec.key,
        seed=1,
        number=1,
        endpoint=EndpointSpec("http://127.0.0.1:1/v1", "model"),
        limits=Limits(),
        suite_digest=suite.digest,
    )


@pytest.mark.parametrize(
    ("changes", "outcome", "code"),
    [
        ({"suite_digest": "0" * 64}, Outcome.WORKER_LOST, "host_lacks_suite"),
        ({"suite": "nope"}, Outcome.WORKER_LOST, "unknown_suite"),
        ({"task_key": "nope"}, Outcome.WORKER_LOST, "unknown_task"),
        (
            {"endpoint": EndpointSpec("nowhere", "model")},
            Outcome.ENDPOINT_FAILED,
            "endpoint_bad_url",
        ),
    ],
)
async def test_an_attempt_that_cannot_begin_is_void(
    changes: dict[str, object], outcome: Outcome, code: str, tmp_path: Path
) -> None:
    player = SandboxPlayer(ROOT, tmp_path, AddressPolicy(), open_sandbox)
    try:
        result = await player.play(replace(job(), **changes), Nobody(), tmp_path)  # type: ignore[arg-type]
    finally:
        await player.close()
    assert result.outcome is outcome
    assert result.outcome.is_void
    assert result.verdict is None
    assert result.problem is not None
    assert result.problem.code == code


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("base_url", "code"),
    [
        ("http://127.0.0.1:1/v1", "url_scheme"),
        ("https://127.0.0.1:8443/v1", "address_not_public"),
        ("https://169.254.169.254/latest", "address_not_public"),
        ("https://[::ffff:10.0.0.1]/v1", "address_not_public"),
        ("https://1.1.1.1:22/v1", "url_port"),
    ],
)
async def test_an_address_that_the_guard_refuses_makes_the_attempt_void(
    base_url: str, code: str, tmp_path: Path
) -> None:
    instances = tmp_path / "instances"
    player = SandboxPlayer(ROOT, instances, AddressPolicy(), open_sandbox)
    endpoint = EndpointSpec(base_url, "model")
    try:
        result = await player.play(replace(job(), endpoint=endpoint), Heard(), tmp_path)
    finally:
        await player.close()
    assert result.outcome is Outcome.ENDPOINT_FAILED
    assert result.problem is not None
    assert result.problem.code == code


class Heard(Nobody):
    """A listener for an attempt that is opened and makes no step."""

    async def opened(self, opening: Opening) -> None:
        pass
