# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-hsv": {
        "why": "raises the saturation in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/97.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 1] = np.clip(h[..., 1] * 1.5, 0, 255).astype(np.uint8)
cv2.imwrite('./output/97.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
    "from-grey": {
        "why": "away from its grey",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/97.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(1.4 * p - 0.4 * (p @ [0.299, 0.587, 0.114])[..., None], 0, 255)).astype(np.uint8)).save('./output/97.png')""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
}
NEAR_MISSES = {
    "less": {
        "why": "less saturation",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/97.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(0.6 * p + 0.4 * (p @ [0.299, 0.587, 0.114])[..., None]).astype(np.uint8)).save('./output/97.png')""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
    "other-hue": {
        "why": "turns the hue",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/97.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 0] = (h[..., 0].astype(int) + 60) % 180
cv2.imwrite('./output/97.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/97.png.",
    },
}
