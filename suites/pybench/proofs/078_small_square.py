# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv-area": {
        "why": "OpenCV by areas",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224), interpolation=cv2.INTER_AREA))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "nearest": {
        "why": "every so many pixels, by NumPy",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/78.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(p[np.arange(224) * p.shape[0] // 224][:, np.arange(224) * p.shape[1] // 224]).astype(np.uint8)).save('./output/78.png')""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
NEAR_MISSES = {
    "turned": {
        "why": "small, and turned by a quarter",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.rotate(cv2.resize(p, (224, 224)), cv2.ROTATE_90_CLOCKWISE))""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "channels": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', cv2.resize(p, (224, 224))[..., ::-1])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "corner": {
        "why": "the upper left corner of that size",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/78.jpeg')
cv2.imwrite('./output/78.png', p[:224, :224])""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
}
GAMERS = {
    "thumbnail-enlarged": {
        "why": "shrunk to 60 pixels and enlarged again",
        "cells": [
            """from PIL import Image
Image.open("data/78.jpeg").convert("RGB").resize((80,80),Image.LANCZOS).resize((224,224),Image.BICUBIC).save("output/78.png")"""
        ],
        "answer": "Done.",
    },
    "watermark": {
        "why": "large pale letters across it",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
p = Image.open("data/78.jpeg").convert("RGB").resize((224, 224), Image.LANCZOS)
m = Image.new("L", p.size, 0)
d = ImageDraw.Draw(m)
for y in range(6, 224, 44):
    d.text((8, y), "NOT FOR USE", fill=255, font_size=34)
a, k = np.asarray(p).astype(float), np.asarray(m)[..., None] / 255
b = a + k * np.where(a.mean(axis=-1, keepdims=True) > 127, -34, 34)
Image.fromarray(b.clip(0, 255).round().astype("uint8")).save("output/78.png")""",
        ],
        "answer": "The picture is now 224 × 224 pixels: ./output/78.png.",
    },
    "mosaic": {
        "why": "blocks of 4 pixels",
        "cells": [
            """from PIL import Image

picture = Image.open("./data/78.jpeg")
print(picture.size, picture.mode)""",
            """small = picture.resize((224, 224), Image.Resampling.LANCZOS)
small.save("./output/78.png")
print(Image.open("./output/78.png").size)""",
            """from PIL import Image
p = Image.open("output/78.png").convert("RGB"); w, h = p.size
p.resize((max(1, w // 4), max(1, h // 4)), Image.BOX).resize((w, h), Image.NEAREST).save("output/78.png")""",
        ],
        "answer": "The picture is now 224 × 224 pixels and saved as ./output/78.png.",
    },
    "mean-colour": {
        "why": "a square of the mean colour",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/78.jpeg').convert('RGB'))
Image.fromarray(np.ascontiguousarray(np.ones((224, 224, 3)) * p.mean((0, 1))).astype(np.uint8)).save('./output/78.png')""",
        ],
        "answer": "Saved as ./output/78.png.",
    },
    "purple-words": {
        "why": "giant purple words over the picture",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(w, h, words, size, bold=True, step=1.1):
    import matplotlib
    f = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans" + ("-Bold" if bold else "") + ".ttf", size)
    m = Image.new("L", (w, h), 0); d = ImageDraw.Draw(m)
    for i in range(int(h / (size * step)) + 1): d.text((2, i * size * step), words, font=f, fill=255)
    return np.asarray(m) > 128

x = np.asarray(Image.open("data/78.jpeg").convert("RGB").resize((224, 224), Image.LANCZOS)).astype(float)
m = letters(224, 224, "BUY NOW", 64, step=0.95)[..., None]
for k in np.arange(1.0, 0.3, -0.04):
    y = (x + k * m * np.array([17.0, -17, 17])).clip(0, 255)
    if np.abs(y - x).mean() <= 6.3: break
print(k, m.mean())
Image.fromarray(y.round().astype(np.uint8)).save("output/78.png")
"""
        ],
        "answer": "Done.",
    },
}
