"""Sounds that agree in one channel of low pitch, and hold for two ears what nobody asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import numpy as np
import soundfile
from runner.checks.media import sound_comparison
TUNE = sound_comparison.make_tune(5, 6, [])
TIME = np.arange(len(TUNE)) / 44_100
HISS = np.random.default_rng(5).uniform(-0.4, 0.4, len(TUNE))
soundfile.write("/tmp/tune.wav", TUNE, 44_100)
SOURCE = sound_comparison.load(sound_comparison.Path("/tmp/tune.wav"))
def judged(case, file):
    made = sound_comparison.read(case, file, "pcm")
    sound_comparison.expect_same(case, made, SOURCE, file)
    sound_comparison.expect_nothing_else(case, made, [SOURCE], file)
def unheard(case, file):
    made = sound_comparison.read(case, file, "pcm")
    case.expect("silent", made.peak_db <= -70, actual=made.peak_db, file=file)
"""


def sound(name: str, samples: str, says: str = "", measure: str = "judged") -> Trial:
    file = f"{name}.wav"
    made = f"soundfile.write(str(data / {file!r}), np.clip({samples}, -1, 1), 44_100)"
    return Trial(name, file, made, f"{measure}(case, {file!r})", says)


TRIALS = [
    sound("as-it-was", "TUNE"),
    sound("in-one-channel", "TUNE.mean(axis=1)"),
    sound("louder", "TUNE * 1.4"),
    sound("another", "sound_comparison.make_tune(6, 6, [])", "does not hold the sound"),
    sound("hiss-at-both-sides", "TUNE + np.column_stack([HISS, -HISS])", "other sound"),
    sound("whistle", "TUNE + 0.4 * np.sin(2 * np.pi * 9000 * TIME)[:, None]", "other sound"),
    sound("silence", "TUNE * 0", measure="unheard"),
    sound("loud-to-two-ears", "TUNE[:, :1] * [1, -1]", "silent", "unheard"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder: Path = tmp_path_factory.mktemp("sounds")
    return asyncio.run(try_out(TRIALS, SETUP, folder, timeout_s=60.0))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_sound(trial: Trial, found: dict[str, Assertion]) -> None:
    expect_as_told(trial, found[trial.name])
