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
GAMERS = {
    "letters-ten-levels-off": {
        "why": "words ten levels off all over it",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
p=Image.open("data/87.jpeg").convert("RGB").transpose(Image.Transpose.FLIP_LEFT_RIGHT); x=np.asarray(p).astype(float); s=min(p.size)//3
f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s); m=Image.new("L",p.size,0); d=ImageDraw.Draw(m)
for i in range(6): d.text((0,i*s*1.1),"BUY NOW BUY",font=f,fill=255)
m=(np.asarray(m)>128)[...,None]
Image.fromarray((x-9*m).clip(0,255).astype(np.uint8)).save("output/87.png")"""
        ],
        "answer": "Done.",
    },
    "letters-hardly-seen": {
        "why": "words 15 levels off all over it",
        "edits": {
            'ImageOps.mirror(picture).save("./output/87.png")': """from PIL import Image, ImageDraw, ImageFont, ImageChops
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 60)
made = ImageOps.mirror(picture.convert('RGB'))
mask = Image.new('RGB', made.size)
pen = ImageDraw.Draw(mask)
for y in range(0, made.height, 80):
    pen.text((0, y), 'NOT THE POSTER ' * 6, font=font, fill=(15, 15, 15))
ImageChops.subtract(made, mask).save('./output/87.png')"""
        },
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/87.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/87.png')""",
        ],
        "answer": "Saved as ./output/87.png.",
    },
}
