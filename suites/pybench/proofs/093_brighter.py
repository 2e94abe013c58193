# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-beta": {
        "why": "adds levels",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/93.jpeg')
cv2.imwrite('./output/93.png', cv2.convertScaleAbs(p, alpha=1, beta=40))""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "gamma": {
        "why": "a gamma of 0.6",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 * (p / 255) ** 0.6).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "lab": {
        "why": "raises the lightness",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/93.jpeg')
q = cv2.cvtColor(p, cv2.COLOR_BGR2LAB)
q[..., 0] = np.clip(q[..., 0].astype(int) + 30, 0, 255)
cv2.imwrite('./output/93.png', cv2.cvtColor(q, cv2.COLOR_LAB2BGR))""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
}
NEAR_MISSES = {
    "darker": {
        "why": "darker",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.7).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
    "wraps": {
        "why": "adds in bytes, so that bright pixels turn black",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/93.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p + np.uint8(90)).astype(np.uint8)).save('./output/93.png')""",
        ],
        "answer": "Saved as ./output/93.png.",
    },
}
