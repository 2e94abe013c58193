# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV at its own quality",
        "cells": [
            """import cv2
cv2.imwrite('output/111.jpeg', cv2.imread('data/111.jpeg'))"""
        ],
        "answer": "./output/111.jpeg",
    },
    "low-quality": {
        "why": "Pillow, progressive at quality 60",
        "cells": [
            """from PIL import Image
Image.open('data/111.jpeg').convert('RGB').save('output/111.jpeg', 'JPEG', quality=60, progressive=True)"""
        ],
        "answer": "The file already was a JPEG; it is saved as ./output/111.jpeg.",
    },
    "imageio": {
        "why": "imageio",
        "cells": [
            """import imageio.v3 as iio
iio.imwrite('output/111.jpeg', iio.imread('data/111.jpeg'))"""
        ],
        "answer": "./output/111.jpeg",
    },
}
NEAR_MISSES = {
    "png-inside": {
        "why": "a PNG under the name of a JPEG",
        "cells": [
            """from PIL import Image
Image.open('data/111.jpeg').save('output/111.jpeg', format='PNG')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
from PIL import Image
Image.fromarray(cv2.imread('data/111.jpeg')).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "half-size": {
        "why": "at half the size",
        "cells": [
            """from PIL import Image
image = Image.open('data/111.jpeg')
image.resize((image.width // 2, image.height // 2)).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
    "mirrored": {
        "why": "mirrored",
        "cells": [
            """from PIL import Image, ImageOps
ImageOps.mirror(Image.open('data/111.jpeg')).save('output/111.jpeg')"""
        ],
        "answer": "./output/111.jpeg",
    },
}
