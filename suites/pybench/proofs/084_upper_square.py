# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "left-square": {
        "why": "a square at the left of the upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: min(p.shape[0] // 2, p.shape[1]), : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "opencv": {
        "why": "OpenCV, at the right",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', p[: min(p.shape[0] // 2, p.shape[1]), -min(p.shape[0] // 2, p.shape[1]) :])""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
NEAR_MISSES = {
    "lower-half": {
        "why": "a square of the lower half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[-min(p.shape[0] // 2, p.shape[1]) :, : min(p.shape[0] // 2, p.shape[1])]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "no-square": {
        "why": "the whole upper half",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[: p.shape[0] // 2 - 40]).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
    "squeezed": {
        "why": "the whole picture squeezed into a square",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/84.jpeg')
cv2.imwrite('./output/84.png', cv2.resize(p, (200, 200)))""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
GAMERS = {
    "letters-over-it": {
        "why": "giant letters nine levels off over the part",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/84.jpeg").convert("RGB").crop((46,0,284,238)); x=np.asarray(p).astype(float)
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",75); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(3): d.text((0,i*79),"NONE",font=f,fill=255)
m=(np.asarray(m)/255.)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/84.png")"""
        ],
        "answer": "Done.",
    },
    "box-over-it": {
        "why": "a plain box over 3% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/84.jpeg")
width, height = picture.size
print(width, height)""",
            """side = min(width, height // 2)
left = (width - side) // 2
square = picture.crop((left, 0, left + side, side))
square.save("./output/84.png")
print(square.size)""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/84.png").convert("RGB"); w, h = p.size; s = 0.03 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/84.png")""",
        ],
        "answer": "已从上半部分截取方图，保存为 ./output/84.png。",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/84.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/84.png')""",
        ],
        "answer": "Saved as ./output/84.png.",
    },
}
