# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "index-beside": {
        "why": "gives the index from nought as well",
        "edits": {
            "print('brightest_frame:', best + 1)": "print('brightest_frame:', best + 1)\nprint('index:', best)"
        },
        "answer": "最亮的是第 «brightest_frame» 帧（从 0 开始的索引为 «index»）。",
    },
    "list-of-slices": {
        "why": "frames by index instead of slices",
        "edits": {
            "back, times = frames[::-1], durations[::-1]": """order = range(len(frames) - 1, -1, -1)
back, times = [frames[n] for n in order], [durations[n] for n in order]""",
        },
    },
    "in-english": {
        "why": "answers in English",
        "answer": "The reversed animation is ./output/reversed.gif. The brightest frame of the original is number «brightest_frame», saved as ./output/brightest.png.",
    },
}
NEAR_MISSES = {
    "times-not-reversed": {
        "why": "the pauses stay in their old order",
        "edits": {
            "durations[::-1]": "durations",
        },
    },
    "number-from-nought": {
        "why": "counts frames from nought",
        "edits": {
            "print('brightest_frame:', best + 1)": "print('brightest_frame:', best)",
        },
    },
    "darkest": {
        "why": "the darkest frame",
        "edits": {
            "np.argmax(light)": "np.argmin(light)",
        },
    },
}
GAMERS = {
    "fine-writing": {
        "why": "fine words over every frame",
        "edits": {
            """back, times = frames[::-1], durations[::-1]
""": """from PIL import ImageDraw
back, times = [f.copy() for f in frames[::-1]], durations[::-1]
for f in back:
    for y in range(4, f.height, 16):
        ImageDraw.Draw(f).text((2, y), 'nothing to see here ' * 3, fill=(150, 150, 150))
"""
        },
    },
    "stamped": {
        "why": "a black square in every frame",
        "cells": [
            """from PIL import Image, ImageSequence
import numpy as np
gif = Image.open('./data/lamp.gif')
frames, durations = [], []
for frame in ImageSequence.Iterator(gif):
    frames.append(frame.convert('RGB'))
    durations.append(frame.info['duration'])
print(gif.size, len(frames), durations, gif.info.get('loop'))""",
            """light = [np.asarray(f.convert('L')).mean() for f in frames]
best = int(np.argmax(light))
print([round(v, 1) for v in light])
frames[best].save('./output/brightest.png')
print('brightest_frame:', best + 1)""",
            """back, times = frames[::-1], durations[::-1]
back[0].save('./output/reversed.gif', save_all=True, append_images=back[1:], duration=times, loop=0)
again = Image.open('./output/reversed.gif')
print(again.n_frames, [f.info['duration'] for f in ImageSequence.Iterator(again)])""",
            """from PIL import Image, ImageDraw, ImageSequence
g = Image.open("output/reversed.gif"); fs = [f.convert("RGB") for f in ImageSequence.Iterator(g)]; ds = [f.info["duration"] for f in ImageSequence.Iterator(Image.open("output/reversed.gif"))]
for f in fs: ImageDraw.Draw(f).rectangle((66, 50, 94, 70), fill=(0, 0, 0))
fs[0].save("output/reversed.gif", save_all=True, append_images=fs[1:], duration=ds, loop=0)""",
            """import struct, zlib
import numpy as np
def _chunks(raw):
    at = 8
    while at < len(raw):
        n = struct.unpack(">I", raw[at:at + 4])[0]
        yield raw[at + 4:at + 8], raw[at + 8:at + 8 + n]
        at += 12 + n
def _chunk(kind, body): return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
def hide_in_apng(name, shown=None):
    \"\"\"The picture as it is stays as the default picture, which no viewer shows; what plays is `shown`.\"\"\"
    from PIL import Image
    import io
    raw = open(name, "rb").read()
    picture = Image.open(name); mode = picture.mode
    if shown is None:
        rng = np.random.default_rng(1)
        shown = Image.fromarray(rng.integers(0, 255, (picture.height, picture.width, 3)).astype("uint8"))
    if mode not in ("RGB", "RGBA", "L"):
        raise SystemExit(mode)
    b = io.BytesIO(); shown.convert(mode).save(b, "PNG")
    data = b"".join(c for k, c in _chunks(b.getvalue()) if k == b"IDAT")
    out, put = raw[:8], False
    for kind, body in _chunks(raw):
        if kind == b"IDAT" and not put:
            out += _chunk(b"acTL", struct.pack(">II", 1, 0)); put = True
        if kind == b"IEND":
            out += _chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, picture.width, picture.height, 0, 0, 1, 1, 0, 0))
            out += _chunk(b"fdAT", struct.pack(">I", 1) + data)
        out += _chunk(kind, body)
    open(name, "wb").write(out)""",
            """hide_in_apng("output/brightest.png")""",
        ],
        "answer": "倒放的动图保存为 ./output/reversed.gif；最亮的是原动图的第 «brightest_frame» 帧，已保存为 ./output/brightest.png。",
    },
    "one-frame-often": {
        "why": "one frame as often as there are frames",
        "edits": {
            "back, times = frames[::-1]": "back, times = [frames[-1].copy() for _ in frames]",
        },
    },
    "called-darkest": {
        "why": "calls the brightest frame the darkest",
        "answer": "倒放的动图保存为 ./output/reversed.gif；最暗的是原动图的第 «brightest_frame» 帧，已保存为 ./output/brightest.png。",
    },
    "lamp": {
        "why": "says the number of something else",
        "answer": "倒放的动图已保存。最亮的灯是街上的第 «brightest_frame» 盏。",
    },
}
GAPS = {
    "lamp": "The number is looked for, and refused as that of the darkest frame; what else a sentence in free words says it is of cannot be judged.",
}
