# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "numpy": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/79.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(500) * p.shape[0] // 500][:, np.arange(1000) * p.shape[1] // 1000]).astype(np.uint8)).save('./output/79.png')""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
NEAR_MISSES = {
    "high-for-wide": {
        "why": "500 wide and 1000 high",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', cv2.resize(p, (500, 1000)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
    "negative": {
        "why": "the negative",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/79.jpeg')
cv2.imwrite('./output/79.png', 255 - cv2.resize(p, (1000, 500)))""",
        ],
        "answer": "Saved as ./output/79.png.",
    },
}
