# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "half-size": {
        "why": "the upper picture at half the width, in a corner",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/107.jpeg').convert('RGB'), Image.open('./data/108.jpeg').convert('RGB')
b = b.resize((a.width // 2, round(b.height * a.width / 2 / b.width)))
a.paste(b, (0, 0))
a.save('./output/107.png')""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
    "see-through": {
        "why": "half see-through by OpenCV",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/107.jpeg'), cv2.imread('./data/108.jpeg')
cv2.imwrite('./output/107.png', cv2.addWeighted(a, 0.5, cv2.resize(b, a.shape[1::-1]), 0.5, 0))""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
}
NEAR_MISSES = {
    "wrong-one-above": {
        "why": "the first picture above the second",
        "cells": [
            """from PIL import Image
a, b = Image.open('./data/107.jpeg').convert('RGB'), Image.open('./data/108.jpeg').convert('RGB')
a = a.resize((b.width // 2, round(a.height * b.width / 2 / a.width)))
b.paste(a, (0, 0))
b.save('./output/107.png')""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
    "side-by-side": {
        "why": "side by side",
        "cells": [
            """import cv2
a, b = cv2.imread('./data/107.jpeg'), cv2.imread('./data/108.jpeg')
cv2.imwrite('./output/107.png', cv2.hconcat([a, cv2.resize(b, a.shape[1::-1])]))""",
        ],
        "answer": "Saved as ./output/107.png.",
    },
}
