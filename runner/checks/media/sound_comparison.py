"""Comparing an agent's sound file with the pristine one, whatever its coding did to it.

    source = sounds.load(case.data / "song.mp3")
    made = sounds.read(case, "louder.mp3", "mp3")
    sounds.expect_same(case, made, source, "louder.mp3")     # the same sound, at any level
    factor = sounds.loudness(made.samples, source.samples)

Both are decoded to one channel at one rate. Coding shifts a sound by a few hundredths of a second
and alters its samples a little, so parts are found and compared by correlation. Laid over each
other they are then compared in short windows, from end to end: a mean hides gaps and noise.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from runner.checks.case import Case

RATE = 11_025  # frames a second after decoding
WHOLE_RATE, HEARD_HZ = 44_100, 5_000  # at which all of a sound is heard; what RATE can hold
MOST_SECONDS = 1_200
FEWEST_HIGH, LEAST_HIGH_KEPT = 1e-4, 0.03  # power of high pitches that is heard; share kept of it
SHIFT_S = 0.15
LEAST_LIKENESS = 0.95  # an MP3 of 32 kbit/s keeps 0.97, of pink noise too
DECODE_TIMEOUT_S = 60
NAMELESS = "/dev/stdin"
LENGTH_S, LEVEL_DB, UNHEARD_DB = 0.3, 1.0, -70.0  # by which decoders may differ; no sound
CONTAINERS = {"mp3": "mp3", "pcm": "wav"}

WINDOW_S, MIXED_WINDOW_S = 0.1, 0.25  # in which one song is compared, or several at once
END_S = 0.3  # at both ends of a sound: coders and fades may have made it softer there
FLOOR = 0.01  # of the songs' mean power: what is softer is not looked at
HEARD = 0.1  # of a song's mean power: where its gain is found
MOST_ELSE, MOST_ELSE_AT_ALL = 0.2, 0.7  # power of the rest beside that of the songs
MOST_LOUD = 1.5  # power of the rest beside the loudest window of the songs
LEAST_APART = 0.3  # share of a song's power in a window that no other has, to tell its gain
HEARD_ALONE = 0.8  # likeness of a second of a sound with a song that is alone in it
STEPS = np.arange(-8, 9) / 8  # frames by which a song is moved to find it
MARGIN = 128  # frames on both sides of a second of a sound, by half of which a song may drift
MOST_WINDOWS = 0.03  # share that may be off, and one more
EVEN, EVEN_AT_ALL = (0.75, 1.33), (0.5, 2.0)  # gains beside the middle one
ABSENT = 0.05  # middle gain of a song that is not there
DIP = 0.3  # of the middle gain, below what comes before and after


@dataclass(frozen=True)
class Mono:
    """One channel of floats within ±1 at `RATE` frames a second."""

    samples: Any
    codec: str = ""  # ffmpeg's name of the coding of the file's audio stream
    container: str = ""  # and of the file's own format
    heard: Any = None  # power in each second of what `samples` hold of the file
    unheard: Any = None  # and of the rest: what differs between its channels, and high pitches
    peak_db: float = -120.0  # level of the louder channel at all pitches
    high: float = 0.0  # mean power of its high pitches beside that of the rest

    @property
    def seconds(self) -> float:
        return len(self.samples) / RATE

    def part(self, start_s: float, end_s: float) -> Any:
        return self.samples[max(0, round(start_s * RATE)) : max(0, round(end_s * RATE))]


def load(path: Path) -> Mono:
    """The sound in `path`, decoded by ffmpeg. Raises ValueError when there is none, or several.

    ffmpeg does not get the name of the file, which it would believe rather than the bytes.
    """
    codec, container = form(path)
    with tempfile.TemporaryFile() as wide, path.open("rb") as stream:  # channels beside their mean
        command = ["ffmpeg", "-v", "error", "-nostdin", "-i", NAMELESS]
        for channels, rate, place in ((1, RATE, 1), (2, WHOLE_RATE, wide.fileno())):
            command += ["-map", "0:a:0", "-t", str(MOST_SECONDS), "-ac", str(channels)]
            command += ["-ar", str(rate), "-f", "s16le", f"pipe:{place}"]
        fds = [wide.fileno()]
        done = subprocess.run(
            command,
            stdin=stream,
            capture_output=True,
            timeout=DECODE_TIMEOUT_S,
            check=False,
            pass_fds=fds,
        )
        if done.returncode != 0 or not codec or not done.stdout:
            told = done.stderr.decode("utf-8", "replace").strip()[-120:]
            raise ValueError(told or "no sound in it")
        wide.seek(0)
        both = np.fromfile(wide, "<i2")
    samples = np.frombuffer(done.stdout, "<i2").astype(np.float32) / 32768
    return Mono(samples, codec, container, *powers(both))


def form(path: Path) -> tuple[str, str]:
    """Coding and container of a sound; ValueError for several tracks, of which one is played."""
    probe = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries"]
    probe += ["stream=codec_name,channels:format=format_name", "-of", "json", NAMELESS]
    with path.open("rb") as stream:
        done = subprocess.run(
            probe, stdin=stream, capture_output=True, timeout=DECODE_TIMEOUT_S, check=False
        )
    told = json.loads(done.stdout or b"{}")
    codecs = [str(stream.get("codec_name", "")) for stream in told.get("streams", [])]
    if len(codecs) > 1:
        raise ValueError(f"it has {len(codecs)} sound tracks, where one is wanted")
    channels = max(
        (int(stream.get("channels", 1)) for stream in told.get("streams", [])), default=1
    )
    if channels > 2:
        raise ValueError(f"it has {channels} channels, where one or two are wanted")
    return (codecs or [""])[0], str(told.get("format", {}).get("format_name", ""))


def powers(both: Any) -> tuple[Any, Any, float, float]:
    """Power in each second of what one channel at RATE holds of a sound, of the rest, a level, and
    the power of high pitches.

    `both` are its two channels' samples in turn, at WHOLE_RATE. One channel is deaf to what two
    ears hear: noise of opposite sign in both, or a whistle.
    """
    pairs = both[: len(both) // 2 * 2].reshape(-1, 2)
    heard, unheard, high, total = [], [], [], np.zeros(2)
    for start in range(0, len(pairs), WHOLE_RATE):
        left, right = pairs[start : start + WHOLE_RATE].astype(np.float32).T / 32768
        total += [float(left @ left), float(right @ right)]
        middle, side = (left + right) / 2, (left - right) / 2
        spectrum = np.square(np.abs(np.fft.rfft(middle)))
        low = round(len(spectrum) * HEARD_HZ / (WHOLE_RATE / 2))
        all_power = float(middle @ middle) / len(middle)
        share = float(spectrum[:low].sum() / (spectrum.sum() or 1.0))
        heard.append(all_power * share)
        high.append(all_power * (1 - share))
        unheard.append(all_power * (1 - share) + float(side @ side) / len(side))
    loudest = float(total.max()) / max(1, len(pairs))
    level = max(-120.0, 10 * float(np.log10(loudest + 1e-30)))
    return np.array(heard), np.array(unheard), level, float(np.sum(high) / (np.sum(heard) + 1e-9))


def read(case: Case, name: str, codec: str) -> Mono:
    """The output `name`, which must be coded as ffmpeg's `codec` ("mp3", "pcm" for any WAV)."""
    with case.reading(name, "a sound") as path:
        sound = load(path)
    case.demand("its coding", sound.codec.startswith(codec), codec, sound.codec, name)
    container = CONTAINERS[codec]
    case.demand("file format", sound.container == container, container, sound.container, name)
    return sound


def expect_heard_alike(case: Case, sound: Mono, name: str) -> None:
    """Assert that libsndfile decodes the same length and level from a file as ffmpeg did.

    Players differ where frames or tags are broken: some pass over what others play.
    """
    with case.reading(name, "a sound") as path, soundfile.SoundFile(path) as source:
        samples = source.read(source.samplerate * MOST_SECONDS, dtype="float32", always_2d=True)
        seconds = len(samples) / source.samplerate
    loudest = float(np.square(samples).mean(axis=0).max()) if len(samples) else 0.0
    level = max(-120.0, 10 * float(np.log10(loudest + 1e-30)))
    is_alike = abs(level - sound.peak_db) <= LEVEL_DB or max(level, sound.peak_db) < UNHEARD_DB
    case.expect(
        "one sound to all players",
        is_alike and abs(seconds - sound.seconds) <= LENGTH_S,
        f"{sound.seconds:.1f} s of {sound.peak_db:.0f} dB",
        f"{seconds:.1f} s of {level:.0f} dB",
        name,
        f"Players differ about the length or level of {name}.",
    )


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


def lateness(made: Any, source: Any) -> int:
    """By how many frames `made` comes later than `source`; 0 if they do not lie together."""
    length = min(len(made), len(source), 30 * RATE)
    place, _ = find(source[: max(1, length - round(SHIFT_S * RATE))], made[:length])
    return place if abs(place) <= SHIFT_S * RATE else 0


def align(made: Any, source: Any) -> tuple[Any, Any]:
    """Both cut so that they lie over each other, from their starts."""
    place = lateness(made, source)
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


def laid_over(made: Any, song: Any, place: int) -> Any:
    """The song as it lies in `made` from frame `place` on, in silence, exact to part of a frame.

    Second by second it is followed: some programs' clocks are a little off.
    """
    laid = np.zeros(len(made) + 2 * MARGIN)
    inside = song[max(0, -place) :][: max(0, len(made) - max(0, place))]
    first = MARGIN + max(0, place)
    laid[first : first + len(inside)] = inside
    own, result = np.pad(np.asarray(made, np.float64), MARGIN), np.zeros(len(made))
    late = 0.0
    for start in range(0, len(made), RATE):
        stop = min(start + RATE, len(made))
        part = np.s_[start : stop + 2 * MARGIN]
        moved, late = followed(own[part], laid[part], late)
        result[start:stop] = moved[MARGIN:-MARGIN]
    return result


def followed(made: Any, laid: Any, late: float) -> tuple[Any, float]:
    """A second of a song moved to where it lies in `made`, and by how many frames.

    It is sought within a frame of `late`, where the second before was found, and left there if
    it is not heard alone.
    """
    size = 1 << len(laid).bit_length()
    turns = 2j * np.pi * np.fft.rfftfreq(size)
    spectrum = np.fft.rfft(laid, size)
    cross = np.fft.rfft(made, size) * np.conj(spectrum) * np.exp(turns * late)
    found = late + STEPS[int(np.argmax((turned(size) @ cross).real))]
    for step in (min(max(found, -MARGIN / 2), MARGIN / 2), late):
        moved = np.fft.irfft(spectrum * np.exp(-turns * step), size)[: len(laid)]
        if likeness(made, moved) >= HEARD_ALONE:
            return moved, step
    return moved, late


@cache
def turned(size: int) -> Any:
    """By how much each step of STEPS turns each pitch of a spectrum."""
    return np.exp(2j * np.pi * np.outer(STEPS, np.fft.rfftfreq(size)))


@dataclass(frozen=True)
class Windows:
    """The short windows of a sound: the gain of each song in them, and what else is in them."""

    seconds: float  # of each
    gains: Any  # songs × windows, NaN where it cannot be found
    rest: Any  # power of all that is no song, beside theirs in and around the window
    loud: Any  # the same beside that of their loudest window


def windows(made: Any, songs: Sequence[Any], seconds: float) -> Windows:
    """`made` in windows, each taken for the sum of the songs that were laid over it, by gains.

    With each song goes its slope, which stands for a shift by part of a frame.
    """
    size = round(seconds * RATE)
    count = max(1, len(made) // size)
    parts = [made, *songs, *(np.gradient(np.append(song, [0.0, 0.0])) for song in songs)]
    cut = [np.resize(x.astype(np.float64), (count, size)) for x in parts]
    own, tracks = cut[0], np.stack(cut[1:])
    gram = np.einsum("kns,lns->nkl", tracks, tracks) / size
    power = np.einsum("nkk->nk", gram)
    mean = power.sum(axis=0) / np.maximum(1, (power > 1e-9).sum(axis=0))  # while it sounds
    dots = np.einsum("kns,ns->nk", tracks, own) / size
    inverse = np.linalg.inv(gram + np.diag(1e-3 * mean + 1e-12))
    gains = np.einsum("nkl,nl->nk", inverse, dots)
    model = np.einsum("nk,kns->ns", gains, tracks)
    rest, heard = np.square(own - model).mean(axis=1), np.square(model).mean(axis=1)
    beside = np.pad(heard, 1)
    beside = np.maximum(beside[:-2], beside[2:]) / 4  # coders smear a loud window's sound
    due = np.maximum(np.maximum(heard, beside), FLOOR * heard.mean() + 1e-12)
    apart = 1 / (np.einsum("nkk->nk", inverse) * power + 1e-12)  # share that no other has
    is_found = (power > HEARD * mean) & (apart > LEAST_APART)
    found = np.where(is_found, gains, np.nan).T[: len(songs)]
    return Windows(seconds, found, rest / due, rest / max(float(heard.max()), 1e-12))


def fault(found: Windows, may_fade: bool = False) -> str:
    """The first thing wrong in a sound, as the end of a sentence; "" when nothing is.

    A song whose gain changes `may_fade`: get louder and then softer, but not the other way round.
    """
    ends = int(np.ceil(END_S / found.seconds))
    inner = np.s_[ends : max(ends + 1, len(found.rest) - ends)]
    bad = found.loud > MOST_LOUD
    bad[inner] |= found.rest[inner] > MOST_ELSE_AT_ALL
    if (wrong := too_many(bad, found.rest > MOST_ELSE, inner)) >= 0:
        return f"a break or other sound at {wrong * found.seconds:.1f} s"
    for gains in found.gains:
        known = gains[inner][np.isfinite(gains[inner])]
        middle = float(np.median(known)) if len(known) else 0.0
        if middle < ABSENT:
            continue
        times = gains / middle
        off = dips(times) if may_fade else ~within(times, EVEN)
        far = dips(times) & (times < 0.1) if may_fade else ~within(times, EVEN_AT_ALL)
        far[: inner.start] = far[inner.stop :] = False
        if (wrong := too_many(far, off, inner)) >= 0:
            return f"a song that breaks off or changes its level at {wrong * found.seconds:.1f} s"
    return ""


def within(values: Any, bounds: tuple[float, float]) -> Any:
    """True for each value within the bounds, and for NaN."""
    return np.isnan(values) | ((values >= bounds[0]) & (values <= bounds[1]))


def too_many(bad: Any, off: Any, inner: slice) -> int:
    """The first window that is bad, or the first of more than may be off; −1 if there is none."""
    if bad.any():
        return int(np.argmax(bad))
    if off[inner].sum() > 1 + MOST_WINDOWS * len(off[inner]):
        return int(inner.start + np.argmax(off[inner]))
    return -1


def dips(gains: Any) -> Any:
    """True for each gain that lies below what comes before it and after it."""
    known = np.nan_to_num(gains, nan=0.0)
    middle = np.median([known, np.roll(known, 1), np.roll(known, -1)], axis=0)
    before = np.maximum.accumulate(middle)
    after = np.maximum.accumulate(middle[::-1])[::-1]
    return ~np.isnan(gains) & (gains < np.minimum(before, after) - DIP)


def expect_no_fault(
    case: Case, found: Windows, file: str, name: str, may_fade: bool = False
) -> bool:
    """The sound is what it should be all along, in each of its windows."""
    wrong = fault(found, may_fade)
    return case.expect(
        f"{name}: all along",
        not wrong,
        "in each short window the sound that should be there",
        wrong or "so",
        file,
        f"{file} has {wrong}.",
    )


def expect_same(
    case: Case,
    made: Mono,
    source: Mono,
    file: str,
    name: str = "the sound",
    least: float = LEAST_LIKENESS,
) -> bool:
    """`made` is `source`: the same samples, as long, and about as loud, from end to end."""
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
    own = made.samples[: len(source.samples) + RATE]
    laid = laid_over(own, source.samples, lateness(own, source.samples))
    alike = likeness(own, laid)
    same = case.expect(
        f"{name}: as given",
        alike >= least,
        f"a likeness of {least:g} or more",
        round(alike, 3),
        file,
        f"{file} does not hold the sound that it should (likeness {alike:.2f}).",
    )
    found = windows(own, [laid], WINDOW_S)
    whole = expect_no_fault(case, found, file, name)
    return expect_high_pitches(case, made, source, file, name) and whole and same and loud


def expect_high_pitches(case: Case, made: Mono, source: Mono, file: str, name: str) -> bool:
    """`made` keeps high pitches where the source has them: without, it sounds as on a telephone."""
    return case.expect(
        f"{name}: high pitches kept",
        source.high < FEWEST_HIGH or made.high >= LEAST_HIGH_KEPT * source.high,
        f"at least {LEAST_HIGH_KEPT:.0%} of the given sound's above {HEARD_HZ:,} Hz",
        f"{made.high / (source.high or 1.0):.1%}",
        file,
        f"{file} lacks the high pitches of the given sound: it is muffled.",
    )


def has_more(made: Mono, sources: Sequence[Mono]) -> bool:
    """True if there is much in `made` that its one channel does not hold, and the sources lack."""
    if made.unheard is None or not len(made.unheard):
        return False
    level = float(made.heard.mean())
    ratio = max(float(s.unheard.mean() / (s.heard.mean() + 1e-9)) for s in sources)
    peak = max(float(s.unheard.max() / (s.heard.mean() + 1e-9)) for s in sources)
    mean, worst = float(made.unheard.mean()), float(made.unheard.max())
    if unheard_share(made) > 3 * max(unheard_share(s) for s in sources) + 0.3:
        return True  # one channel breaks off
    return mean > (2 * ratio + 0.05) * level + 1e-6 or worst > (3 * peak + 0.3) * level + 1e-6


def unheard_share(sound: Mono) -> float:
    """The most in any second of what one channel does not hold, beside what it holds."""
    is_loud = sound.unheard + sound.heard > 0.1 * float(sound.heard.mean()) + 1e-6
    return float(np.max((sound.unheard / (sound.heard + 1e-6))[is_loud], initial=0.0))


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
