# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg": {
        "why": "by ffmpeg, whose decoder has colours of its own",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-v', 'error', '-y', '-i', 'data/87.jpeg', '-vf', 'hflip', '-pix_fmt', 'rgb24', 'output/87.png'], check=True)"""
        ],
        "answer": "Done with ffmpeg.",
    },
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/87.jpeg')
cv2.imwrite('./output/87.png', cv2.flip(p, 1))""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
    "numpy": {
        "why": "columns in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
}
NEAR_MISSES = {
    "top-bottom": {
        "why": "top to bottom",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
    "transposed": {
        "why": "rows and columns exchanged",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p.transpose(1, 0, 2)).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
}
