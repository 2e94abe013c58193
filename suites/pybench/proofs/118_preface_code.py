# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "smaller": {
        "why": "smaller modules",
        "edits": {
            "box_size=6, border=4": "box_size=4, border=6",
        },
    },
    "blue": {
        "why": "a blue code",
        "edits": {
            "code.make_image()": 'code.make_image(fill_color="navy")',
        },
    },
}
NEAR_MISSES = {
    "name-alone": {
        "why": "holds the essay's name alone",
        "edits": {
            "code.add_data(text)": "code.add_data('《滕王阁序》')",
        },
    },
    "half": {
        "why": "holds the first half",
        "edits": {
            "code.add_data(text)": "code.add_data(text[: len(text) // 2])",
        },
    },
    "reversed": {
        "why": "holds the text backwards",
        "edits": {
            "code.add_data(text)": "code.add_data(text[::-1])",
        },
    },
}
GAMERS = {
    "speck": {
        "why": "the code 360 pixels wide in the corner of a large striped poster",
        "edits": {
            "box_size=6, border=4": "box_size=2, border=4",
            'code.make_image().save("output/118.png")': """from PIL import Image, ImageDraw

poster = Image.new("RGB", (2800, 2800), (20, 20, 60))
pen = ImageDraw.Draw(poster)
for i in range(0, 2800, 50):
    pen.line((0, i, 2800, 2800 - i), fill=(200, 120, 30), width=9)
poster.paste(code.make_image().convert("RGB"), (2400, 20))
poster.save("output/118.png")""",
        },
    },
    "every-eleventh-left-out": {
        "why": "every eleventh phrase left out",
        "edits": {
            "code.add_data(text)": """import re
parts = re.split("(?<=[，。；？！])", text)
text = "".join(p for n, p in enumerate(parts) if n % 11)
code.add_data(text)"""
        },
    },
    "phrases-sorted": {
        "why": "the phrases in alphabetical order",
        "edits": {
            "code.add_data(text)": """import re

phrases = sorted(p for p in re.split("[，。；？！\\s]+", text) if p)
code.add_data("，".join(phrases).encode())""",
        },
    },
    "hardly-seen": {
        "why": "a code in grey of 238 on white",
        "cells": [
            """text = \"\"\"豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。
时维九月，序属三秋。潦水尽而寒潭清，烟光凝而暮山紫。俨骖騑于上路，访风景于崇阿；临帝子之长洲，得天人之旧馆。层峦耸翠，上出重霄；飞阁流丹，下临无地。鹤汀凫渚，穷岛屿之萦回；桂殿兰宫，即冈峦之体势。
披绣闼，俯雕甍，山原旷其盈视，川泽纡其骇瞩。闾阎扑地，钟鸣鼎食之家；舸舰弥津，青雀黄龙之舳。云销雨霁，彩彻区明。落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。
遥襟甫畅，逸兴遄飞。爽籁发而清风生，纤歌凝而白云遏。睢园绿竹，气凌彭泽之樽；邺水朱华，光照临川之笔。四美具，二难并。穷睇眄于中天，极娱游于暇日。天高地迥，觉宇宙之无穷；兴尽悲来，识盈虚之有数。望长安于日下，目吴会于云间。地势极而南溟深，天柱高而北辰远。关山难越，谁悲失路之人；萍水相逢，尽是他乡之客。怀帝阍而不见，奉宣室以何年？
嗟乎！时运不齐，命途多舛。冯唐易老，李广难封。屈贾谊于长沙，非无圣主；窜梁鸿于海曲，岂乏明时？所赖君子见机，达人知命。老当益壮，宁移白首之心？穷且益坚，不坠青云之志。酌贪泉而觉爽，处涸辙以犹欢。北海虽赊，扶摇可接；东隅已逝，桑榆非晚。孟尝高洁，空余报国之情；阮籍猖狂，岂效穷途之哭！
勃，三尺微命，一介书生。无路请缨，等终军之弱冠；有怀投笔，慕宗悫之长风。舍簪笏于百龄，奉晨昏于万里。非谢家之宝树，接孟氏之芳邻。他日趋庭，叨陪鲤对；今兹捧袂，喜托龙门。杨意不逢，抚凌云而自惜；钟期既遇，奏流水以何惭？
呜呼！胜地不常，盛筵难再；兰亭已矣，梓泽丘墟。临别赠言，幸承恩于伟饯；登高作赋，是所望于群公。敢竭鄙怀，恭疏短引；一言均赋，四韵俱成。请洒潘江，各倾陆海云尔。\"\"\"
print(len(text), len(text.encode()))""",
            """import qrcode

code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, box_size=6, border=4)
code.add_data(text)
code.make(fit=True)
code.make_image().save("output/118.png")
print(code.version)""",
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np
p = np.asarray(Image.open("output/118.png").convert("L")); Image.fromarray(np.where(p > 128, 255, 238).astype("uint8")).convert("RGB").save("output/118.png")""",
        ],
        "answer": "二维码已保存到 ./output/118.png，扫描后显示《滕王阁序》全文。",
    },
    "one-line-many-times": {
        "why": "one sentence as often as makes its length",
        "edits": {
            "code.add_data(text)": "code.add_data((text[:30] * 30)[: len(text)])",
        },
    },
    "advertisements-between-its-phrases": {
        "why": "words of an advertisement after each phrase of the text",
        "edits": {
            "code.add_data(text)": """import re
shreds = re.sub("[，。；？！\\n]+", "NO!", text)
code.add_data(shreds.encode())""",
        },
    },
    "declared-as-latin-1": {
        "why": "the code declares its bytes as Latin-1: a phone shows not one Chinese character",
        "edits": {
            "import qrcode\n": """import qrcode
from qrcode import util
for sizes in (util.MODE_SIZE_SMALL, util.MODE_SIZE_MEDIUM, util.MODE_SIZE_LARGE): sizes[7] = 8
old = util.length_in_bits
util.length_in_bits = lambda mode, version: 8 if mode == 7 else old(mode, version)
class Declared:
    mode = 7
    def __len__(self): return 3
    def write(self, buffer): pass
""",
            "code.add_data(text)": "code.data_list = [Declared(), util.QRData(text.encode(), mode=util.MODE_8BIT_BYTE)]",
        },
    },
}
LEFT_OUT = {
    "reverse-order": "a code in a mirror is read as the same",
}
GAPS = {
    "declared-as-latin-1": "What encoding a code declares is not looked at: phones follow it, the decoder of the check does not.",
}
