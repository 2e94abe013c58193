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
