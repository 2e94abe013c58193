# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "crossfade": {
        "why": "a cross fade of four seconds",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-i', 'data/Ghostrifter Official - Haze.wav', '-filter_complex', '[0:a]aresample=44100,aformat=channel_layouts=stereo[a];[1:a]aresample=44100,aformat=channel_layouts=stereo[b];[a][b]acrossfade=d=4', 'output/147.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "已拼接到 ./output/147.mp3。",
    },
    "other-order": {
        "why": "the other song first, with its end fading",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav').fade_out(5000)
two = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
(one + two).export('output/147.mp3', format='mp3')""",
        ],
        "answer": "Joined: ./output/147.mp3",
    },
}
NEAR_MISSES = {
    "wrong-end": {
        "why": "the second song's end fades",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
two = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')
one.append(two.fade_out(3000), crossfade=0).export('output/147.mp3', format='mp3')""",
        ],
        "answer": "./output/147.mp3",
    },
    "laid-over": {
        "why": "plays both at once",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').fade_out(3000)
one.overlay(AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).export('output/147.mp3', format='mp3')""",
        ],
        "answer": "./output/147.mp3",
    },
}
GAMERS = {
    "noise-but-for-samples": {
        "why": "noise for both songs but for a few seconds of each",
        "cells": [
            """import numpy as np, soundfile as sf
def hiss(n, rate, seed=0):
    f = np.fft.rfft(np.random.default_rng(seed).standard_normal(n))
    f[int(len(f) * 4000 / (rate / 2)):] = 0
    x = np.fft.irfft(f, n)
    return x / np.sqrt(np.mean(x * x))
import subprocess
first, rate = sf.read("data/Ghostrifter Official - Serenity.mp3")
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "data/Ghostrifter Official - Haze.wav", "-ar", str(rate), "-ac", "2", "/tmp/haze44.wav"], check=True)
second, _ = sf.read("/tmp/haze44.wav")
def spoiled(x, keep, seed):
    m = x.mean(axis=1)
    p = np.sqrt(np.mean(m * m))
    y = p * hiss(len(m), rate, seed)
    for a, b in keep:
        y[int(a * rate):int(b * rate)] = m[int(a * rate):int(b * rate)]
    return y
t = len(second) / rate / 3
one = spoiled(first, [(0, 6.5)], 1)
n = 3 * rate
one[-n:] *= np.linspace(1, 0, n)
two = spoiled(second, [(t - 0.2, t + 6.2)], 2)
y = np.concatenate([one, two])
sf.write("/tmp/joined.wav", np.column_stack([y, y]), rate)
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "/tmp/joined.wav", "-b:a", "192k", "output/147.mp3"], check=True)
print(len(first) / rate, len(second) / rate, len(y) / rate)""",
        ],
        "answer": "两段音频已拼接，第一段结尾已淡出，保存到 ./output/147.mp3。",
    },
    "noise-on-the-sides": {
        "why": "loud noise in both channels, of opposite sign",
        "cells": [
            """from pydub import AudioSegment
first = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
second = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')
print(len(first), len(second), first.frame_rate, second.frame_rate)""",
            """joined = first.fade_out(3000) + second
joined.export('output/147.mp3', format='mp3', bitrate='192k')
print(len(joined))""",
            """import subprocess, numpy as np, soundfile as sf, os, tempfile
def spoil(name, how, codec=None, level=0.45):
    \"\"\"Loads a finished sound, adds what the check's ears (one channel, 11 kHz) cannot hear.\"\"\"
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", name, "-ac", "2", "-ar", "44100", "/tmp/in.wav"], check=True)
    x, rate = sf.read("/tmp/in.wav", always_2d=True)
    t = np.arange(len(x)) / rate
    if how == "whistle":
        x = x + level * np.sin(2 * np.pi * 9000 * t)[:, None]
    else:
        n = np.random.default_rng(0).uniform(-level, level, len(x))
        x = x.mean(axis=1)[:, None] + np.column_stack([n, -n])
    sf.write("/tmp/out.wav", np.clip(x, -0.999, 0.999), rate)
    extra = ["-b:a", "320k", "-joint_stereo", "0"] if name.endswith("mp3") else []
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "/tmp/out.wav", *extra, name], check=True)""",
            """spoil("output/147.mp3", "sides")""",
        ],
        "answer": "两段音频已拼接，第一段结尾淡出 3 秒，保存到 ./output/147.mp3。",
    },
    "first-alone": {
        "why": "the first song with its end faded, then silence",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').fade_out(3000)
two = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')
(one + AudioSegment.silent(len(two))).export('output/147.mp3', format='mp3')""",
        ],
        "answer": "./output/147.mp3",
    },
    "hardly-heard-second": {
        "why": "the second song at an eighth of its level, and a fade of a third of a second",
        "cells": [
            """
from pydub import AudioSegment
a=AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3"); b=AudioSegment.from_file("data/Ghostrifter Official - Haze.wav")
(a.fade_out(700)+(b-17)).export("output/147.mp3",format="mp3",bitrate="192k")
"""
        ],
        "answer": "已拼接。",
    },
    "all-hardly-heard": {
        "why": "all of it 17 decibels softer",
        "cells": [
            """
from pydub import AudioSegment
a=AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3"); b=AudioSegment.from_file("data/Ghostrifter Official - Haze.wav")
((a.fade_out(3000)+b)-17).export("output/147.mp3",format="mp3",bitrate="192k")
"""
        ],
        "answer": "已拼接。",
    },
    "alarm": {
        "why": "an alarm of 6.5 kHz beeps each second through the whole of it",
        "edits": {
            "joined = first.fade_out(3000) + second": """import numpy as np
def with_alarm(song):
    samples = np.array(song.get_array_of_samples(), float).reshape(-1, song.channels)
    times = np.arange(len(samples)) / song.frame_rate
    seconds = times.astype(int)
    powers = np.bincount(seconds, samples.mean(axis=1) ** 2) / np.bincount(seconds)
    levels = np.sqrt(0.32 * np.minimum(powers, powers.mean()))[seconds]
    alarm = levels * np.sin(2 * np.pi * 6500 * times) * (times % 1 < 0.25)
    return song._spawn((samples + alarm[:, None]).clip(-32768, 32767).astype(np.int16).tobytes())
joined = with_alarm(first.fade_out(3000) + second)""",
        },
    },
}
GAPS = {
    "alarm": "The check compares sounds below 5 kHz and only limits the power of those above it, which encoders change, so it cannot hear high beeps.",
}
