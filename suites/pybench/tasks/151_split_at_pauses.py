# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A song split where it is silent."""

import re
from pathlib import Path

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "151"
TITLE = "按静音切分音频"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["151"]
NOTE = "How quiet and how long a pause must be is left open. Pieces must be parts of the song in order, lie apart at its clear pauses (a second or more below −45 dB), begin and end at quiet places, and hold nearly all of its sound; a song without such a pause may stay one piece."
GAPS = [(10.0, 12.0), (26.0, 28.5)]
QUIET_DB = (-45.0, -16.0)  # level of a quiet place: as it is, or beside the song's loud ones
REACH_S = 0.3  # between a cut and such a place
LEAST_S = 0.25  # of sound in a piece: what is shorter is the rest of a pause
LEAST_ALIKE = 0.5  # of such a rest that sounds, with the song
MOST_ELSEWHERE = 0.1  # share of the cuts
SOUNDS = (".mp3", ".wav", ".ogg", ".flac", ".m4a", ".aac")


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
    folder = case.output / "151"
    if not folder.is_dir():
        case.fail("folder exists", "The folder ./output/151 was not made.", "151", "missing")
    files = sound_files(case, folder)
    source = sound_comparison.load(case.data / "Ghostrifter Official - Serenity.mp3")
    pauses = sound_comparison.pauses(source)
    case.expect(
        "split",
        len(files) >= (2 if pauses else 1),
        f"{len(pauses) + 1} pieces or so",
        len(files),
        "151",
        f"./output/151 holds {len(files)} pieces, though the song has {len(pauses)} clear pauses.",
    )
    spans = spans_of(case, files, source)
    starts = [a for a, _ in spans]
    case.expect(
        "in order, apart",
        starts == sorted(starts)
        and all(a >= b - 1.5 for (_, b), (a, _) in zip(spans, spans[1:], strict=False)),
        "one after the other",
        f"{len(spans)} pieces",
        "151",
        "The pieces in ./output/151 overlap or stand in another order than in the song.",
    )
    crossing = [p for p in pauses for a, b in spans if a < p[0] - 0.5 and b > p[1] + 0.5]
    case.expect(
        "split at its pauses",
        not crossing,
        "at each clear pause",
        f"{len(crossing)} left inside a piece",
        "151",
        f"A piece in ./output/151 runs over {len(crossing)} of the song's pauses.",
    )
    expect_quiet_cuts(case, source, spans)
    silent = sum(b - a for a, b in pauses)
    held = sum(b - a for a, b in spans)
    case.expect(
        "nearly all of its sound",
        held >= 0.9 * (source.seconds - silent),
        f"{source.seconds - silent:.0f} s",
        f"{held:.0f} s",
        "151",
        f"The pieces in ./output/151 hold {held:.0f} s of the song's {source.seconds - silent:.0f} s of sound.",
    )


def sound_files(case: Case, folder: Path) -> list:
    """The pieces in the order of their numbers; none ends the check."""
    files = [p for p in folder.rglob("*") if p.suffix.lower() in SOUNDS and p.is_file()][:200]
    files.sort(key=lambda p: [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", p.name)])
    case.demand(
        "pieces are there",
        files,
        "sound files",
        ", ".join(p.name for p in list(folder.iterdir())[:5]) or "none",
        "151",
        "The folder ./output/151 holds no sound file.",
    )
    return files


def spans_of(case: Case, files: list, source: object) -> list:
    """Where in the song each piece lies, in seconds; each must be a part of it."""
    spans = []
    strange = []
    for path in files:
        name = str(path.relative_to(case.output))
        with case.reading(name, "a sound"):
            piece = sound_comparison.load(path)
        place, alike = sound_comparison.find(piece.samples, source.samples)
        if (seconds := sounding_s(piece)) < LEAST_S:
            if seconds >= LEAST_S / 2 and alike < LEAST_ALIKE:
                strange.append(path.name)
            continue
        spans.append((place / sound_comparison.RATE, place / sound_comparison.RATE + piece.seconds))
        there = source.part(max(0, spans[-1][0]), spans[-1][1])
        times = sound_comparison.loudness(piece.samples, there)
        is_whole = sound_comparison.is_whole(piece.samples, there)
        if alike < 0.85 or not 0.4 <= times <= 2.5 or not is_whole:
            strange.append(path.name)
    case.expect(
        "pieces of the song",
        not strange,
        "all",
        ", ".join(strange[:3]) or "all",
        "151",
        f"{', '.join(strange[:3])} in ./output/151 is no part of the song as it was.",
    )
    return spans


def sounding_s(piece) -> float:
    """Seconds of a piece that are no silence."""
    import numpy as np

    size = sound_comparison.RATE // 50
    frames = piece.samples[: len(piece.samples) // size * size].reshape(-1, size)
    return float((np.square(frames).mean(axis=1) > 1e-5).sum()) / 50


def expect_quiet_cuts(case: Case, source, spans: list[tuple[float, float]]) -> None:
    """The pieces begin and end where the song is quiet: cuts by the clock detect nothing."""
    import numpy as np

    size = sound_comparison.RATE // 20
    samples = source.samples[: len(source.samples) // size * size].reshape(-1, size)
    levels = 10 * np.log10(np.square(samples).mean(axis=1) + 1e-12)
    reach = round(REACH_S * 20)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(levels, reach, mode="edge"), 2 * reach)
    lowest = around.min(axis=1)  # about each place
    quiet = max(QUIET_DB[0], float(np.percentile(levels, 95)) + QUIET_DB[1])
    quiet = max(quiet, float(np.percentile(lowest, 25)))
    cuts = [t for span in spans for t in span if 0.5 < t < source.seconds - 0.5]
    loud = [t for t in cuts if lowest[min(round(t * 20), len(lowest) - 1)] > quiet]
    case.expect(
        "cut at quiet places",
        len(loud) <= MOST_ELSEWHERE * len(cuts),
        f"each within {REACH_S:g} s of a place below {quiet:.0f} dB",
        f"{len(loud)} of {len(cuts)} elsewhere",
        "151",
        f"{len(loud)} of {len(cuts)} cuts in ./output/151 are made where the song is not quiet.",
    )


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nfrom pydub.silence import detect_silence\nsong = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nprint(len(song), song.dBFS)\nquiet = detect_silence(song, min_silence_len=700, silence_thresh=-45, seek_step=10)\nprint(quiet)",
        """
from pathlib import Path

Path("output/151").mkdir(parents=True, exist_ok=True)
edges, start = [], 0
for a, b in quiet:
    if a - start > 300:
        edges.append((start, a))
    start = b
if len(song) - start > 300:
    edges.append((start, len(song)))
for number, (a, b) in enumerate(edges, 1):
    song[a:b].export(f"output/151/part_{number:02}.mp3", format="mp3", bitrate="192k")
print(edges)
""",
    ],
    "answer": "已检测静音并将音频切分，片段保存在 ./output/151/。",
}
WRONG = {
    "equal-parts": {
        "why": "cuts into equal parts wherever they fall",
        "cells": [
            "import os\nfrom pydub import AudioSegment\nos.makedirs('output/151', exist_ok=True)\ns = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nfor i in range(2):\n    s[i * len(s) // 2:(i + 1) * len(s) // 2].export(f'output/151/{i}.mp3', format='mp3')"
        ],
        "answer": "片段保存在 ./output/151/。",
    },
    "one-piece": {
        "why": "asks for pauses so long that it finds none, and saves the whole",
        "cells": [
            "import os\nfrom pydub import AudioSegment\nfrom pydub.silence import split_on_silence\nos.makedirs('output/151', exist_ok=True)\ns = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nfor i, p in enumerate(split_on_silence(s, min_silence_len=9000, silence_thresh=-60, seek_step=50) or [s]):\n    p.export(f'output/151/{i}.mp3', format='mp3')"
        ],
        "answer": "片段保存在 ./output/151/。",
    },
    "first-piece-only": {
        "why": "saves every piece under one name, so that only one is left",
        "cells": [
            "import os\nfrom pydub import AudioSegment\nos.makedirs('output/151', exist_ok=True)\ns = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nfor a, b in ((0, 10000), (12000, 26000), (28500, len(s))):\n    s[a:b].export('output/151/part.mp3', format='mp3')"
        ],
        "answer": "片段保存在 ./output/151/。",
    },
}
