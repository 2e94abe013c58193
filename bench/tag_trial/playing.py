"""Plays the scripted attempts of the tags' trial and notes the facts of each."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from shutil import copyfile
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import override_settings
from PIL import Image

from bench.tag_trial.scripts import TrialScript, read_scripts
from leaderboard.failures.tagging import facts_of
from leaderboard.models import Artifact, Attempt, Blob, Task, pack
from leaderboard.storage.blobs import kind_of
from runner.attempt import AttemptPlace, Playing, converse, make_instance, verify, with_refusals
from runner.cancellation import Stopped
from runner.contract import (
    CellResult,
    ChangeKind,
    EndpointSpec,
    FileChange,
    Harvest,
    KernelLost,
    Opening,
    Outcome,
    Problem,
    Step,
    Verdict,
)
from runner.endpoint.errors import EndpointError
from runner.episode import AttemptTally
from runner.model.reply import ModelReply
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import load_suite

SUITE = Path(__file__).resolve().parent / "suite"
MEMORY = {"default": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
BARE_WORK = "/work"  # written where a path of this machine would stand
AT_ONCE = 3
NOTHING_MORE = "I have nothing to add."  # where a reply meant as the last was read as code
SHOWN_BYTES = 300  # of a small text among the files left


@dataclass
class ScriptedChat:
    """A model that replies what its script says, then fails as the script says."""

    script: TrialScript
    spec: EndpointSpec = field(default_factory=lambda: EndpointSpec("http://127.0.0.1", "script"))
    given: int = 0

    async def reply(self, messages: Sequence[object], timeout_s: float) -> ModelReply:
        if self.given < len(self.script.replies):
            reply = self.script.replies[self.given]
            self.given += 1
            return ModelReply(text=reply.text, finish_reason="length" if reply.is_cut else "stop")
        if self.script.loss == "endpoint":
            raise EndpointError("endpoint_failed", self.script.loss_sentence, "Try later.", 1)
        if self.script.loss:
            raise Stopped
        return ModelReply(text=NOTHING_MORE, finish_reason="stop")


@dataclass
class ScriptListener:
    """Remembers the steps."""

    steps: list[Step] = field(default_factory=list)
    opening: Opening | None = None

    async def opened(self, opening: Opening) -> None:
        self.opening = opening

    async def step(self, step: Step) -> None:
        self.steps.append(step)

    def should_stop(self) -> bool:
        return False


@dataclass
class WatchedSession:
    """A session that loses its last kernel where the script says so, and sees changes of ./data."""

    inner: Session
    script: TrialScript
    cells: int = 0
    seen: dict[str, bytes] = field(default_factory=dict)

    async def run(self, code: str, timeout_s: float) -> CellResult:
        self.cells += 1
        if self.script.loss == "kernel" and self.cells == len(self.script.replies):
            raise KernelLost(self.script.loss_sentence)
        self.seen = self.look()
        result = await self.inner.run(code, timeout_s)
        return self.without_own_paths(result) if self.script.is_bare else result

    def without_own_paths(self, result: CellResult) -> CellResult:
        """The result with /work where this machine's folder for the attempt stands."""
        work = str(Path(f"/proc/self/fd/{self.inner.work}").readlink())  # type: ignore[attr-defined]

        def told(text: str) -> str:
            return text.replace(work, BARE_WORK).replace(str(Path(work).parent), "")

        outputs = [
            replace(o, text=told(o.text), error_value=told(o.error_value)) for o in result.outputs
        ]
        return replace(result, outputs=tuple(outputs))

    def look(self) -> dict[str, bytes]:
        if not self.script.is_bare:
            return {}
        data = Path(f"/proc/self/fd/{self.inner.work}/data")  # type: ignore[attr-defined]
        return {f"data/{p.name}": p.read_bytes() for p in sorted(data.iterdir())}

    async def changes(self) -> tuple[FileChange, ...]:
        changes, before, now = await self.inner.changes(), self.seen, self.look()
        ours = [
            FileChange(
                path,
                ChangeKind.DELETED
                if path not in now
                else ChangeKind.CHANGED
                if path in before
                else ChangeKind.CREATED,
                len(now.get(path, b"")),
                len(before.get(path, b"")),
                hashlib.sha256(now[path]).hexdigest() if path in now else "",
            )
            for path in sorted({*before, *now})
            if before.get(path) != now.get(path)
        ]
        return (*(c for c in changes if not c.path.startswith("data/")), *ours)

    async def interrupt(self) -> None:
        await self.inner.interrupt()

    async def harvest(self, dest: Path, wanted: Any = ()) -> Harvest:
        return await self.inner.harvest(dest, wanted)

    async def close(self) -> None:
        await self.inner.close()


@dataclass(frozen=True)
class PlayedScript:
    """One attempt that was played."""

    script: TrialScript
    outcome: Outcome
    problem: str
    answer: str | None
    opening: Opening
    steps: tuple[Step, ...]
    verdict: Verdict | None
    files: tuple[tuple[str, bytes], ...]
    outputs: tuple[str, ...]  # asked for
    inputs: tuple[str, ...]  # that the task speaks of


async def play_script(
    script: TrialScript, place: AttemptPlace, bare: Sandbox, folder: Path
) -> PlayedScript:
    """Play one attempt as `runner.attempt` does, with the script in place of a model."""
    suite = load_suite(SUITE.name, SUITE.parent)
    task, listener = suite.task(script.task), ScriptListener()
    limits = replace(suite.limits, max_turns=script.turns or suite.limits.max_turns)
    outputs = folder / "outputs"
    outputs.mkdir()
    playing = Playing(suite, task, suite.seed, limits, ScriptedChat(script), listener, outputs)
    instance = await make_instance(playing, place)
    pristine = instance
    if script.absent or script.is_bare:  # where nothing is read-only, a copy of its own
        instance = replace(
            instance,
            data=without(instance.data, script.absent, folder / "data"),
            inputs=tuple(f for f in instance.inputs if f.path != script.absent),
        )
    opener = bare if script.is_bare else place.sandbox
    inner = await opener.open(instance.data, limits)
    session = WatchedSession(inner, script)
    harvest, verdict = Harvest(), None
    problem: Problem | str | None
    try:
        over = await converse(playing, place, instance, session, AttemptTally())
        outcome, answer, problem = over.outcome, over.answer, over.problem
        if script.loss in ("worker", "check"):
            outcome = Outcome.WORKER_LOST if script.loss == "worker" else Outcome.CHECK_CRASHED
        if script.loss in ("worker", "check", "cancelled"):
            problem = script.loss_sentence
        if not outcome.is_void:
            harvest = await session.harvest(outputs, task.spec.outputs)
    except KernelLost as error:
        outcome, answer, problem = Outcome.KERNEL_LOST, None, str(error)
    finally:
        await session.close()
    if not outcome.is_void:
        verdict = with_refusals(await verify(playing, place, pristine, answer), harvest)
    assert listener.opening
    return PlayedScript(
        script,
        outcome,
        problem.sentence if isinstance(problem, Problem) else problem or "",
        answer,
        listener.opening,
        tuple(listener.steps),
        verdict,
        tuple((f.path, f.location.read_bytes()) for f in harvest.files),
        task.spec.outputs,
        task.spec.inputs,
    )


def without(data: Path, absent: str, copy: Path) -> Path:
    copy.mkdir()
    for path in data.iterdir():
        if path.name != absent:
            copyfile(path, copy / path.name)
    return copy


def facts_line(played: PlayedScript) -> dict[str, Any]:
    """The facts from which the tags are derived, made by the site's own function."""
    task = Task(inputs=list(played.inputs), outputs=list(played.outputs))
    opening = {
        "query": played.opening.query,
        "inputs": [{"path": f.path, "sha256": f.sha256} for f in played.opening.inputs],
    }
    attempt = Attempt(
        task=task,
        outcome=played.outcome,
        passed=played.verdict.passed if played.verdict else None,
        opening=pack(opening),
        closing=pack({"answer": played.answer}),
    )
    given = [
        Artifact(role=Artifact.Role.INPUT, path=f.path, blob_id=f.sha256)
        for f in played.opening.inputs
    ]
    left = [
        Artifact(role=Artifact.Role.OUTPUT, path=path, blob=stored_blob(path, content))
        for path, content in played.files
    ]
    steps = [stored_step(step) for step in played.steps]
    assertions = [asdict(a) for a in played.verdict.assertions] if played.verdict else None
    facts = asdict(facts_of(attempt, steps, [*given, *left], assertions))
    text = json.dumps({"key": played.script.key, "facts": facts}, ensure_ascii=False)
    return json.loads(text)  # type: ignore[no-any-return]


def stored_blob(path: str, content: bytes) -> Blob:
    kind = kind_of(io.BytesIO(content), path)
    sha256 = hashlib.sha256(content).hexdigest()
    blob = Blob(sha256, len(content), kind.mime, kind.width, kind.height)
    if not default_storage.exists(blob.storage_name):
        default_storage.save(blob.storage_name, ContentFile(content))
    return blob


def stored_step(step: Step) -> dict[str, Any]:
    """All that a rule may look at, without times, tokens and the bytes of files."""
    outputs = [
        {
            "kind": o.kind,
            "text": o.text,
            "error_name": o.error_name,
            "error_value": o.error_value,
            "data": {mime: "" if mime.startswith("image/") else v for mime, v in o.data.items()},
        }
        for o in step.outputs
    ]
    changes = [
        {"path": c.path, "kind": c.kind, "size_bytes": c.size_bytes, "sha256": c.sha256}
        for c in step.changes
    ]
    return {
        "index": step.index,
        "status": step.status,
        "reply": step.reply,
        "code": step.code,
        "outputs": outputs,
        "observation": step.observation,
        "changes": changes,
        "notes": list(step.notes),
        "finish_reason": step.finish_reason,
    }


def reader_text(played: PlayedScript, number: int) -> str:
    """The attempt as a person reads it, without a word of what it is for."""
    there = [f"./data/{f.path}" for f in played.opening.inputs]
    lines = [
        f"INDEX {number}",
        f"INPUTS THAT THE TASK MENTIONS {[f'./data/{name}' for name in played.inputs]}",
        f"INPUTS THAT WERE THERE {there}",
        f"OUTPUTS ASKED FOR {[f'./output/{name}' for name in played.outputs]}",
        f"QUERY: {played.opening.query}",
    ]
    for step in played.steps:
        cut = " (the endpoint cut this reply at its length limit)"
        lines += [f"--- assistant{cut if step.finish_reason == 'length' else ''}", step.reply]
        if step.observation:
            lines += ["--- user", step.observation]
        lines += [f"[on disk: {c.kind} {c.path}, {c.size_bytes} bytes]" for c in step.changes]
    lines += ["--- end", f"How it ended: {played.outcome.replace('_', ' ')}. {played.problem}"]
    if played.verdict:
        lines += [f"Files left in ./output: {'' if played.files else 'none'}"]
        lines += [f"  {path}: {described(content)}" for path, content in played.files]
        lines += [f"Check: {'passed' if played.verdict.passed else 'failed'}"]
        lines += [
            f"  {'holds' if a.passed else 'FAILS'}: {a.file or 'answer'}: {a.name}: "
            f"expected {a.expected!r}, found {a.actual!r} {a.message}"
            for a in played.verdict.assertions
        ]
    return "\n".join(lines) + "\n"


def described(content: bytes) -> str:
    if not content:
        return "empty, 0 bytes"
    try:
        with Image.open(ContentFile(content)) as image:
            extremes: Any = image.convert("RGB").getextrema()
            colours = "one colour" if all(a == b for a, b in extremes) else "several colours"
            return f"a picture of {image.width} × {image.height} pixels, {colours}"
    except OSError:
        text = content.decode("utf-8", "replace")
        return f"{len(content)} bytes: {text[:SHOWN_BYTES]!r}"


async def play_all(scripts: Sequence[TrialScript], cache: Path) -> list[PlayedScript]:
    walled, bare = open_sandbox("bwrap"), open_sandbox("none")
    place, limit = AttemptPlace(walled, cache), asyncio.Semaphore(AT_ONCE)

    async def one(script: TrialScript) -> PlayedScript:
        async with limit:
            with tempfile.TemporaryDirectory() as folder:
                played = await play_script(script, place, bare, Path(folder))
                print(script.key, script.task, played.outcome, flush=True)
                return played

    try:
        return list(await asyncio.gather(*(one(script) for script in scripts)))
    finally:
        await walled.close()
        await bare.close()


def play_and_note(facts: Path, texts: Path, only: Sequence[str]) -> None:
    """Write the facts into the file `facts`, and into the folder `texts` what a reader reads."""
    scripts = [s for s in read_scripts() if not only or s.key in only or s.task in only]
    with tempfile.TemporaryDirectory() as cache, override_settings(STORAGES=MEMORY):
        played = asyncio.run(play_all(scripts, Path(cache)))
        lines = [facts_line(one) for one in played]
    texts.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(played, 1):
        (texts / f"{number}.txt").write_text(reader_text(one, number))
    body = "\n".join(json.dumps(line, ensure_ascii=False, sort_keys=True) for line in lines)
    with gzip.GzipFile(facts, "wb", mtime=0) as stream:
        stream.write(body.encode())
