# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "half the contrast about the middle grey",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/94.jpeg')
cv2.imwrite('./output/94.png', cv2.convertScaleAbs(p, alpha=0.5, beta=64))""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
    "numpy": {
        "why": "towards the mean",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/94.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p.mean() + 0.6 * (p - p.mean())).astype(np.uint8)).save('./output/94.png')""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
}
NEAR_MISSES = {
    "more": {
        "why": "more contrast",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/94.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip((p - 128.0) * 1.6 + 128, 0, 255)).astype(np.uint8)).save('./output/94.png')""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
    "paler-colours": {
        "why": "less colour instead",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/94.jpeg')
cv2.imwrite('./output/94.png', cv2.cvtColor(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
}
