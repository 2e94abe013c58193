# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A song ten per cent louder."""

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "146"
TITLE = "A song ten per cent louder"
CATEGORY = "image"
OUTPUTS = ["146.mp3"]
NOTE = "Ten per cent of the amplitude: a factor of 1.1, or 0.83 dB. The usual MP3 encoder lowers what it is given by up to 5 % at low bit rates, so 1.03 to 1.13 is right."
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
    made = sound_comparison.read(case, "146.mp3", "mp3")
    if sound_comparison.expect_same(case, made, source, "146.mp3"):
        factor = sound_comparison.loudness(made.samples, source.samples)
        case.expect(
            "its gain",
            1.03 <= factor <= 1.13,
            "1.1 (MP3 encoders take off up to 5 %)",
            f"{factor:.3f}",
            "146.mp3",
            f"146.mp3 is {factor:.3f} times as loud as the song, 1.1 is asked for.",
        )


REFERENCE = {
    "cells": [
        "import math\nfrom pydub import AudioSegment\nsong = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nprint(song.dBFS, song.max_dBFS)\nlouder = song.apply_gain(20 * math.log10(1.1))\nprint(louder.dBFS, louder.max_dBFS)",
        "louder.export('output/146.mp3', format='mp3', bitrate='192k')",
    ],
    "answer": "The volume is raised by 10 %; saved in ./output/146.mp3.",
}
WRONG = {
    "ten-decibels": {
        "why": "takes ten per cent for ten decibels",
        "cells": [
            "from pydub import AudioSegment\n(AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3') + 10).export('output/146.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/146.mp3.",
    },
    "unchanged": {
        "why": "does not keep the louder copy and exports the song as it was",
        "cells": [
            "from pydub import AudioSegment\ns = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\ns.apply_gain(0.83)\ns.export('output/146.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/146.mp3.",
    },
    "tenth-of-the-level": {
        "why": "adds a tenth of the level in decibels",
        "cells": [
            "from pydub import AudioSegment\ns = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\n(s + abs(s.dBFS) * 0.1).export('output/146.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/146.mp3.",
    },
}
