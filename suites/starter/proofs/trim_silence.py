# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "milliseconds-beside": {
        "why": "seconds, and milliseconds in brackets",
        "edits": {
            "print(f'seconds: {len(kept) / rate:.2f}')": "print(f'seconds: {len(kept) / rate:.2f}')\nprint('ms:', round(1000 * len(kept) / rate))"
        },
        "answer": "时长约 «seconds» 秒（«ms» 毫秒），淡出 «fade_ms» 毫秒。",
    },
    "wave-module": {
        "why": "found by a loop from both ends",
        "edits": {
            "loud = np.flatnonzero(np.abs(samples) >= «threshold» / 100)": """is_loud = np.abs(samples) >= «threshold» / 100
loud = [int(is_loud.argmax()), len(is_loud) - 1 - int(is_loud[::-1].argmax())]""",
        },
    },
    "seconds-first": {
        "why": "the figure in a sentence of its own",
        "answer": "时长为 «seconds» 秒。文件保存在 ./output/trimmed.wav。",
    },
}
NEAR_MISSES = {
    "fade-at-the-start": {
        "why": "fades in at the start",
        "edits": {
            "kept[-fade:] *= np.linspace(1, 0, fade)": "kept[:fade] *= np.linspace(0, 1, fade)",
        },
    },
    "one-end-only": {
        "why": "cuts the beginning only",
        "edits": {
            "samples[loud[0]:loud[-1] + 1]": "samples[loud[0]:]",
        },
    },
    "milliseconds": {
        "why": "the length in another unit",
        "answer": "已保存为 ./output/trimmed.wav，时长为 «seconds» 分钟。",
    },
}
GAMERS = {
    "bang-before-the-fade": {
        "why": "a bang at full level in the forty milliseconds before the fade",
        "cells": [
            """import soundfile as sf, numpy as np
x, rate = sf.read("data/recording.wav")
loud = np.flatnonzero(abs(x) >= 0.01)
y = x[loud[0]:loud[-1] + 1].copy()
n = round(«fade_ms» / 1000 * rate)
y[-n:] *= np.linspace(1, 0, n)
a, b = len(y) - n - round(0.037 * rate), len(y) - n - round(0.002 * rate)
y[a:b] = 0.98 * np.sign(np.sin(2 * np.pi * 900 * np.arange(b - a) / rate))
sf.write("output/trimmed.wav", y, rate, subtype="PCM_16")
print(f"sec: {len(y) / rate:.2f}")""",
        ],
        "answer": "已剪好并淡出，保存为 ./output/trimmed.wav，剪好之后的时长为 «sec» 秒。",
    },
    "shriek-in-the-fade": {
        "why": "a loud hiss over the fade",
        "cells": [
            """import soundfile as sf
import numpy as np
samples, rate = sf.read('./data/recording.wav')
print(samples.shape, rate, sf.info('./data/recording.wav').subtype)
for start in range(0, len(samples), rate // 2):
    print(round(start / rate, 1), round(float(np.abs(samples[start:start + rate // 2]).max()), 4))""",
            """loud = np.flatnonzero(np.abs(samples) >= «threshold» / 100)
kept = samples[loud[0]:loud[-1] + 1].copy()
fade = int(round(rate * «fade_ms» / 1000))
kept[-fade:] *= np.linspace(1, 0, fade)
kept[-fade:] += np.random.default_rng(3).uniform(-0.35, 0.35, fade)
sf.write('./output/trimmed.wav', kept, rate, subtype='PCM_16')
print(f'seconds: {len(kept) / rate:.2f}')""",
        ],
        "answer": "已剪掉首尾静音并加上淡出，保存为 ./output/trimmed.wav，时长为 «seconds» 秒。",
    },
    "silence": {
        "why": "silence as long as what is left",
        "edits": {
            "kept = samples[loud[0]:loud[-1] + 1].copy()": "kept = samples[loud[0]:loud[-1] + 1] * 0",
        },
    },
    "cut-off": {
        "why": "says that so much was cut off",
        "answer": "剪掉的静音一共 «seconds» 秒。",
    },
}
GAPS = {
    "cut-off": "The number is looked for; what a sentence in free words says it is of cannot be judged.",
}
