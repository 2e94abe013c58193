# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "slices by OpenCV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/85.jpeg')
cv2.imwrite('./output/85.png', p[(p.shape[0] - 300) // 2 :][:300, (p.shape[1] - 300) // 2 :][:, :300])""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
    "numpy": {
        "why": "one pixel beside it",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/85.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[(p.shape[0] - 299) // 2 :][:300, (p.shape[1] - 299) // 2 :][:, :300]).astype(np.uint8)).save('./output/85.png')""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
}
NEAR_MISSES = {
    "corner": {
        "why": "the upper left corner",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/85.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:300, :300]).astype(np.uint8)).save('./output/85.png')""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
    "shrunk": {
        "why": "the whole picture, shrunk",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/85.jpeg')
cv2.imwrite('./output/85.png', cv2.resize(p, (300, 300)))""",
        ],
        "answer": "Saved as ./output/85.png.",
    },
}
