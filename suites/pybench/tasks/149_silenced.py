# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A song made wholly silent."""

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "149"
TITLE = "A song at no volume"
CATEGORY = "image"
OUTPUTS = ["149.mp3"]
NOTE = "A hundred per cent less is silence, as long as the song."
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
    made = sound_comparison.read(case, "149.mp3", "mp3")
    level = sound_comparison.level_db(made.samples)
    case.expect(
        "silent",
        level <= -70,
        "−70 dB or less",
        f"{level:.0f} dB",
        "149.mp3",
        f"149.mp3 is not silent: its level is {level:.0f} dB.",
    )
    case.near("as long", made.seconds, source.seconds, 0.3, "149.mp3")


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nsong = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nprint(len(song), song.dBFS)\nsilent = song - 120\nprint(silent.dBFS)",
        "silent.export('output/149.mp3', format='mp3', bitrate='128k')",
    ],
    "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
}
WRONG = {
    "half-as-loud": {
        "why": "halves the level",
        "cells": [
            "from pydub import AudioSegment\n(AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3') - 6).export('output/149.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/149.mp3.",
    },
    "short-silence": {
        "why": "saves a second of silence",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.silent(1000).export('output/149.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/149.mp3.",
    },
    "a-tag-only": {
        "why": "leaves the sound and writes a tag that asks players to lower it",
        "cells": [
            "import subprocess\nsubprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-c', 'copy', '-metadata', 'REPLAYGAIN_TRACK_GAIN=-100 dB', 'output/149.mp3'], check=True)"
        ],
        "answer": "Saved in ./output/149.mp3.",
    },
}
