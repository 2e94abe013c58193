# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Lay a spoken track over music that is turned down, from files of different rates."""

from pathlib import Path

import numpy as np

from runner.checks import Case
from runner.checks.inputs import media
from runner.checks.media import audio

TITLE = "Voice over music"
CATEGORY = "image"
QUERY = """
Mix ./data/voice.wav (mono) over ./data/music.mp3 (stereo):
- the music starts at 0 s and is turned down by exactly «music_db» dB;
- the voice starts at «delay» s, at its original level, equally in both channels;
- the mix ends «tail» s after the voice has ended (the music is longer than that: cut it off there, no fade).

The two files differ in sample rate: resample the voice to the music's rate and keep the music in stereo. Just add the two; do not normalise.

Save the mix as ./output/mix.wav: stereo, the music's sample rate, 16-bit PCM.
"""
INPUTS = ["voice.wav", "music.mp3"]
OUTPUTS = ["mix.wav"]
NOTE = "Both tracks are made of tones of known pitch, so that each can be measured in the mix."

VOICE_RATE, MUSIC_RATE = 24000, 44100
EDGE_S = 0.15  # left out of a measure at both ends of a tone
MOST_ELSE = 0.08  # of the power, that is neither voice nor music
WINDOW_S = 0.05
MOST_ELSE_AT_ALL = 0.1, 0.8  # power in a window beside the tones': in their midst, at their ends


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    voice_hz = [int(hz) for hz in rng.choice(np.arange(620, 980, 40), size=3, replace=False)]
    left_hz, right_hz = int(rng.integers(180, 260)), int(rng.integers(330, 420))
    voice = np.concatenate([media.tone(hz, 1.0, VOICE_RATE, 0.25) for hz in voice_hz])
    music = np.stack([media.tone(hz, 10.0, MUSIC_RATE, 0.5) for hz in (left_hz, right_hz)], axis=1)
    media.write_wav(data / "voice.wav", voice, VOICE_RATE)
    media.write_mp3(data / "music.mp3", music, MUSIC_RATE)
    return {
        "music_db": int(rng.choice([9, 12, 15])),
        "delay": float(rng.choice([1.0, 1.5, 2.0, 2.5])),
        "tail": float(rng.choice([1.0, 1.5, 2.0])),
        "voice_hz": voice_hz,
        "music_hz": [left_hz, right_hz],
    }


def check(case: Case) -> None:
    name, p = "mix.wav", case.parameters
    voice_s = audio.load(case.data / "voice.wav").seconds
    mix = audio.read(case, name, "WAV")
    audio.require_form(case, mix, MUSIC_RATE, 2, name)
    case.equal("sample format", mix.subtype, "PCM_16", name)
    total_s = p["delay"] + voice_s + p["tail"]
    if not case.near("duration in s", mix.seconds, total_s, 0.06, name):
        return
    for channel in (0, 1):
        expect_music(case, mix, channel)
        expect_voice(case, mix, channel)
        expect_nothing_else(case, mix, channel)
        expect_tones_all_along(case, mix, channel)


def expect_music(case: Case, mix: audio.Sound, channel: int) -> None:
    """The channel's own tone at its level from start to end, the other's not at all."""
    p = case.parameters
    source = audio.load(case.data / "music.mp3")
    hz, other_hz = p["music_hz"][channel], p["music_hz"][1 - channel]
    before = audio.tone_level(source.between(1, 5, channel), MUSIC_RATE, hz)
    title = f"music, channel {channel + 1}"
    parts = {
        "under the voice": (p["delay"] + 0.2, p["delay"] + 2.8),
        "after it": (-p["tail"] + EDGE_S, -0.05),
    }
    for where, (start_s, end_s) in {"before it": (EDGE_S, p["delay"] - EDGE_S), **parts}.items():
        after = audio.tone_level(section(mix, start_s, end_s, channel), MUSIC_RATE, hz)
        case.near(
            f"{title} {where}: change in dB",
            audio.decibels(after / before),
            -p["music_db"],
            1,
            "mix.wav",
        )
    other = audio.tone_level(section(mix, *parts["under the voice"], channel), MUSIC_RATE, other_hz)
    case.expect(f"{title}: stays apart", other < 0.02, "below 0.02", f"{other:.3f}", "mix.wav")


def section(mix: audio.Sound, start_s: float, end_s: float, channel: int):
    """Samples of one channel; negative times count from the end."""
    start_s, end_s = (s + mix.seconds if s < 0 else s for s in (start_s, end_s))
    return mix.between(start_s, end_s, channel)


def expect_voice(case: Case, mix: audio.Sound, channel: int) -> None:
    """Each spoken second has its own pitch: level inside, and nothing of it around."""
    p = case.parameters
    for second, hz in enumerate(p["voice_hz"]):
        start = p["delay"] + second
        inside = audio.tone_level(
            mix.between(start + EDGE_S, start + 1 - EDGE_S, channel), MUSIC_RATE, hz
        )
        title = f"voice, channel {channel + 1}, second {second + 1}"
        case.near(f"{title}: level", inside, 0.25, 0.03, "mix.wav")
    start = onset(mix, channel, p["voice_hz"][0])
    case.near(f"voice, channel {channel + 1}: starts at s", start, p["delay"], 0.08, "mix.wav")


def expect_nothing_else(case: Case, mix: audio.Sound, channel: int) -> None:
    """In each second of the voice, and before and after it, the tones make up all of the sound."""
    p = case.parameters
    starts = [(p["delay"] + second, hz) for second, hz in enumerate(p["voice_hz"])]
    parts = [(start + EDGE_S, start + 1 - EDGE_S, [hz]) for start, hz in starts]
    parts += [(EDGE_S, p["delay"] - EDGE_S, []), (EDGE_S - p["tail"], -0.05, [])]
    shares = []
    for start_s, end_s, voice in parts:
        samples = section(mix, start_s, end_s, channel)
        pitches = [*voice, p["music_hz"][channel]]
        tones = sum(audio.tone_level(samples, MUSIC_RATE, hz) ** 2 / 2 for hz in pitches)
        shares.append(1 - tones / max(float(np.mean(np.square(samples))), 1e-12))
    case.expect(
        f"channel {channel + 1}: nothing but voice and music",
        max(shares) <= MOST_ELSE,
        expected=f"{MOST_ELSE:.0%} of its power at most",
        actual=f"{max(shares):.1%}",
        file="mix.wav",
        message=f"Channel {channel + 1} of mix.wav holds other sound than voice and music.",
    )


def expect_tones_all_along(case: Case, mix: audio.Sound, channel: int) -> None:
    """From start to end, in each short window, the tones at their levels and hardly more."""
    p = case.parameters
    size = round(WINDOW_S * MUSIC_RATE)
    due = 0.5 * 10 ** (-p["music_db"] / 20)
    turns = np.outer(np.arange(size) / MUSIC_RATE, [p["music_hz"][channel], *p["voice_hz"]])
    turns *= 2 * np.pi
    tones = np.concatenate([np.cos(turns), np.sin(turns)], axis=1)
    starts = np.append(np.arange(0, len(mix.samples) - size, size), len(mix.samples) - size)
    samples = mix.samples[starts[:, None] + np.arange(size), channel]
    found = np.linalg.lstsq(tones, samples.T, rcond=None)[0]
    rest = np.square(samples - (tones @ found).T).mean(axis=1)
    levels = np.hypot(*np.split(found, 2))  # tones × windows
    middles = starts / MUSIC_RATE + WINDOW_S / 2
    second, after = np.divmod(middles - p["delay"], 1.0)  # of the voice
    is_spoken = abs(middles - p["delay"] - 1.5) < 1.5 + EDGE_S
    is_end = is_spoken & (np.minimum(after, 1 - after) < EDGE_S / 2 + WINDOW_S)
    is_end |= middles < 2 * WINDOW_S  # decoders differ in where an MP3 begins
    power = (due**2 + np.where(is_spoken, 0.25**2, 0.0)) / 2
    most = np.where(is_end, MOST_ELSE_AT_ALL[1], MOST_ELSE_AT_ALL[0]) * power
    inner = (middles > 2 * WINDOW_S) & (middles < mix.seconds - 2 * WINDOW_S)
    voice = levels[1 + np.clip(second, 0, 2).astype(int), np.arange(len(starts))]
    off = (rest > most) | (inner & (abs(levels[0] / due - 1) > 0.25))
    off |= (abs(second - 1) <= 1) & ~is_end & (abs(voice / 0.25 - 1) > 0.25)
    case.expect(
        f"channel {channel + 1}: the tracks alone at all times",
        not off.any(),
        expected="in each twentieth of a second",
        actual=", ".join(f"other at {t:.2f} s" for t in middles[off][:4]) or "so",
        file="mix.wav",
        message=f"Channel {channel + 1} of mix.wav holds other sound, or a gap, at"
        f" {middles[off][0] if off.any() else 0:.2f} s.",
    )


def onset(mix: audio.Sound, channel: int, hz: float) -> float:
    """When the tone of `hz` reaches half its level, by windows of 0.1 s every 0.01 s."""
    for start in np.arange(0, mix.seconds - 0.1, 0.01):
        if audio.tone_level(mix.between(start, start + 0.1, channel), mix.rate, hz) >= 0.125:
            return float(start) + 0.05
    return float("inf")


REFERENCE = {
    "cells": [
        "import soundfile as sf\n"
        "voice, voice_rate = sf.read('./data/voice.wav')\n"
        "music, music_rate = sf.read('./data/music.mp3')\n"
        "print(voice.shape, voice_rate, music.shape, music_rate, abs(voice).max(), abs(music).max())",
        "from math import gcd\n"
        "from scipy.signal import resample_poly\n"
        "import numpy as np\n"
        "g = gcd(music_rate, voice_rate)\n"
        "voice_up = resample_poly(voice, music_rate // g, voice_rate // g)\n"
        "start = round(«delay» * music_rate)\n"
        "length = start + len(voice_up) + round(«tail» * music_rate)\n"
        "mix = music[:length] * 10 ** (-«music_db» / 20)\n"
        "mix[start:start + len(voice_up)] += voice_up[:, None]\n"
        "print(len(voice_up) / music_rate, mix.shape, abs(mix).max())\n"
        "sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')",
    ],
    "answer": "The mix is saved as ./output/mix.wav (stereo); the music is «music_db» dB lower and the voice starts at «delay» s.",
}
WRONG = {
    "voice-not-resampled": {
        "why": "lays the voice's samples over the music as they are, so it sounds too fast and high",
        "cells": [
            "import soundfile as sf\n"
            "voice, vr = sf.read('./data/voice.wav')\n"
            "music, rate = sf.read('./data/music.mp3')\n"
            "start = round(«delay» * rate)\n"
            "length = start + round((len(voice) / vr + «tail») * rate)\n"
            "mix = music[:length] * 10 ** (-«music_db» / 20)\n"
            "mix[start:start + len(voice)] += voice[:, None]\n"
            "sf.write('./output/mix.wav', mix, rate, subtype='PCM_16')"
        ],
        "answer": "Mixed and saved as ./output/mix.wav.",
    },
    "decibels-of-power": {
        "why": "turns the music down by half as many dB (10 instead of 20 in the formula)",
        "cells": [
            "import soundfile as sf\n"
            "from scipy.signal import resample_poly\n"
            "voice, vr = sf.read('./data/voice.wav')\n"
            "music, rate = sf.read('./data/music.mp3')\n"
            "voice = resample_poly(voice, rate // 300, vr // 300)\n"
            "start = round(«delay» * rate)\n"
            "mix = music[:start + len(voice) + round(«tail» * rate)] * 10 ** (-«music_db» / 40)\n"
            "mix[start:start + len(voice)] += voice[:, None]\n"
            "sf.write('./output/mix.wav', mix, rate, subtype='PCM_16')"
        ],
        "answer": "The music is turned down by «music_db» dB; the mix is ./output/mix.wav.",
    },
    "music-in-mono": {
        "why": "folds the music to mono and copies it into both channels",
        "cells": [
            "import soundfile as sf\n"
            "import numpy as np\n"
            "from scipy.signal import resample_poly\n"
            "voice, vr = sf.read('./data/voice.wav')\n"
            "music, rate = sf.read('./data/music.mp3')\n"
            "voice = resample_poly(voice, rate // 300, vr // 300)\n"
            "start = round(«delay» * rate)\n"
            "mix = music.mean(axis=1)[:start + len(voice) + round(«tail» * rate)] * 10 ** (-«music_db» / 20)\n"
            "mix[start:start + len(voice)] += voice\n"
            "sf.write('./output/mix.wav', np.column_stack([mix, mix]), rate, subtype='PCM_16')"
        ],
        "answer": "Saved the stereo mix as ./output/mix.wav.",
    },
    "no-delay": {
        "why": "starts the voice at once",
        "cells": [
            "import soundfile as sf\n"
            "from scipy.signal import resample_poly\n"
            "voice, vr = sf.read('./data/voice.wav')\n"
            "music, rate = sf.read('./data/music.mp3')\n"
            "voice = resample_poly(voice, rate // 300, vr // 300)\n"
            "mix = music[:round(«delay» * rate) + len(voice) + round(«tail» * rate)] * 10 ** (-«music_db» / 20)\n"
            "mix[:len(voice)] += voice[:, None]\n"
            "sf.write('./output/mix.wav', mix, rate, subtype='PCM_16')"
        ],
        "answer": "The mix is at ./output/mix.wav.",
    },
}
