# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Play an animation backwards, each picture keeping its time, and save its brightest picture."""

from pathlib import Path

import numpy as np

from runner.checks import Case
from runner.checks.inputs import media, scenery
from runner.checks.pictures import images
from runner.checks.text import answers

TITLE = "倒放的动图"
CATEGORY = "image"
LANGUAGE = "zh"
QUERY = """
./data/lamp.gif 是一段动图，每一帧停留的时间各不相同。请完成两件事：
1. 把动图倒过来播放：帧的顺序反转，每一帧仍保持它自己原来的停留时间，尺寸不变，无限循环，保存为 ./output/reversed.gif；
2. 找出整体平均亮度最高的那一帧，按原尺寸保存为 ./output/brightest.png（PNG 格式）。
最后请告诉我：最亮的是原动图中的第几帧（从 1 开始数）。
"""
INPUTS = ["lamp.gif"]
OUTPUTS = ["reversed.gif", "brightest.png"]

WIDTH, HEIGHT = 160, 120
DURATIONS_MS = [60, 90, 120, 150, 200, 260, 320, 400]
GLOW = [0.35, 0.5, 0.62, 0.75, 0.86, 1.0, 1.12, 1.3]


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    room = scenery.landscape(rng, WIDTH, HEIGHT).astype(float) * 0.6
    glow = shuffled(rng, GLOW)
    frames = [np.clip(room * strength, 0, 255).astype(np.uint8) for strength in glow]
    for index, frame in enumerate(frames):
        left = 8 + index * 17
        frame[96:112, left : left + 12] = (250, 210, 40)  # a mark that walks to the right
    durations = shuffled(rng, DURATIONS_MS)
    media.write_gif(data / "lamp.gif", frames, durations)
    return {"brightest": int(np.argmax(glow)) + 1}


def shuffled(rng: np.random.Generator, values: list) -> list:
    """The values in an order that does not read the same backwards, extremes not at an end."""
    while True:
        order = [values[index] for index in rng.permutation(len(values))]
        ends = {order[0], order[-1]}
        if order != order[::-1] and not ends & {max(values), min(values)}:
            return order


def check(case: Case) -> None:
    expected = images.load_frames(case.data / "lamp.gif")[::-1]
    check_animation(case, expected)
    check_brightest(case, max((frame.pixels for frame in expected), key=np.mean))
    brightest = case.parameters["brightest"]
    answers.number_near(case, ["最亮", "亮度最高", "最高"], brightest, 0)


def check_animation(case: Case, expected: list) -> None:
    name = "reversed.gif"
    frames = images.read_animation(case, name, "GIF")
    case.demand(
        "frames",
        len(frames) == len(expected),
        expected=len(expected),
        actual=len(frames),
        file=name,
    )
    images.require_size(case, frames[0].pixels, WIDTH, HEIGHT, name)
    for number, (frame, wanted) in enumerate(zip(frames, expected, strict=True), 1):
        images.expect_alike(case, f"frame {number}", frame.pixels, wanted.pixels, 5, name)
    durations = [frame.duration_ms for frame in frames]
    wanted_ms = [frame.duration_ms for frame in expected]
    close = all(abs(a - b) <= 10 for a, b in zip(durations, wanted_ms, strict=True))
    case.expect("durations in ms", close, expected=wanted_ms, actual=durations, file=name)
    loops = images.loops_forever(case, name)
    case.expect("endless loop", loops, expected=True, actual=loops, file=name)


def check_brightest(case: Case, expected) -> None:
    name = "brightest.png"
    actual = images.read(case, name, "PNG")
    images.require_size(case, actual, WIDTH, HEIGHT, name)
    images.expect_alike(case, "brightest frame", actual, expected, 2, name)


REFERENCE = {
    "cells": [
        "from PIL import Image, ImageSequence\n"
        "import numpy as np\n"
        "gif = Image.open('./data/lamp.gif')\n"
        "frames, durations = [], []\n"
        "for frame in ImageSequence.Iterator(gif):\n"
        "    frames.append(frame.convert('RGB'))\n"
        "    durations.append(frame.info['duration'])\n"
        "print(gif.size, len(frames), durations, gif.info.get('loop'))",
        "light = [np.asarray(f.convert('L')).mean() for f in frames]\n"
        "best = int(np.argmax(light))\n"
        "print([round(v, 1) for v in light])\n"
        "frames[best].save('./output/brightest.png')\n"
        "print('brightest_frame:', best + 1)",
        "back, times = frames[::-1], durations[::-1]\n"
        "back[0].save('./output/reversed.gif', save_all=True, append_images=back[1:], duration=times, loop=0)\n"
        "again = Image.open('./output/reversed.gif')\n"
        "print(again.n_frames, [f.info['duration'] for f in ImageSequence.Iterator(again)])",
    ],
    "answer": "倒放的动图保存为 ./output/reversed.gif；最亮的是原动图的第 «brightest_frame» 帧，已保存为 ./output/brightest.png。",
}
WRONG = {
    "times-not-moved": {
        "why": "reverses the frames but leaves the durations in their old order",
        "cells": [
            "from PIL import Image, ImageSequence\n"
            "import numpy as np\n"
            "gif = Image.open('./data/lamp.gif')\n"
            "frames, times = [], []\n"
            "for f in ImageSequence.Iterator(gif):\n"
            "    frames.append(f.convert('RGB')); times.append(f.info['duration'])\n"
            "best = int(np.argmax([np.asarray(f).mean() for f in frames]))\n"
            "frames[best].save('./output/brightest.png')\n"
            "back = frames[::-1]\n"
            "back[0].save('./output/reversed.gif', save_all=True, append_images=back[1:], duration=times, loop=0)\n"
            "print('brightest_frame:', best + 1)"
        ],
        "answer": "已倒放并保存。最亮的是第 «brightest_frame» 帧。",
    },
    "counted-from-zero": {
        "why": "gives the frame's index from 0",
        "cells": [
            "from PIL import Image, ImageSequence\n"
            "import numpy as np\n"
            "gif = Image.open('./data/lamp.gif')\n"
            "frames, times = [], []\n"
            "for f in ImageSequence.Iterator(gif):\n"
            "    frames.append(f.convert('RGB')); times.append(f.info['duration'])\n"
            "best = int(np.argmax([np.asarray(f).mean() for f in frames]))\n"
            "frames[best].save('./output/brightest.png')\n"
            "frames[-1].save('./output/reversed.gif', save_all=True, append_images=frames[-2::-1], duration=times[::-1], loop=0)\n"
            "print('brightest_frame:', best)"
        ],
        "answer": "已保存 reversed.gif 和 brightest.png。最亮的是第 «brightest_frame» 帧。",
    },
    "darkest": {
        "why": "saves the darkest frame instead of the brightest",
        "cells": [
            "from PIL import Image, ImageSequence\n"
            "import numpy as np\n"
            "gif = Image.open('./data/lamp.gif')\n"
            "frames, times = [], []\n"
            "for f in ImageSequence.Iterator(gif):\n"
            "    frames.append(f.convert('RGB')); times.append(f.info['duration'])\n"
            "order = np.argsort([np.asarray(f).mean() for f in frames])\n"
            "frames[order[0]].save('./output/brightest.png')\n"
            "frames[-1].save('./output/reversed.gif', save_all=True, append_images=frames[-2::-1], duration=times[::-1], loop=0)\n"
            "print('brightest_frame:', order[0] + 1)"
        ],
        "answer": "倒放完成。最亮的是第 «brightest_frame» 帧。",
    },
}
