"""Texts and tables of unknown encoding and dialect, as the programs that people use write them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable
from itertools import islice

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Of files without a mark that are no UTF-8, as charset-normalizer names them.
WIDE = ["gb18030", "big5", "cp932", "euc_jp", "euc_kr"]
NARROW = ["cp1251", "koi8_r", "cp866", "cp1253", "cp1255", "cp1256", "cp874"]
NAMES = {
    "gb18030": "GB 18030", "big5": "Big5", "cp932": "Shift JIS", "euc_jp": "EUC-JP",
    "euc_kr": "EUC-KR", "koi8_r": "KOI8-R", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16",
    "cp866": "CP866", "cp850": "CP850", "mac_roman": "Mac Roman", "iso8859_2": "ISO 8859-2",
}  # fmt: skip
THAI_SIGNS = frozenset("ะัาำิีึืุูเแโใไ็่้๊๋์ๆ")
VOWELS = frozenset("аеёиоуыэюяіїєАЕЁИОУЫЭЮЯІЇЄ")
# Often in Chinese and in Korean texts; short ones of both are the same bytes.
COMMON_HAN = frozenset(
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学"
    "对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公"
    "同三已老从动两长知名姓期金额部门工资城市北京上海销售报告数量价格编号产品客户合计总月份类型"
)
COMMON_HANGUL = frozenset(
    "이다는을가의에하고한지로도서사기은를자있그나어리대시인아수해일정보제스라과들게전부원적만구장동"
    "상성주여요조비것마니면우안국저소용공무선등세거오위모름점금액날짜월년서울판매수량가격합계번호제품"
)
WESTERN = (
    "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúüºª", "áâãàçéêíóôõúºª", "àèéìòùí", "åäöæøé", "áéëíïóöü",
)  # fmt: skip
CENTRAL = (
    "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîșțşţ", "čćđšž",
)  # fmt: skip
# Letters of languages beyond ASCII, by encoding; the first that fits is taken.
ALPHABETS = (
    ("cp1252", WESTERN),
    ("cp1250", CENTRAL),
    ("cp1254", ("çğıiöşüâîû",)),
    ("cp1252", ("áðéíóúýþæö",)),
    ("cp1257", ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")),
    ("mac_roman", WESTERN),
    ("cp850", WESTERN),
    ("iso8859_2", CENTRAL),
)
MIXED = 0.85  # of letters of several languages in one text
LEAST_FIT = 0.6
MOST_LETTERS = 2_000  # looked at
USUAL_SIGNS = frozenset("“”„‘’‚«»‹›…–—•€£§©®™°º±×¿¡½¼¾²³µ\u00a0")
LETTER = re.compile(r"(?<=(.))([^\x00-\x7f])(?=(.))", re.DOTALL)
DELIMITERS = ",;\t|"
HIGH = re.compile(rb"[\x80-\xff]+")
GLUED = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]{2}(?=[A-Za-z])")
HAN = re.compile("[\u4e00-\u9fff]")
LOOKED_AT, SAMPLE_CHARS = 30, 20_000  # records that tell how the fields are parted
LONGEST_CELL = 1 << 20


def decode(content: bytes) -> tuple[str, str] | None:
    """The text of `content`, and the encoding's name where it was guessed; None for no text.

    `content` may be the head of a file: a character that is cut at its end is left out.
    """
    for mark, name in MARKS:
        if content.startswith(mark):
            return decode_as(content, name), ""
    if name := wide_encoding(content):
        return decode_as(content, name), NAMES[name]
    if b"\0" in content:
        return None
    text = decode_as(content, "utf-8")
    wrong = text.count("\ufffd") - content.count(b"\xef\xbf\xbd")
    if not wrong:
        return text, ""
    if 10 * wrong < sum(ord(char) > 127 for char in text):
        return text, f"UTF-8, which {wrong:,} of its bytes are not"
    return guess(content)


def wide_encoding(content: bytes) -> str:
    """UTF-16 without a mark, by where its zeros stand; "" for anything else."""
    head = content[:4096]
    pairs = len(head) // 2
    if pairs < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.3 * pairs and even < 0.02 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.3 * pairs and odd < 0.02 * pairs else ""


def guess(content: bytes) -> tuple[str, str] | None:
    """The text in the encoding that fits best; None where much of it is no writing."""
    if sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in content) > len(content) // 100:
        return None
    name = guess_latin(content) or guess_other(content)
    return decode_as(content, name), NAMES.get(name) or name.replace("cp", "Windows-")


def has_lone_letters(content: bytes) -> bool:
    """True if most of the high bytes stand alone, as accented letters and signs do."""
    runs = HIGH.findall(content)
    glued = len(GLUED.findall(content))  # in the middle of a word of letters, as in "Größe"
    lone = glued + sum(len(run) == 1 for run in runs)
    return 2 * lone > len(runs) or (lone > 0 and sum(map(len, runs)) < 2 * len(runs))


def guess_latin(content: bytes) -> str:
    """The encoding that makes words of one language; "" where none does."""
    if not has_lone_letters(content) or rate_japanese(decode_as(content, "cp932")) > LEAST_FIT:
        return ""
    rates = [(name, rate_latin(decode_as(content, name), fits)) for name, fits in ALPHABETS]
    name, best = max(rates, key=lambda one: one[1])
    return name if best > LEAST_FIT else ""


def rate_latin(text: str, alphabets: tuple[str, ...]) -> float:
    """The share of letters and signs that stand where they may in the language that fits best."""
    found = Counter(
        (match[1], match[2], match[3])
        for match in islice(LETTER.finditer(f" {text} "), MOST_LETTERS)
    )
    every = "".join(alphabets)
    rates = [
        sum(count * rate_letter(*place, letters) for place, count in found.items())
        for letters in (*alphabets, every)
    ]
    return max(*rates[:-1], MIXED * rates[-1]) / (found.total() or 1)


def rate_letter(before: str, letter: str, after: str, alphabet: str) -> float:
    beside = before.isalpha() + after.isalpha()
    if letter.isalpha() and letter not in "ºªµ":
        if letter.lower()[:1] not in alphabet or (letter.isupper() and before.islower()):
            return 0.0
        return 1.0 if beside else 0.9
    if letter not in USUAL_SIGNS:
        return 0.5 if letter.isprintable() and not beside else 0.0
    if letter in "²³£" and beside and before != "m":
        return 0.0
    return 1.0 if beside < 2 or letter in "’\u00a0" else 0.5 if letter in "–—" else 0.0


def guess_other(content: bytes) -> str:
    """An alphabet of its own, or characters of several bytes."""
    rates = {name: rate(decode_as(content, name)) for name, rate in SCRIPTS.items()}
    best = max(rates, key=lambda name: rates[name])
    if rates[best] > 0.6:
        return best
    from charset_normalizer import from_bytes

    found = from_bytes(content, cp_isolation=[*WIDE, *NARROW], enable_fallback=False).best()
    return found.encoding if found else "cp1252"


def share(text: str, is_of: Callable[[str], bool]) -> float:
    """The share of such characters among those that are not ASCII; 0 if one has no meaning."""
    letters = [char for char in text if ord(char) > 127]
    if not letters or "\ufffd" in text:
        return 0.0
    return sum(map(is_of, letters)) / len(letters)


def rate_chinese(text: str) -> float:
    return min(0.99, 3 * share(text, COMMON_HAN.__contains__))


def rate_korean(text: str) -> float:
    return 0.0 if HAN.search(text) else min(0.99, 3 * share(text, COMMON_HANGUL.__contains__))


def rate_japanese(text: str) -> float:
    """Kana of full width; those of half width are what other encodings look like."""
    return min(0.99, 3 * share(text, lambda char: "\u3041" <= char <= "\u30fe"))


def rate_hebrew(text: str) -> float:
    return (
        0.96
        * share(text, lambda char: "\u05d0" <= char <= "\u05ea")
        * (share(text, "ירשת".__contains__) > 0.1)
    )


def rate_arabic(text: str) -> float:
    written = share(text, lambda char: "\u0600" <= char <= "\u06ff")
    return 0.97 * written * (share(text, "اليمون".__contains__) > 0.35)


def rate_thai(text: str) -> float:
    """Half of it consonants, with the marks that stand above them, and hardly a rare sign."""
    consonants = share(text, lambda char: "\u0e01" <= char <= "\u0e2e")
    common = share(text, lambda char: char in THAI_SIGNS) + consonants
    marks = share(text, "\u0e31\u0e34\u0e35\u0e37\u0e38\u0e48\u0e49\u0e4c".__contains__)
    return 0.98 * common * (marks > 0.12 and consonants > 0.45)


def rate_greek(text: str) -> float:
    written = share(text, lambda char: "\u0370" <= char <= "\u03ff")
    return 0.94 * written * (share(text, "αοιετνσηρυ".__contains__) > 0.4)


def rate_russian(text: str) -> float:
    """Mostly small letters, a third to half of them vowels."""
    written = share(text, lambda char: "\u0400" <= char <= "\u045f")
    is_spoken = 0.25 < share(text, VOWELS.__contains__) < 0.65
    return 0.95 * written * is_spoken * (0.5 + 0.5 * share(text, str.islower))


SCRIPTS: dict[str, Callable[[str], float]] = {
    "gb18030": rate_chinese,
    "euc_kr": rate_korean,
    "cp932": rate_japanese,
    "euc_jp": rate_japanese,
    "cp1251": rate_russian,
    "koi8_r": rate_russian,
    "cp866": rate_russian,
    "cp1253": rate_greek,
    "cp1255": rate_hebrew,
    "cp1256": rate_arabic,
    "cp874": rate_thai,
}


def decode_as(content: bytes, encoding: str) -> str:
    return codecs.getincrementaldecoder(encoding)("replace").decode(content)


def read_records(text: str, usual: str = ",") -> list[list[str]]:
    """The records of a table with any delimiter; [] where it cannot be read as one.

    A first line "sep=;", as spreadsheets write it, is obeyed and left out.
    """
    first, _, rest = text.partition("\n")
    named = first.strip().strip('"')
    if len(named) == 5 and named.lower().startswith("sep="):
        return parse(rest, named[4])
    rates = {sign: rate_delimiter(text, sign) for sign in {*DELIMITERS, usual}}
    best = max(rates, key=lambda sign: (rates[sign], "|,;\t".find(sign)))
    return parse(text, best if rates[best][1] else usual)


def rate_delimiter(text: str, delimiter: str) -> tuple[float, int]:
    """The share of records that have the commonest number of fields, and that number; (0, 0)
    where most have one field."""
    records = parse(text[:SAMPLE_CHARS], delimiter)[:LOOKED_AT]
    counts = Counter(map(len, records))
    fields, records_with = max(counts.items(), key=lambda one: one[1], default=(0, 0))
    return (round(records_with / len(records), 1), fields) if fields > 1 else (0.0, 0)


def parse(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        return [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row
        ]
    except csv.Error:
        return []
