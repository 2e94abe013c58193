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
OTHER = sound_comparison.make_tune(7, 4, [])
MIXED = TUNE * np.linspace(1, 0.3, len(TUNE))[:, None] / 2
MIXED[: len(OTHER)] += OTHER / 2
soundfile.write("/tmp/other.wav", OTHER, 44_100)
SONGS = [SOURCE, sound_comparison.load(sound_comparison.Path("/tmp/other.wav"))]
def both(case, file):
    made = sound_comparison.read(case, file, "pcm")
    laid = [sound_comparison.laid_over(made.samples, song.samples, 0) for song in SONGS]
    found = sound_comparison.windows(made.samples, laid, sound_comparison.MIXED_WINDOW_S)
    sound_comparison.expect_no_fault(case, found, file, "both", may_fade=True)
def placed(case, file):
    part = SOURCE.part(1, 2)
    noisy = part + part.std() * np.random.default_rng(1).standard_normal(len(part))
    place, _ = sound_comparison.find(part, np.concatenate([3 * noisy, part]))
    case.expect("place", place == len(part), actual=place, file=file)
def heard_alike(case, file):
    made = sound_comparison.read(case, file, "mp3")
    sound_comparison.expect_heard_alike(case, made, file)
def between(start_s, end_s):
    return ((TIME >= start_s) & (TIME < end_s))[:, None]
def unheard(case, file):
    made = sound_comparison.read(case, file, "pcm")
    case.expect("silent", made.peak_db <= -70, actual=made.peak_db, file=file)
"""


def sound(name: str, samples: str, says: str = "", measure: str = "judged") -> Trial:
    file = f"{name}.wav"
    made = f"soundfile.write(str(data / {file!r}), np.clip({samples}, -1, 1), 44_100)"
    return Trial(name, file, made, f"{measure}(case, {file!r})", says)


def mp3(name: str, how: str, then: str = "RAW", says: str = "") -> Trial:
    file = f"{name}.mp3"
    made = f"""
import subprocess
path = data / {file!r}
command = ["ffmpeg", "-v", "error", "-i", "/tmp/tune.wav", *{how.split()}, str(path)]
subprocess.run(command, check=True)
RAW = path.read_bytes()
path.write_bytes({then})
"""
    return Trial(name, file, made, f"heard_alike(case, {file!r})", says)


TRIALS = [
    sound("as-it-was", "TUNE"),
    sound("in-one-channel", "TUNE.mean(axis=1)"),
    sound("louder", "TUNE * 1.4"),
    sound("another", "sound_comparison.make_tune(6, 6, [])", "does not hold the sound"),
    sound("hiss-at-both-sides", "TUNE + np.column_stack([HISS, -HISS])", "other sound"),
    sound("whistle", "TUNE + 0.4 * np.sin(2 * np.pi * 9000 * TIME)[:, None]", "other sound"),
    sound("hiss-below", "TUNE * 0.8 + 0.3 * HISS[:, None]", "other sound at"),
    Trial(
        "telephone",
        "telephone.wav",
        'import subprocess; subprocess.run(["ffmpeg", "-v", "error", "-i", "/tmp/tune.wav", "-ar",'
        ' "11025", "-c:a", "pcm_s16le", str(data / "telephone.wav")], check=True)',
        'judged(case, "telephone.wav")',
        "lacks the high pitches",
    ),
    Trial(
        "half-the-rate",
        "half.wav",
        'import subprocess; subprocess.run(["ffmpeg", "-v", "error", "-i", "/tmp/tune.wav", "-ar",'
        ' "22050", "-ac", "1", str(data / "half.wav")], check=True)',
        'judged(case, "half.wav")',
    ),
    mp3("with-tags", "-metadata title=Tune -write_id3v1 1"),
    mp3("of-few-bits", "-ar 22050 -b:a 64k"),
    mp3(
        "behind-a-song-without-a-bit-rate",
        "-reservoir 0 -ar 48000 -b:a 128k -write_xing 0 -id3v2_version 0",
        "b''.join(RAW[i : i + 2] + bytes([RAW[i + 2] & 15]) + RAW[i + 3 : i + 384] "
        "for i in range(0, len(RAW) - 383, 384)) + RAW",
        "Players differ",
    ),
    sound("gap", "TUNE * ~between(2.0, 2.2)", "breaks off or changes its level at 2.0 s"),
    sound("gaps", "TUNE * (TIME % 1 < 0.87)[:, None]", "a break or other sound at 0.8 s"),
    sound("bang", "TUNE + between(3.0, 3.1) * HISS[:, None]", "other sound at 3."),
    sound(
        "bang-at-the-end",
        "np.where(between(5.9, 6), np.sign(HISS)[:, None], TUNE)",
        "other sound at 5.9",
    ),
    sound("half-as-loud-in-part", "TUNE * (1 - 0.5 * between(2.0, 3.0))", "changes its level"),
    sound("one-ear-in-part", "TUNE * (1 - between(2, 4) * [0, 1])", "other sound in one of"),
    sound("two-songs", "MIXED", measure="both"),
    sound(
        "two-songs-then-hiss",
        "np.where(between(4, 6), 0.3 * HISS[:, None], MIXED)",
        "other",
        "both",
    ),
    sound("two-songs-with-a-gap", "MIXED * ~between(2, 3)", "breaks off", "both"),
    Trial(
        "two-tracks",
        "two.wav",
        'import subprocess; subprocess.run(["ffmpeg", "-v", "error", "-i", "/tmp/tune.wav", "-i",'
        ' "/tmp/other.wav", "-map", "0:a", "-map", "1:a", "-c:a", "pcm_s16le", "-f", "matroska",'
        ' str(data / "two.wav")], check=True)',
        'judged(case, "two.wav")',
        "2 sound tracks",
    ),
    sound("beside-a-louder-place", "TUNE", measure="placed"),
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
