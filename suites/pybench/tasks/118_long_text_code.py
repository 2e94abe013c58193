"""A QR code with the whole of a classical Chinese preface."""

from runner.checks import Case

INDEX = "118"
TITLE = "滕王阁序全文二维码"
CATEGORY = "image"
LANGUAGE = "zh"
OUTPUTS = ["118.png"]
NOTE = "The code must hold the text itself, not a link to it. Compared are the Chinese characters of the preface's received text (773 with the closing poem, of which nine tenths must be there in order; editions differ in single characters), with or without punctuation, title, author and poem."

TEXT = """
豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。
时维九月，序属三秋。潦水尽而寒潭清，烟光凝而暮山紫。俨骖騑于上路，访风景于崇阿。临帝子之长洲，得天人之旧馆。层峦耸翠，上出重霄；飞阁流丹，下临无地。鹤汀凫渚，穷岛屿之萦回；桂殿兰宫，即冈峦之体势。
披绣闼，俯雕甍，山原旷其盈视，川泽纡其骇瞩。闾阎扑地，钟鸣鼎食之家；舸舰弥津，青雀黄龙之舳。云销雨霁，彩彻区明。落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。
遥襟甫畅，逸兴遄飞。爽籁发而清风生，纤歌凝而白云遏。睢园绿竹，气凌彭泽之樽；邺水朱华，光照临川之笔。四美具，二难并。穷睇眄于中天，极娱游于暇日。天高地迥，觉宇宙之无穷；兴尽悲来，识盈虚之有数。望长安于日下，目吴会于云间。地势极而南溟深，天柱高而北辰远。关山难越，谁悲失路之人？萍水相逢，尽是他乡之客。怀帝阍而不见，奉宣室以何年？
嗟乎！时运不齐，命途多舛。冯唐易老，李广难封。屈贾谊于长沙，非无圣主；窜梁鸿于海曲，岂乏明时？所赖君子见机，达人知命。老当益壮，宁移白首之心？穷且益坚，不坠青云之志。酌贪泉而觉爽，处涸辙以犹欢。北海虽赊，扶摇可接；东隅已逝，桑榆非晚。孟尝高洁，空余报国之情；阮籍猖狂，岂效穷途之哭！
勃，三尺微命，一介书生。无路请缨，等终军之弱冠；有怀投笔，慕宗悫之长风。舍簪笏于百龄，奉晨昏于万里。非谢家之宝树，接孟氏之芳邻。他日趋庭，叨陪鲤对；今兹捧袂，喜托龙门。杨意不逢，抚凌云而自惜；钟期既遇，奏流水以何惭？
呜呼！胜地不常，盛筵难再；兰亭已矣，梓泽丘墟。临别赠言，幸承恩于伟饯；登高作赋，是所望于群公。敢竭鄙怀，恭疏短引；一言均赋，四韵俱成。请洒潘江，各倾陆海云尔。
滕王高阁临江渚，佩玉鸣鸾罢歌舞。画栋朝飞南浦云，珠帘暮卷西山雨。闲云潭影日悠悠，物换星移几度秋。阁中帝子今何在？槛外长江空自流。
"""
POEM = "滕王高阁临江渚"  # where the closing poem begins, which may be left out
LEAST_SHARE = 0.9
MOST_FOREIGN = 0.15


def check(case: Case) -> None:
    from runner.checks import codes, edits

    name = "118.png"
    pixels = edits.read(case, name)
    code = codes.read(case, name, pixels, lambda text: coverage(text)[0] >= LEAST_SHARE)
    found, foreign = coverage(code.text)
    case.expect(
        "the whole text",
        found >= LEAST_SHARE,
        expected=f"{LEAST_SHARE:.0%} of its characters in order",
        actual=f"{found:.0%}: {code.text[:80]}",
        file=name,
    )
    case.expect(
        "nothing else",
        foreign <= MOST_FOREIGN,
        expected=f"{MOST_FOREIGN:.0%} other characters at most",
        actual=f"{foreign:.0%}",
        file=name,
    )


def coverage(said: str) -> tuple[float, float]:
    """The share of the preface that `said` holds in order, and the share of it that is not in it."""
    from difflib import SequenceMatcher

    whole, said = characters(TEXT), characters(said)
    blocks = SequenceMatcher(None, whole, said, autojunk=False).get_matching_blocks()
    preface = whole.index(POEM)
    there = sum(max(0, min(b.a + b.size, preface) - b.a) for b in blocks if b.size > 1)
    matched = sum(b.size for b in blocks)
    return there / preface, 1 - matched / len(said) if said else 1.0


def characters(text: str) -> str:
    """The Chinese characters of a text alone."""
    return "".join(c for c in text if "\u4e00" <= c <= "\u9fff" or c > "\U00020000")


REFERENCE = {
    "cells": [
        '''
text = """
豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。
时维九月，序属三秋。潦水尽而寒潭清，烟光凝而暮山紫。俨骖騑于上路，访风景于崇阿。临帝子之长洲，得天人之旧馆。层峦耸翠，上出重霄；飞阁流丹，下临无地。鹤汀凫渚，穷岛屿之萦回；桂殿兰宫，即冈峦之体势。
披绣闼，俯雕甍，山原旷其盈视，川泽纡其骇瞩。闾阎扑地，钟鸣鼎食之家；舸舰弥津，青雀黄龙之舳。云销雨霁，彩彻区明。落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。
遥襟甫畅，逸兴遄飞。爽籁发而清风生，纤歌凝而白云遏。睢园绿竹，气凌彭泽之樽；邺水朱华，光照临川之笔。四美具，二难并。穷睇眄于中天，极娱游于暇日。天高地迥，觉宇宙之无穷；兴尽悲来，识盈虚之有数。望长安于日下，目吴会于云间。地势极而南溟深，天柱高而北辰远。关山难越，谁悲失路之人？萍水相逢，尽是他乡之客。怀帝阍而不见，奉宣室以何年？
嗟乎！时运不齐，命途多舛。冯唐易老，李广难封。屈贾谊于长沙，非无圣主；窜梁鸿于海曲，岂乏明时？所赖君子见机，达人知命。老当益壮，宁移白首之心？穷且益坚，不坠青云之志。酌贪泉而觉爽，处涸辙以犹欢。北海虽赊，扶摇可接；东隅已逝，桑榆非晚。孟尝高洁，空余报国之情；阮籍猖狂，岂效穷途之哭！
勃，三尺微命，一介书生。无路请缨，等终军之弱冠；有怀投笔，慕宗悫之长风。舍簪笏于百龄，奉晨昏于万里。非谢家之宝树，接孟氏之芳邻。他日趋庭，叨陪鲤对；今兹捧袂，喜托龙门。杨意不逢，抚凌云而自惜；钟期既遇，奏流水以何惭？
呜呼！胜地不常，盛筵难再；兰亭已矣，梓泽丘墟。临别赠言，幸承恩于伟饯；登高作赋，是所望于群公。敢竭鄙怀，恭疏短引；一言均赋，四韵俱成。请洒潘江，各倾陆海云尔。
滕王高阁临江渚，佩玉鸣鸾罢歌舞。画栋朝飞南浦云，珠帘暮卷西山雨。闲云潭影日悠悠，物换星移几度秋。阁中帝子今何在？槛外长江空自流。
""".strip()
print(len(text), len(text.encode("utf-8")))
''',
        """
import qrcode

code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_L, box_size=6, border=4)
code.add_data(text)
code.make(fit=True)
code.make_image(fill_color="black", back_color="white").save("./output/118.png")
print(code.version)
""",
    ],
    "answer": "二维码已生成，内容为《滕王阁序》全文，保存为 ./output/118.png。",
}
WRONG = {
    "opening-only": {
        "why": "puts only the first paragraph in",
        "cells": [
            """
import qrcode

text = "豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。"
qrcode.make(text).save("./output/118.png")
"""
        ],
        "answer": "二维码已生成，扫描后显示滕王阁序全文。",
    },
    "made-up-after-the-opening": {
        "why": "goes on with other famous lines where it does not know the text",
        "cells": [
            """
import qrcode

text = (
    "豫章故郡，洪都新府。星分翼轸，地接衡庐。襟三江而带五湖，控蛮荆而引瓯越。物华天宝，龙光射牛斗之墟；人杰地灵，徐孺下陈蕃之榻。雄州雾列，俊采星驰。台隍枕夷夏之交，宾主尽东南之美。都督阎公之雅望，棨戟遥临；宇文新州之懿范，襜帷暂驻。十旬休假，胜友如云；千里逢迎，高朋满座。腾蛟起凤，孟学士之词宗；紫电青霜，王将军之武库。家君作宰，路出名区；童子何知，躬逢胜饯。"
    "落霞与孤鹜齐飞，秋水共长天一色。白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"
    "君不见黄河之水天上来，奔流到海不复回。君不见高堂明镜悲白发，朝如青丝暮成雪。"
)
qrcode.make(text).save("./output/118.png")
"""
        ],
        "answer": "二维码已生成，保存为 ./output/118.png。",
    },
    "link": {
        "why": "links to a page with the text instead of holding it",
        "cells": [
            """
import qrcode

qrcode.make("https://baike.baidu.com/item/滕王阁序").save("./output/118.png")
"""
        ],
        "answer": "扫描二维码即可阅读滕王阁序全文。",
    },
}
