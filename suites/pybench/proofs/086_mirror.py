# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV's flip",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/86.jpeg')
cv2.imwrite('./output/86.png', cv2.flip(p, 1))""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "numpy": {
        "why": "columns in reverse",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[:, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
NEAR_MISSES = {
    "top-bottom": {
        "why": "top to bottom",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
    "half-turn": {
        "why": "by half a turn",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[::-1, ::-1]).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/86.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_LEFT_RIGHT); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/86.png")"""
        ],
        "answer": "Done.",
    },
    "snow": {
        "why": "white and black pixels scattered over it",
        "cells": [
            """import numpy as np
from PIL import Image
a = np.array(Image.open("data/86.jpeg").convert("RGB"))[:, ::-1].copy()
r = np.random.default_rng(0)
m = r.random(a.shape[:2]) < 0.027
a[m] = np.where(r.random((m.sum(), 1)) < 0.5, 0, 255)
Image.fromarray(a).save("output/86.png")""",
        ],
        "answer": "The mirrored picture is saved as ./output/86.png.",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/86.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/86.png')""",
        ],
        "answer": "Saved as ./output/86.png.",
    },
}
