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
