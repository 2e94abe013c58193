"""Comparing an agent's sound file with the pristine one, whatever its coding did to it.

    source = sounds.load(case.data / "song.mp3")
    made = sounds.read(case, "louder.mp3", "mp3")
    sounds.expect_same(case, made, source, "louder.mp3")     # the same sound, at any level
    factor = sounds.loudness(made.samples, source.samples)

Both are decoded to one channel at one rate. Coding shifts a sound by a few hundredths of a second
and alters its samples a little, so parts are found and compared by correlation, second by second:
a mean over all of it hides gaps.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runner.checks.case import Case

RATE = 11_025  # frames a second after decoding
MOST_SECONDS = 1_200
SHIFT_S = 0.15
DECODE_TIMEOUT_S = 60
NAMELESS = "/dev/stdin"
CONTAINERS = {"mp3": "mp3", "pcm": "wav"}
FLOOR = 0.01  # of a sound's mean power: softer seconds are not compared
LEAST_ALIKE, MOST_UNLIKE = 0.7, 0.05  # likeness of a second; share of the seconds with less


@dataclass(frozen=True)
class Mono:
    """One channel of floats within ±1 at `RATE` frames a second."""

    samples: Any
    codec: str = ""  # ffmpeg's name of the coding of the file's audio stream
    container: str = ""  # and of the file's own format

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE

    def part(self, start_s: float, end_s: float) -> Any:
        return self.samples[max(0, round(start_s * RATE)) : max(0, round(end_s * RATE))]


def load(path: Path) -> Mono:
    """The sound in `path`, decoded by ffmpeg. Raises ValueError when there is none.

    ffmpeg does not get the name of the file, which it would believe rather than the bytes.
    """
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", NAMELESS, "-map", "0:a:0"]
    command += ["-t", str(MOST_SECONDS), "-ac", "1", "-ar", str(RATE), "-f", "s16le", "pipe:1"]
    codec, container = form(path)
    with path.open("rb") as stream:
        done = subprocess.run(
            command, stdin=stream, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False
        )
    if done.returncode != 0 or not codec or not done.stdout:
        told = done.stderr.decode("utf-8", "replace").strip()[-120:]
        raise ValueError(told or "no sound in it")
    samples = np.frombuffer(done.stdout, "<i2").astype(np.float32) / 32768
    return Mono(samples, codec, container)


def form(path: Path) -> tuple[str, str]:
    """Coding and container of a sound, "" where it has none."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries"]
    probe += ["stream=codec_name:format=format_name", "-of", "json", NAMELESS]
    with path.open("rb") as stream:
        done = subprocess.run(
            probe, stdin=stream, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False
        )
    told = json.loads(done.stdout or b"{}")
    codecs = [str(stream.get("codec_name", "")) for stream in told.get("streams", [])]
    return (codecs or [""])[0], str(told.get("format", {}).get("format_name", ""))


def read(case: Case, name: str, codec: str) -> Mono:
    """The output `name`, which must be coded as ffmpeg's `codec` ("mp3", "pcm" for any WAV)."""
    with case.reading(name, "a sound") as path:
        sound = load(path)
    case.demand("its coding", sound.codec.startswith(codec), codec, sound.codec, name)
    container = CONTAINERS[codec]
    case.demand("file format", sound.container == container, container, sound.container, name)
    return sound


def find(part: Any, whole: Any) -> tuple[int, float]:
    """Find `part` in `whole`: its offset in frames from the start, and the likeness (−1 to 1)."""
    if not len(part) or not len(whole):
        return 0, 0.0
    size = 1 << int(len(part) + len(whole)).bit_length()
    spectrum = np.fft.rfft(whole, size) * np.conj(np.fft.rfft(part, size))
    scores = np.fft.irfft(spectrum, size)
    reach = max(1, len(whole) - len(part) + 1)
    slack = min(len(part) // 2, round(SHIFT_S * RATE))
    places = np.concatenate([np.arange(reach), -np.arange(1, slack + 1)])
    sums = np.concatenate([[0.0], np.cumsum(np.square(whole, dtype=np.float64))])
    ends = np.clip(places + len(part), 0, len(whole))
    power = np.maximum(0.0, sums[ends] - sums[np.maximum(0, places)])
    power += 1e-4 * float(power.max()) + 1e-12  # a louder place is not the better one
    place = int(places[np.argmax(scores[places] / np.sqrt(power))])
    return place, likeness(whole[max(0, place) :], part[max(0, -place) :])


def likeness(one: Any, other: Any) -> float:
    """The correlation of two sounds over their common length."""
    length = min(len(one), len(other))
    a, b = one[:length].astype(np.float64), other[:length].astype(np.float64)
    size = float(np.sqrt(np.dot(a, a) * np.dot(b, b)))
    return float(np.dot(a, b)) / size if size > 1e-9 else 0.0


def align(made: Any, source: Any) -> tuple[Any, Any]:
    """Both cut so that they lie over each other, from their starts."""
    length = min(len(made), len(source), 30 * RATE)
    place, _ = find(source[: max(1, length - round(SHIFT_S * RATE))], made[:length])
    late = place if abs(place) <= SHIFT_S * RATE else 0
    return made[max(0, late) :], source[max(0, -late) :]


def loudness(made: Any, source: Any) -> float:
    """Loudness of `made` relative to `source`, as a factor; both are the same sound."""
    a, b = align(made, source)
    length = min(len(a), len(b))
    powers = [float(np.mean(np.square(x[:length], dtype=np.float64))) for x in (a, b)]
    return float(np.sqrt(powers[0] / powers[1])) if length and powers[1] > 1e-12 else 0.0


def gain(made: Any, source: Any) -> float:
    """Amount of `source` in `made`, as a factor: the best fit, both from their starts."""
    a, b = align(made, source)
    length = min(len(a), len(b))
    power = float(np.dot(b[:length], b[:length]))
    return float(np.dot(a[:length], b[:length])) / power if power > 1e-9 else 0.0


def level_db(samples: Any) -> float:
    """Root mean square in decibels relative to full scale, −120 for silence."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    return max(-120.0, 10 * float(np.log10(power + 1e-30)))


def unlike_at(made: Any, source: Any) -> list[int]:
    """The seconds of `source` that `made` does not hold at about their time.

    Each is sought on its own, so that a clock that is a little off does not matter.
    """
    made, source = align(made, source)
    slack = round(SHIFT_S * RATE)
    mean = float(np.mean(np.square(source, dtype=np.float64))) if len(source) else 0.0
    found = []
    for start in range(0, len(source) - RATE + 1, RATE):
        part = source[start : start + RATE]
        if float(np.mean(np.square(part, dtype=np.float64))) > FLOOR * mean:
            around = made[max(0, start - slack) : start + RATE + slack]
            if find(part, around)[1] < LEAST_ALIKE:
                found.append(start // RATE)
    return found


def is_whole(made: Any, source: Any) -> bool:
    """True if `made` holds nearly all seconds of `source`; its ends may fade."""
    return len(unlike_at(made, source)) <= 1 + MOST_UNLIKE * len(source) / RATE


def expect_same(case: Case, made: Mono, source: Mono, file: str, name: str = "the sound") -> bool:
    """`made` is `source`: as long, about as loud, and the same sound from end to end."""
    long = case.expect(
        f"{name}: as long",
        abs(made.seconds - source.seconds) <= 0.3,
        f"{source.seconds:.1f} s",
        f"{made.seconds:.1f} s",
        file,
        f"{file} is {made.seconds:.1f} s long, {source.seconds:.1f} s are wanted.",
    )
    if not long:
        return False
    times = loudness(made.samples, source.samples)
    loud = case.expect(
        f"{name}: as loud",
        0.4 <= times <= 2.5,
        "the level that it had",
        f"{times:.2f} times it",
        file,
        f"{file} has the sound at {times:.2f} times its level, which is not asked for.",
    )
    seconds = unlike_at(made.samples, source.samples)
    same = case.expect(
        f"{name}: as given",
        len(seconds) <= 1 + MOST_UNLIKE * source.seconds,
        f"a likeness of {LEAST_ALIKE:g} or more in each second",
        f"less in {len(seconds)} seconds",
        file,
        f"{file} does not hold the sound that it should, from second {[*seconds, 0][0]} on.",
    )
    return same and loud


def pauses(sound: Mono, least_s: float = 1.0, below_db: float = -45.0) -> list[tuple[float, float]]:
    """The silent stretches inside a sound, in seconds; not those at its ends."""
    frame = RATE // 50
    count = len(sound.samples) // frame
    power = np.square(sound.samples[: count * frame].reshape(count, frame)).mean(axis=1)
    quiet = 10 * np.log10(power + 1e-30) < below_db
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(int)))
    found = [(a / 50, b / 50) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return [(a, b) for a, b in found if b - a >= least_s and a > 0.05 and b < count / 50 - 0.05]


def make_tune(seed: int, seconds: float, gaps: list[tuple[float, float]]) -> Any:
    """A made-up tune for stand-in inputs: stereo floats at 44.1 kHz, silent in `gaps`."""
    rng = np.random.default_rng(seed)
    rate = 44_100
    time = np.arange(round(seconds * rate)) / rate
    tune = np.zeros_like(time)
    for start in np.arange(0, seconds, 0.4):
        on = (time >= start) & (time < start + 0.4)
        hz = 220 * 2 ** (rng.integers(0, 24) / 12)
        swell = np.exp(-4 * (time[on] - start)) * rng.uniform(0.15, 0.3)
        for part in (1, 2, 3):
            tune[on] += swell / part * np.sin(2 * np.pi * hz * part * time[on] + rng.uniform(0, 6))
    tune += 0.01 * rng.standard_normal(len(tune))
    for start, end in gaps:
        tune[(time >= start) & (time < end)] = 0.0
    return np.column_stack([tune, 0.8 * tune])
