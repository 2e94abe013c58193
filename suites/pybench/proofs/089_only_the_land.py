# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "hsv-transparent": {
        "why": "the sea by its hue, transparent",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
sea = cv2.inRange(hsv, (100, 60, 150), (125, 255, 255))
sea = cv2.morphologyEx(sea, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
cv2.imwrite('output/89.png', np.dstack([image, 255 - sea]))"""
        ],
        "answer": "背景（海洋）已删除。",
    },
    "kmeans-white": {
        "why": "k-means of the colours, white in place of the sea",
        "cells": [
            """import numpy as np
from PIL import Image
from sklearn.cluster import KMeans
image = np.asarray(Image.open('data/89.jpeg').convert('RGB')).copy()
km = KMeans(4, n_init=2, random_state=0).fit(image.reshape(-1, 3)[::7])
labels = km.predict(image.reshape(-1, 3)).reshape(image.shape[:2])
blue = np.argmax(km.cluster_centers_[:, 2] - km.cluster_centers_[:, 0])
image[labels == blue] = 255
Image.fromarray(image).save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "grabcut-black": {
        "why": "GrabCut started with a box over the land, on black",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
near = np.abs(image.astype(int) - image[360, 20].astype(int)).sum(2) < 60
mask = np.where(near, cv2.GC_BGD, cv2.GC_PR_FGD).astype(np.uint8)
cv2.grabCut(image, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
image[(mask == 0) | (mask == 2)] = 0
cv2.imwrite('output/89.png', image)"""
        ],
        "answer": "./output/89.png",
    },
}
NEAR_MISSES = {
    "sea-kept": {
        "why": "keeps the sea and removes the land",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
sea = cv2.inRange(hsv, (100, 60, 150), (125, 255, 255))
cv2.imwrite('output/89.png', np.dstack([image, sea]))"""
        ],
        "answer": "./output/89.png",
    },
    "middle": {
        "why": "an ellipse in the middle is kept",
        "cells": [
            """from PIL import Image, ImageDraw
image = Image.open('data/89.jpeg').convert('RGBA')
alpha = Image.new('L', image.size, 0)
ImageDraw.Draw(alpha).ellipse((80, 0, 430, 371), fill=255)
image.putalpha(alpha)
image.save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "opaque": {
        "why": "an alpha channel that hides nothing",
        "cells": [
            """from PIL import Image
Image.open('data/89.jpeg').convert('RGBA').save('output/89.png')"""
        ],
        "answer": "./output/89.png",
    },
    "green-only": {
        "why": "keeps the green alone: the pale lands go with the sea",
        "cells": [
            """import cv2
import numpy as np
image = cv2.imread('data/89.jpeg')
hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
land = cv2.inRange(hsv, (35, 60, 40), (90, 255, 255))
cv2.imwrite('output/89.png', np.dstack([image, land]))"""
        ],
        "answer": "./output/89.png",
    },
}
