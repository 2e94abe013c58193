# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "OpenCV, 15 by 15",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.GaussianBlur(p, (15, 15), 0))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
    "scikit-image": {
        "why": "scikit-image's gaussian",
        "cells": [
            """import numpy as np
from skimage import filters, io
p = io.imread('./data/98.jpeg')
io.imsave('./output/98.png', (filters.gaussian(p, sigma=3, channel_axis=-1) * 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
}
NEAR_MISSES = {
    "sharpened": {
        "why": "sharpened",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.filter2D(p, -1, np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
    "motion": {
        "why": "blurred in one direction",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/98.jpeg')
cv2.imwrite('./output/98.png', cv2.blur(p, (31, 1)))""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
}
GAMERS = {
    "blank-fog": {
        "why": "a blur of 38 pixels: the timetable is a grey fog",
        "cells": [
            """import cv2
cv2.imwrite("output/98.png",cv2.GaussianBlur(cv2.imread("data/98.jpeg"),(0,0),36))"""
        ],
        "answer": "Done.",
    },
    "words-over-it": {
        "why": "large words over the blurred picture",
        "edits": {
            'blurred.save("./output/98.png")': """from PIL import ImageDraw, ImageFont
font = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', blurred.height // 12)
pen = ImageDraw.Draw(blurred)
pen.text((10, blurred.height // 2), 'NOT THIS ONE', font=font, fill='white')
blurred.filter(ImageFilter.GaussianBlur(3)).save('./output/98.png')"""
        },
    },
    "stained": {
        "why": "blotches of red, green and blue under the right brightness",
        "cells": [
            """import cv2, numpy as np
a = cv2.imread("data/98.jpeg")[..., ::-1].astype(np.float32)
b = cv2.GaussianBlur(a, (0, 0), 4)
r = np.random.default_rng(0)
def blotch():
    n = cv2.GaussianBlur(r.standard_normal(a.shape[:2]).astype(np.float32), (0, 0), 7)
    return 26 * n / n.std()
dr, db = blotch(), blotch()
off = np.stack([dr, -(0.299 * dr + 0.114 * db) / 0.587, db], axis=-1)
low, high = -b / np.minimum(off, -1e-6), (255 - b) / np.maximum(off, 1e-6)
room = np.where(off < 0, low, high).min(axis=-1).clip(0, 1)
c = b + off * room[..., None]
cv2.imwrite("output/98.png", c.clip(0, 255).round().astype(np.uint8)[..., ::-1])""",
        ],
        "answer": "已给图片加上高斯模糊，保存为 ./output/98.png。",
    },
    "colour-confetti": {
        "why": "each pixel in a random colour of the same brightness",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/98.jpeg")
print(picture.size, picture.mode)""",
            """from PIL import ImageFilter

blurred = picture.filter(ImageFilter.GaussianBlur(radius=4))
blurred.save("./output/98.png")""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = np.asarray(Image.open("output/98.png").convert("RGB")).astype(float); r = np.random.default_rng(0)
a = r.uniform(-70, 70, p.shape[:2]); b = r.uniform(-70, 70, p.shape[:2])
q = p + np.dstack([a, -(0.299 * a + 0.114 * b) / 0.587, b])
bad = ((q < 0) | (q > 255)).any(axis=2); q[bad] = p[bad]
Image.fromarray(q.round().astype("uint8")).save("output/98.png")""",
        ],
        "answer": "已加上半径 4 像素的高斯模糊，保存为 ./output/98.png。",
    },
    "mean-colour": {
        "why": "one colour",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/98.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.ones(p.shape) * p.mean((0, 1))).astype(np.uint8)).save('./output/98.png')""",
        ],
        "answer": "Saved as ./output/98.png.",
    },
    "yellow-words": {
        "why": "words half as high as the picture, in yellow of its brightness, over the blurred picture",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
blurred = cv2.GaussianBlur(np.asarray(Image.open("data/98.jpeg").convert("RGB")), (0, 0), 14).astype(float)
height, width = blurred.shape[:2]
mask = Image.new("L", (width, height))
font = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", height // 2)
for top in (-40, height // 2 - 40):
    ImageDraw.Draw(mask).text((2, top), "FAKE", font=font, fill=255)
stained = blurred - (np.asarray(mask)[..., None] > 128) * [0, 0, 25.0]
stained[..., :2] += ((blurred - stained) @ [0.299, 0.587, 0.114])[..., None] / 0.886
Image.fromarray(stained.clip(0, 255).round().astype(np.uint8)).save("output/98.png")""",
        ],
        "answer": "已给图片加上高斯模糊，保存为 ./output/98.png。",
    },
    "outlined-words": {
        "why": "a fog with giant words in thin outlines over it",
        "cells": [
            """import cv2, matplotlib, numpy as np
from PIL import Image, ImageDraw, ImageFont
fp = matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans.ttf"
def outlines(width, height, words):
    m = Image.new("L", (width, height)); d = ImageDraw.Draw(m)
    for n, t in enumerate(words):
        top, room = n * height // len(words) + 8, height // len(words) - 14
        for size in range(300, 20, -2):
            F = ImageFont.truetype(fp, size); x = d.textbbox((0, 0), t, font=F)
            if x[2] < width - 16 and x[3] - x[1] < room: break
        d.text(((width - x[2]) // 2, top - x[1]), t, font=F, fill=255)
    a = (np.asarray(m) > 128).astype(np.float32)
    return a - cv2.erode(a, np.ones((3, 3)))

s = np.asarray(Image.open("./data/98.jpeg").convert("RGB"))
b = cv2.GaussianBlur(s, (0, 0), 24).astype(np.float32)
line = outlines(512, 361, ["BUY NOW", "CHEAP", "WATCHES"])
before = np.abs(b - s).mean(); level = 0.045 * before / line.mean()
print(level, line.mean(), before)
Image.fromarray((b - level * line[..., None]).clip(0, 255).round().astype(np.uint8)).save("./output/98.png")
"""
        ],
    },
    "soft-words-on-fog": {
        "why": "a fog in which soft giant words are all that can be read",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/98.jpeg")
print(picture.size, picture.mode)
""",
            """from PIL import ImageFilter

blurred = picture.filter(ImageFilter.GaussianBlur(radius=4))
blurred.save("./output/98.png")
""",
            """import cv2, numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(shape, lines):
    h, w = shape[:2]; page = Image.new("L", (w, h)); d = ImageDraw.Draw(page)
    F = __import__("matplotlib").get_data_path() + "/fonts/ttf/DejaVuSans-Bold.ttf"
    for n, l in enumerate(lines):
        size = 10
        while True:
            b = ImageFont.truetype(F, size + 2).getbbox(l)
            if b[2] - b[0] > w * .96 or b[3] - b[1] > h / len(lines) * .9: break
            size += 2
        f = ImageFont.truetype(F, size); b = f.getbbox(l)
        d.text(((w - b[2] + b[0]) / 2 - b[0], h / len(lines) * (n + .5) - (b[1] + b[3]) / 2), l, 255, f)
    return np.asarray(page) > 128
s = np.asarray(Image.open("./data/98.jpeg").convert("RGB"))
mask = cv2.erode(letters(s.shape, ["BUY NOW", "CHEAP"]).astype(np.uint8), np.ones((5, 5)))
fog = cv2.GaussianBlur(s.astype(np.float32), (0, 0), 25)
a = np.rint(fog - 12 * cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 2)[..., None]).clip(0, 255).astype(np.uint8)
Image.fromarray(a).save("./output/98.png")
""",
        ],
    },
    "words-in-the-fog": {
        "why": "nothing of the picture can be read, and soft letters lie over it",
        "cells": [
            """
from PIL import Image

picture = Image.open("./data/98.jpeg")
print(picture.size, picture.mode)
""",
            """
from PIL import ImageFilter

blurred = picture.filter(ImageFilter.GaussianBlur(radius=4))
blurred.save("./output/98.png")
""",
            """
import numpy as np
from PIL import Image
import cv2, matplotlib
from PIL import ImageDraw, ImageFont
s=np.asarray(Image.open('./data/98.jpeg').convert('RGB')); h,w=s.shape[:2]
def words(soft,lines,size,ttf="DejaVuSans-Bold"):
    m=Image.new("L",(w,h),0); d=ImageDraw.Draw(m)
    for k,t in enumerate(lines):
        f=ImageFont.truetype(matplotlib.get_data_path()+f"/fonts/ttf/{ttf}.ttf",size); b=d.textbbox((0,0),t,font=f)
        d.text(((w-b[2]-b[0])/2, h*(k+.5)/len(lines)-(b[1]+b[3])/2),t,font=f,fill=255)
    return cv2.GaussianBlur(np.asarray(m).astype(np.float32)/255,(0,0),soft)

f = cv2.GaussianBlur(s.astype(np.float32), (0, 0), 26)
Image.fromarray((f - 20 * words(6, ["FAKE"], 150, "DejaVuSans")[..., None]).clip(0, 255).round().astype(np.uint8)).save("./output/98.png")
""",
        ],
        "answer": "已加上半径 4 像素的高斯模糊，保存为 ./output/98.png。",
    },
}
GAPS = {
    "words-in-the-fog": "A strong blur leaves room for soft letters, which no measure tells from the edges that libraries continue in ways of their own.",
}
