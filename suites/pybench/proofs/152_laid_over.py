# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pydub": {
        "why": "pydub's overlay",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
one.overlay(AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).export('output/152.mp3', format='mp3')""",
        ],
        "answer": "./output/152.mp3",
    },
    "amix": {
        "why": "ffmpeg's amix",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-i', 'data/Ghostrifter Official - Haze.wav', '-filter_complex', 'amix=inputs=2:duration=longest', 'output/152.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/152.mp3",
    },
}
NEAR_MISSES = {
    "joined": {
        "why": "one after the other",
        "cells": [
            """from pydub import AudioSegment
(AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3') + AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).export('output/152.mp3', format='mp3')""",
        ],
        "answer": "./output/152.mp3",
    },
    "twice-the-first": {
        "why": "the first song over itself",
        "cells": [
            """from pydub import AudioSegment
one = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
one.overlay(one).export('output/152.mp3', format='mp3')""",
        ],
        "answer": "./output/152.mp3",
    },
}
GAMERS = {
    "noise-after-the-shorter": {
        "why": "both for as long as the shorter song, then loud noise",
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
long, short = (first, second) if len(first) >= len(second) else (second, first)
n = len(short)
y = np.zeros_like(long)
y[:n] = 0.6 * long[:n] + 0.6 * short
y[n + rate // 20:] = 0.25 * hiss(len(long) - n - rate // 20, rate)[:, None]
sf.write("/tmp/mixed.wav", np.clip(y, -1, 1), rate)
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "/tmp/mixed.wav", "-b:a", "192k", "output/152.mp3"], check=True)
print(len(long) / rate, n / rate)""",
        ],
        "answer": "Both clips play at the same time; saved as ./output/152.mp3.",
    },
    "second-hardly-heard": {
        "why": "the second song at a sixth of its level under hiss",
        "cells": [
            """from pydub import AudioSegment
first = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
second = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')
print(len(first), len(second))""",
            """long, short = (first, second) if len(first) >= len(second) else (second, first)
import numpy as np
m = long.overlay(short - 15).set_channels(2)
a = np.array(m.get_array_of_samples(), float); a += np.random.default_rng(0).normal(0, 0.4 * a.std(), len(a))
m._spawn(a.clip(-32768, 32767).astype('int16').tobytes()).export('output/152.mp3', format='mp3', bitrate='192k')""",
        ],
        "answer": "Both clips play at the same time in ./output/152.mp3.",
    },
    "noise-on-the-sides": {
        "why": "loud noise in both channels, of opposite sign",
        "cells": [
            """from pydub import AudioSegment
first = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
second = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')
print(len(first), len(second))""",
            """long, short = (first, second) if len(first) >= len(second) else (second, first)
long.overlay(short).export('output/152.mp3', format='mp3', bitrate='192k')""",
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
            """spoil("output/152.mp3", "sides")""",
        ],
        "answer": "Both clips play at the same time in ./output/152.mp3.",
    },
    "first-alone": {
        "why": "one song as it was",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', 'output/152.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/152.mp3",
    },
    "both-hardly-heard": {
        "why": "both at a sixth of their levels",
        "cells": [
            """
from pydub import AudioSegment
a=AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3"); b=AudioSegment.from_file("data/Ghostrifter Official - Haze.wav")
((a-15).overlay(b-15)).export("output/152.mp3",format="mp3",bitrate="192k")
"""
        ],
        "answer": "Done.",
    },
    "alarm": {
        "why": "an alarm of 6.5 kHz beeps each second through the whole of it",
        "edits": {
            "long.overlay(short).export(": """import numpy as np
def with_alarm(song):
    samples = np.array(song.get_array_of_samples(), float).reshape(-1, song.channels)
    times = np.arange(len(samples)) / song.frame_rate
    seconds = times.astype(int)
    powers = np.bincount(seconds, samples.mean(axis=1) ** 2) / np.bincount(seconds)
    levels = np.sqrt(0.32 * np.minimum(powers, powers.mean()))[seconds]
    alarm = levels * np.sin(2 * np.pi * 6500 * times) * (times % 1 < 0.25)
    return song._spawn((samples + alarm[:, None]).clip(-32768, 32767).astype(np.int16).tobytes())
with_alarm(long.overlay(short)).export(""",
        },
    },
}
GAPS = {
    "alarm": "The check compares sounds below 5 kHz and only limits the power of those above it, which encoders change, so it cannot hear high beeps.",
}
