# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "explained": {
        "why": "counts before it concludes",
        "answer": "The scene lasts some 5 min. Of the subtitles 9 vanished with it, so «left» are left.",
    },
    "milliseconds": {
        "why": "whole milliseconds, line ends of Windows, a byte-order mark",
        "cells": [
            """
import re
def ms(t):
    h, m, s, f = map(int, re.split('[:,]', t.strip()))
    return ((h * 60 + m) * 60 + s) * 1000 + f
def clock(v):
    s, f = divmod(v, 1000)
    return f'{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d},{f:03d}'
a, b = ms('«start»'), ms('«end»')
move = lambda v: v if v <= a else a if v <= b else v - (b - a)
out = []
for block in re.split('\\n\\n+', open('data/film.srt', encoding='utf-8-sig').read().strip()):
    _, times, *text = block.split('\\n')
    x, y = map(ms, times.split('-->'))
    if a <= x and y <= b:
        continue
    out.append((move(x), move(y), text))
with open('output/film.srt', 'w', encoding='utf-8-sig', newline='\\r\\n') as f:
    for n, (x, y, text) in enumerate(out, 1):
        f.write(f'{n}\\n{clock(x)} --> {clock(y)}\\n' + '\\n'.join(text) + '\\n\\n')
print('left:', len(out))
"""
        ],
        "answer": "**«left» subtitles** remain in the new cut.",
    },
    "of-so-many": {
        "why": "gives the number before and the number dropped as well",
        "edits": {
            'print(f"left: {len(kept)}")': 'before = open("data/film.srt", encoding="utf-8").read().count(" --> ")\nprint(f"left: {len(kept)}")\nprint(f"before: {before}")\nprint(f"gone: {before - len(kept)}")'
        },
        "answer": "The original had «before» subtitles; «gone» were dropped, so «left» subtitles are left.",
    },
    "no-last-line": {
        "why": "no line end at the end",
        "edits": {'"\\n".join(kept))': '"\\n".join(kept).strip())'},
        "answer": "Subtitles left: «left»",
    },
    "bold": {
        "why": "in a longer text",
        "answer": "I removed the scene and shifted what follows.\n\n**Result:** «left» subtitles remain in `output/film.srt`.",
    },
    "in-words-of-files": {
        "why": "file first, number last",
        "answer": "The new file `output/film.srt` is ready; number of subtitles left: «left».",
    },
}
NEAR_MISSES = {
    "from-nought": {"why": "numbers from 0", "edits": {"{len(kept) + 1}\\n": "{len(kept)}\\n"}},
    "points": {
        "why": "a point before the milliseconds",
        "edits": {'"%H:%M:%S,%f")[:-3]': '"%H:%M:%S.%f")[:-3]'},
    },
    "not-shifted": {
        "why": "does not move what follows",
        "edits": {
            "max(begin, end) - (end - start)": "max(begin, end)",
            "max(stop, end) - (end - start)": "max(stop, end)",
        },
    },
    "number-before": {
        "why": "gives the number of the old cut",
        "edits": {
            'print(f"left: {len(kept)}")': 'print("left:", open("data/film.srt", encoding="utf-8").read().count(" --> "))'
        },
    },
    "lines-joined": {
        "why": "joins the lines of each text",
        "edits": {"kept.append(": 'text = text.replace("\\n", " ")\n    kept.append('},
    },
    "old-numbers": {
        "why": "keeps the old numbers",
        "edits": {
            "_, times, text = block": "number, times, text = block",
            "{len(kept) + 1}\\n": "{number}\\n",
        },
    },
    "last-first": {
        "why": "the last subtitle first",
        "edits": {'"\\n".join(kept)': '"\\n".join(kept[::-1])'},
    },
    "a-second-late": {
        "why": "all that follows a second late",
        "edits": {"max(begin, end) - (end - start)": "max(begin, end) - (end - start) * 0.99"},
    },
    "dropped-counted": {
        "why": "says how many were dropped",
        "edits": {
            'print(f"left: {len(kept)}")': 'print("left:", open("data/film.srt", encoding="utf-8").read().count(" --> ") - len(kept))'
        },
    },
    "texts-upper": {
        "why": "texts in capitals",
        "edits": {"kept.append(": "text = text.upper()\n    kept.append("},
    },
    "from-scene-on": {
        "why": "shifts what stands before the scene",
        "edits": {
            "if begin >= start:\n        begin = max(begin, end) - (end - start)": "begin = max(begin, end) - (end - start) if begin >= start else begin + (end - start)"
        },
    },
    "or-so": {
        "why": "two numbers",
        "edits": {
            'print(f"left: {len(kept)}")': 'print(f"left: {len(kept)}")\nprint(f"other: {len(kept) + 2}")'
        },
        "answer": "«left» or «other» subtitles are left.",
    },
    "edges-cut-away": {
        "why": "drops what was shown partly during the scene",
        "edits": {"if begin >= start and stop <= end:": "if begin < end and stop > start:"},
    },
    "overlap-kept-whole": {
        "why": "keeps the whole time of what was shown partly",
        "edits": {
            "        stop = max(stop, end) - (end - start)": "        stop = stop - (end - start) if begin > start else stop"
        },
    },
}
