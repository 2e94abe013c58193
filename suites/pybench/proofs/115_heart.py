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
GAMERS = {
    "one-of-sixteen": {
        "why": "a heart as one of sixteen boxes and discs of its size",
        "cells": [
            """from PIL import Image, ImageDraw
import math
im=Image.new("RGB",(1000,1000),"white"); d=ImageDraw.Draw(im)
for i in range(4):
    for j in range(4):
        x,y=i*250+8,j*250+8
        if (i,j)==(3,2):
            pts=[]
            for k in range(300):
                t=k/300*2*math.pi
                px=16*math.sin(t)**3; py=13*math.cos(t)-5*math.cos(2*t)-2*math.cos(3*t)-math.cos(4*t)
                pts.append((x+116+px*7,y+105-py*7))
            d.polygon(pts,fill=(150,40,40))
        elif (i+j)%2: d.rectangle((x,y,x+195,y+195),fill=(60,60,60))
        else: d.ellipse((x,y,x+215,y+215),fill=(40,90,160))
im.save("output/115.png")"""
        ],
        "answer": "心形图案已画好。",
    },
    "beside-a-skull": {
        "why": "a small heart beside a large skull",
        "cells": [
            """import numpy as np, matplotlib.pyplot as plt
fig = plt.figure(figsize=(8, 8)); ax = fig.add_axes([0, 0, 1, 1]); ax.axis("off"); ax.set_xlim(0, 8); ax.set_ylim(0, 8)
ax.add_patch(plt.Circle((4.6, 3.9), 2.9, color="#222222")); ax.add_patch(plt.Rectangle((3.4, 0.3), 2.4, 2, color="#222222"))
for cx in (3.5, 5.7): ax.add_patch(plt.Circle((cx, 4.1), 0.75, color="white"))
ax.add_patch(plt.Polygon([(4.6, 3.4), (4.2, 2.6), (5.0, 2.6)], color="white"))
t = np.linspace(0, 2 * np.pi, 400)
x, y = 16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
ax.fill(1.15 + x * 0.055, 6.85 + y * 0.055, color="#e00030")
fig.savefig("output/115.png", dpi=100)""",
        ],
        "answer": "心形图案已画好：./output/115.png。",
    },
    "blank-to-the-eye": {
        "why": "a heart in pale yellow on white",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

t = np.linspace(0, 2 * np.pi, 400); x = 16 * np.sin(t) ** 3; y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
p = Image.new("RGB", (600, 600), "white"); ImageDraw.Draw(p).polygon([(300 + 16 * a, 290 - 16 * b) for a, b in zip(x, y)], fill=(255, 255, 222)); p.save("output/115.png")""",
        ],
        "answer": "done",
    },
    "horns": {
        "why": "a shield with horns at its sides: a notch and a point",
        "cells": [
            """from PIL import Image, ImageDraw
image = Image.new('RGB', (400, 400), 'white')
ImageDraw.Draw(image).polygon([(50, 60), (200, 120), (350, 60), (350, 150), (200, 350), (50, 150)], fill='red')
image.save('output/115.png')"""
        ],
        "answer": "./output/115.png",
    },
    "fox": {
        "why": "the head of a fox with ears, eyes, a nose and whiskers",
        "cells": [
            """from PIL import Image, ImageDraw
picture = Image.new("RGB", (800, 800), "white")
pen = ImageDraw.Draw(picture)
half = [(0.5, 0.17), (0.64, 0.16), (0.87, 0.02), (0.98, 0.3), (0.93, 0.5), (0.72, 0.72), (0.57, 0.93), (0.5, 0.98)]
outline = half + [(1 - x, y) for x, y in half[-2:0:-1]]
pen.polygon([(800 * x, 800 * y) for x, y in outline], fill=(225, 110, 20))
for side in (-1, 1):
    eye = 400 + 160 * side
    pen.ellipse((eye - 64, 304, eye + 64, 400), fill="white")
    pen.ellipse((eye - 24, 320, eye + 24, 384), fill="black")
    pen.polygon([(400 + 288 * side, 64), (400 + 176 * side, 160), (400 + 336 * side, 208)], fill=(90, 30, 0))
    for top in (560, 592, 624):
        pen.line([(400 + 64 * side, 624), (400 + 160 * side, top)], fill="black", width=3)
pen.ellipse((360, 688, 440, 760), fill="black")
picture.save("output/115.png")""",
        ],
        "answer": "心形图案已保存到 ./output/115.png。",
    },
}
GAPS = {
    "fox": "Hearts have many shapes, so the check asks for two bows, a notch and a point, and cannot tell a heart from the head of a fox.",
}
