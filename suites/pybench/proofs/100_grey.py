# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, one channel",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/100.jpeg')
cv2.imwrite('./output/100.png', cv2.cvtColor(p, cv2.COLOR_BGR2GRAY))""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "mean-of-channels": {
        "why": "the mean of the channels, three alike",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.repeat(p.mean(2, keepdims=True), 3, 2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
NEAR_MISSES = {
    "negative": {
        "why": "a grey negative",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 - p.mean(2)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "black-and-white": {
        "why": "two levels",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray((p.mean(2) > 128) * 255).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
    "sepia": {
        "why": "sepia",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/100.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(p.mean(2, keepdims=True) * np.array([1.1, 0.9, 0.6]), 0, 255)).astype(np.uint8)).save('./output/100.png')""",
        ],
        "answer": "Saved as ./output/100.png.",
    },
}
