# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A QR code that holds a whole classical text."""

from runner.checks import Case
from runner.checks.pictures import images, qr_codes

INDEX = "118"
TITLE = "存有全文的二维码"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["118.png"]
NOTE = "The text is a seventh-century essay of some 770 characters; editions differ in a few, and the closing poem may follow. Nine tenths of its phrases must be read out of the code, in its order."

ESSAY = """
豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。
时维九月，序属三秋。潦水尽而寒潭清，烟光凝而暮山紫。俨骖騑于上路，访风景于崇阿；临帝子之长洲，得天人之旧馆。层峦耸翠，上出重霄；飞阁流丹，下临无地。鹤汀凫渚，穷岛屿之萦回；桂殿兰宫，即冈峦之体势。
披绣闼，俯雕甍，山原旷其盈视，川泽纡其骇瞩。闾阎扑地，钟鸣鼎食之家；舸舰弥津，青雀黄龙之舳。云销雨霁，彩彻区明。落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。
遥襟甫畅，逸兴遄飞。爽籁发而清风生，纤歌凝而白云遏。睢园绿竹，气凌彭泽之樽；邺水朱华，光照临川之笔。四美具，二难并。穷睇眄于中天，极娱游于暇日。天高地迥，觉宇宙之无穷；兴尽悲来，识盈虚之有数。望长安于日下，目吴会于云间。地势极而南溟深，天柱高而北辰远。关山难越，谁悲失路之人；萍水相逢，尽是他乡之客。怀帝阍而不见，奉宣室以何年？
嗟乎！时运不齐，命途多舛。冯唐易老，李广难封。屈贾谊于长沙，非无圣主；窜梁鸿于海曲，岂乏明时？所赖君子见机，达人知命。老当益壮，宁移白首之心？穷且益坚，不坠青云之志。酌贪泉而觉爽，处涸辙以犹欢。北海虽赊，扶摇可接；东隅已逝，桑榆非晚。孟尝高洁，空余报国之情；阮籍猖狂，岂效穷途之哭！
勃，三尺微命，一介书生。无路请缨，等终军之弱冠；有怀投笔，慕宗悫之长风。舍簪笏于百龄，奉晨昏于万里。非谢家之宝树，接孟氏之芳邻。他日趋庭，叨陪鲤对；今兹捧袂，喜托龙门。杨意不逢，抚凌云而自惜；钟期既遇，奏流水以何惭？
呜呼！胜地不常，盛筵难再；兰亭已矣，梓泽丘墟。临别赠言，幸承恩于伟饯；登高作赋，是所望于群公。敢竭鄙怀，恭疏短引；一言均赋，四韵俱成。请洒潘江，各倾陆海云尔。
"""


def check(case: Case) -> None:
    import difflib
    import itertools
    import re

    pixels = images.read(case, "118.png", "PNG")
    code = qr_codes.read(case, "118.png", pixels)
    case.demand(
        "a code that can be read",
        code.text,
        "a QR code",
        "none can be read",
        "118.png",
        "No QR code can be read in 118.png.",
    )
    phrases = [p for p in re.split(r"[，。；？！、\s]+", ESSAY) if len(p) >= 4]
    held = [p for p in phrases if p in code.text]
    case.expect(
        "the whole text",
        len(held) >= 0.9 * len(phrases),
        f"{len(phrases)} phrases, nine tenths or more",
        len(held),
        "118.png",
        f"The code in 118.png holds {len(held)} of the text's {len(phrases)} phrases.",
    )
    whole, found = (re.sub(r"[^\u4e00-\u9fff]", "", text) for text in (ESSAY, code.text))
    blocks = difflib.SequenceMatcher(None, whole, found, autojunk=False).get_matching_blocks()
    share = sum(block.size for block in blocks) / len(whole)
    case.expect(
        "its characters",
        share >= 0.95,
        "95 % or more of the text's, in their order",
        f"{share:.1%}",
        "118.png",
        f"The code in 118.png lacks {1 - share:.0%} of the text.",
    )
    whole, found = (re.sub(r"[\W_]", "", text) for text in (ESSAY, code.text))
    case.expect(
        "hardly more than the text",
        len(found) <= 1.25 * len(whole),
        "1.25 times its letters at most, as with its title, its author and the closing poem",
        f"{len(found) / len(whole):.2f} times",
        "118.png",
        f"The code in 118.png holds {len(found)} letters, {len(whole)} of which are the text's.",
    )
    places = [code.text.index(p) for p in held]
    ordered = sum(a < b for a, b in itertools.pairwise(places))
    case.expect(
        "in the text's order",
        ordered >= 0.9 * (len(places) - 1),
        "nine tenths of the phrases after the one before them",
        f"{ordered} of {len(places) - 1}",
        "118.png",
        "The phrases in the code of 118.png are not in the text's order.",
    )


REFERENCE = {
    "cells": [
        '''
text = """豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。
时维九月，序属三秋。潦水尽而寒潭清，烟光凝而暮山紫。俨骖騑于上路，访风景于崇阿；临帝子之长洲，得天人之旧馆。层峦耸翠，上出重霄；飞阁流丹，下临无地。鹤汀凫渚，穷岛屿之萦回；桂殿兰宫，即冈峦之体势。
披绣闼，俯雕甍，山原旷其盈视，川泽纡其骇瞩。闾阎扑地，钟鸣鼎食之家；舸舰弥津，青雀黄龙之舳。云销雨霁，彩彻区明。落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。
遥襟甫畅，逸兴遄飞。爽籁发而清风生，纤歌凝而白云遏。睢园绿竹，气凌彭泽之樽；邺水朱华，光照临川之笔。四美具，二难并。穷睇眄于中天，极娱游于暇日。天高地迥，觉宇宙之无穷；兴尽悲来，识盈虚之有数。望长安于日下，目吴会于云间。地势极而南溟深，天柱高而北辰远。关山难越，谁悲失路之人；萍水相逢，尽是他乡之客。怀帝阍而不见，奉宣室以何年？
嗟乎！时运不齐，命途多舛。冯唐易老，李广难封。屈贾谊于长沙，非无圣主；窜梁鸿于海曲，岂乏明时？所赖君子见机，达人知命。老当益壮，宁移白首之心？穷且益坚，不坠青云之志。酌贪泉而觉爽，处涸辙以犹欢。北海虽赊，扶摇可接；东隅已逝，桑榆非晚。孟尝高洁，空余报国之情；阮籍猖狂，岂效穷途之哭！
勃，三尺微命，一介书生。无路请缨，等终军之弱冠；有怀投笔，慕宗悫之长风。舍簪笏于百龄，奉晨昏于万里。非谢家之宝树，接孟氏之芳邻。他日趋庭，叨陪鲤对；今兹捧袂，喜托龙门。杨意不逢，抚凌云而自惜；钟期既遇，奏流水以何惭？
呜呼！胜地不常，盛筵难再；兰亭已矣，梓泽丘墟。临别赠言，幸承恩于伟饯；登高作赋，是所望于群公。敢竭鄙怀，恭疏短引；一言均赋，四韵俱成。请洒潘江，各倾陆海云尔。"""
print(len(text), len(text.encode()))
''',
        """
import qrcode

code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, box_size=6, border=4)
code.add_data(text)
code.make(fit=True)
code.make_image().save("output/118.png")
print(code.version)
""",
    ],
    "answer": "二维码已保存到 ./output/118.png，扫描后显示《滕王阁序》全文。",
}
WRONG = {
    "first-lines": {
        "why": "holds the first lines only",
        "cells": [
            "import qrcode\nqrcode.make('豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。').save('output/118.png')"
        ],
        "answer": "二维码已保存到 ./output/118.png。",
    },
    "title-only": {
        "why": "holds the title in place of the text",
        "cells": ["import qrcode\nqrcode.make('滕王阁序全文').save('output/118.png')"],
        "answer": "二维码已保存到 ./output/118.png。",
    },
    "a-link": {
        "why": "links to a page about the text",
        "cells": [
            "import qrcode\nqrcode.make('https://baike.baidu.com/item/滕王阁序').save('output/118.png')"
        ],
        "answer": "二维码已保存到 ./output/118.png。",
    },
}
