# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn an animated GIF into an MP4."""

from runner.checks import Case

INDEX = "114"
TITLE = "动图转为 mp4"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["114.mp4"]
NOTE = "Any codec and frame rate; length within a fifth of the animation's, its pictures in their order and colours, in its proportions (a size rounded up to what a codec wants is fine)."


def check(case: Case) -> None:
    from runner.checks.media import films

    films.expect_film_of(case, "114.mp4", case.data / "114.gif")


REFERENCE = {
    "cells": [
        """
from PIL import Image, ImageSequence

animation = Image.open("./data/114.gif")
durations = [frame.info["duration"] for frame in ImageSequence.Iterator(animation)]
print(animation.size, len(durations), set(durations))
""",
        """
import cv2
import numpy as np

rate = 1000 / durations[0]
film = cv2.VideoWriter("./output/114.mp4", cv2.VideoWriter_fourcc(*"mp4v"), rate, animation.size)
for frame in ImageSequence.Iterator(animation):
    film.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
film.release()
""",
    ],
    "answer": "动图已转为 mp4 视频，画面与播放速度不变，保存为 ./output/114.mp4。",
}
WRONG = {
    "too-fast": {
        "why": "writes thirty pictures a second where the animation shows ten",
        "cells": [
            """
import cv2
import numpy as np
from PIL import Image, ImageSequence

film = cv2.VideoWriter("./output/114.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 30, (500, 500))
for frame in ImageSequence.Iterator(Image.open("./data/114.gif")):
    film.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
film.release()
"""
        ],
        "answer": "已转为 mp4 视频。",
    },
    "channels-swapped": {
        "why": "gives OpenCV the pictures red-first, so that blue and red change places",
        "cells": [
            """
import cv2
import numpy as np
from PIL import Image, ImageSequence

film = cv2.VideoWriter("./output/114.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 10, (500, 500))
for frame in ImageSequence.Iterator(Image.open("./data/114.gif")):
    film.write(np.asarray(frame.convert("RGB")))
film.release()
"""
        ],
        "answer": "已转为 mp4 视频。",
    },
    "avi-inside": {
        "why": "writes an AVI file and gives it a name that ends in .mp4",
        "cells": [
            """
import os

import cv2
import numpy as np
from PIL import Image, ImageSequence

film = cv2.VideoWriter("film.avi", cv2.VideoWriter_fourcc(*"XVID"), 10, (500, 500))
for frame in ImageSequence.Iterator(Image.open("./data/114.gif")):
    film.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
film.release()
os.replace("film.avi", "./output/114.mp4")
"""
        ],
        "answer": "已转为 mp4 视频。",
    },
}
