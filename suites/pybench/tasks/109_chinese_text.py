# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Write four Chinese characters on a picture."""

from runner.checks import Case

INDEX = "109"
TITLE = "在图片上添加文字"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["109.png"]
NOTE = "Any font, size, colour and place, across, down or in two lines: the four characters must be readable (told from others by their shapes in the machine's own Chinese fonts), not boxes or question marks, and the picture still be there."

TEXT = "鸡同鸭讲"
RIVALS = "鸟鸣鸥鸽鹅鸦鸳狗猫牛羊回问向周高许计话说谈语言四川中国文字图片你好口田目日"


def check(case: Case) -> None:
    from runner.checks.pictures import edits, images, lettering, placement

    name = "109.png"
    source, canvas = edits.original(case, "109.jpeg"), edits.read_drawing(case, name)
    added = placement.require_added(case, canvas, source, "109.jpeg", name, 0.6)
    share = float(max(is_new.mean() for is_new in added))
    case.demand(
        "something was added",
        0.0005 <= share <= 0.5,
        expected="0.05 % to 50 % of the pixels changed",
        actual=f"{share:.2%}",
        file=name,
    )
    inks = [ink for is_new in added for ink in lettering.inks(canvas, is_new)]
    readings = [
        lettering.read_characters(ink, TEXT, RIVALS) for ink in inks if images.islands(ink, 2)
    ]
    best = max(readings, key=lambda said: lettering.agreed_characters(said, TEXT), default="")
    agreed = lettering.agreed_characters(best, TEXT)
    case.expect(
        "the text",
        agreed == len(TEXT) or (agreed == len(TEXT) - 1 and "?" in best),  # one may be unclear
        expected=TEXT,
        actual=best or "no text found",
        file=name,
        message=f"What was added to {name} does not read {TEXT} (read: {best or 'nothing'}).",
    )


REFERENCE = {
    "cells": [
        """
from pathlib import Path

from PIL import Image

picture = Image.open("./data/109.jpeg").convert("RGB")
print(picture.size)
fonts = sorted(Path("/usr/share/fonts").rglob("*CJK*.ttc"))
print(fonts[:4])
""",
        """
from PIL import ImageDraw, ImageFont

font = ImageFont.truetype(str(fonts[0]), 48)
pen = ImageDraw.Draw(picture)
left, top, right, bottom = pen.textbbox((0, 0), "鸡同鸭讲", font=font)
x = (picture.width - (right - left)) // 2
pen.text((x, picture.height - 70), "鸡同鸭讲", fill=(220, 30, 30), font=font)
picture.save("./output/109.png")
""",
    ],
    "answer": "已在图片下方居中写上“鸡同鸭讲”，保存为 ./output/109.png。",
}
WRONG = {
    "boxes": {
        "why": "writes with a font that has no Chinese characters, so that boxes appear",
        "cells": [
            """
from PIL import Image, ImageDraw, ImageFont

picture = Image.open("./data/109.jpeg")
ImageDraw.Draw(picture).text((50, 20), "鸡同鸭讲", fill="black", font=ImageFont.load_default(40))
picture.save("./output/109.png")
"""
        ],
        "answer": "文字已添加，保存为 ./output/109.png。",
    },
    "drawn-on-a-copy": {
        "why": "writes on a copy and saves the picture without it",
        "cells": [
            """
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

picture = Image.open("./data/109.jpeg")
font = ImageFont.truetype(str(sorted(Path("/usr/share/fonts").rglob("*CJK*.ttc"))[0]), 60)
ImageDraw.Draw(picture.copy()).text((40, 10), "鸡同鸭讲", fill="black", font=font)
picture.save("./output/109.png")
"""
        ],
        "answer": "已在图片上添加“鸡同鸭讲”。",
    },
    "off-the-picture": {
        "why": "writes where only half of the characters still fit",
        "cells": [
            """
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

picture = Image.open("./data/109.jpeg")
font = ImageFont.truetype(str(sorted(Path("/usr/share/fonts").rglob("*CJK*.ttc"))[0]), 60)
pen = ImageDraw.Draw(picture)
pen.text((picture.width - 110, 120), "鸡同鸭讲", fill="black", font=font)
picture.save("./output/109.png")
"""
        ],
        "answer": "文字已添加。",
    },
    "other-text": {
        "why": "writes in Latin letters what the characters say",
        "cells": [
            """
from PIL import Image, ImageDraw, ImageFont

picture = Image.open("./data/109.jpeg")
pen = ImageDraw.Draw(picture)
pen.text((60, 20), "Ji Tong Ya Jiang", fill="red", font=ImageFont.load_default(40))
picture.save("./output/109.png")
"""
        ],
        "answer": "已在图片上添加文字“鸡同鸭讲”。",
    },
}
