# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, 15 by 15",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.GaussianBlur(p, (15, 15), 0))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
    "scikit-image": {
        "why": "scikit-image's gaussian",
        "cells": [
            """import numpy as np
from skimage import filters, io
p = io.imread('./data/98.jpeg')
io.imsave('./output/98.png', (filters.gaussian(p, sigma=3, channel_axis=-1) * 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
}
NEAR_MISSES = {
    "sharpened": {
        "why": "sharpened",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.filter2D(p, -1, np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
    "motion": {
        "why": "blurred in one direction",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.blur(p, (31, 1)))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
}
