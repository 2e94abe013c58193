# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "each-channel-by-parts": {
        "why": "CLAHE on each channel by itself",
        "cells": [
            """import cv2
p = cv2.imread('data/95.jpeg')
clahe = cv2.createCLAHE(4, (8, 8))
cv2.imwrite('output/95.png', cv2.merge([clahe.apply(c) for c in cv2.split(p)]))"""
        ],
        "answer": "./output/95.png",
    },
    "levels": {
        "why": "a curve through five points in LAB, saved by matplotlib",
        "cells": [
            """import numpy as np
import cv2
import matplotlib.pyplot as plt
lab = cv2.cvtColor(cv2.imread('data/95.jpeg'), cv2.COLOR_BGR2LAB)
lab[..., 0] = np.interp(lab[..., 0], [0, 64, 128, 200, 255], [0, 30, 120, 225, 255]).astype('uint8')
plt.imsave('output/95.png', cv2.cvtColor(lab, cv2.COLOR_LAB2RGB))"""
        ],
        "answer": "Saved.",
    },
    "pillow": {
        "why": "Pillow's enhancer by two",
        "cells": [
            """from PIL import Image, ImageEnhance
ImageEnhance.Contrast(Image.open('data/95.jpeg')).enhance(2.0).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
    "about-middle-grey": {
        "why": "by 1.4 about middle grey with OpenCV",
        "cells": [
            """import cv2
image = cv2.imread('data/95.jpeg')
cv2.imwrite('output/95.png', cv2.convertScaleAbs(image, alpha=1.4, beta=128 * (1 - 1.4)))"""
        ],
        "answer": "对比度已提高 40%。",
    },
    "clahe": {
        "why": "CLAHE on the lightness",
        "cells": [
            """import cv2
lab = cv2.cvtColor(cv2.imread('data/95.jpeg'), cv2.COLOR_BGR2LAB)
l, a, b = cv2.split(lab)
l = cv2.createCLAHE(clipLimit=3.0, tileGridSize=(8, 8)).apply(l)
cv2.imwrite('output/95.png', cv2.cvtColor(cv2.merge((l, a, b)), cv2.COLOR_LAB2BGR))"""
        ],
        "answer": "./output/95.png",
    },
    "sigmoid": {
        "why": "scikit-image's sigmoid",
        "cells": [
            """from skimage import exposure, io
image = io.imread('data/95.jpeg')
io.imsave('output/95.png', exposure.adjust_sigmoid(image, cutoff=0.5, gain=8))"""
        ],
        "answer": "./output/95.png",
    },
}
NEAR_MISSES = {
    "sides-exchanged": {
        "why": "more contrast, and left and right half exchanged",
        "cells": [
            """import numpy as np
from PIL import Image, ImageEnhance
image = np.asarray(ImageEnhance.Contrast(Image.open('data/95.jpeg')).enhance(1.5))
Image.fromarray(np.roll(image, image.shape[1] // 2, axis=1)).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
    "brighter": {
        "why": "brighter by forty levels",
        "cells": [
            """import numpy as np
from PIL import Image
image = np.asarray(Image.open('data/95.jpeg')).astype(int)
Image.fromarray(np.clip(image + 40, 0, 255).astype('uint8')).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
    "less": {
        "why": "less contrast",
        "cells": [
            """from PIL import Image, ImageEnhance
ImageEnhance.Contrast(Image.open('data/95.jpeg')).enhance(0.6).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
    "saturation": {
        "why": "more colour in place of contrast",
        "cells": [
            """from PIL import Image, ImageEnhance
ImageEnhance.Color(Image.open('data/95.jpeg')).enhance(2.5).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
    "darker": {
        "why": "darker by a third",
        "cells": [
            """from PIL import Image, ImageEnhance
ImageEnhance.Brightness(Image.open('data/95.jpeg')).enhance(0.65).save('output/95.png')"""
        ],
        "answer": "./output/95.png",
    },
}
