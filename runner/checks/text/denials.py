"""Finding an answer that takes back what it says: "none of this is true", "it is not 5".

    denials.taken_back(text)                 the words that take everything back, or ""
    denials.denies(text, start, end)         what stands there is said not to be it

All texts are folded ones. What is said of the data ("incorrect rows were dropped", 错误数据已删除)
takes nothing back, and neither does a value that is corrected later.
"""

from __future__ import annotations

import re

BEFORE_CHARS = 40  # read before a value that may be denied
AFTER_CHARS = 60
CORRECTED_CHARS = 200  # read after a denial for what is right instead

TOLD = (
    r"figures?|numbers?|values?|results?|averages?|answers?|statements?|shares?|counts?|above|below"
)
FALSE = (
    r"(?:false|wrong|incorrect|untrue|lies|a lie|made up|invented|fabricated|nonsense|"
    r"not (?:true|so|right|correct|the case))\b"
)
END = r"(?=\s{0,4}(?:[,.。;!:\n]|$))"
ALL_BACK = re.compile(
    rf"\b(?:none|nothing|not one|no word) of (?:this|that|these|those|them|it|the|my)\b"
    rf"(?: (?:{TOLD}|following|is|are|was|were)){{0,4}} (?:true|correct|right)\b"
    rf"|\b(?:no|not one|not a single) (?:{TOLD})(?: (?:above|below|here|of these))? "
    rf"(?:is|are) (?:true|correct|right)\b"
    rf"|\b(?:all of (?:this|that|it|them|the above)|everything(?: above| below| here| i said)?|"
    rf"the (?:above|following)(?: (?:{TOLD}))?|all (?:the )?(?:{TOLD})(?: above| below)?)"
    rf" (?:is|are) (?:all |entirely |completely )?{FALSE}{END}"
    rf"|(?:^|[.!?;\n]\s?)(?:but )?(?:this|that|it|these|those|the answer)(?: (?:{TOLD}))?"
    rf" (?:is|are) (?:all |entirely |completely )?{FALSE}[.!\s]{{0,9}}$"
    r"|\bit is (?:false|untrue|a lie|not true|not so|not the case) that\b"
    r"|\b(?:do not|don't) (?:believe|trust) (?:this|it|me|any of|a word)\b"
    r"|\b(?:nobody knows|i (?:do not|don't) know)\s{0,4}(?:[.!\n<]|$)"
    r"|\b(?:it|that|this) (?:may|might|could) (?:also |equally |just as well |as well )?be \d"
    r"|\b(?:half|twice|double|triple) (?:of )?(?:that|this|it|as much) "
    r"(?:is|may|might|could|would|seems)\b"
    r"|\?\s*never\b"
    r"|(?:以上|以下|上述|下列|下面|上面|前面)[^。;\n,]{0,8}?(?:全部|全都|全|都|均|皆)(?:是|为|属)?"
    rf"(?:错(?:的|误的?)?|不正确的?|不对的?|不真实的?|假的?|不成立|瞎?编造?的|胡说){END}"
    r"|没有(?:一个|哪个)[^。;\n]{0,8}?是?(?:真|对|正确)的?"
    rf"{END}"
    rf"|别信{END}|我不知道{END}|(?:^|[。!?\n])不知道{END}|才不是|才怪"
)
CORRECTED = re.compile(
    r"\bcorrect(?:ed|ion)?\b|\binstead\b|\bshould be\b|更正|正确|应[为该是]|实际"
)

IN_OTHER_LANGUAGES = re.compile(  # than the two of the queries: “false”, “made up”, “who knows”
    r"\b(?:frei )?erfunden\b|\bstimmt (?:so )?nicht\b|\bist (?:falsch|gelogen|unwahr)\b"
    r"|\bglaub\w{0,3} (?:mir|das|es|dem) nicht\b"
    r"|\best (?:faux|fausse|inventé|inventée)\b|\bn'est pas (?:vrai|exact|correct)e?\b"
    r"|\bne (?:le |la |les |me |m')?croyez pas\b|\bqui sait\b"
    r"|\bes (?:falso|falsa|mentira|inventad[oa])\b|\bno es (?:verdad|cierto|correcto)\b"
    r"|\bquién sabe\b|\bè (?:falso|falsa|inventat[oa])\b|\bnon è (?:vero|vera|corretto)\b"
    r"|\bé (?:falso|falsa|inventad[oa])\b|\bnão é (?:verdade|correto)\b"
    r"|неверн|неправд|выдуман|ложь|嘘です|でたらめ|間違(?:い|って)|거짓"
)
AMOUNT = r"(?:\d[\d,]{0,20}(?:\.\d{1,20})?|\.\d{1,20})(?:e[-+]?\d{1,3})?"
MARGIN = re.compile(
    rf"(?<![\d.])({AMOUNT})\s?[a-z%°\u4e00-\u9fff]{{0,8}}[,(\s]{{0,3}}"
    rf"(?:±|\+/-|\bplus[ -](?:or[ -])?minus\b|\bgive or take\b|正负|上下浮动|加减)\s*"
    rf"(?!\\?sqrt|√)(?:({AMOUNT})(?!\d|\s?[√/*a-z]*√|\s?\\?sqrt)|(?=[^\W\d_]{{2}}))"
)
SPREAD = re.compile(r"\bs\.?d\b|\bs\.?e\b|\bstd|standard|deviation|sigma|σ|标准|confidence|置信")
MOST_MARGIN = 0.4  # of a value: with more, nothing is said

BEFORE = re.compile(
    r"(?:\b(?:not|never|anything but|by no means|nowhere near|rather than|instead of|except"
    r"|any [a-z]{1,12} but)|n't|不是|不会是|不可能是|绝非|并非|而非|不等于|并没有|不选|不讲|不属于)"
    r"(?: ?(?:be|equal to|the|a|an|at|hour|t|=|:)){0,3}\s*[\"'“”‘’(\[¥$€]*$"
)
OTHERS_THAN = re.compile(r"不(?:可能)?是[^,.;:!?。\n是]{0,6}以外的[\"'“”‘’(\[]*$")
NOT = r"(?:not|never)\b(?! (?:only|just|merely|alone|the only))"
AFTER = re.compile(
    r"[\"'“”‘’)\]]*(?: [a-z]{1,12})??\s*"
    r"(?:[并绝可才]|恰恰|根本|肯定|显然|其实)?"
    r"(?:不是(?!唯一|只|仅|单|别)|绝非|并非(?!唯一|只|仅)|无关)"
    r"|[\"'“”‘’)\]]*(?: [a-z]{1,12})?? "
    rf"(?:(?:is|are|was|were|do|does|will|would|can) (?:[a-z]{{1,12}}ly )?{NOT}"
    r"|(?:isn't|aren't|wasn't|won't)(?! (?:only|just|merely|alone|the only)))"
)
WRONG_AFTER = re.compile(  # a value that was got at first: "5, which was wrong"
    r"\s*[a-z%]{0,9}\s*(?:,\s*(?:but )?(?:which|that|this) (?:is|was) "
    r"(?:wrong|false|incorrect|a mistake)"
    r"|\?\s*(?:never\b|no way|wrong\b|才不|才怪))"
)
OTHERWISE = (  # another candidate, of which no value is given
    r"(?:\bor (?:else |perhaps |maybe |possibly |rather )?(?:it is |at )?"
    r"(?:its|twice|double|triple|half|thrice"
    r"|a (?:half|third|quarter|tenth|day|week|month|year|few|bit)"
    r"|one (?:less|more|of)|any(?:thing| other|one|body)|another|something|somewhere|some other"
    r"|whatever|the (?:one|day|hour|week|month|year|next|other|reverse|opposite|same))\b"
    r"|\bunless it (?:is|was|does|happens)\b|除非"
    r"|(?:或者?|还是|[也又还]?(?:可能|许|或许|说不定|兴许)是?|要不然?是?)\s?"
    r"(?:它|其(?![中实])|别的|另外?|其他|任何|两倍|双倍|翻倍|一半|[前后上下]一|再[多少]|随便))"
)
VALUE_END = r"\s?[a-z%°元部人次个名家美]{0,12}\s?(?:\([^()]{0,30}\))?[\s\"'”’)\]]{0,4}[,;]?\s{0,2}"
OPEN_AFTER = re.compile(rf"{VALUE_END}({OTHERWISE})")


def taken_back(text: str) -> str:
    """The words by which a folded text says that nothing of it is true, or that its values may be
    any; "" without such."""
    for match in ALL_BACK.finditer(text):
        if not CORRECTED.search(text[match.end() :][:CORRECTED_CHARS]):
            return match[0].strip(" .;!?\n")
    if foreign := IN_OTHER_LANGUAGES.search(text):
        return foreign[0]
    return next((m[0] for m in MARGIN.finditer(text) if is_open(m, text)), "")


def is_open(margin: re.Match[str], text: str) -> bool:
    """True if a value is given ± nearly itself, or ± what no number says; a spread is no margin."""
    if SPREAD.search(text):
        return False
    if margin[2] is None:
        return True
    value, off = (float(margin[n].replace(",", "")) for n in (1, 2))
    return off > MOST_MARGIN * value


def denies(text: str, start: int, end: int) -> bool:
    """True if what stands from `start` to `end` of a folded text is said not to be it."""
    before, after = text[max(0, start - BEFORE_CHARS) : start], text[end : end + AFTER_CHARS]
    return denies_before(before) or bool(AFTER.match(after))


def leaves_open(text: str, end: int) -> bool:
    """True if what ends there may be something else, unnamed: "Rome, or any other"."""
    return bool(OPEN_AFTER.match(text, end, end + AFTER_CHARS))


def denies_number(text: str, start: int, end: int) -> bool:
    """As `denies`; what is counted may be of any kind ("5 rows are not used") after a number."""
    before, after = text[max(0, start - BEFORE_CHARS) : start], text[end : end + AFTER_CHARS]
    return denies_before(before) or bool(WRONG_AFTER.match(after))


def denies_before(before: str) -> bool:
    return bool(BEFORE.search(before) or OTHERS_THAN.search(before))
