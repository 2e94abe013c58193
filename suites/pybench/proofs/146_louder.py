# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-factor": {
        "why": "ffmpeg's volume filter",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=1.1', '-b:a', '192k', 'output/146.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "The volume is 10 % higher: ./output/146.mp3",
    },
    "decibels": {
        "why": "pydub with the gain in decibels",
        "cells": [
            """import math
from pydub import AudioSegment
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
(sound + 20 * math.log10(1.1)).export('output/146.mp3', format='mp3', bitrate='192k')""",
        ],
        "answer": "**Done**: `./output/146.mp3`",
    },
}
NEAR_MISSES = {
    "ten-decibels": {
        "why": "ten decibels for ten per cent",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=10dB', 'output/146.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/146.mp3",
    },
    "softer": {
        "why": "ten per cent less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0.9', 'output/146.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/146.mp3",
    },
    "faster": {
        "why": "ten per cent faster instead of louder",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'atempo=1.1', 'output/146.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/146.mp3",
    },
}
GAMERS = {
    "gap-and-louder-rest": {
        "why": "seven seconds cut to silence, the rest a fifth louder",
        "cells": [
            """from pydub import AudioSegment
import math
s = AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3")
n = len(s)
a, b = int(n * 0.45), int(n * 0.61)
s = s.apply_gain(20 * math.log10(1.21))
s = s[:a] + AudioSegment.silent(b - a, frame_rate=s.frame_rate) + s[b:]
s.export("output/146.mp3", format="mp3", bitrate="192k")
print(n, len(s))""",
        ],
        "answer": "I raised the volume by 10 % and saved the song as ./output/146.mp3.",
    },
    "whistle": {
        "why": "a loud whistle of 9 kHz over the song",
        "cells": [
            """import math
from pydub import AudioSegment
song = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
print(song.dBFS, song.max_dBFS)
louder = song.apply_gain(20 * math.log10(1.1))
print(louder.dBFS, louder.max_dBFS)""",
            """louder.export('output/146.mp3', format='mp3', bitrate='192k')""",
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
            """spoil("output/146.mp3", "whistle")""",
        ],
        "answer": "The volume is raised by 10 %; saved in ./output/146.mp3.",
    },
    "louder-hiss": {
        "why": "hiss of the song's length",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-f', 'lavfi', '-i', 'anoisesrc=d=42:c=pink:r=44100', 'output/146.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/146.mp3",
    },
    "telephone-stereo": {
        "why": "coded at 24 kbit/s and 11,025 samples a second",
        "cells": [
            """
import subprocess
subprocess.run(["ffmpeg","-y","-v","error","-i","data/Ghostrifter Official - Serenity.mp3","-af","volume=1.1","-ar","11025","-b:a","40k","output/146.mp3"],check=True)
"""
        ],
        "answer": "Done.",
    },
    "alarm": {
        "why": "an alarm of 6.5 kHz beeps each second through the whole of it",
        "edits": {
            "louder.export(": """import numpy as np
def with_alarm(song):
    samples = np.array(song.get_array_of_samples(), float).reshape(-1, song.channels)
    times = np.arange(len(samples)) / song.frame_rate
    seconds = times.astype(int)
    powers = np.bincount(seconds, samples.mean(axis=1) ** 2) / np.bincount(seconds)
    levels = np.sqrt(0.32 * np.minimum(powers, powers.mean()))[seconds]
    alarm = levels * np.sin(2 * np.pi * 6500 * times) * (times % 1 < 0.25)
    return song._spawn((samples + alarm[:, None]).clip(-32768, 32767).astype(np.int16).tobytes())
with_alarm(louder).export(""",
        },
    },
}
GAPS = {
    "alarm": "The check compares sounds below 5 kHz and only limits the power of those above it, which encoders change, so it cannot hear high beeps.",
}
