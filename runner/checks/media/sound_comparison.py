"""Comparing an agent's sound file with the pristine one, whatever its coding did to it.

    source = sounds.load(case.data / "song.mp3")
    made = sounds.read(case, "louder.mp3", "mp3")
    sounds.expect_same(case, made, source, "louder.mp3")     # the same sound, at any level
    factor = sounds.loudness(made.samples, source.samples)

Both are decoded to one channel at one rate. Coding shifts a sound by a few hundredths of a second
and alters its samples a little, so parts are found and compared by correlation.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runner.checks.case import Case

RATE = 11_025  # frames a second after decoding
WHOLE_RATE, HEARD_HZ = 44_100, 5_000  # at which all of a sound is heard; what RATE can hold
MOST_SECONDS = 1_200
SHIFT_S = 0.15
LEAST_LIKENESS = 0.9
DECODE_TIMEOUT_S = 60


@dataclass(frozen=True)
class Mono:
    """One channel of floats within ±1 at `RATE` frames a second."""

    samples: Any
    codec: str = ""  # ffmpeg's name of the file's first audio stream's coding
    heard: Any = None  # power in each second of what `samples` hold of the file
    unheard: Any = None  # and of the rest: what differs between its channels, and high pitches
    peak_db: float = -120.0  # level of the louder channel at all pitches

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE

    def part(self, start_s: float, end_s: float) -> Any:
        return self.samples[max(0, round(start_s * RATE)) : max(0, round(end_s * RATE))]


def load(path: Path) -> Mono:
    """The sound in `path`, decoded by ffmpeg. Raises ValueError when there is none."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries"]
    probe += ["stream=codec_name", "-of", "csv=p=0", "--", str(path)]
    told = subprocess.run(probe, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False)
    codec = told.stdout.decode("ascii", "replace").strip().splitlines()
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0:a:0", "-t"]
    command += [str(MOST_SECONDS), "-ac", "1", "-ar", str(RATE), "-f", "s16le", "pipe:1"]
    done = subprocess.run(command, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False)
    if done.returncode != 0 or not codec:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip()[-120:] or "no sound in it")
    samples = np.frombuffer(done.stdout, "<i2").astype(np.float32) / 32768
    return Mono(samples, codec[0], *powers(path))


def powers(path: Path) -> tuple[Any, Any, float]:
    """Power in each second of what one channel at RATE holds of a sound, of the rest, and a level.

    One channel is deaf to what two ears hear: noise of opposite sign in both, or a whistle.
    """
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0:a:0", "-t"]
    command += [str(MOST_SECONDS), "-ac", "2", "-ar", str(WHOLE_RATE), "-f", "s16le", "pipe:1"]
    done = subprocess.run(command, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False)
    pairs = np.frombuffer(done.stdout[: len(done.stdout) // 4 * 4], "<i2").reshape(-1, 2)
    heard, unheard, total = [], [], np.zeros(2)
    for start in range(0, len(pairs), WHOLE_RATE):
        left, right = pairs[start : start + WHOLE_RATE].astype(np.float32).T / 32768
        total += [float(left @ left), float(right @ right)]
        middle, side = (left + right) / 2, (left - right) / 2
        spectrum = np.square(np.abs(np.fft.rfft(middle)))
        low = round(len(spectrum) * HEARD_HZ / (WHOLE_RATE / 2))
        all_power = float(middle @ middle) / len(middle)
        share = float(spectrum[:low].sum() / (spectrum.sum() or 1.0))
        heard.append(all_power * share)
        unheard.append(all_power * (1 - share) + float(side @ side) / len(side))
    loudest = float(total.max()) / max(1, len(pairs))
    return np.array(heard), np.array(unheard), max(-120.0, 10 * float(np.log10(loudest + 1e-30)))


def read(case: Case, name: str, codec: str) -> Mono:
    """The output `name`, which must be coded as ffmpeg's `codec` ("mp3", "pcm" for any WAV)."""
    with case.reading(name, "a sound") as path:
        sound = load(path)
    case.demand("its coding", sound.codec.startswith(codec), codec, sound.codec, name)
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
    places = np.concatenate([np.arange(reach), size - np.arange(1, slack + 1)])
    best = int(places[np.argmax(scores[places])])
    place = best - size if best >= reach else best
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
    place = place if abs(place) <= SHIFT_S * RATE else 0
    return made[max(0, place) :], source[max(0, -place) :]


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


def expect_same(case: Case, made: Mono, source: Mono, file: str, name: str = "the sound") -> bool:
    """`made` is `source`: the same samples, as long, and about as loud."""
    a, b = align(made.samples, source.samples)
    alike = likeness(a, b)
    long = case.expect(
        f"{name}: as long",
        abs(made.seconds - source.seconds) <= 0.3,
        f"{source.seconds:.1f} s",
        f"{made.seconds:.1f} s",
        file,
        f"{file} is {made.seconds:.1f} s long, {source.seconds:.1f} s are wanted.",
    )
    times = loudness(made.samples, source.samples)
    loud = case.expect(
        f"{name}: as loud",
        0.4 <= times <= 2.5,
        "the level that it had",
        f"{times:.2f} times it",
        file,
        f"{file} has the sound at {times:.2f} times its level, which is not asked for.",
    )
    return (
        case.expect(
            f"{name}: as given",
            alike >= LEAST_LIKENESS,
            f"a likeness of {LEAST_LIKENESS:g} or more",
            round(alike, 3),
            file,
            f"{file} does not hold the sound that it should (likeness {alike:.2f}).",
        )
        and long
        and loud
    )


def has_more(made: Mono, sources: Sequence[Mono]) -> bool:
    """True if there is much in `made` that its one channel does not hold, and the sources lack."""
    if made.unheard is None or not len(made.unheard):
        return False
    level = float(made.heard.mean())
    ratio = max(float(s.unheard.mean() / (s.heard.mean() + 1e-9)) for s in sources)
    peak = max(float(s.unheard.max() / (s.heard.mean() + 1e-9)) for s in sources)
    mean, worst = float(made.unheard.mean()), float(made.unheard.max())
    return mean > (2 * ratio + 0.05) * level + 1e-6 or worst > (3 * peak + 0.3) * level + 1e-6


def expect_nothing_else(case: Case, made: Mono, sources: Sequence[Mono], file: str) -> bool:
    """`made` holds nothing that its one channel is deaf to, but what the sources have of it."""
    return case.expect(
        "nothing else in its channels",
        not has_more(made, sources),
        "no more between its channels, or of high pitch, than the given sound has",
        f"{10 * np.log10(made.unheard.mean() / (made.heard.mean() + 1e-12) + 1e-12):.0f} dB",
        file,
        f"{file} has other sound in one of its channels, or at high pitches.",
    )


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
