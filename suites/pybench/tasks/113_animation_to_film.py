# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Turn an animated GIF into an MP4."""

from runner.checks import Case

INDEX = "113"
TITLE = "A GIF as a video"
CATEGORY = "image"
OUTPUTS = ["113.mp4"]
NOTE = "Any codec and frame rate; length within a fifth of the animation's, its pictures in their order and colours, in its proportions (a size rounded up to what a codec wants is fine)."


def check(case: Case) -> None:
    from runner.checks.media import films

    films.expect_film_of(case, "113.mp4", case.data / "113.gif")


REFERENCE = {
    "cells": [
        """
from PIL import Image, ImageSequence

animation = Image.open("./data/113.gif")
durations = [frame.info["duration"] for frame in ImageSequence.Iterator(animation)]
print(animation.size, len(durations), set(durations))
""",
        """
import subprocess

done = subprocess.run(
    ["ffmpeg", "-y", "-i", "./data/113.gif", "-movflags", "faststart", "-pix_fmt", "yuv420p",
     "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "./output/113.mp4"],
    capture_output=True, text=True,
)
print(done.returncode, done.stderr[-300:])
""",
    ],
    "answer": "I turned the animation into an MP4 of the same 50 pictures and speed: ./output/113.mp4.",
}
WRONG = {
    "too-fast": {
        "why": "writes thirty pictures a second where the animation shows ten",
        "cells": [
            """
import cv2
import numpy as np
from PIL import Image, ImageSequence

film = cv2.VideoWriter("./output/113.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 30, (500, 500))
for frame in ImageSequence.Iterator(Image.open("./data/113.gif")):
    film.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
film.release()
"""
        ],
        "answer": "The GIF has been converted to a video.",
    },
    "channels-swapped": {
        "why": "gives OpenCV the pictures red-first, so that blue and red change places",
        "cells": [
            """
import cv2
import numpy as np
from PIL import Image, ImageSequence

film = cv2.VideoWriter("./output/113.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 10, (500, 500))
for frame in ImageSequence.Iterator(Image.open("./data/113.gif")):
    film.write(np.asarray(frame.convert("RGB")))
film.release()
"""
        ],
        "answer": "The GIF has been converted to a video.",
    },
    "still": {
        "why": "writes the first picture over and over",
        "cells": [
            """
import cv2
import numpy as np
from PIL import Image

first = np.asarray(Image.open("./data/113.gif").convert("RGB"))[..., ::-1]
film = cv2.VideoWriter("./output/113.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 10, (500, 500))
for _ in range(50):
    film.write(np.ascontiguousarray(first))
film.release()
"""
        ],
        "answer": "The GIF has been converted to a video.",
    },
}
