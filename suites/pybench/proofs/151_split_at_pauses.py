# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pydub-silence": {
        "why": "pydub's own splitting, as MP3",
        "cells": [
            """from pathlib import Path
from pydub import AudioSegment
from pydub.silence import split_on_silence
Path('output/151').mkdir(parents=True, exist_ok=True)
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
for n, part in enumerate(split_on_silence(sound, min_silence_len=800, silence_thresh=-45, keep_silence=200)):
    part.export(f'output/151/part_{n}.mp3', format='mp3')""",
        ],
        "answer": "Pieces: ./output/151",
    },
    "librosa-wav": {
        "why": "librosa's effects.split, as WAV",
        "cells": [
            """from pathlib import Path
import librosa, soundfile
Path('output/151').mkdir(parents=True, exist_ok=True)
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=None)
spans = [list(s) for s in librosa.effects.split(y, top_db=45, frame_length=8192, hop_length=2048)]
joined = [spans[0]]
for a, b in spans[1:]:
    if a - joined[-1][1] < rate:
        joined[-1][1] = b
    else:
        joined.append([a, b])
for n, (a, b) in enumerate(joined):
    soundfile.write(f'output/151/{n:02}.wav', y[a:b], rate)""",
        ],
        "answer": "Saved in ./output/151",
    },
}
NEAR_MISSES = {
    "equal-parts": {
        "why": "three parts of one length, wherever the pauses are",
        "cells": [
            """from pathlib import Path
from pydub import AudioSegment
Path('output/151').mkdir(parents=True, exist_ok=True)
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
third = len(sound) // 3
for n in range(3):
    sound[n * third : (n + 1) * third].export(f'output/151/{n}.mp3', format='mp3')""",
        ],
        "answer": "./output/151",
    },
    "pauses-kept": {
        "why": "keeps the pauses and drops the sound",
        "cells": [
            """from pathlib import Path
from pydub import AudioSegment
from pydub.silence import detect_silence
Path('output/151').mkdir(parents=True, exist_ok=True)
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
for n, (a, b) in enumerate(detect_silence(sound, 800, -45)):
    sound[a:b].export(f'output/151/{n}.mp3', format='mp3')""",
        ],
        "answer": "./output/151",
    },
}
GAMERS = {
    "by-the-clock": {
        "why": "cut every two seconds, wherever that is",
        "cells": [
            """import os
from pydub import AudioSegment
os.makedirs("output/151", exist_ok=True)
s = AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3")
for i, a in enumerate(range(0, len(s), 2000)):
    s[a:a + 2000].export(f"output/151/{i:03d}.mp3", format="mp3", bitrate="192k")""",
        ],
        "answer": "已检测静音并按静音切分音频，片段保存在 ./output/151/。",
    },
    "whistle": {
        "why": "a loud whistle of 9 kHz over each piece",
        "cells": [
            """from pydub import AudioSegment
from pydub.silence import detect_silence
song = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
print(len(song), song.dBFS)
quiet = detect_silence(song, min_silence_len=700, silence_thresh=-45, seek_step=10)
print(quiet)""",
            """from pathlib import Path

Path("output/151").mkdir(parents=True, exist_ok=True)
edges, start = [], 0
for a, b in quiet:
    if a - start > 300:
        edges.append((start, a))
    start = b
if len(song) - start > 300:
    edges.append((start, len(song)))
for number, (a, b) in enumerate(edges, 1):
    song[a:b].export(f"output/151/part_{number:02}.mp3", format="mp3", bitrate="192k")
print(edges)""",
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
            """import glob
for p in sorted(glob.glob("output/151/*")): spoil(p, "whistle")""",
        ],
        "answer": "已检测静音并将音频切分，片段保存在 ./output/151/。",
    },
    "one-second-pieces": {
        "why": "the first second, many times",
        "cells": [
            """from pathlib import Path
from pydub import AudioSegment
Path('output/151').mkdir(parents=True, exist_ok=True)
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
for n in range(30):
    sound[:1000].export(f'output/151/{n}.mp3', format='mp3')""",
        ],
        "answer": "./output/151",
    },
}
