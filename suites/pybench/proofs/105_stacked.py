# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, at one width",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/105.jpeg'), cv2.imread('./data/106.jpeg')
b = cv2.resize(b, (a.shape[1], round(b.shape[0] * a.shape[1] / b.shape[1])))
cv2.imwrite('./output/105.png', cv2.vconcat([a, b]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
    "own-sizes": {
        "why": "both at their own sizes on white",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/105.jpeg'), Image.open('./data/106.jpeg')
both = Image.new('RGB', (max(a.width, b.width), a.height + b.height), 'white')
both.paste(a, (0, 0))
both.paste(b, (0, a.height))
both.save('./output/105.png')""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
}
NEAR_MISSES = {
    "side-by-side": {
        "why": "side by side",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/105.jpeg'), cv2.imread('./data/106.jpeg')
cv2.imwrite('./output/105.png', cv2.hconcat([a, cv2.resize(b, a.shape[1::-1])]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
    "one-twice": {
        "why": "one picture twice",
        "cells": [
            """import cv2
a = cv2.imread('./data/105.jpeg')
cv2.imwrite('./output/105.png', cv2.vconcat([a, a]))""",
        ],
        "answer": "Saved as ./output/105.png.",
    },
}
