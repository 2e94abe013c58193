# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "moviepy": {
        "why": "moviepy, which lets the sound drift by a third of a millisecond",
        "cells": [
            """from moviepy.editor import AudioFileClip
AudioFileClip('data/Ghostrifter Official - Serenity.mp3').write_audiofile('output/144.wav', logger=None)""",
        ],
        "answer": "./output/144.wav",
    },
    "ffmpeg": {
        "why": "ffmpeg, 16 bits",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "已转换为 ./output/144.wav。",
    },
    "soundfile": {
        "why": "librosa and soundfile, floats, answered in English",
        "cells": [
            """import librosa, soundfile
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=None, mono=False)
soundfile.write('output/144.wav', y.T, rate)""",
        ],
        "answer": "Converted to ./output/144.wav.",
    },
}
NEAR_MISSES = {
    "half-speed": {
        "why": "writes the samples at half the rate",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'asetrate=22050', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "./output/144.wav",
    },
    "first-minute-half": {
        "why": "cuts the song at half a minute",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-t', '30', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "./output/144.wav",
    },
    "renamed": {
        "why": "renames the file",
        "cells": [
            """import shutil
shutil.copy('data/Ghostrifter Official - Serenity.mp3', 'output/144.wav')""",
        ],
        "answer": "./output/144.wav",
    },
}
