# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-beta": {
        "why": "subtracts levels",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/92.jpeg')
cv2.imwrite('./output/92.png', cv2.convertScaleAbs(p, alpha=1, beta=0) if False else np.clip(p.astype(int) - 50, 0, 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "value-of-hsv": {
        "why": "lowers the value in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/92.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 2] = (h[..., 2] * 0.7).astype(np.uint8)
cv2.imwrite('./output/92.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "gamma": {
        "why": "a gamma of 1.8",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 * (p / 255) ** 1.8).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
}
NEAR_MISSES = {
    "brighter": {
        "why": "brighter",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(p * 1.3, 0, 255)).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "pale": {
        "why": "less contrast towards white",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.5 + 127).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "one-channel": {
        "why": "the red channel alone",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * np.array([0.4, 1, 1])).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
}
