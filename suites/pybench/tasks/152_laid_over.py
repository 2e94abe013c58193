# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Two songs at the same time."""

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "152"
TITLE = "Two songs on top of each other"
CATEGORY = "image"
OUTPUTS = ["152.mp3"]
NOTE = "Both must be heard from the start; the result may be as long as either, and either may be made quieter."


def make_inputs(seed, data) -> dict:
    """Two made-up tunes, of twenty and of fourteen seconds."""
    from runner.checks.inputs import media

    media.write_mp3(
        data / "Ghostrifter Official - Serenity.mp3",
        sound_comparison.make_tune(seed, 20, []),
        44_100,
    )
    media.write_wav(
        data / "Ghostrifter Official - Haze.wav",
        sound_comparison.make_tune(seed + 1, 14, []),
        44_100,
    )
    return {}


def check(case: Case) -> None:
    import numpy as np

    first, second = (
        sound_comparison.load(case.data / name)
        for name in ("Ghostrifter Official - Serenity.mp3", "Ghostrifter Official - Haze.wav")
    )
    made = sound_comparison.read(case, "152.mp3", "mp3")
    lengths = sorted((first.seconds, second.seconds))
    case.expect(
        "as long as one of them",
        min(abs(made.seconds - length) for length in lengths) <= 0.5,
        " or ".join(f"{length:.1f} s" for length in lengths),
        f"{made.seconds:.1f} s",
        "152.mp3",
        f"152.mp3 is {made.seconds:.1f} s long.",
    )
    over = min(lengths[0], made.seconds)
    heard = {}
    rest = made.part(0, over).astype(np.float64)
    for name, song in (("first", first), ("second", second)):
        part = song.part(0.5, over - 0.5).astype(np.float64)
        place, _ = sound_comparison.find(part, made.part(0, over))
        shift = place - round(0.5 * sound_comparison.RATE)
        moved = np.roll(song.part(0, over).astype(np.float64), shift)[: len(rest)]
        moved = np.pad(moved, (0, len(rest) - len(moved)))
        heard[name] = (shift / sound_comparison.RATE, moved)
    matrix = np.column_stack([moved for _, moved in heard.values()])
    gains, *_ = np.linalg.lstsq(matrix, rest, rcond=None)
    left = rest - matrix @ gains
    share = float(1 - np.dot(left, left) / (np.dot(rest, rest) or 1.0))
    for (name, (shift, _)), factor in zip(heard.items(), gains, strict=True):
        case.expect(
            f"the {name} is heard",
            factor >= 0.2 and abs(shift) <= 0.3,
            "from the start, at 0.2 of its level or more",
            f"{factor:.2f} of its level, {shift:+.2f} s off",
            "152.mp3",
            f"In 152.mp3 the {name} song is not heard from the start.",
        )
    case.expect(
        "one of them well heard",
        max(gains) >= 0.3,
        "one at 0.3 of its level or more",
        ", ".join(f"{factor:.2f}" for factor in gains),
        "152.mp3",
        "In 152.mp3 both songs are hardly heard.",
    )
    case.expect(
        "nothing else",
        share >= 0.9,
        "90 % of the sound is theirs",
        f"{share:.0%}",
        "152.mp3",
        f"Only {share:.0%} of 152.mp3 is the two songs.",
    )


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nfirst = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nsecond = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')\nprint(len(first), len(second))",
        "long, short = (first, second) if len(first) >= len(second) else (second, first)\nlong.overlay(short).export('output/152.mp3', format='mp3', bitrate='192k')",
    ],
    "answer": "Both clips play at the same time in ./output/152.mp3.",
}
WRONG = {
    "one-after-the-other": {
        "why": "joins them end to end",
        "cells": [
            "from pydub import AudioSegment\n(AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3') + AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).export('output/152.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/152.mp3.",
    },
    "overlay-not-kept": {
        "why": "does not keep what overlay returns",
        "cells": [
            "from pydub import AudioSegment\na = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\na.overlay(AudioSegment.from_file('data/Ghostrifter Official - Haze.wav'))\na.export('output/152.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/152.mp3.",
    },
    "second-starts-late": {
        "why": "lets the second start after five seconds",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').overlay(AudioSegment.from_file('data/Ghostrifter Official - Haze.wav'), position=5000).export('output/152.mp3', format='mp3')"
        ],
        "answer": "Saved in ./output/152.mp3.",
    },
}
