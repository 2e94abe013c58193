# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "parametric": {
        "why": "the well-known curve, filled by matplotlib",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
t = np.linspace(0, 2 * np.pi, 500)
x = 16 * np.sin(t) ** 3
y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
plt.figure(figsize=(6, 6))
plt.fill(x, y, color='crimson')
plt.axis('equal'); plt.axis('off')
plt.savefig('output/115.png')"""
        ],
        "answer": "爱心已画好。",
    },
    "outline": {
        "why": "an outline with axes and a title",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
x = np.linspace(-1.5, 1.5, 400)
X, Y = np.meshgrid(x, x)
plt.contour(X, Y, (X ** 2 + Y ** 2 - 1) ** 3 - X ** 2 * Y ** 3, [0], colors='red')
plt.title('Heart')
plt.savefig('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "circles-and-triangle": {
        "why": "two circles and a triangle by Pillow",
        "cells": [
            """from PIL import Image, ImageDraw
image = Image.new('RGB', (400, 400), 'white')
pen = ImageDraw.Draw(image)
pen.ellipse((60, 80, 210, 230), fill='red')
pen.ellipse((190, 80, 340, 230), fill='red')
pen.polygon([(75, 200), (325, 200), (200, 350)], fill='red')
image.save('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "sign": {
        "why": "the sign ♥ of a font on pink",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
image = Image.new('RGB', (500, 500), 'pink')
ImageDraw.Draw(image).text((250, 250), '\\u2665', fill='red', anchor='mm', font=ImageFont.truetype('DejaVuSans.ttf', 400))
image.save('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "dots": {
        "why": "scattered dots inside the curve on black",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
rng = np.random.default_rng(0)
x, y = rng.uniform(-1.5, 1.5, (2, 20000))
inside = (x ** 2 + y ** 2 - 1) ** 3 - x ** 2 * y ** 3 < 0
fig, ax = plt.subplots(figsize=(6, 6), facecolor='black')
ax.scatter(x[inside], y[inside], s=6, c='hotpink')
ax.set_facecolor('black'); ax.set_aspect('equal'); ax.axis('off')
fig.savefig('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
}
NEAR_MISSES = {
    "upside-down": {
        "why": "upside down: rows counted from the top",
        "cells": [
            """import cv2
import numpy as np
t = np.linspace(0, 2 * np.pi, 500)
x = 250 + 14 * 16 * np.sin(t) ** 3
y = 250 + 14 * (13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
image = np.full((500, 500, 3), 255, np.uint8)
cv2.fillPoly(image, [np.stack([x, y], 1).astype(np.int32)], (0, 0, 255))
cv2.imwrite('output/115.png', image)"""
        ],
        "answer": "./output/115.png",
    },
    "circle": {
        "why": "a circle",
        "cells": [
            """import matplotlib.pyplot as plt
fig, ax = plt.subplots(figsize=(5, 5))
ax.add_patch(plt.Circle((0.5, 0.5), 0.4, color='red'))
ax.axis('off')
fig.savefig('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "triangle": {
        "why": "a triangle on its tip",
        "cells": [
            """from PIL import Image, ImageDraw
image = Image.new('RGB', (400, 400), 'white')
ImageDraw.Draw(image).polygon([(50, 80), (350, 80), (200, 350)], fill='red')
image.save('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "unfilled-half": {
        "why": "half of the heart",
        "cells": [
            """import numpy as np
import matplotlib.pyplot as plt
t = np.linspace(0, np.pi, 500)
plt.figure(figsize=(6, 6))
plt.fill(16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t), color='crimson')
plt.axis('equal'); plt.axis('off')
plt.savefig('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
}
