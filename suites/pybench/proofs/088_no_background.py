# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "grabcut-transparent": {
        "why": "GrabCut from a rectangle, transparent",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 255, 0).astype(np.uint8)
cv2.imwrite('output/88.png', np.dstack([image, front]))"""
        ],
        "answer": "The background is transparent now: ./output/88.png",
    },
    "grabcut-white": {
        "why": "GrabCut with a margin on the whole picture, white in place of the background",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
h, w = image.shape[:2]
mask = np.zeros((h, w), np.uint8)
cv2.grabCut(image, mask, (int(w * .05), int(h * .05), int(w * .9), int(h * .9)), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = (mask == 1) | (mask == 3)
image[~front] = 255
cv2.imwrite('output/88.png', image)"""
        ],
        "answer": "./output/88.png",
    },
    "by-colour": {
        "why": "saturated colours, closed and the largest part filled",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
mask = ((hsv[..., 1] > 90) & (hsv[..., 2] > 50)).astype(np.uint8) * 255
mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
front = np.zeros(mask.shape, np.uint8)
cv2.drawContours(front, [max(contours, key=cv2.contourArea)], -1, 255, -1)
cv2.imwrite('output/88.png', cv2.merge([*cv2.split(image), front]))"""
        ],
        "answer": "./output/88.png",
    },
}
NEAR_MISSES = {
    "inverted": {
        "why": "removes the foreground and keeps the background",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 0, 255).astype(np.uint8)
cv2.imwrite('output/88.png', np.dstack([image, front]))"""
        ],
        "answer": "./output/88.png",
    },
    "rectangle": {
        "why": "cut to a rectangle",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/88.jpeg')
alpha = np.zeros(image.shape[:2], np.uint8)
alpha[20:920, 60:660] = 255
cv2.imwrite('output/88.png', np.dstack([image, alpha]))"""
        ],
        "answer": "./output/88.png",
    },
    "opaque": {
        "why": "an alpha channel that hides nothing",
        "cells": [
            """from PIL import Image
Image.open('data/88.jpeg').convert('RGBA').save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
    "dark-parts": {
        "why": "hides what is bright, in toy and background alike",
        "cells": [
            """import numpy as np
from PIL import Image
image = Image.open('data/88.jpeg').convert('RGBA')
grey = np.asarray(image.convert('L'))
image.putalpha(Image.fromarray(np.where(grey > 120, 0, 255).astype('uint8')))
image.save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged in what is left",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image
image = cv2.imread('data/88.jpeg')
mask = np.zeros(image.shape[:2], np.uint8)
cv2.grabCut(image, mask, (60, 20, 600, 900), np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_RECT)
front = np.where((mask == 1) | (mask == 3), 255, 0).astype(np.uint8)
Image.fromarray(np.dstack([image, front])).save('output/88.png')"""
        ],
        "answer": "./output/88.png",
    },
}
