# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Two songs one after the other, the first faded out."""

from runner.checks import Case
from runner.checks.media import sound_comparison

INDEX = "147"
TITLE = "拼接两段音频并淡出"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["147.mp3"]
NOTE = "Either order is right; the first song's end must fade, with or without the second coming in over it, for up to fifteen seconds."

MOST_SOFTER_DB = 12.0


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
    songs = [
        sound_comparison.load(case.data / name)
        for name in ("Ghostrifter Official - Serenity.mp3", "Ghostrifter Official - Haze.wav")
    ]
    made = sound_comparison.read(case, "147.mp3", "mp3")
    first, second = min(
        (songs, songs[::-1]),
        key=lambda pair: (
            -sound_comparison.likeness(*sound_comparison.align(made.part(0, 5), pair[0].part(0, 5)))
        ),
    )
    start = second.seconds / 3
    place, alike = sound_comparison.find(second.part(start, start + 6), made.samples)
    begins = place / sound_comparison.RATE - start
    overlap = first.seconds - begins
    case.expect(
        "the first song at the beginning",
        sound_comparison.find(first.part(1, 6), made.part(0, 8))[1] >= 0.9,
        "its first seconds",
        file="147.mp3",
    )
    case.expect(
        "the second song after it",
        alike >= 0.9 and -3 <= overlap <= 15,
        f"at {first.seconds:.1f} s or up to 15 s sooner",
        f"at {begins:.1f} s (likeness {alike:.2f})",
        "147.mp3",
        "147.mp3 does not hold the second song after the first.",
    )
    total = begins + second.seconds
    case.expect(
        "nothing is cut off",
        abs(made.seconds - total) <= 1.0,
        f"{total:.1f} s",
        f"{made.seconds:.1f} s",
        "147.mp3",
    )
    expect_loud(case, songs, made, sounding_parts(first, second, begins))
    expect_fade(case, first, made, min(begins, first.seconds) if overlap < 0.5 else first.seconds)


def sounding_parts(first: object, second: object, begins: float) -> list:
    """(song, second in it, second in the result) of the parts that sound outside of the fade."""
    parts = [(first, t, t) for t in range(0, int(min(begins, first.seconds) - 7), 2)]
    parts += [(second, t, t + begins) for t in range(4, int(second.seconds) - 3, 2)]
    return [
        one for one in parts if sound_comparison.level_db(one[0].part(one[1], one[1] + 2)) > -45
    ]


def expect_loud(case: Case, songs: list, made: object, parts: list) -> None:
    """Neither song is much softer than it was."""
    quiet_at = [
        at
        for song, t, at in parts
        if sound_comparison.level_db(made.part(at, at + 2))
        < sound_comparison.level_db(song.part(t, t + 2)) - 18
    ]
    case.expect(
        "both as loud as they were",
        not quiet_at,
        "but for the fade",
        f"much softer at {', '.join(f'{t:.0f}' for t in quiet_at[:4])} s" if quiet_at else "so",
        "147.mp3",
        "147.mp3 is much softer than the songs, or silent, where nothing need fade.",
    )
    for song in songs:
        off = [
            sound_comparison.level_db(made.part(at, at + 2))
            - sound_comparison.level_db(own.part(t, t + 2))
            for own, t, at in parts
            if own is song
        ]
        usual = sorted(off)[len(off) // 2] if off else 0.0
        case.expect(
            "as loud as it was, mostly",
            usual >= -MOST_SOFTER_DB,
            f"{MOST_SOFTER_DB:g} dB softer at most",
            f"{usual:+.0f} dB",
            "147.mp3",
            f"147.mp3 has one of the songs at {usual:+.0f} dB of its level: it is hardly heard.",
        )


def expect_fade(case: Case, first: object, made: object, end: float) -> None:
    """The first song fades before `end`."""
    quiet = []
    for back in (3.0, 2.0, 1.0, 0.3):
        given, found = (
            first.part(end - back, end - back + 0.3),
            made.part(end - back, end - back + 0.3),
        )
        quiet.append(sound_comparison.gain(found, given))
    loud = sound_comparison.level_db(first.part(end - 1.0, end)) > -45
    case.expect(
        "its end fades",
        not loud or (quiet[-1] < 0.6 and quiet[-1] <= quiet[0] + 0.1),
        "the last half second well below the song's level",
        ", ".join(f"{q:.2f}" for q in quiet),
        "147.mp3",
        "The first song in 147.mp3 does not fade before the second.",
    )


REFERENCE = {
    "cells": [
        "from pydub import AudioSegment\nfirst = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')\nsecond = AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')\nprint(len(first), len(second), first.frame_rate, second.frame_rate)",
        "joined = first.fade_out(3000) + second\njoined.export('output/147.mp3', format='mp3', bitrate='192k')\nprint(len(joined))",
    ],
    "answer": "两段音频已拼接，第一段结尾淡出 3 秒，保存到 ./output/147.mp3。",
}
WRONG = {
    "hard-cut": {
        "why": "joins the songs without any fade",
        "cells": [
            "from pydub import AudioSegment\n(AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3') + AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).export('output/147.mp3', format='mp3')"
        ],
        "answer": "已保存到 ./output/147.mp3。",
    },
    "laid-over": {
        "why": "lays one song over the other",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').overlay(AudioSegment.from_file('data/Ghostrifter Official - Haze.wav')).fade_out(3000).export('output/147.mp3', format='mp3')"
        ],
        "answer": "已保存到 ./output/147.mp3。",
    },
    "second-lost": {
        "why": "fades the first song and forgets the second",
        "cells": [
            "from pydub import AudioSegment\nAudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3').fade_out(3000).export('output/147.mp3', format='mp3')"
        ],
        "answer": "已保存到 ./output/147.mp3。",
    },
}
