# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/82.jpeg', '-vf', 'vflip,hflip', '-pix_fmt', 'rgb24', 'output/82.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/82.jpeg')
cv2.imwrite('./output/82.png', cv2.flip(p, 0))""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
    "half-turn": {
        "why": "turned by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
}
NEAR_MISSES = {
    "channels": {
        "why": "upside down with red and blue exchanged",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, :, ::-1]).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
    "half-of-it": {
        "why": "the upper half alone upside down",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/82.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.vstack([p[: len(p) // 2][::-1], p[len(p) // 2 :]])).astype(np.uint8)).save('./output/82.png')""",
        ],
        "answer": "Saved as ./output/82.png.",
    },
}
LEFT_OUT = {
    "reverse-order": "upside down is a flip or a half turn, which is its mirror image",
}
