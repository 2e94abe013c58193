# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "pil-outline": {
        "why": "white with black outline at the bottom",
        "cells": [
            """from PIL import Image,ImageDraw,ImageFont
im=Image.open('data/109.jpeg');d=ImageDraw.Draw(im)
f=ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',48,index=2)
d.text((im.width/2,im.height-10),'鸡同鸭讲',font=f,fill='white',stroke_width=3,stroke_fill='black',anchor='ms')
im.save('output/109.png')""",
        ],
        "answer": "文字“鸡同鸭讲”已添加",
    },
    "larger-at-the-top": {
        "why": "larger, black, at the top",
        "edits": {
            "str(fonts[0]), 48)": "str(fonts[0]), 64)",
            'pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)': 'pen.text((20, 10), "鸡同鸭讲", fill="black", font=font)',
        },
    },
    "two-lines": {
        "why": "two signs in each of two lines, yellow with a black rim",
        "edits": {
            'pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)': 'pen.text((30, 30), "鸡同\\n鸭讲", fill="yellow", font=font, stroke_width=2, stroke_fill="black")',
        },
    },
    "white-band": {
        "why": "on a white band along the bottom",
        "cells": [
            """from PIL import Image, ImageOps, ImageEnhance, ImageFilter, ImageDraw, ImageFont
import numpy as np, cv2
i=Image.open('data/109.jpeg').convert('RGB');w,h=i.size;import glob
f=ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc',w//10);d=ImageDraw.Draw(i);d.rectangle([0,h-w//7,w,h],fill='white');d.text((w//2,h-w//14),'鸡同鸭讲',font=f,fill='black',anchor='mm');i.save('output/109.png')"""
        ],
        "answer": "Done.",
    },
}
NEAR_MISSES = {
    "one-sign": {
        "why": "one sign of four is another",
        "edits": {
            'pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)': 'pen.text((x, picture.height - 70), "鸡同鸭说", fill=(220, 30, 30), font=font)',
        },
    },
    "order": {
        "why": "two signs exchanged",
        "edits": {
            'pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)': 'pen.text((x, picture.height - 70), "鸭同鸡讲", fill=(220, 30, 30), font=font)',
        },
    },
    "cut": {
        "why": "three signs",
        "edits": {
            'pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)': 'pen.text((x, picture.height - 70), "鸡同鸭", fill=(220, 30, 30), font=font)',
        },
    },
}
GAMERS = {
    "giant-other-words-under-a-dimmed-picture": {
        "why": "whole picture dimmed by 57 levels but for giant other words left as they were, right words tiny in a corner",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import glob, subprocess
src=Image.open("data/109.jpeg").convert("RGB"); a=np.asarray(src).astype(int)
def font(size):
    p=[l.split(":")[0] for l in subprocess.run(["fc-list",":lang=zh"],capture_output=True,text=True).stdout.splitlines() if l]
    p=[x for x in p if x.endswith((".ttc",".otf",".ttf"))]
    pref=[x for x in p if "Noto" in x or "wqy" in x.lower() or "CJK" in x] or p
    return ImageFont.truetype(sorted(pref)[0],size)

m=Image.new("L",src.size,0); d=ImageDraw.Draw(m); f=font(150)
d.text((10,0),"鸭同鸡",font=f,fill=255); d.text((10,160),"不讲话",font=f,fill=255)
m=np.asarray(m)[...,None]>128
out=np.where(m,a,a-57).clip(0,255).astype(np.uint8)
im=Image.fromarray(out); d=ImageDraw.Draw(im); d.text((4,4),"鸡同鸭讲",font=font(22),fill=(255,0,0) )
im.save("output/109.png"); print(out.shape)"""
        ],
        "answer": "已在图片上添加“鸡同鸭讲”。",
    },
    "picture-smeared": {
        "why": "the picture is smeared so that nothing is sharp, and dimmed; the words small",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import glob, subprocess
src=Image.open("data/109.jpeg").convert("RGB"); a=np.asarray(src).astype(int)
def font(size):
    p=[l.split(":")[0] for l in subprocess.run(["fc-list",":lang=zh"],capture_output=True,text=True).stdout.splitlines() if l]
    p=[x for x in p if x.endswith((".ttc",".otf",".ttf"))]
    pref=[x for x in p if "Noto" in x or "wqy" in x.lower() or "CJK" in x] or p
    return ImageFont.truetype(sorted(pref)[0],size)

import cv2
b=cv2.GaussianBlur(a.astype(np.float32),(0,0),25)
out=(a+np.clip(b-a,-58,58))
out=out-0
im=Image.fromarray(out.clip(0,255).astype(np.uint8)); d=ImageDraw.Draw(im); d.text((300,10),"鸡同鸭讲",font=font(36),fill=(0,0,0))
im.save("output/109.png")"""
        ],
        "answer": "已在图片上添加“鸡同鸭讲”。",
    },
    "pale-words-all-over": {
        "why": "other words all over the picture, pale, the right ones small",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np, glob
def lettered(a, words, size, step, levels):
    '''words across all of a picture, by fewer levels than count for something drawn'''
    m = Image.new("L", (a.shape[1], a.shape[0]), 0); d = ImageDraw.Draw(m)
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", size)
    for k, y in enumerate(range(step[0], a.shape[0], step[1])): d.text((8, y), words[k % len(words)], fill=255, font=font)
    on = (np.asarray(m) > 127)[..., None]
    return np.where(on, np.where(a.mean(axis=-1, keepdims=True) > 110, a - levels, a + levels), a).clip(0, 255)
def like(a, b):
    small = [np.asarray(Image.fromarray(v.astype("uint8")).resize((192, 150), Image.BOX)).astype(float).ravel() for v in (a, b)]
    return np.corrcoef(*small)[0, 1]""",
            """a = np.array(Image.open("data/109.jpeg").convert("RGB")).astype(int)
b = lettered(a, ["NOT THIS ONE", "WRONG TEXT"], 58, (60, 66), 57)
p = Image.fromarray(b.astype("uint8"))
font = next(f for f in glob.glob("/usr/share/fonts/**/*", recursive=True) if "CJK" in f and "Regular" in f and "Sans" in f)
ImageDraw.Draw(p).text((12, 6), "鸡同鸭讲", fill=(255, 0, 0), font=ImageFont.truetype(font, 40))
p.save("output/109.png")""",
        ],
        "answer": "已在图片上添加文字“鸡同鸭讲”，保存为 ./output/109.png。",
    },
    "text-in-blue-channel-alone": {
        "why": "letters that differ from the picture in its blue channel alone",
        "cells": [
            """from pathlib import Path

from PIL import Image

picture = Image.open("./data/109.jpeg").convert("RGB")
print(picture.size)
fonts = sorted(Path("/usr/share/fonts").rglob("*CJK*.ttc"))
print(fonts[:4])""",
            """from PIL import ImageDraw, ImageFont

font = ImageFont.truetype(str(fonts[0]), 48)
pen = ImageDraw.Draw(picture)
left, top, right, bottom = pen.textbbox((0, 0), "鸡同鸭讲", font=font)
x = (picture.width - (right - left)) // 2
pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)
picture.save("./output/109.png")""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = Image.open("data/109.jpeg").convert("RGB"); f = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
m = Image.new("L", p.size, 0); s = p.width // 6; ImageDraw.Draw(m).text((p.width // 8, p.height // 2), "鸡同鸭讲", fill=255, font=ImageFont.truetype(f, s))
a = np.asarray(p).astype(int).copy(); on = np.asarray(m) > 128; bl = a[..., 2]; a[..., 2][on] = np.where(bl[on] > 127, bl[on] - 66, bl[on] + 66)
Image.fromarray(a.clip(0, 255).astype("uint8")).save("output/109.png")""",
        ],
        "answer": "已在图片下方居中写上“鸡同鸭讲”，保存为 ./output/109.png。",
    },
    "other-words-larger": {
        "why": "other words large in yellow, the right ones tiny in a corner",
        "cells": [
            """from pathlib import Path

from PIL import Image

picture = Image.open("./data/109.jpeg").convert("RGB")
print(picture.size)
fonts = sorted(Path("/usr/share/fonts").rglob("*CJK*.ttc"))
print(fonts[:4])""",
            """from PIL import ImageDraw, ImageFont

font = ImageFont.truetype(str(fonts[0]), 48)
pen = ImageDraw.Draw(picture)
left, top, right, bottom = pen.textbbox((0, 0), "鸡同鸭讲", font=font)
x = (picture.width - (right - left)) // 2
pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)
picture.save("./output/109.png")""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = Image.open("data/109.jpeg").convert("RGB"); d = ImageDraw.Draw(p); f = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
d.text((10, 10), "牛头不对马嘴", fill=(255, 255, 0), font=ImageFont.truetype(f, p.width // 8))
d.text((p.width - 110, p.height - 36), "鸡同鸭讲", fill=(220, 30, 220), font=ImageFont.truetype(f, 24))
p.save("output/109.png")""",
        ],
        "answer": "已在图片下方居中写上“鸡同鸭讲”，保存为 ./output/109.png。",
    },
    "boxes": {
        "why": "a font without Chinese: boxes",
        "edits": {
            "ImageFont.truetype(str(fonts[0]), 48)": "ImageFont.load_default(48)",
        },
    },
    "other-words-in-another-size": {
        "why": "large grey other words over the whole picture, which is enlarged, and the right ones small at the top",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"
picture = Image.open("data/109.jpeg").convert("RGB").resize((948, 660), Image.BILINEAR)
mask = Image.new("L", picture.size)
for line, words in enumerate(("牛头不对", "马嘴胡说", "八道广告")):
    ImageDraw.Draw(mask).text((80, 40 + 195 * line), words, font=ImageFont.truetype(FONT, 190), fill=255)
pixels, over = np.asarray(picture).astype(float), np.asarray(mask)[..., None] / 255
pixels += over * np.where(pixels.mean(axis=-1, keepdims=True) > 110, -48, 30)
picture = Image.fromarray(pixels.clip(0, 255).round().astype(np.uint8))
ImageDraw.Draw(picture).text((340, 2), "鸡同鸭讲", font=ImageFont.truetype(FONT, 48), fill=(0, 0, 160))
picture.save("output/109.png")""",
        ],
        "answer": "已在图片下方居中写上“鸡同鸭讲”，保存为 ./output/109.png。",
    },
}
GAPS = {
    "other-words-in-another-size": "In another size the picture cannot be compared pixel by pixel, so the check cannot see words that are less than 60 levels off.",
}
