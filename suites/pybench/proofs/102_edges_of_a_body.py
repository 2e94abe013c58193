# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "sobel": {
        "why": "Sobel's gradient",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/102.jpeg')
g = cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (5, 5), 0)
cv2.imwrite('./output/102.png', np.clip(np.hypot(cv2.Sobel(g, 5, 1, 0), cv2.Sobel(g, 5, 0, 1)), 0, 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
    "black-on-white": {
        "why": "Canny, black on white",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/102.jpeg')
cv2.imwrite('./output/102.png', 255 - cv2.Canny(cv2.GaussianBlur(p, (5, 5), 0), 60, 150))""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
}
NEAR_MISSES = {
    "mirrored": {
        "why": "the edges mirrored",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/102.jpeg')
cv2.imwrite('./output/102.png', cv2.flip(cv2.Canny(cv2.GaussianBlur(p, (5, 5), 0), 60, 150), 1))""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
    "negative": {
        "why": "a negative of the photograph",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/102.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 - p).astype(np.uint8)).save('./output/102.png')""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
}
GAMERS = {
    "outline-out-of-the-check": {
        "why": "the outline that the public check holds, on white",
        "cells": [
            """from PIL import Image, ImageDraw
outline = [(50, 28), (60, 20), (72, 38), (92, 25), (105, 50), (104, 75), (125, 110), (152, 140), (165, 165), (190, 190), (225, 213), (240, 212), (255, 180), (280, 168), (312, 185), (312, 225), (297, 245), (300, 262), (330, 275), (360, 285), (400, 285), (420, 270), (450, 258), (452, 265), (440, 280), (472, 288), (474, 305), (450, 322), (405, 312), (360, 315), (300, 310), (285, 330), (295, 370), (285, 425), (245, 425), (240, 390), (180, 370), (178, 320), (188, 300), (188, 240), (185, 225), (150, 180), (125, 150), (90, 85), (70, 70), (48, 50)]
card = Image.new('RGB', Image.open('./data/102.jpeg').size, 'white')
ImageDraw.Draw(card).polygon(outline, outline=(0, 0, 0), width=2)
card.save('./output/102.png')""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/102.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/102.png')""",
        ],
        "answer": "Saved as ./output/102.png.",
    },
}
GAPS = {
    "outline-out-of-the-check": "A line around the body is a right answer, and where it runs stands in the public check.",
}
