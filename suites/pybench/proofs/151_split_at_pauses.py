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
    "buried-in-clicks": {
        "why": "the pieces lie among hundreds of files of hiss and clicks",
        "cells": [
            """from pydub import AudioSegment
from pydub.silence import detect_silence
song = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
print(len(song), song.dBFS)
quiet = detect_silence(song, min_silence_len=700, silence_thresh=-45, seek_step=10)
print(quiet)""",
            """
from pathlib import Path

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
print(edges)
""",
            """
import os, glob, wave, struct, random
fs=sorted(glob.glob("output/151/**/*",recursive=True)); print(fs)
for i in range(150):
    with wave.open(f"output/151/piece_{i+1000}.wav","wb") as w:
        w.setnchannels(1); w.setsampwidth(2); w.setframerate(11025)
        n=int(11025*0.2); w.writeframes(b"".join(struct.pack("<h",random.randint(-30000,30000)) for _ in range(n)))
""",
        ],
        "answer": "已分割。",
    },
    "shreds": {
        "why": "cut to shreds between the notes, wherever it is a little softer",
        "cells": [
            """
from pydub import AudioSegment
a=AudioSegment.from_file("data/Ghostrifter Official - Serenity.mp3")
print(len(a),a.dBFS)

import numpy as np, os
os.makedirs("output/151",exist_ok=True)
s=a.set_channels(1).set_frame_rate(11025); x=np.array(s.get_array_of_samples()).astype(float)/2**(8*s.sample_width-1)
n=551; fr=x[:len(x)//n*n].reshape(-1,n); L=10*np.log10((fr**2).mean(axis=1)+1e-12)
reach=6
pad=np.pad(L,reach,mode="edge"); low=np.lib.stride_tricks.sliding_window_view(pad,2*reach).min(axis=1)
q=max(-45,np.percentile(L,95)-16,np.percentile(low,25))
cuts=[0]; t=0
for i in range(len(L)):
    if low[i]<=q-0.1 and i*0.05-cuts[-1]>=0.45 and low[min(i+1,len(low)-1)]<=q-0.1 and low[i-1]<=q-0.1: cuts.append(i*0.05)
cuts.append(len(a)/1000)
k=0
for b,e in zip(cuts,cuts[1:]):
    p=a[int(b*1000):int(e*1000)]
    p.export(f"output/151/{k:04d}.wav",format="wav"); k+=1
print(k)
"""
        ],
        "answer": "Done.",
    },
}
GAPS = {
    "shreds": "How short and how soft a pause may be is left open, so a song may be cut wherever it is a little softer.",
}
