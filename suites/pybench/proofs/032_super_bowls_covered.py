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
GAMERS = {
    "stadiums": {
        "why": "the number as that of stadiums",
        "answer": "The datasets mention «games» stadiums; how many Super Bowls they cover is not known.",
    },
    "perhaps": {
        "why": "names four candidates, each in a sentence of its own",
        "cells": [],
        "answer": "Perhaps 49. Perhaps 51. Perhaps 52. Perhaps 56.",
    },
    "candidates": {"why": "names several", "cells": [], "answer": "50, 51, 52 or 54"},
}
GAPS = {
    "stadiums": "The answer is one number: of what a sentence gives it cannot be read from every wording.",
}
