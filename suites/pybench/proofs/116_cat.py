# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "matplotlib": {
        "why": "patches by matplotlib",
        "cells": [
            """import matplotlib.pyplot as plt
from matplotlib.patches import Circle, Ellipse, Polygon
fig, ax = plt.subplots(figsize=(6, 6))
ax.add_patch(Polygon([(-0.9, 0.3), (-0.8, 1.4), (-0.2, 0.85)], color='gray'))
ax.add_patch(Polygon([(0.9, 0.3), (0.8, 1.4), (0.2, 0.85)], color='gray'))
ax.add_patch(Circle((0, 0), 1, color='gray'))
for x in (-0.35, 0.35):
    ax.add_patch(Ellipse((x, 0.2), 0.3, 0.4, color='white'))
    ax.add_patch(Ellipse((x, 0.2), 0.12, 0.3, color='black'))
ax.add_patch(Polygon([(-0.1, -0.15), (0.1, -0.15), (0, -0.28)], color='pink'))
ax.set_xlim(-1.5, 1.5)
ax.set_ylim(-1.4, 1.6)
ax.set_aspect('equal')
ax.axis('off')
fig.savefig('output/116.png')""",
        ],
        "answer": "The cat is in ./output/116.png.",
    },
    "other-colours": {
        "why": "a black cat on blue",
        "edits": {
            '"#fdf6e3"': '"#cfe8ff"',
            'fur, dark = "#f4a460", "#5b3a1e"': 'fur, dark = "#333333", "#111111"',
        },
    },
}
NEAR_MISSES = {
    "no-ears": {
        "why": "the cat lacks its ears",
        "edits": {
            "pen.polygon([(180, 330), (200, 110), (330, 230)], fill=fur, outline=dark)": "pass",
            "pen.polygon([(520, 330), (500, 110), (370, 230)], fill=fur, outline=dark)": "pass",
            'pen.polygon([(205, 290), (215, 160), (290, 240)], fill="#ffc0cb")': "pass",
            'pen.polygon([(495, 290), (485, 160), (410, 240)], fill="#ffc0cb")': "pass",
        },
    },
    "upside-down": {
        "why": "stands on its head",
        "edits": {
            'image.save("output/116.png")': 'image.rotate(180).save("output/116.png")',
        },
    },
}
LEFT_OUT = {
    "reverse-order": "a cat in a mirror is a cat",
}
