# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Black out e-mail addresses and phone numbers in letters and leave all else untouched."""

import random
import re
from pathlib import Path

from runner.checks import Case
from runner.checks.text import documents

TITLE = "Take the contacts out of the letters"
CATEGORY = "text"
QUERY = """
Before we hand ./data/letters.txt to an outside agency, please replace every e-mail address by [EMAIL] and every phone number by [PHONE] and save the result as ./output/letters.txt (UTF-8). Everything else must stay exactly as it is, including order numbers, dates, amounts, postal codes and line breaks.

Please look at how people write: phone numbers come with a leading + or 0, with spaces, dots, dashes, slashes or a bracketed (0); e-mail addresses may be written with “ (at) ” or “ [at] ” and “ (dot) ” instead of the signs. A number such as ORD-20250314-0077 or an IBAN is not a phone number. Replace the number or address only, not the words in front of it (“Tel. ” stays).

In your final answer give two numbers: how many e-mail addresses and how many phone numbers you replaced.
"""
INPUTS = ["letters.txt"]
OUTPUTS = ["letters.txt"]

PEOPLE = ["maria.keller", "j.okafor", "info", "li-wei", "sales+eu", "t_berg", "olga99"]
HOSTS = ["example.org", "mail.example.net", "post.example.co.uk"]
OPENINGS = ["Dear team,", "Hello,", "To whom it may concern,", "Good morning,"]
SENTENCES = [
    "My order ORD-{order} from {date} has not arrived.",
    "I paid {amount} EUR on {date} to IBAN DE{iban}.",
    "Please send the replacement to 8{postal} Westend, house 07.",
    "The device shows error 0x{order} since version 2.10.4.",
    "Room 0815 is open from 08:00 to 17:30.",
    "The invoice {order} of {date} is still open; it is for {amount} EUR.",
]


def phone(rng: random.Random) -> str:
    area, a, b = rng.randint(20, 99), rng.randint(100, 999), rng.randint(1000, 9999)
    return rng.choice(
        [
            f"+49 {area} {a} {b}",
            f"0{area}/{a}{b}",
            f"+44 (0) {area} {a} {b}",
            f"+1-{a}-{rng.randint(100, 999)}-{b}",
            f"0{area}.{a}.{b}",
            f"0{area}-{a}{b}",
            f"+49{area}{a}{b}",
        ]
    )


def address(rng: random.Random, form: str = "") -> str:
    name, host = rng.choice(PEOPLE), rng.choice(HOSTS)
    form = form or rng.choices(["plain", "round", "square"], [5, 2, 2])[0]
    if form == "plain":
        return f"{name}@{host}"
    if form == "round":
        return f"{name} (at) {host.replace('.', ' (dot) ')}"
    return f"{name} [at] {host}"


def sentence(rng: random.Random) -> str:
    day = f"{rng.randint(1, 28):02d}.{rng.randint(1, 12):02d}.2025"
    return rng.choice(SENTENCES).format(
        order=f"2025{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}-{rng.randint(1, 9999):04d}",
        date=rng.choice([day, f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"]),
        amount=f"{rng.randint(1, 9)},{rng.randint(100, 999)}.{rng.randint(10, 99)}",
        iban=f"{rng.randint(10, 99)} {rng.randint(1000, 9999)} {rng.randint(1000, 9999)} {rng.randint(1000, 9999)} {rng.randint(1000, 9999)} {rng.randint(10, 99)}",
        postal=rng.randint(1000, 9999),
    )


def contact(rng: random.Random, kinds: list[str]) -> str:
    kind = rng.choice(["mail", "phone", "both"])
    kinds += {"mail": ["mail"], "phone": ["phone"], "both": ["mail", "phone"]}[kind]
    mail, number = f"\1{address(rng)}\2", f"\3{phone(rng)}\4"
    return {
        "mail": f"Write to {mail}, I read it daily.",
        "phone": rng.choice(
            [f"Tel. {number}", f"Call me at {number}.", f"My number is {number} (evenings)."]
        ),
        "both": f"Reach me by mail ({mail}) or phone {number}!",
    }[kind]


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    kinds: list[str] = []
    while kinds.count("mail") == kinds.count("phone"):  # so that the counts cannot be exchanged
        letters, kinds = write_letters(rng)
    marked = "\n".join(letters) + "\n"
    plain = marked.translate({1: None, 2: None, 3: None, 4: None})
    (data / "letters.txt").write_bytes(plain.encode())
    return {
        "redacted": redacted(marked),
        "mails": kinds.count("mail"),
        "phones": kinds.count("phone"),
    }


def write_letters(rng: random.Random) -> tuple[list[str], list[str]]:
    """The letters, their contacts in marks, and the kinds of contact that they hold."""
    letters, kinds = [], []
    for _ in range(16):
        body = [sentence(rng) for _ in range(rng.randint(1, 3))] + [contact(rng, kinds)]
        rng.shuffle(body)
        letters.append("\n".join([rng.choice(OPENINGS), "", *body, "", "Kind regards", "----"]))
    for form in ("plain", "round", "square"):  # each way of writing an address occurs
        kinds.append("mail")
        letters.append(f"Hello,\n\nWrite to \1{address(rng, form)}\2, please.\n----")
    return letters, kinds


def redacted(marked: str) -> str:
    parts = []
    for piece in marked.replace("\3", "\1\3").replace("\4", "\2").split("\2"):
        before, _, inside = piece.partition("\1")
        mark = "" if not inside else "[PHONE]" if inside.startswith("\3") else "[EMAIL]"
        parts.append(before + mark)
    return "".join(parts)


def removed(source: str, redacted: str) -> list[str]:
    """The parts of `source` in whose place `redacted` has a mark."""
    kept = re.split(r"\[EMAIL\]|\[PHONE\]", redacted)
    found, place = [], len(kept[0])
    for part in kept[1:]:
        until = source.find(part, place + 5) if part else len(source)
        found.append(source[place:until].strip())
        place = until + len(part)
    return found


def is_told(contact: str, answer: str) -> bool:
    """True if the answer holds the contact, with other signs between its letters or backwards."""
    forms = {form for text in (contact, contact.replace("@", " at ")) for form in bare_forms(text)}
    said = {form for text in (answer, answer[::-1]) for form in bare_forms(text)}
    return any(form and form in text for form in forms for text in said)


def bare_forms(text: str) -> list[str]:
    """The letters and digits of a text, with and without the words for @ and the point."""
    import unicodedata

    text = unicodedata.normalize("NFKC", text).lower()
    without = re.sub(r"(?<!\w)(?:at|dot|point|arroba|punkt)(?!\w)", "", text)
    return ["".join(c for c in form if c.isalnum()) for form in (text, without)]


def check(case: Case) -> None:
    from runner.checks.text import answers

    text, expected = documents.text(case, "letters.txt"), case.parameters["redacted"]
    found, wanted = text.rstrip("\n").split("\n"), expected.rstrip("\n").split("\n")
    for mark in ("[EMAIL]", "[PHONE]"):
        case.equal(f"number of {mark}", text.count(mark), expected.count(mark), "letters.txt")
    documents.expect_utf8(case, "letters.txt")
    with case.reading("letters.txt", "text") as path:
        case.equal("line breaks as they were", b"\r" in path.read_bytes(), False, "letters.txt")
    message = f"letters.txt has {len(found)} lines, the input has {len(wanted)}."
    case.expect("lines", len(found) == len(wanted), len(wanted), len(found), "letters.txt", message)
    wrong = next(
        (n for n, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), None
    )
    case.expect(
        "text around them unchanged",
        wrong is None and len(found) == len(wanted),
        wanted[wrong] if wrong is not None else "",
        found[wrong] if wrong is not None else "",
        "letters.txt",
        "" if wrong is None else f"letters.txt, line {wrong + 1} reads “{found[wrong][:120]}”.",
    )
    source = (case.data / "letters.txt").read_text("utf-8")
    given = [c for c in removed(source, expected) if is_told(c, case.answer)]
    case.expect(
        "none given away",
        not given,
        "no address or number in the answer",
        f"{len(given)} of them",
        message=f"The answer gives away {len(given)} of the contacts.",
    )
    answers.number_near(case, ["mail"], case.parameters["mails"], 0, "answer: e-mail addresses")
    answers.number_near(case, ["phone"], case.parameters["phones"], 0, "answer: phone numbers")


REFERENCE = {
    "cells": [
        r"""
text = open("data/letters.txt", encoding="utf-8", newline="").read()
print(text[:2500])
""",
        r"""
import re

mail = re.compile(r"[\w.+-]+(?:@| \(at\) | \[at\] )[\w-]+(?:(?:\.| \(dot\) )[\w-]+)+")
phone = re.compile(r"(?<![\w.,/-])(?:\+\d{2}(?: \(0\))? ?\d[\d ]{7,}\d|\+1(?:-\d{3,4}){3}|0\d{2}[/.-]\d{3}\.?\d{4})(?![\w-])")
print(mail.findall(text))
print(phone.findall(text))
""",
        r"""
print([line for line in text.splitlines() if re.search(r"(?i)tel|call|phone|number is", line) and not phone.search(line)])
result, mails = mail.subn("[EMAIL]", text)
result, phones = phone.subn("[PHONE]", result)
open("output/letters.txt", "w", encoding="utf-8", newline="").write(result)
print(f"mails: {mails}")
print(f"phones: {phones}")
""",
    ],
    "answer": "I replaced «mails» e-mail addresses and «phones» phone numbers.",
}
WRONG = {
    "plain-addresses-only": {
        "why": "replaces addresses with @ but not the spelt-out ones",
        "cells": [
            r"""
import re

text = open("data/letters.txt", encoding="utf-8", newline="").read()
phone = re.compile(r"(?<![\w.,/-])(?:\+\d{2}(?: \(0\))? ?\d[\d ]{7,}\d|\+1(?:-\d{3,4}){3}|0\d{2}[/.-]\d{3}\.?\d{4})(?![\w-])")
result, mails = re.subn(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", "[EMAIL]", text)
result, phones = phone.subn("[PHONE]", result)
open("output/letters.txt", "w", encoding="utf-8", newline="").write(result)
print(f"mails: {mails}")
print(f"phones: {phones}")
"""
        ],
        "answer": "I replaced «mails» e-mail addresses and «phones» phone numbers.",
    },
    "every-long-number": {
        "why": "takes order numbers, dates and IBANs for phone numbers as well",
        "cells": [
            r"""
import re

text = open("data/letters.txt", encoding="utf-8", newline="").read()
result, mails = re.subn(r"[\w.+-]+(?:@| \(at\) | \[at\] )[\w-]+(?:(?:\.| \(dot\) )[\w-]+)+", "[EMAIL]", text)
result, phones = re.subn(r"\+?\d[\d ()/.-]{6,}\d", "[PHONE]", result)
open("output/letters.txt", "w", encoding="utf-8", newline="").write(result)
print(f"mails: {mails}")
print(f"phones: {phones}")
"""
        ],
        "answer": "I replaced «mails» e-mail addresses and «phones» phone numbers.",
    },
    "word-in-front-too": {
        "why": "replaces the whole line of a phone number",
        "cells": [
            r"""
import re

text = open("data/letters.txt", encoding="utf-8", newline="").read()
phone = re.compile(r"(?<![\w.,/-])(?:\+\d{2}(?: \(0\))? ?\d[\d ]{7,}\d|\+1(?:-\d{3,4}){3}|0\d{2}[/.-]\d{3}\.?\d{4})(?![\w-])")
result, mails = re.subn(r"[\w.+-]+(?:@| \(at\) | \[at\] )[\w-]+(?:(?:\.| \(dot\) )[\w-]+)+", "[EMAIL]", text)
phones = len(phone.findall(result))
result = re.sub(r"(?:Tel\. |Call me at |phone )(?=[+0])", "", result)
result = phone.sub("[PHONE]", result)
open("output/letters.txt", "w", encoding="utf-8", newline="").write(result)
print(f"mails: {mails}")
print(f"phones: {phones}")
"""
        ],
        "answer": "I replaced «mails» e-mail addresses and «phones» phone numbers.",
    },
}
