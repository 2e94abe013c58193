"""Plays the attempts that a worker claimed, in this host's sandbox, against their endpoints."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import httpx2

from runner.addresses import Policy
from runner.attempt import Place, Playing, play
from runner.contract import (
    AttemptResult,
    Fault,
    Job,
    Listener,
    Outcome,
    Problem,
    ProblemError,
)
from runner.endpoint import Endpoint
from runner.gate import Gate
from runner.guard import GuardedTransport
from runner.metered import MeteredChat, MeteredSandbox
from runner.outbound import Clients
from runner.outcomes import unplayed
from runner.refusals import EndpointError
from runner.sandbox.base import SandboxUnavailable
from runner.sandbox.factory import open_sandbox
from runner.suites import Suite, load_suite


class SandboxPlayer:
    """One sandbox, the HTTP clients and the suites read so far, for one event loop."""

    def __init__(self, suites: Path, cache: Path, policy: Policy) -> None:
        self.suites_root = suites
        self.cache = cache
        self.suites: dict[str, Suite] = {}
        self.clients = Clients(lambda: GuardedTransport(policy))
        self.place: Place | None = None

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult:
        """The attempt's result. What keeps it from beginning makes it void. Raises Fenced."""
        with self.clients.lend() as http:
            return await self.play_with(http, job, listener, scratch, gate)

    async def play_with(
        self,
        http: httpx2.AsyncClient,
        job: Job,
        listener: Listener,
        scratch: Path,
        gate: Gate | None,
    ) -> AttemptResult:
        try:
            suite = self.suite_of(job)
            playing = Playing(
                suite=suite,
                task=suite.task(job.task_key),
                seed=job.seed,
                limits=job.limits,
                chat=MeteredChat(Endpoint(job.endpoint, http, gate=gate)),
                listener=listener,
                outputs=scratch,
            )
            place = self.place = self.place or self.open_place()
        except EndpointError as error:
            return unplayed(Outcome.ENDPOINT_FAILED, error.problem)
        except ProblemError as error:
            return unplayed(Outcome.CHECK_CRASHED, error.problem)
        except SandboxUnavailable as error:
            return unplayed(Outcome.KERNEL_LOST, no_sandbox(error))
        return await play(playing, place)

    def suite_of(self, job: Job) -> Suite:
        """The suite as it was when the run was started: another one would judge otherwise."""
        suite = self.suites.get(job.suite)
        if suite is None or suite.digest != job.suite_digest:
            suite = self.suites[job.suite] = load_suite(job.suite, self.suites_root)
        if job.suite_digest and suite.digest != job.suite_digest:
            raise ProblemError(suite_changed(suite))
        return suite

    def open_place(self) -> Place:
        slots = asyncio.Semaphore(len(os.sched_getaffinity(0)))  # cores that we may use
        return Place(sandbox=MeteredSandbox(open_sandbox()), slots=slots, cache=self.cache)

    async def close(self) -> None:
        await self.clients.aclose()
        if self.place is not None:
            await self.place.sandbox.close()


def suite_changed(suite: Suite) -> Problem:
    return Problem(
        Fault.US,
        "suite_changed",
        f"The suite {suite.name} on this worker is not the one that the run was started on.",
        f"Run `manage.py install_suite {suite.name}`, then start a new run.",
    )


def no_sandbox(error: SandboxUnavailable) -> Problem:
    return Problem(
        Fault.US,
        "sandbox_unavailable",
        f"No sandbox can be had on this host: {error}",
        "`python -m runner.sandbox.doctor` says what is missing.",
    )
