"""Plays the attempts that a worker claimed, in this host's sandbox, against their endpoints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import httpx2

from runner.attempt import AttemptPlace, Playing, play
from runner.by_hand import HandChat, TypedReplies
from runner.contract import (
    HOST_LACKS,
    AttemptResult,
    Fault,
    Job,
    Listener,
    Outcome,
    Problem,
    ProblemError,
    ReplyProgress,
    SandboxUnavailable,
)
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import EndpointError
from runner.endpoint.guarded_transport import GuardedTransport
from runner.endpoint.http import Clients
from runner.endpoint.limiter import Gate
from runner.episode import Chat
from runner.reading.readers import readers
from runner.sandbox.base import Sandbox
from runner.suite.reader import Suite, load_suite
from runner.unplayed import no_sandbox, unplayed
from runner.worker.ceiling import HighMark, Purse, RationedChat
from runner.worker.metrics import timed_chat, timed_sandbox


class ReplyListener(Protocol):
    """Hears of the reply under way; must return at once."""

    def hear(self, progress: ReplyProgress) -> None: ...


class SandboxPlayer:
    """One sandbox, the HTTP clients and the suites read so far, for one event loop."""

    def __init__(
        self,
        suites: Path,
        cache: Path,
        policy: AddressPolicy,
        open_sandbox: Callable[[], Sandbox],
    ) -> None:
        self.suites_root = suites
        self.cache = cache
        self.open_sandbox = open_sandbox
        self.suites: dict[str, Suite] = {}
        self.clients = Clients(lambda: GuardedTransport(policy))
        self.place: AttemptPlace | None = None
        self.marks: dict[int, HighMark] = {}  # of the runs with a ceiling that were played here
        readers().start()

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
            chat = self.chat_of(job, listener, http, gate)
            playing = Playing(
                suite=suite,
                task=suite.task(job.task_key),
                seed=job.seed,
                limits=job.limits,
                chat=chat,
                listener=listener,
                outputs=scratch,
                recording=job.recording,
            )
            place = self.place = self.place or AttemptPlace(
                timed_sandbox(self.open_sandbox()), self.cache
            )
        except EndpointError as error:
            return unplayed(Outcome.ENDPOINT_FAILED, error.problem)
        except ProblemError as error:
            return unplayed(Outcome.WORKER_LOST, error.problem)
        except SandboxUnavailable as error:
            return unplayed(Outcome.KERNEL_LOST, no_sandbox(error))
        return await play(playing, place)

    def chat_of(
        self, job: Job, listener: Listener, http: httpx2.AsyncClient, gate: Gate | None
    ) -> Chat:
        """The party that replies: an endpoint, or a person."""
        if job.by_hand:
            return HandChat(job.endpoint, cast(TypedReplies, listener))
        hear = cast(ReplyListener, listener).hear
        client = EndpointClient(job.endpoint, http, gate=gate, on_progress=hear)
        return self.ration(timed_chat(client), job, listener)

    def ration(self, chat: Chat, job: Job, listener: Listener) -> Chat:
        """The chat, within the run's ceiling if it has one."""
        if job.ceiling is None:
            return chat
        mark = self.marks.setdefault(job.run_id, HighMark())
        return RationedChat(chat, job.ceiling, cast(Purse, listener), mark)

    def suite_of(self, job: Job) -> Suite:
        """The suite as it was when the run was started: another one would judge otherwise."""
        suite = self.suites.get(job.suite)
        if suite is None or suite.digest != job.suite_digest:
            suite = self.suites[job.suite] = load_suite(job.suite, self.suites_root)
        if job.suite_digest and suite.digest != job.suite_digest:
            raise ProblemError(suite_changed(suite))
        return suite

    async def close(self) -> None:
        await self.clients.aclose()
        if self.place is not None:
            await self.place.sandbox.close()


def suite_changed(suite: Suite) -> Problem:
    return Problem(
        Fault.US,
        f"{HOST_LACKS}suite",
        f"The suite {suite.name} on the machine that plays attempts is not the one that the run "
        "was started on.",
        "Its operator can bring back the suite and the check library as they were; what waits is "
        "then played by itself. Or cancel this run, and start a new one on the suite as it is.",
    )


def has_suite(name: str, digest: str, root: Path) -> bool:
    """True if this machine has the suite as a run was started on it."""
    try:
        return load_suite(name, root).digest == digest
    except ProblemError:
        return False
