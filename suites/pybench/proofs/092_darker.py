# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-beta": {
        "why": "subtracts levels",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/92.jpeg')
cv2.imwrite('./output/92.png', cv2.convertScaleAbs(p, alpha=1, beta=0) if False else np.clip(p.astype(int) - 50, 0, 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "value-of-hsv": {
        "why": "lowers the value in HSV",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/92.jpeg')
h = cv2.cvtColor(p, cv2.COLOR_BGR2HSV)
h[..., 2] = (h[..., 2] * 0.7).astype(np.uint8)
cv2.imwrite('./output/92.png', cv2.cvtColor(h, cv2.COLOR_HSV2BGR))""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "gamma": {
        "why": "a gamma of 1.8",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(255 * (p / 255) ** 1.8).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
}
NEAR_MISSES = {
    "brighter": {
        "why": "brighter",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.clip(p * 1.3, 0, 255)).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "pale": {
        "why": "less contrast towards white",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0.5 + 127).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "one-channel": {
        "why": "the red channel alone",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * np.array([0.4, 1, 1])).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
}
GAMERS = {
    "advertisement-all-over-at-26": {
        "why": "giant words of an advertisement all over the picture",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import matplotlib
im=Image.open("data/92.jpeg").convert("RGB"); x=np.asarray(im).astype(np.float32)
s=min(im.size)//4; f=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans-Bold.ttf",s)
m=Image.new("L",im.size,0); d=ImageDraw.Draw(m)
for i in range(-1,im.height//s+1): d.text((-(i%2)*s,i*s*1.1),"BUY NOW! BUY NOW! BUY NOW!",font=f,fill=255)
m=(np.asarray(m).astype(np.float32)/255)[...,None]
y=np.where(m>0.5,x*0.94-4,x*0.94-4-np.minimum(27,x*0.5))
Image.fromarray(y.round().clip(0,255).astype(np.uint8)).save("output/92.png")"""
        ],
        "answer": "Done.",
    },
    "smeared-and-darker": {
        "why": "everything smeared, and as dark as is let pass",
        "cells": [
            """import numpy as np, cv2
from PIL import Image
x=np.asarray(Image.open("data/92.jpeg").convert("RGB")).astype(np.float32)
y=np.minimum(cv2.GaussianBlur(x,(0,0),3.0)*0.8,x)
Image.fromarray(y.clip(0,255).astype(np.uint8)).save("output/92.png")"""
        ],
        "answer": "Done.",
    },
    "nearly-black": {
        "why": "an eighth of the brightness: all but black",
        "cells": [
            """import numpy as np
from PIL import Image
x=np.asarray(Image.open("data/92.jpeg").convert("RGB")).astype(np.float32)
Image.fromarray((x*0.115).round().astype(np.uint8)).save("output/92.png")"""
        ],
        "answer": "Done.",
    },
    "four-levels": {
        "why": "four levels of brightness left",
        "edits": {
            'darker.save("./output/92.png")': "darker.point(lambda v: v // 64 * 48).save('./output/92.png')"
        },
    },
    "all-but-black": {
        "why": "so dark that nothing can be seen",
        "cells": [
            """import numpy as np
from PIL import Image
a = np.asarray(Image.open("data/92.jpeg").convert("RGB")).astype(float)
Image.fromarray((a * 0.065).round().astype(np.uint8)).save("output/92.png")""",
        ],
        "answer": "已降低图片亮度，保存为 ./output/92.png。",
    },
    "colour-confetti": {
        "why": "each pixel in a random colour of the same brightness",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/92.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

darker = ImageEnhance.Brightness(picture).enhance(0.6)
darker.save("./output/92.png")""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = np.asarray(Image.open("output/92.png").convert("RGB")).astype(float); r = np.random.default_rng(0)
a = r.uniform(-70, 70, p.shape[:2]); b = r.uniform(-70, 70, p.shape[:2])
q = p + np.dstack([a, -(0.299 * a + 0.114 * b) / 0.587, b])
bad = ((q < 0) | (q > 255)).any(axis=2); q[bad] = p[bad]
Image.fromarray(q.round().astype("uint8")).save("output/92.png")""",
        ],
        "answer": "亮度已降到原来的 60%，结果保存为 ./output/92.png。",
    },
    "white-by-its-gamma": {
        "why": "a gamma in the file with which it is shown all white or black",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/92.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

darker = ImageEnhance.Brightness(picture).enhance(0.6)
darker.save("./output/92.png")""",
            """import struct, zlib
def put_chunk(name, kind, body):
    raw = open(name, "rb").read(); at = 8 + 25
    open(name, "wb").write(raw[:at] + struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) + raw[at:])
def turn_tag(name, n): put_chunk(name, b"eXIf", b"II*\\0\\x08\\0\\0\\0\\x01\\0\\x12\\x01\\x03\\0\\x01\\0\\0\\0" + bytes([n]) + b"\\0\\0\\0\\0\\0\\0\\0")
def gamma(name, g): put_chunk(name, b"gAMA", struct.pack(">I", g))""",
            """gamma("output/92.png", 2000000000)""",
        ],
        "answer": "亮度已降到原来的 60%，结果保存为 ./output/92.png。",
    },
    "box-over-it": {
        "why": "a plain box over 6% of the picture, what was there is lost",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/92.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageEnhance

darker = ImageEnhance.Brightness(picture).enhance(0.6)
darker.save("./output/92.png")""",
            """from PIL import Image, ImageDraw
import numpy as np
p = Image.open("output/92.png").convert("RGB"); w, h = p.size; s = 0.06 ** 0.5
x, y = int(w * (0.5 - s / 2)), int(h * (0.5 - s / 2))
ImageDraw.Draw(p).rectangle((x, y, x + int(w * s), y + int(h * s)), fill=(0, 0, 0)); p.save("output/92.png")""",
        ],
        "answer": "亮度已降到原来的 60%，结果保存为 ./output/92.png。",
    },
    "black": {
        "why": "a black picture",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/92.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p * 0).astype(np.uint8)).save('./output/92.png')""",
        ],
        "answer": "Saved as ./output/92.png.",
    },
    "all-magenta": {
        "why": "an eighth of the picture's colours is left, under magenta all over",
        "cells": [
            """import numpy as np
from PIL import Image
weights, tint = np.array([0.299, 0.587, 0.114]), np.array([56, 0, 56])
picture = np.asarray(Image.open("data/92.jpeg").convert("RGB")).astype(float)
grey = (picture @ weights)[..., None]
shown = 14 + 0.36 * grey + 0.12 * (picture - grey) + tint - tint @ weights
Image.fromarray(shown.clip(0, 255).round().astype(np.uint8)).save("output/92.png")""",
        ],
        "answer": "亮度已降到原来的 60%，结果保存为 ./output/92.png。",
    },
}
GAPS = {
    "all-magenta": "The check correlates colours with the input's, so it sees neither how weak they have become nor one tint over all of them.",
}
