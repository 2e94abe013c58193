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
