# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/86.jpeg')
cv2.imwrite('./output/86.png', cv2.flip(p, 1))""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "numpy": {
        "why": "columns in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
NEAR_MISSES = {
    "top-bottom": {
        "why": "top to bottom",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "half-turn": {
        "why": "by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
