"""Pictures, sounds and modules, judged in the real sandbox by the starter suite's checks."""

from __future__ import annotations

import asyncio
import struct
import tempfile
import wave
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from runner.checking import check
from runner.contract import Verdict
from runner.instances import Instance, instantiate
from runner.prover import Prover
from runner.sandbox.factory import open_sandbox
from runner.suites import Solution, load_suite
from runner.tests.forgers import FORGERS, SEARCHER
from runner.tests.media_work import HONEST, NEAR_MISSES, Work

pytestmark = pytest.mark.sandbox


@dataclass
class Bench:
    """A sandbox and the starter suite, whose instances are made once."""

    prover: Prover
    cache: Path

    async def instance(self, key: str) -> Instance:
        suite = self.prover.suite
        return await instantiate(
            self.prover.sandbox, suite, suite.task(key), suite.seed, self.cache
        )

    async def play(self, work: Work) -> Verdict:
        task = self.prover.suite.task(work.task)
        solution = Solution(work.name, (work.cell,), work.answer)
        outputs = Path(tempfile.mkdtemp(dir=self.prover.scratch))
        instance = await self.instance(work.task)
        answer, trouble = await self.prover.run_cells(task, instance, solution, outputs)
        assert not trouble, trouble
        return await self.check(work.task, outputs, answer)

    async def check(self, key: str, outputs: Path, answer: str = "Saved.") -> Verdict:
        suite = self.prover.suite
        instance = await self.instance(key)
        return await check(self.prover.sandbox, suite, suite.task(key), instance, outputs, answer)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    scratch = tmp_path_factory.mktemp("bench")
    sandbox = open_sandbox()
    prover = Prover(load_suite("starter"), sandbox, scratch, asyncio.Semaphore(1))
    yield Bench(prover, scratch / "cache")
    asyncio.run(sandbox.close())


@pytest.mark.parametrize("work", HONEST, ids=lambda w: w.name)
async def test_other_honest_work_passes(bench: Bench, work: Work) -> None:
    played = await bench.play(work)
    assert played.passed is True, played.sentence


@pytest.mark.parametrize("work", NEAR_MISSES, ids=lambda w: w.name)
async def test_near_misses_fail_for_what_is_off(bench: Bench, work: Work) -> None:
    played = await bench.play(work)
    assert played.passed is False
    assert work.complaint in played.sentence


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of 8-bit RGB whose header may promise more than `rows` hold."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def write_bomb(path: Path) -> None:
    path.write_bytes(png(60_000, 60_000, bytes(1 << 20)))


def write_cut_png(path: Path) -> None:
    path.write_bytes(png(648, 336, bytes(336 * (1 + 3 * 648)))[:200])


def write_dot(path: Path) -> None:
    path.write_bytes(png(1, 1, b"\0\xff\0\0"))


def write_page(path: Path) -> None:
    path.write_text("<html><img src='upright.png'></html>")


def write_no_samples(path: Path) -> None:
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 22050, 0, "NONE", ""))


def write_noise(path: Path) -> None:
    path.write_bytes(b"RIFF\xff\xff\xff\x7fWAVEfmt " + bytes(range(256)) * 4)


SPOILT = [
    ("contact-sheet", "sheet.png", write_bomb, "could not be read as a PNG picture"),
    ("contact-sheet", "sheet.png", write_cut_png, "could not be read as a PNG picture"),
    ("logo-cutout", "logo.png", write_dot, "size in pixels"),
    ("photo-upright", "upright.webp", write_page, "could not be read as a WEBP picture"),
    ("photo-upright", "upright.webp", write_dot, "file format: expected WEBP, found PNG"),
    ("trim-silence", "trimmed.wav", write_no_samples, "duration"),
    ("mix-tracks", "mix.wav", write_noise, "could not be read as a WAV sound"),
]


@pytest.mark.parametrize(
    ("task", "name", "write", "complaint"), SPOILT, ids=lambda v: getattr(v, "__name__", v)
)
async def test_spoilt_files_fail_and_never_crash_the_check(
    bench: Bench,
    tmp_path: Path,
    task: str,
    name: str,
    write: Callable[[Path], None],
    complaint: str,
) -> None:
    write(tmp_path / name)
    verdict = await bench.check(task, tmp_path)
    assert not verdict.passed
    assert complaint in verdict.sentence


@pytest.mark.parametrize("name", FORGERS)
async def test_a_module_cannot_forge_its_verdict(bench: Bench, tmp_path: Path, name: str) -> None:
    (tmp_path / "bookings.py").write_text(FORGERS[name])
    verdict = await bench.check("booking-module", tmp_path)
    assert not verdict.passed
    assert {a.file for a in verdict.assertions if not a.passed} == {"bookings.py"}


async def test_a_module_does_not_find_its_check(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "bookings.py").write_text(SEARCHER)
    verdict = await bench.check("booking-module", tmp_path)
    assert "nothing was found" in verdict.sentence
