"""Reading sounds that an agent made, and measuring them by their samples."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from runner.checks.case import Case

MOST_SAMPLES = 20_000_000
SILENCE_DBFS = -120.0


@dataclass(frozen=True)
class Sound:
    """Samples as floats within ±1, shape (frames, channels), and frames per second."""

    samples: Any
    rate: int
    kind: str = ""  # libsndfile's name of the container: "WAV"
    subtype: str = ""  # and of the encoding: "PCM_16"

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate

    @property
    def channels(self) -> int:
        return int(self.samples.shape[1])

    def between(self, start_s: float, end_s: float, channel: int = 0) -> Any:
        """The samples of one channel from `start_s` to `end_s`."""
        first, last = round(start_s * self.rate), round(end_s * self.rate)
        return self.samples[max(0, first) : max(0, last), channel]


def load(path: Path) -> Sound:
    """The sound in `path` (wav, flac, ogg, mp3); ValueError when it is absurdly long."""
    with soundfile.SoundFile(path) as source:
        if source.frames * source.channels > MOST_SAMPLES:
            raise ValueError(f"{source.frames} frames of {source.channels} channels are too many")
        samples = source.read(dtype="float64", always_2d=True)
        rate = int(source.samplerate)
        return Sound(np.nan_to_num(samples), rate, str(source.format), str(source.subtype))


def read(case: Case, name: str, kind: str) -> Sound:
    """The output `name`, which must be a container of libsndfile's `kind` ("WAV")."""
    with case.reading(name, f"a {kind} sound") as path:
        sound = load(path)
    case.demand("file format", sound.kind == kind, expected=kind, actual=sound.kind, file=name)
    return sound


def require_form(case: Case, sound: Sound, rate: int, channels: int, file: str) -> None:
    """Assert sample rate and number of channels; what is measured later needs them."""
    case.demand(
        "sample rate",
        sound.rate == rate,
        expected=f"{rate} Hz",
        actual=f"{sound.rate} Hz",
        file=file,
    )
    case.demand(
        "channels",
        sound.channels == channels,
        expected=str(channels),
        actual=str(sound.channels),
        file=file,
    )


def level_db(samples: Any) -> float:
    """Root mean square in decibels relative to full scale."""
    if len(samples) == 0:
        return SILENCE_DBFS
    power = float(np.mean(np.square(samples)))
    return max(SILENCE_DBFS, 10 * float(np.log10(power + 1e-30)))


def tone_level(samples: Any, rate: int, hz: float) -> float:
    """Amplitude of the sine of `hz` in `samples`, 1 being full scale (Hann window)."""
    if len(samples) == 0:
        return 0.0
    window = np.hanning(len(samples))
    turns = np.exp(-2j * np.pi * hz * np.arange(len(samples)) / rate)
    return float(2 * abs(np.sum(samples * window * turns)) / (np.sum(window) or 1.0))


def decibels(ratio: float) -> float:
    """A ratio of amplitudes in decibels."""
    return 20 * float(np.log10(max(ratio, 1e-6)))


def lag(actual: Any, expected: Any, reach: int) -> int:
    """By how many samples `actual` comes later than `expected`, within ±`reach`."""
    size = 1 << (len(actual) + len(expected)).bit_length()
    spectrum = np.fft.rfft(actual, size) * np.conj(np.fft.rfft(expected, size))
    likeness = np.fft.irfft(spectrum, size)
    offsets = np.arange(-reach, reach + 1)
    return int(offsets[np.argmax(likeness[offsets])])
