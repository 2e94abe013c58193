"""Pictures, sounds, films and modules, judged in the real sandbox by the library's checks."""

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

from runner.contract import Assertion, Verdict
from runner.proof.plays import Stage
from runner.proof.prover import Prover
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import Solution, load_suite
from runner.task_code.inputs import Instance, instantiate
from runner.task_code.verdict import check
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox


@dataclass(frozen=True)
class Work:
    """A solution that is neither the reference nor one of the task's own wrong ones."""

    name: str
    task: str
    cell: str
    answer: str = "Saved."
    complaint: str = ""  # part of the verdict's sentence, of one that must fail


CROP = """
from PIL import Image, ImageOps
upright = ImageOps.exif_transpose(Image.open('data/photo.jpg'))
left = «left» + {by}
area = upright.crop((left, «top», left + «width», «top» + «height»))
area.save('output/upright.webp', quality=90)
"""
SHEET = """
from PIL import Image, ImageOps
sheet = Image.new('RGB', (648, 336), '«background»')
for i, n in enumerate([1, 2, 3, 10, 11, 20]):
    p = Image.open(f'data/shot{{n}}.png').convert('RGB')
    p = ImageOps.contain(p, (200, 150), Image.{filter})
    x, y = {gap} + i % 3 * 212, {gap} + i // 3 * 162
    sheet.paste(p, (x + (200 - p.width) // 2, y + (150 - p.height) // 2))
sheet.save('output/sheet.png')
"""
BLUR = """
import cv2
p = cv2.imread('data/street.png')
box = slice(«y», «y» + «height»), slice(«x», «x» + «width»)
p[box] = {blur}
cv2.imwrite('output/street_blurred.png', p)
"""
MOSAIC = (
    "cv2.resize(cv2.resize(p[box], None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA),"
    " («width», «height»), interpolation=cv2.INTER_NEAREST)"
)
QR = """
import qrcode
from PIL import Image
square = qrcode.make('«link»').convert('RGB').resize((«side», «side»))
poster = Image.open('data/poster.png').convert('RGB')
poster.paste(square, (poster.width - «margin» - «side», poster.height - «margin» - «side»))
poster.save('output/poster_qr.png')
"""
GREY = "square = square.point(lambda level: level * 0.7)\nposter = "
REVERSE = """
from PIL import Image, ImageSequence
import numpy as np
frames, times = [], []
for frame in ImageSequence.Iterator(Image.open('data/lamp.gif')):
    frames.append(frame.convert('RGB'))
    times.append(frame.info['duration'])
best = int(np.argmax([np.mean(frame.convert('L')) for frame in frames]))
frames[best].save('output/brightest.png')
back = [frame.quantize(256) for frame in frames][::-1]
rest = dict(append_images=back[1:], duration=times[::-1]{loop})
back[0].save('output/reversed.gif', save_all=True, **rest)
print('best:', best + 1)
"""
FADE = """
import numpy as np, soundfile as sf
samples, rate = sf.read('data/recording.wav')
loud = np.flatnonzero(abs(samples) >= 0.01)
kept = samples[loud[0]:loud[-1] + 1].copy()
n = rate * «fade_ms» // 1000
kept[-n:] *= {curve}
sf.write('output/trimmed.wav', kept, rate, subtype='{subtype}')
print(f'seconds: {{len(kept) / rate:.2f}}')
"""
MIX = """
from pydub import AudioSegment
music = AudioSegment.from_mp3('data/music.mp3') - «music_db» {more}
voice = AudioSegment.from_wav('data/voice.wav').set_frame_rate(44100).set_channels(2)
start = int(«delay» * 1000)
mix = music[:start + len(voice) + int(«tail» * 1000)].overlay(voice, position=start)
mix.export('output/mix.wav', format='wav')
"""
SECONDS = "时长约为«seconds»秒。"

HONEST = [
    Work("webp at quality 90", "photo-upright", CROP.format(by=0)),
    Work("coarse resampling", "contact-sheet", SHEET.format(gap=12, filter="NEAREST")),
    Work(
        "blur that looks around",
        "blur-plate",
        BLUR.format(blur="cv2.GaussianBlur(p, (0, 0), 16)[box]"),
    ),
    Work("soft modules", "qr-poster", QR),
    Work(
        "another palette", "gif-reversed", REVERSE.format(loop=", loop=0"), "最亮的是第«best»帧。"
    ),
    Work(
        "fade by hand",
        "trim-silence",
        FADE.format(curve="1 - np.arange(n) / n", subtype="PCM_16"),
        SECONDS,
    ),
    Work("mixed in milliseconds", "mix-tracks", MIX.format(more="")),
]

NEAR_MISSES = [
    Work("one pixel off", "photo-upright", CROP.format(by=1), complaint="px to the right"),
    Work(
        "gap of 11",
        "contact-sheet",
        SHEET.format(gap=11, filter="LANCZOS"),
        complaint="place in the cell",
    ),
    Work("mosaic", "blur-plate", BLUR.format(blur=MOSAIC), complaint="detail inside"),
    Work("on grey", "qr-poster", QR.replace("poster = ", GREY, 1), complaint="black on white"),
    Work(
        "ends after a while",
        "gif-reversed",
        REVERSE.format(loop=", loop=3"),
        "最亮的是第«best»帧。",
        complaint="endless loop",
    ),
    Work(
        "square-root fade",
        "trim-silence",
        FADE.format(curve="np.sqrt(np.linspace(1, 0, n))", subtype="PCM_16"),
        SECONDS,
        complaint="of the fade",
    ),
    Work(
        "float samples",
        "trim-silence",
        FADE.format(curve="np.linspace(1, 0, n)", subtype="FLOAT"),
        SECONDS,
        complaint="sample format",
    ),
    Work("2 dB more", "mix-tracks", MIX.format(more="- 2"), complaint="change in dB"),
]

# Modules that want to pass a check without doing what was asked.
WALK = """
import os
def texts():
    parent = os.getppid()
    places = ["/opt", "/work", "/tmp", "/run", f"/proc/{parent}/fd", f"/proc/{parent}/cwd"]
    for place in places:
        for folder, below, names in os.walk(place):
            if folder == "/opt" and "env" in below:
                below.remove("env")  # a gigabyte of libraries: not within the module's deadline
            for name in names:
                try:
                    with open(os.path.join(folder, name), "rb", buffering=0) as file:
                        yield file.read(1 << 20)
                except OSError:
                    continue
"""

REPORT = r"""
import json
HOLDS = {"name": "merge", "passed": True, "expected": "", "actual": "", "message": "", "file": ""}
EVENTS = {"assertion": HOLDS}, {"read": "bookings.py"}, {"done": 1}
REPORT = "".join(json.dumps(event) + "\n" for event in EVENTS)
"""

STUBS = """
def parse_duration(text): return 45
def merge(bookings): return []
def free_slots(bookings, opening, closing, minimum): return []
"""

FORGERS = {
    "equal to everything": """
class Anything(list):
    def __eq__(self, other): return True
    def __len__(self): return 1
def parse_duration(text): return True
def merge(bookings): return Anything()
def free_slots(bookings, opening, closing, minimum): return Anything()
""",
    "report on every descriptor": REPORT
    + """
import os
for number in range(256):
    try:
        os.write(number, REPORT.encode())
    except OSError:
        pass
"""
    + STUBS,
    "report through the parent": REPORT
    + """
import os
for number in range(64):
    try:
        with open(f"/proc/{os.getppid()}/fd/{number}", "wb", buffering=0) as file:
            file.write(REPORT.encode())
    except OSError:
        pass
os.kill(os.getppid(), 9)
"""
    + STUBS,
    "parent's memory": """
import os
with open(f"/proc/{os.getppid()}/mem", "r+b", buffering=0) as memory:
    memory.seek(0x1000)
    memory.write(b"forged")
"""
    + STUBS,
    "parent killed": "import os\nos.kill(os.getppid(), 9)\n" + STUBS,
    "gone at import": "import os\nos._exit(0)\n",
    "replies of its own": """
import json, sys
json.dump = lambda value, pipe: pipe.write('{"replies": [{"value": true}]}')
"""
    + STUBS,
    "flood": """
import os
for number in range(3, 16):
    try:
        os.write(number, b"x" * (1 << 22))
    except OSError:
        pass
"""
    + STUBS,
    "never answers": "import time\ntime.sleep(600)\n" + STUBS,
    "daemon that stays": """
import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
"""
    + STUBS,
}
SEARCHER = (
    WALK
    + """
if any(b"GOOD" + b"_TEXTS" in text for text in texts()):
    raise RuntimeError("THE CHECK WAS FOUND")
raise RuntimeError("nothing was found")
"""
)


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
        folder = Path(tempfile.mkdtemp(dir=self.prover.scratch))
        instance = await self.instance(work.task)
        limits = self.prover.suite.limits
        stage = Stage(self.prover.sandbox, limits, task, instance, folder)
        played = await stage.play("style", solution, "output")
        assert not played.trouble, played.trouble
        return await self.check(work.task, played.outputs, played.answer)

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
    off = [one.actual for one in played.assertions if not one.passed]
    assert any(work.complaint in text for text in (played.sentence, *off)), played.sentence


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


FILM_SETUP = """
import subprocess
import numpy as np
from PIL import Image
from runner.checks.inputs import scenery
from runner.checks.media import films
PHOTO = scenery.landscape(np.random.default_rng(7), 240, 160)
FRAMES = [np.roll(PHOTO, 12 * step, 1) for step in range(20)]
def write(path, frames, rate, *more):
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", "240x160", "-r", str(rate), "-i", "-", *more, "-pix_fmt", "yuv420p"]
    sent = b"".join(frame.tobytes() for frame in frames)
    subprocess.run([*command, str(path)], input=sent, check=True)
def expect_film(case, file):
    pages = [Image.fromarray(frame) for frame in FRAMES]
    path = films.Path("/tmp/animation.gif")
    pages[0].save(path, save_all=True, append_images=pages[1:], duration=100)
    films.expect_film_of(case, file, path)
"""


def film(name: str, how: str, says: str = "") -> Trial:
    """A film of twenty pictures, written as `how` tells."""
    file = f"{name}.mp4"
    return Trial(name, file, f"write(data / {file!r}, {how})", f"expect_film(case, {file!r})", says)


FILMS = [
    film("film", "FRAMES, 10"),
    film("mixed", 'FRAMES, 10, "-vf", "framerate=fps=25"'),
]


@pytest.fixture(scope="module")
def films_found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(FILMS, FILM_SETUP, tmp_path_factory.mktemp("films")))


@pytest.mark.parametrize("trial", FILMS, ids=lambda trial: trial.name)
def test_film(trial: Trial, films_found: dict[str, Assertion]) -> None:
    expect_as_told(trial, films_found[trial.name])
