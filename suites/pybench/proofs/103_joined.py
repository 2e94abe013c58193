# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, at one height",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/103.jpeg'), cv2.imread('./data/104.jpeg')
b = cv2.resize(b, (round(b.shape[1] * a.shape[0] / b.shape[0]), a.shape[0]))
cv2.imwrite('./output/103.png', cv2.hconcat([a, b]))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
    "own-sizes": {
        "why": "both at their own sizes on white",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/103.jpeg'), Image.open('./data/104.jpeg')
both = Image.new('RGB', (a.width + b.width, max(a.height, b.height)), 'white')
both.paste(a, (0, 0))
both.paste(b, (a.width, 0))
both.save('./output/103.png')""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
}
NEAR_MISSES = {
    "one-twice": {
        "why": "the first picture twice",
        "cells": [
            """import cv2
a = cv2.imread('./data/103.jpeg')
cv2.imwrite('./output/103.png', cv2.hconcat([a, a]))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
    "blended": {
        "why": "both over each other",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/103.jpeg'), cv2.imread('./data/104.jpeg')
cv2.imwrite('./output/103.png', cv2.addWeighted(a, 0.5, cv2.resize(b, a.shape[1::-1]), 0.5, 0))""",
        ],
        "answer": "Saved as ./output/103.png.",
    },
}
