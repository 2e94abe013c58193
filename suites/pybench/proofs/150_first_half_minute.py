# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-copy": {
        "why": "ffmpeg, the stream copied",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-t', '30', '-c', 'copy', 'output/150.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/150.mp3",
    },
    "soundfile-then-mp3": {
        "why": "librosa's first thirty seconds by way of a WAV",
        "cells": [
            """import librosa, soundfile
from pydub import AudioSegment
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=None, duration=30)
soundfile.write('/tmp/a.wav', y, rate)
AudioSegment.from_wav('/tmp/a.wav').export('output/150.mp3', format='mp3')""",
        ],
        "answer": "Saved as `./output/150.mp3`",
    },
}
NEAR_MISSES = {
    "thirty-to-forty": {
        "why": "from the tenth to the fortieth second",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-ss', '10', '-t', '30', 'output/150.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/150.mp3",
    },
    "thirty-milliseconds": {
        "why": "takes thirty for milliseconds",
        "cells": [
            """from pydub import AudioSegment
AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')[:300].export('output/150.mp3', format='mp3')""",
        ],
        "answer": "./output/150.mp3",
    },
}
