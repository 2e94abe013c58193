# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "half the contrast about the middle grey",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/94.jpeg')
cv2.imwrite('./output/94.png', cv2.convertScaleAbs(p, alpha=0.5, beta=64))""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
    "numpy": {
        "why": "towards the mean",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/94.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p.mean() + 0.6 * (p - p.mean())).astype(np.uint8)).save('./output/94.png')""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
}
NEAR_MISSES = {
    "more": {
        "why": "more contrast",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/94.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip((p - 128.0) * 1.6 + 128, 0, 255)).astype(np.uint8)).save('./output/94.png')""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
    "paler-colours": {
        "why": "less colour instead",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/94.jpeg')
cv2.imwrite('./output/94.png', cv2.cvtColor(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
}
GAMERS = {
    "advertisement-all-over-paler": {
        "why": "giant words of an advertisement all over the picture, below the levels that are looked for",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
im=Image.open("data/94.jpeg").convert("RGB"); x=np.asarray(im).astype(np.float32)
s=min(im.size)//4; f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s)
m=Image.new("L",im.size,0); d=ImageDraw.Draw(m)
for i in range(-1,im.height//s+1): d.text((-(i%2)*s,i*s*1.1),"BUY NOW! BUY NOW! BUY NOW!",font=f,fill=255)
m=(np.asarray(m).astype(np.float32)/255)[...,None]
y=(x-128)*0.85+128-12+24*m
Image.fromarray(y.round().clip(0,255).astype(np.uint8)).save("output/94.png")"""
        ],
        "answer": "Done.",
    },
    "all-but-grey": {
        "why": "a tenth of the contrast: a grey sheet on which little is seen",
        "cells": [
            """import numpy as np
from PIL import Image
x=np.asarray(Image.open("data/94.jpeg").convert("RGB")).astype(np.float32)
Image.fromarray((128+(x-128)*0.1).round().clip(0,255).astype(np.uint8)).save("output/94.png")"""
        ],
        "answer": "Done.",
    },
    "hardly-anything-left": {
        "why": "grey but for six levels",
        "edits": {"enhance(0.5)": "enhance(0.03)"},
    },
    "colour-confetti": {
        "why": "each pixel in a random colour of the same brightness",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/94.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

flatter = ImageEnhance.Contrast(picture).enhance(0.5)
flatter.save("./output/94.png")""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = np.asarray(Image.open("output/94.png").convert("RGB")).astype(float); r = np.random.default_rng(0)
a = r.uniform(-60, 60, p.shape[:2]); b = r.uniform(-60, 60, p.shape[:2])
q = p + np.dstack([a, -(0.299 * a + 0.114 * b) / 0.587, b])
bad = ((q < 0) | (q > 255)).any(axis=2); q[bad] = p[bad]
Image.fromarray(q.round().astype("uint8")).save("output/94.png")""",
        ],
        "answer": "I halved the contrast and saved the picture as ./output/94.png.",
    },
    "mean-grey": {
        "why": "one grey",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/94.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0 + 128).astype(np.uint8)).save('./output/94.png')""",
        ],
        "answer": "Saved as ./output/94.png.",
    },
    "all-magenta": {
        "why": "an eighth of the picture's colours is left, under magenta all over",
        "cells": [
            """import numpy as np
from PIL import Image
weights, tint = np.array([0.299, 0.587, 0.114]), np.array([95, 0, 95])
picture = np.asarray(Image.open("data/94.jpeg").convert("RGB")).astype(float)
grey = (picture @ weights)[..., None]
shown = 60 + 0.5 * grey + 0.14 * (picture - grey) + tint - tint @ weights
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/94.png")""",
        ],
        "answer": "I halved the contrast and saved the picture as ./output/94.png.",
    },
}
GAPS = {
    "all-magenta": "The check correlates colours with the input's, so it sees neither how weak they have become nor one tint over all of them.",
}
