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
}
NEAR_MISSES = {
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
}
GAMERS = {
    "all-struck-out": {
        "why": "every word replaced",
        "edits": {
            'open("output/letters.txt", "w"': 'result = re.sub(r"\\w+", "[EMAIL]", text)\nopen("output/letters.txt", "w"',
        },
    },
}
