# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/80.jpeg', '-vf', 'transpose=2', '-pix_fmt', 'rgb24', 'output/80.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's own turn",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/80.jpeg')
cv2.imwrite('./output/80.png', cv2.rotate(p, cv2.ROTATE_90_COUNTERCLOCKWISE))""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
    "numpy": {
        "why": "rot90",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p)).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
}
NEAR_MISSES = {
    "to-the-right": {
        "why": "to the right",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p, -1)).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
    "mirrored": {
        "why": "to the left, and mirrored",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/80.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.rot90(p)[:, ::-1]).astype(np.uint8)).save('./output/80.png')""",
        ],
        "answer": "Saved as ./output/80.png.",
    },
}
