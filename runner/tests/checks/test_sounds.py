"""Sounds are compared second by second, whatever their coding did to them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import subprocess
import numpy as np
import soundfile
from runner.checks.media import sound_comparison
TUNE = sound_comparison.make_tune(5, 12, [])
TIME = np.arange(len(TUNE)) / 44_100
HISS = np.random.default_rng(5).uniform(-0.4, 0.4, len(TUNE))
soundfile.write("/tmp/tune.wav", TUNE, 44_100)
SOURCE = sound_comparison.load(sound_comparison.Path("/tmp/tune.wav"))
def judged(case, file, codec="pcm"):
    made = sound_comparison.read(case, file, codec)
    sound_comparison.expect_same(case, made, SOURCE, file)
def placed(case, file):
    part = SOURCE.part(1, 2)
    noisy = part + part.std() * np.random.default_rng(1).standard_normal(len(part))
    place, _ = sound_comparison.find(part, np.concatenate([3 * noisy, part]))
    case.expect("place", place == len(part), actual=place, file=file)
def between(start_s, end_s):
    return ((TIME >= start_s) & (TIME < end_s))[:, None]
"""


def sound(name: str, samples: str, says: str = "", measure: str = "judged") -> Trial:
    file = f"{name}.wav"
    made = f"soundfile.write(str(data / {file!r}), np.clip({samples}, -1, 1), 44_100)"
    return Trial(name, file, made, f"{measure}(case, {file!r})", says)


def coded(name: str, how: str, suffix: str, codec: str, says: str = "") -> Trial:
    file = f"{name}.{suffix}"
    command = (
        f'["ffmpeg", "-v", "error", "-i", "/tmp/tune.wav", *{how.split()}, str(data / "{file}")]'
    )
    return Trial(
        name,
        file,
        f"subprocess.run({command}, check=True)",
        f"judged(case, {file!r}, {codec!r})",
        says,
    )


TRIALS = [
    sound("as-it-was", "TUNE"),
    sound("in-one-channel", "TUNE.mean(axis=1)"),
    sound("louder", "TUNE * 1.4"),
    sound("late", "np.roll(TUNE, 2000, axis=0)"),
    coded("half-the-rate", "-ar 22050 -ac 1", "wav", "pcm"),
    coded("of-few-bits", "-ar 22050 -b:a 64k", "mp3", "mp3"),
    coded("clock-off", "-filter:a asetrate=44101,aresample=44100", "wav", "pcm"),
    coded("other-coding", "-b:a 64k", "mp3", "pcm", "its coding"),
    sound("another", "sound_comparison.make_tune(6, 12, [])", "does not hold the sound"),
    sound("far-too-soft", "TUNE * 0.1", "times its level"),
    sound("half", "TUNE[: len(TUNE) // 2]", "s are wanted"),
    sound("gap", "TUNE * ~between(3, 7)", "from second 3 on"),
    sound("hiss", "np.where(between(3, 7), HISS[:, None], TUNE)", "from second 3 on"),
    sound("beside-a-louder-place", "TUNE", measure="placed"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder: Path = tmp_path_factory.mktemp("sounds")
    return asyncio.run(try_out(TRIALS, SETUP, folder, timeout_s=60.0))


def test_sound(found: dict[str, Assertion], subtests: pytest.Subtests) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
