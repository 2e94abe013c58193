# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "channel-by-channel": {
        "why": "mixes each channel by itself",
        "edits": {
            "mix[start:start + len(voice_up)] += voice_up[:, None]": """for channel in range(mix.shape[1]):
    mix[start:start + len(voice_up), channel] += voice_up""",
        },
    },
    "bullets": {
        "why": "answers in bullets",
        "answer": """- File: ./output/mix.wav (stereo)
- Music: «music_db» dB lower
- Voice starts at «delay» s""",
    },
}
NEAR_MISSES = {
    "louder-for-softer": {
        "why": "raises the music instead of lowering it",
        "edits": {
            "10 ** (-«music_db» / 20)": "10 ** («music_db» / 20)",
        },
    },
    "power-for-amplitude": {
        "why": "takes decibels of power",
        "edits": {
            "10 ** (-«music_db» / 20)": "10 ** (-«music_db» / 10)",
        },
    },
    "left-only": {
        "why": "the voice on the left alone",
        "edits": {
            "+= voice_up[:, None]": "+= voice_up[:, None] * [1, 0]",
        },
    },
}
