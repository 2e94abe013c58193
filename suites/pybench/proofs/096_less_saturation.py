# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-hsv": {
        "why": "halves the saturation in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/96.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] //= 2
cv2.imwrite('./output/96.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
    "towards-grey": {
        "why": "mixes with its grey",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/96.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(0.6 * p + 0.4 * (p @ [0.299, 0.587, 0.114])[..., None]).astype(np.uint8)).save('./output/96.png')""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
}
NEAR_MISSES = {
    "darker": {
        "why": "darker",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/96.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.6).astype(np.uint8)).save('./output/96.png')""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
    "more": {
        "why": "more saturation",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/96.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] = np.clip(h[..., 1] * 1.6, 0, 255).astype(np.uint8)
cv2.imwrite('./output/96.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/96.png.",
    },
}
