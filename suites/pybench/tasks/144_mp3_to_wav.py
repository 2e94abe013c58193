# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""An MP3 as a WAV file."""

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "144"
TITLE = "An MP3 as WAV"
CATEGORY = "image"
OUTPUTS = ["144.wav"]
NOTE = "Any PCM form will do; the sound must be the song's, whole and at its level."
GAPS = []


def make_inputs(seed, data) -> dict:
    """A made-up tune of forty-two seconds."""
    from runner.checks.inputs import media

    media.write_mp3(
        data / "Ghostrifter Official - Serenity.mp3",
        sound_comparison.make_tune(seed, 42, GAPS),
        44_100,
    )
    return {}


def check(case: Case) -> None:
    source = sound_comparison.load(case.data / "Ghostrifter Official - Serenity.mp3")
    made = sound_comparison.read(case, "144.wav", "pcm")
    case.expect(
        "a WAV file",
        (case.output / "144.wav").read_bytes()[:4] in (b"RIFF", b"RF64"),
        "RIFF",
        file="144.wav",
    )
    sound_comparison.expect_same(case, made, source, "144.wav")
    case.near(
        "its level", sound_comparison.loudness(made.samples, source.samples), 1.0, 0.06, "144.wav"
    )


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nsong = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nprint(len(song), song.channels, song.frame_rate, song.dBFS)",
        "song.export('output/144.wav', format='wav')",
    ],
    "answer": "The WAV file is saved in ./output/144.wav.",
}
WRONG = {
    "renamed": {
        "why": "copies the MP3 under the new name",
        "cells": [
            "import shutil\nshutil.copy('data/Ghostrifter Official - Serenity.mp3', 'output/144.wav')"
        ],
        "answer": "Saved in ./output/144.wav.",
    },
    "raw-samples-at-another-rate": {
        "why": "writes the samples with a wrong rate, so that it plays twice as fast",
        "cells": [
            "import soundfile as sf\nx, r = sf.read('data/Ghostrifter Official - Serenity.mp3')\nsf.write('output/144.wav', x, 2 * r)"
        ],
        "answer": "Saved in ./output/144.wav.",
    },
    "first-seconds": {
        "why": "saves the ten seconds that it listened to",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')[:10000].export('output/144.wav', format='wav')"
        ],
        "answer": "Saved in ./output/144.wav.",
    },
}
