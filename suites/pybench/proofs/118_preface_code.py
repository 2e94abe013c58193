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
LEFT_OUT = {
    "reverse-order": "a code in a mirror is read as the same",
}
