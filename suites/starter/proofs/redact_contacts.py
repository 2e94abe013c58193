# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "line-by-line": {
        "why": "replaces line by line",
        "edits": {
            'result, mails = mail.subn("[EMAIL]", text)': """parts = [mail.subn("[EMAIL]", one) for one in text.splitlines(keepends=True)]
result, mails = "".join(p for p, _ in parts), sum(n for _, n in parts)""",
        },
    },
    "as-a-table": {
        "why": "answers with a table",
        "answer": """| what | replaced |
|---|---|
| e-mail addresses | «mails» |
| phone numbers | «phones» |""",
    },
    "as-json": {
        "why": "answers with a JSON object",
        "answer": '```json\n{"emails": «mails», "phones": «phones»}\n```',
    },
    "by-marks": {
        "why": "counts beside the marks, words after",
        "answer": "Done. Replacements made:\n- [EMAIL] (e-mail addresses): «mails»\n- [PHONE] (phone numbers): «phones»",
    },
    "numbers-last": {
        "why": "with the number of letters",
        "edits": {'print(f"mails': 'print("letters:", text.count("----"))\nprint(f"mails'},
        "answer": "The file has «letters» letters. In them I found and replaced e-mail addresses: **«mails»**, phone numbers: **«phones»**.",
    },
}
NEAR_MISSES = {
    "in-utf-16": {
        "why": "the file in UTF-16 where UTF-8 was asked for",
        "cells": [
            """
text = open("data/letters.txt", encoding="utf-8", newline="").read()
print(text[:2500])
""",
            """
import re

mail = re.compile(r"[\\w.+-]+(?:@| \\(at\\) | \\[at\\] )[\\w-]+(?:(?:\\.| \\(dot\\) )[\\w-]+)+")
phone = re.compile(r"(?<![\\w.,/-])(?:\\+\\d{2}(?: \\(0\\))? ?\\d[\\d ]{7,}\\d|\\+1(?:-\\d{3,4}){3}|0\\d{2}[/.-]\\d{3}\\.?\\d{4})(?![\\w-])")
print(mail.findall(text))
print(phone.findall(text))
""",
            """
print([line for line in text.splitlines() if re.search(r"(?i)tel|call|phone|number is", line) and not phone.search(line)])
result, mails = mail.subn("[EMAIL]", text)
result, phones = phone.subn("[PHONE]", result)
open("output/letters.txt", "w", encoding="utf-16", newline="").write(result)
print(f"mails: {mails}")
print(f"phones: {phones}")
""",
        ],
    },
    "marks-exchanged": {
        "why": "the two marks exchanged",
        "edits": {
            '"[EMAIL]"': '"[PHONE]"',
            'phone.subn("[PHONE]"': 'phone.subn("[EMAIL]"',
        },
    },
    "counts-exchanged": {
        "why": "the two counts exchanged in the answer",
        "edits": {
            "«mails» e-mail addresses and «phones» phone numbers": "«phones» e-mail addresses and «mails» phone numbers",
        },
    },
    "windows-line-ends": {
        "why": "line ends of Windows",
        "edits": {
            'encoding="utf-8", newline="").write(result)': 'encoding="utf-8", newline="\\r\\n").write(result)'
        },
    },
    "small-marks": {
        "why": "marks in small letters",
        "edits": {
            'mail.subn("[EMAIL]"': 'mail.subn("[email]"',
            'phone.subn("[PHONE]"': 'phone.subn("[phone]"',
        },
    },
    "with-the-words-before": {
        "why": "takes “Write to ” away, too",
        "edits": {
            'open("output/letters.txt", "w"': 'result = result.replace("Write to [EMAIL]", "[EMAIL]")\nopen("output/letters.txt", "w"'
        },
    },
    "sum-of-both": {
        "why": "the sum of both as one number",
        "answer": "I replaced «mails» contacts in all: e-mail addresses and phone numbers.",
    },
}
