# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "left-square": {
        "why": "a square at the left of the upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: min(p.shape[0] // 2, p.shape[1]), : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "opencv": {
        "why": "OpenCV, at the right",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', p[: min(p.shape[0] // 2, p.shape[1]), -min(p.shape[0] // 2, p.shape[1]) :])""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
NEAR_MISSES = {
    "lower-half": {
        "why": "a square of the lower half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[-min(p.shape[0] // 2, p.shape[1]) :, : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "no-square": {
        "why": "the whole upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: p.shape[0] // 2 - 40]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "squeezed": {
        "why": "the whole picture squeezed into a square",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', cv2.resize(p, (200, 200)))""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
