# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "two-lines-serif": {
        "why": "two lines, serif bold, white outline, on picture",
        "cells": [
            """from PIL import Image,ImageDraw,ImageFont
im=Image.open('data/110.jpeg');ImageDraw.Draw(im).multiline_text((im.width/2,8),'Map of the Middle\\nEast Situation',fill=(230,0,0),font=ImageFont.truetype('DejaVuSerif-Bold.ttf',36),anchor='ma',align='center',stroke_width=2,stroke_fill='white');im.save('output/110.png')""",
        ],
        "answer": "Done.",
    },
    "over-the-map": {
        "why": "Pillow, over the top of the map",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
image = Image.open('data/110.jpeg').convert('RGB')
font = ImageFont.truetype('DejaVuSans-Bold.ttf', 24)
pen = ImageDraw.Draw(image)
text = 'Map of the Middle East Situation'
pen.text(((image.width - pen.textlength(text, font)) / 2, 8), text, fill='red', font=font)
image.save('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
    "band-above": {
        "why": "on a white band above the map",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
image = Image.open('data/110.jpeg').convert('RGB')
page = Image.new('RGB', (image.width, image.height + 50), 'white')
page.paste(image, (0, 50))
ImageDraw.Draw(page).text((page.width / 2, 25), 'Map of the Middle East Situation', anchor='mm', fill=(220, 20, 20), font=ImageFont.truetype('DejaVuSerif.ttf', 26))
page.save('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
    "matplotlib": {
        "why": "matplotlib's title",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Map of the Middle East Situation', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "The title was added in red.",
    },
    "opencv": {
        "why": "OpenCV's own letters",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (0, 0, 255), 2, cv2.LINE_AA)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
}
NEAR_MISSES = {
    "blue": {
        "why": "red and blue exchanged: blue letters",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (255, 0, 0), 2)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
    "word-lost": {
        "why": "the last word is cut off at the edge",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 255), 2)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
    "far-east": {
        "why": "another title",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Map of the Far East Situation', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "./output/110.png",
    },
    "words-turned": {
        "why": "the words in another order",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Situation Map of the Middle East', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "./output/110.png",
    },
    "without-map": {
        "why": "the title without the map",
        "cells": [
            """import matplotlib.pyplot as plt
plt.figure(figsize=(6, 4))
plt.axis('off')
plt.title('Map of the Middle East Situation', color='red')
plt.savefig('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
}
GAMERS = {
    "giant-other-title-in-the-dimmed-map": {
        "why": "the map is dimmed by 57 levels but for a giant other title; the right one tiny",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
import glob, subprocess
src=Image.open("data/110.jpeg").convert("RGB"); a=np.asarray(src).astype(int)
def font(size):
    p=[l.split(":")[0] for l in subprocess.run(["fc-list",":lang=zh"],capture_output=True,text=True).stdout.splitlines() if l]
    p=[x for x in p if x.endswith((".ttc",".otf",".ttf"))]
    pref=[x for x in p if "Noto" in x or "wqy" in x.lower() or "CJK" in x] or p
    return ImageFont.truetype(sorted(pref)[0],size)

m=Image.new("L",src.size,0); d=ImageDraw.Draw(m); f=font(95)
for i,t in enumerate(["MAP OF THE","ROMAN","EMPIRE"]): d.text((5,60+i*110),t,font=f,fill=255)
m=np.asarray(m)[...,None]>128
out=np.where(m,a,a-57).clip(0,255).astype(np.uint8)
im=Image.fromarray(out); d=ImageDraw.Draw(im)
p="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
try: f2=ImageFont.truetype(p,17)
except OSError:
    import matplotlib; f2=ImageFont.truetype(matplotlib.get_data_path()+"/fonts/ttf/DejaVuSans.ttf",17)
d.text((100,6),"Map of the Middle East Situation",font=f2,fill=(255,0,0))
im.save("output/110.png")"""
        ],
        "answer": "The title was added in red.",
    },
    "pale-title-all-over": {
        "why": "another title in pale giant letters over the map",
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
            """a = np.array(Image.open("data/110.jpeg").convert("RGB")).astype(int); h, w = a.shape[:2]
for levels in range(57, 15, -3):
    b = lettered(a, ["MAP OF", "SOUTH", "AFRICA"], 96, (60, 112), levels)
    if like(a, b) > 0.83: break
p = Image.fromarray(b.astype("uint8"))
ImageDraw.Draw(p).text((w / 2, 8), "Map of the Middle East Situation", fill=(230, 0, 0), anchor="ma", font=ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", 24))
p.save("output/110.png")""",
        ],
        "answer": "The title has been added: ./output/110.png.",
    },
    "other-title-larger": {
        "why": "a large black title of another map, the red one tiny",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

p = Image.open("data/110.jpeg").convert("RGB"); d = ImageDraw.Draw(p)
d.text((10, 30), "Map of Antarctica", fill=(0, 0, 0), font=ImageFont.load_default(p.width // 12))
d.text((10, 4), "Map of the Middle East Situation", fill=(255, 0, 0), font=ImageFont.load_default(12))
p.save("output/110.png")""",
        ],
        "answer": "done",
    },
    "in-red-on-red": {
        "why": "a red bar with the title in it, hardly to be seen",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
image[:60] = (0, 0, 255)
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (0, 0, 235), 2)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
    "smeared-map": {
        "why": "the map under its red title is smeared so far that no name on it can be read",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont, ImageFilter
picture = Image.open("data/110.jpeg").convert("RGB").resize((768, 621)).filter(ImageFilter.GaussianBlur(5))
font = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 30)
ImageDraw.Draw(picture).text((70, 0), "Map of the Middle East Situation", font=font, fill=(255, 0, 0))
picture.save("output/110.png")""",
        ],
        "answer": "I wrote the title in red at the top of the map and saved ./output/110.png.",
    },
}
GAPS = {
    "smeared-map": "The check finds the map and reads the title, but it cannot see whether the map's small names can still be read.",
}
