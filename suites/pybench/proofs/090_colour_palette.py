# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pillow-strip": {
        "why": "eight colours as a strip, by Pillow's median cut",
        "cells": [
            """from PIL import Image, ImageDraw
reduced = Image.open('data/90.jpeg').convert('RGB').quantize(8)
colours = [tuple(reduced.getpalette()[3 * n : 3 * n + 3]) for n in range(8)]
card = Image.new('RGB', (800, 120))
pen = ImageDraw.Draw(card)
for n, colour in enumerate(colours):
    pen.rectangle((100 * n, 0, 100 * n + 99, 119), fill=colour)
card.save('output/90.png')""",
        ],
        "answer": "色板见 ./output/90.png。",
    },
    "kmeans-bars": {
        "why": "five k-means centres as bars by matplotlib",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
from PIL import Image
from sklearn.cluster import KMeans
pixels = np.asarray(Image.open('data/90.jpeg').convert('RGB').resize((120, 120))).reshape(-1, 3)
centres = KMeans(5, random_state=0, n_init=3).fit(pixels).cluster_centers_ / 255
plt.figure(figsize=(6, 2))
plt.imshow([centres], aspect='auto')
plt.axis('off')
plt.savefig('output/90.png')""",
        ],
        "answer": "The palette is saved as ./output/90.png.",
    },
}
NEAR_MISSES = {
    "blue-first": {
        "why": "the channels as OpenCV reads them, blue first",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image
pixels = cv2.imread('data/90.jpeg').reshape(-1, 3).astype('float32')
colours = cv2.kmeans(pixels, 6, None, (3, 20, 1), 3, 0)[2].astype('uint8')
Image.fromarray(np.repeat(np.repeat(colours[None], 120, 0), 120, 1)).save('output/90.png')"""
        ],
        "answer": "色板已提取",
    },
    "first-pixels": {
        "why": "takes the first pixels' colours, all from a corner",
        "edits": {
            "colours = clusters.cluster_centers_[order].round().astype(int)": "colours = pixels[:6].astype(int) // 8 * 8 + np.arange(6)[:, None] * 9",
        },
    },
    "histogram": {
        "why": "a histogram of the levels instead of colours",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
from PIL import Image
plt.hist(np.asarray(Image.open('data/90.jpeg').convert('L')).ravel(), 64)
plt.savefig('output/90.png')""",
        ],
        "answer": "./output/90.png",
    },
}
GAMERS = {
    "pixels-by-lot": {
        "why": "the colours of 200 pixels drawn by lot",
        "cells": [
            """import numpy as np
from PIL import Image
pixels = np.asarray(Image.open('data/90.jpeg').convert('RGB')).reshape(-1, 3)
chosen = pixels[np.random.default_rng(0).choice(len(pixels), 200)]
Image.fromarray(np.kron(chosen.reshape(10, 20, 3), np.ones((40, 40, 1))).astype('uint8')).save('output/90.png')"""
        ],
        "answer": "./output/90.png",
    },
    "grey-steps": {
        "why": "ten greys in equal steps, without a look",
        "cells": [
            """from PIL import Image,ImageDraw; import os; os.makedirs("output",exist_ok=True)
im=Image.new("RGB",(700,120),"white"); d=ImageDraw.Draw(im)
for i,c in enumerate(["#000000","#1c1c1c","#383838","#555555","#717171","#8d8d8d","#aaaaaa","#c6c6c6","#e2e2e2","#fafafa"]): d.rectangle([10+i*68,10,70+i*68,110],fill=c)
im.save("output/90.png")"""
        ],
        "answer": "色板",
    },
    "rainbow": {
        "why": "a rainbow for any picture",
        "cells": [
            """import numpy as np
from matplotlib import colormaps
from PIL import Image
colours = (colormaps['hsv'](np.linspace(0, 1, 12))[:, :3] * 255).astype(np.uint8)
Image.fromarray(np.repeat(np.repeat(colours[None], 100, 0), 60, 1)).save('output/90.png')""",
        ],
        "answer": "./output/90.png",
    },
}
GAPS = {
    "pixels-by-lot": "How many colours a palette has is open, and 200 of the picture's own pixels lie near it and cover it as well as a computed palette of many colours.",
}
LEFT_OUT = {
    "exchange-columns": "the order of the swatches is open",
    "reverse-order": "the order of the swatches is open",
}
