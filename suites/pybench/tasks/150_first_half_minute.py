# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The first half minute of a song, cut."""

from runner.checks import Case, alternatives
from runner.checks.media import sound_comparison

INDEX = "150"
TITLE = "The first thirty seconds"
CATEGORY = "image"
OUTPUTS = ["150.mp3"]
NOTE = "“Cut the first 30 seconds and save it” is read as keeping them; the song without them is accepted too."
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
    made = sound_comparison.read(case, "150.mp3", "mp3")
    head, tail = (
        sound_comparison.Mono(source.part(0, 30)),
        sound_comparison.Mono(source.part(30, source.seconds)),
    )
    alternatives.any_of(
        case,
        "the right part",
        {
            "the first thirty seconds": lambda own: sound_comparison.expect_same(
                own, made, head, "150.mp3"
            ),
            "the song without them": lambda own: sound_comparison.expect_same(
                own, made, tail, "150.mp3"
            ),
        },
        "150.mp3",
    )


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nsong = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nprint(len(song))",
        "song[:30_000].export('output/150.mp3', format='mp3', bitrate='192k')",
    ],
    "answer": "The first 30 seconds are saved in ./output/150.mp3.",
}
WRONG = {
    "thirty-milliseconds": {
        "why": "takes milliseconds for seconds",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')[:30].export('output/150.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/150.mp3.",
    },
    "last-thirty": {
        "why": "keeps the last thirty seconds",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')[-30_000:].export('output/150.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/150.mp3.",
    },
    "whole-song": {
        "why": "exports the whole song",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').export('output/150.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/150.mp3.",
    },
}
