# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-zero": {
        "why": "ffmpeg's volume at 0",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "silence-as-long": {
        "why": "silence of the song's length",
        "cells": [
            """from pydub import AudioSegment
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
AudioSegment.silent(len(sound), sound.frame_rate).export('output/149.mp3', format='mp3')""",
        ],
        "answer": "Saved: ./output/149.mp3",
    },
}
NEAR_MISSES = {
    "ten-per-cent": {
        "why": "ten per cent less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0.9', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "twenty-decibels": {
        "why": "twenty decibels less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=-20dB', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
}
LEFT_OUT = {
    "blank-area": "silence stays silence under it",
    "reverse-order": "silence stays silence under it",
    "scale-by-10": "silence stays silence under it",
}
