# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-area": {
        "why": "OpenCV by areas",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224), interpolation=cv2.INTER_AREA))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "nearest": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/78.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(224) * p.shape[0] // 224][:, np.arange(224) * p.shape[1] // 224]).astype(np.uint8)).save('./output/78.png')""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
NEAR_MISSES = {
    "turned": {
        "why": "small, and turned by a quarter",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.rotate(cv2.resize(p, (224, 224)), cv2.ROTATE_90_CLOCKWISE))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "channels": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224))[..., ::-1])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "corner": {
        "why": "the upper left corner of that size",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', p[:224, :224])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
