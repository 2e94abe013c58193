# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Bring a film's subtitles in line with a cut that lacks one scene."""

import random
from dataclasses import replace
from pathlib import Path

from runner.checks import Case
from runner.checks.media import subtitles
from runner.checks.text import answers

TITLE = "Subtitles for a shorter cut"
CATEGORY = "text"
QUERY = """
./data/film.srt holds the subtitles of a film. In the new cut the scene from «start» to «end» is gone, and all that follows comes earlier by the length of the scene.

Please save the subtitles for the new cut as ./output/film.srt, in the same format. A subtitle that was shown only during the scene goes. One that was shown partly during the scene stays, for the part of its time that lies outside the scene. The texts stay as they are, and the subtitles are numbered anew from 1.

In your final answer, say how many subtitles are left.
"""
INPUTS = ["film.srt"]
OUTPUTS = ["film.srt"]

OPENINGS = ["Wait.", "No, listen.", "Sorry?", "I know.", "Come in.", "Ana!", "Not now.", "Well…"]
LINES = [
    "We leave at six, all of us.", "Did you lock the back door?", "He was here <i>yesterday</i>.",
    "I never asked for the boat.", "There are two keys, not one.", "You said the road was closed.",
    "Put it next to the radio.", "Nobody has lived here since May.", "It was Zoë who called.",
    "Then who paid the rent?", "Take the coat, it will snow.", "That is not my handwriting.",
    "Ask them again tomorrow.", "She sold the house in spring.", "The train stops for a minute.",
]  # fmt: skip
COUNTDOWN = ["3", "2", "1"]  # texts that look like a subtitle's number


def make_inputs(seed: int, data: Path) -> dict:
    from runner.checks.inputs import build

    rng = random.Random(seed)
    texts = [spoken(rng) for _ in range(rng.randint(130, 160))]
    countdown = rng.randint(20, 40)
    texts[countdown : countdown + 3] = COUNTDOWN
    moment, shown = rng.randint(40_000, 90_000), []
    for number, text in enumerate(texts, 1):
        lasts = rng.randint(1500, 4200)
        shown.append(subtitles.Subtitle(moment, moment + lasts, text, number))
        moment += lasts + rng.randint(80, 50_000)
    first = rng.randint(55, 75)
    last = first + rng.randint(7, 12)
    blocks = [f"{s.number}\n{s.times}\n{s.text}\n" for s in shown]
    build.write_text(data / "film.srt", "\n".join(blocks))
    return {
        "start": subtitles.clock(shown[first].begin_ms + rng.randint(400, 1000)),
        "end": subtitles.clock(shown[last].end_ms - rng.randint(400, 1000)),
    }


def spoken(rng: random.Random) -> str:
    line = rng.choice(LINES)
    return rng.choice([line, f"{rng.choice(OPENINGS)}\n{line}", f"- {line}\n- {rng.choice(LINES)}"])


def check(case: Case) -> None:
    start, end = (subtitles.to_ms(case.parameters[name]) for name in ("start", "end"))

    def moved(ms: int) -> int:
        return ms if ms <= start else max(start, ms - (end - start))

    source = subtitles.parse((case.data / "film.srt").read_text("utf-8"))
    clipped = [replace(s, begin_ms=moved(s.begin_ms), end_ms=moved(s.end_ms)) for s in source]
    expected = [s for s in clipped if s.begin_ms < s.end_ms]
    found = subtitles.read(case, "film.srt")
    subtitles.expect_same(case, found, expected, "film.srt")
    answers.number_near(case, ["left", "remain", "subtitles"], len(expected), 0, concludes=True)


REFERENCE = {
    "cells": [
        """
print(open("data/film.srt", encoding="utf-8").read()[:1500])
""",
        r"""
from datetime import datetime


def parse(text):
    return datetime.strptime("2000-01-01 " + text, "%Y-%m-%d %H:%M:%S,%f")


def show(moment):
    return moment.strftime("%H:%M:%S,%f")[:-3]


start, end = parse("«start»"), parse("«end»")
kept = []
for block in open("data/film.srt", encoding="utf-8").read().strip().split("\n\n"):
    _, times, text = block.split("\n", 2)
    begin, stop = map(parse, times.split(" --> "))
    if begin >= start and stop <= end:
        continue
    if begin >= start:
        begin = max(begin, end) - (end - start)
    if stop > start:
        stop = max(stop, end) - (end - start)
    kept.append(f"{len(kept) + 1}\n{show(begin)} --> {show(stop)}\n{text}\n")
with open("output/film.srt", "w", encoding="utf-8") as stream:
    stream.write("\n".join(kept))
print(f"left: {len(kept)}")
""",
    ],
    "answer": "«left» subtitles are left; I saved them as output/film.srt.",
}
WRONG = {
    "touched-are-dropped": {
        "why": "drops also what was shown partly during the scene",
        "cells": [
            r"""
import re


def parse(text):
    hours, minutes, seconds, ms = map(int, re.split("[:,]", text))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def show(ms):
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"


start, end = parse("«start»"), parse("«end»")
kept = []
for block in open("data/film.srt", encoding="utf-8").read().strip().split("\n\n"):
    _, times, text = block.split("\n", 2)
    begin, stop = map(parse, times.split(" --> "))
    if stop <= start:
        pass
    elif begin >= end:
        begin, stop = begin - (end - start), stop - (end - start)
    else:
        continue
    kept.append(f"{len(kept) + 1}\n{show(begin)} --> {show(stop)}\n{text}\n")
open("output/film.srt", "w", encoding="utf-8").write("\n".join(kept))
print(f"left: {len(kept)}")
"""
        ],
        "answer": "«left» subtitles are left.",
    },
    "edges-not-clipped": {
        "why": "shifts what begins after the scene, but clips nothing at its edges",
        "cells": [
            r"""
import re


def parse(text):
    hours, minutes, seconds, ms = map(int, re.split("[:,]", text))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def show(ms):
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"


start, end = parse("«start»"), parse("«end»")
kept = []
for block in open("data/film.srt", encoding="utf-8").read().strip().split("\n\n"):
    _, times, text = block.split("\n", 2)
    begin, stop = map(parse, times.split(" --> "))
    if begin >= start and stop <= end:
        continue
    if begin >= start:
        begin, stop = begin - (end - start), stop - (end - start)
    kept.append(f"{len(kept) + 1}\n{show(begin)} --> {show(stop)}\n{text}\n")
open("output/film.srt", "w", encoding="utf-8").write("\n".join(kept))
print(f"left: {len(kept)}")
"""
        ],
        "answer": "«left» subtitles are left.",
    },
    "every-number-is-a-number": {
        "why": "numbers every line of digits anew, also those of the countdown",
        "cells": [
            r"""
import re


def parse(text):
    hours, minutes, seconds, ms = map(int, re.split("[:,]", text))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def show(ms):
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"


def moved(ms):
    return ms if ms <= start else max(start, ms - end + start)


start, end = parse("«start»"), parse("«end»")
kept = []
for block in open("data/film.srt", encoding="utf-8").read().strip().split("\n\n"):
    number, times, text = block.split("\n", 2)
    begin, stop = (moved(parse(t)) for t in times.split(" --> "))
    if begin < stop:
        kept.append(f"{number}\n{show(begin)} --> {show(stop)}\n{text}\n")
place = 0
lines = []
for line in "\n".join(kept).split("\n"):
    if line.isdigit():
        place += 1
        line = str(place)
    lines.append(line)
open("output/film.srt", "w", encoding="utf-8").write("\n".join(lines))
print(f"left: {len(kept)}")
"""
        ],
        "answer": "«left» subtitles are left.",
    },
}
