"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "in-words": {"why": "writes the number in words", "answer": "Fifty-two."},
    "bare": {"why": "the number alone", "answer": "**«games»**"},
}
NEAR_MISSES = {
    "both-files": {
        "why": "adds the counts of both files",
        "answer": "104 (52 in each of the two files).",
    },
    "one-more": {
        "why": "counts one game twice",
        "answer": "The data cover 53 different Super Bowls.",
    },
    "last-number-off": {
        "why": "takes the next edition for the last",
        "answer": "51 games are covered.",
    },
}
