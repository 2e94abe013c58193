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
