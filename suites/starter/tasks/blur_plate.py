# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Blur one rectangle of a picture and leave everything else untouched."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from runner.checks import Case
from runner.checks.inputs import media, scenery
from runner.checks.pictures import images

TITLE = "只模糊车牌"
CATEGORY = "image"
LANGUAGE = "zh"
QUERY = """
./data/street.png 是一张街景照片，发布之前要把车牌遮掉。车牌所在的矩形：左上角坐标为 x=«x»、y=«y»（像素，图像左上角为 0,0），宽 «width» 像素、高 «height» 像素。请只对这个矩形内部做高斯模糊（标准差 8 到 16 像素；计算时是否用到矩形外的像素均可），使车牌上的字再也无法辨认；矩形之外的每一个像素都必须保持原样，图像尺寸不变。不要用纯色块覆盖，也不要打马赛克，模糊后应仍能看出该处原来大致的明暗与颜色。结果保存为 ./output/street_blurred.png（PNG，RGB）。
"""
INPUTS = ["street.png"]
OUTPUTS = ["street_blurred.png"]
NOTE = "How the blur treats the rectangle's edge is left open: inside, only detail and broad colours are measured."

WIDTH, HEIGHT = 640, 400
SIGMAS = [8, 12, 16]  # asked for: anything between
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    picture = Image.fromarray(scenery.landscape(rng, WIDTH, HEIGHT))
    width, height = int(rng.integers(150, 190)), int(rng.integers(54, 72))
    x, y = int(rng.integers(60, 150)), int(rng.integers(210, 300))
    if rng.random() < 0.5:
        x = WIDTH - x - width
    text = "".join(rng.choice(list(LETTERS), size=6))
    picture.paste(draw_plate(text, width, height), (x, y))
    media.write_picture(data / "street.png", np.asarray(picture))
    return {"x": x, "y": y, "width": width, "height": height}


def draw_plate(text: str, width: int, height: int) -> Image.Image:
    """A plate: a blue end at its left, dark letters on a light ground."""
    plate = Image.new("RGB", (width, height), (236, 232, 214))
    pen = ImageDraw.Draw(plate)
    pen.rectangle((0, 0, width // 4, height), fill=(30, 60, 150))
    pen.rectangle((width * 3 // 4, 0, width, height), fill=(214, 196, 90))
    size = 0.62 * height
    size *= min(1, (width - 20) / pen.textlength(text, font_size=size))
    pen.text((10, 5), text, fill=(20, 20, 20), font_size=size, stroke_width=1)
    return plate


def check(case: Case) -> None:
    name, p = "street_blurred.png", case.parameters
    _, original = images.load(case.data / "street.png")
    actual = images.read(case, name, "PNG")
    images.require_size(case, actual, WIDTH, HEIGHT, name)
    box = np.s_[p["y"] : p["y"] + p["height"], p["x"] : p["x"] + p["width"]]
    expect_outside_kept(case, actual, original, box)
    expect_blurred(case, actual[box], original, box)


def expect_outside_kept(case: Case, actual, original, box) -> None:
    changed = np.any(actual != original, axis=-1)
    changed[box] = False
    count = int(changed.sum())
    case.expect(
        "pixels outside the rectangle",
        count == 0,
        expected="0 changed",
        actual=f"{count} changed",
        file="street_blurred.png",
    )


def expect_blurred(case: Case, actual, original, box) -> None:
    """Fine detail is gone to the edges, and what is left is a blur of what was there."""
    name = "street_blurred.png"
    kept = images.detail(actual) / images.detail(original[box])
    case.expect("detail inside", kept <= 0.06, "6 % of the original's or less", f"{kept:.1%}", name)
    blurs = [images.smooth(original[box], sigma) for sigma in SIGMAS]
    blurs += [images.smooth(original, sigma)[box] for sigma in SIGMAS]
    nearest = min(blurs, key=lambda blur: images.difference(actual, blur))
    images.expect_alike(case, "broad colours inside", actual, nearest, 10, name)
    same = images.likeness(actual, nearest)
    case.expect(
        "broad pattern inside", same >= 0.9, "correlation of 0.9 or more", f"{same:.2f}", name
    )


REFERENCE = {
    "cells": [
        "from PIL import Image\n"
        "picture = Image.open('./data/street.png')\n"
        "print(picture.size, picture.mode)\n"
        "x, y, w, h = «x», «y», «width», «height»\n"
        "plate = picture.convert('RGB').crop((x, y, x + w, y + h))\n"
        "print(plate.size)",
        "from PIL import ImageFilter\n"
        "result = picture.convert('RGB').copy()\n"
        "result.paste(plate.filter(ImageFilter.GaussianBlur(12)), (x, y))\n"
        "result.save('./output/street_blurred.png')",
        "import numpy as np\n"
        "before, after = np.array(picture.convert('RGB')), np.array(Image.open('./output/street_blurred.png'))\n"
        "ys, xs = np.where((before != after).any(axis=2))\n"
        "print(xs.min(), xs.max(), ys.min(), ys.max())",
    ],
    "answer": "车牌区域已做高斯模糊，其余像素保持不变，结果保存为 ./output/street_blurred.png。",
}
WRONG = {
    "whole-picture": {
        "why": "blurs the whole picture",
        "cells": [
            "from PIL import Image, ImageFilter\n"
            "picture = Image.open('./data/street.png').convert('RGB')\n"
            "picture.filter(ImageFilter.GaussianBlur(12)).save('./output/street_blurred.png')"
        ],
        "answer": "模糊完成，已保存为 ./output/street_blurred.png。",
    },
    "corners-as-size": {
        "why": "takes width and height for the second corner's coordinates, so part of the plate stays sharp",
        "cells": [
            "import cv2\n"
            "picture = cv2.imread('./data/street.png')\n"
            "x, y, w, h = «x», «y», «width», «height»\n"
            "picture[y:y + w, x:x + h] = cv2.GaussianBlur(picture[y:y + w, x:x + h], (0, 0), 12)\n"
            "cv2.imwrite('./output/street_blurred.png', picture)"
        ],
        "answer": "车牌已经模糊，保存为 ./output/street_blurred.png。",
    },
    "painted-over": {
        "why": "covers the plate with its mean colour",
        "cells": [
            "import numpy as np\n"
            "from PIL import Image\n"
            "picture = np.array(Image.open('./data/street.png').convert('RGB'))\n"
            "x, y, w, h = «x», «y», «width», «height»\n"
            "picture[y:y + h, x:x + w] = picture[y:y + h, x:x + w].mean(axis=(0, 1))\n"
            "Image.fromarray(picture).save('./output/street_blurred.png')"
        ],
        "answer": "车牌区域已处理，保存为 ./output/street_blurred.png。",
    },
    "too-weak": {
        "why": "a blur of 2 px leaves the letters readable",
        "cells": [
            "from PIL import Image, ImageFilter\n"
            "picture = Image.open('./data/street.png').convert('RGB')\n"
            "box = («x», «y», «x» + «width», «y» + «height»)\n"
            "picture.paste(picture.crop(box).filter(ImageFilter.GaussianBlur(2)), box)\n"
            "picture.save('./output/street_blurred.png')"
        ],
        "answer": "车牌已模糊，其余部分未动。",
    },
}
