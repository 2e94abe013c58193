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
