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
