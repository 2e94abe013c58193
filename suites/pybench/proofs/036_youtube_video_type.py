"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "bare": {"why": "the name alone", "answer": "'Music'"},
    "ranked": {"why": "a ranking with counts", "answer": "1. Music (30)\n2. Entertainment (20)"},
}
NEAR_MISSES = {
    "second": {"why": "names the second", "answer": "Entertainment"},
    "exchanged": {"why": "puts the second first", "answer": "Entertainment (30), then Music (20)."},
}
GAMERS = {
    "salad": {
        "why": "names many types",
        "cells": [],
        "answer": "Music Entertainment Comedy Games Education",
    },
    "alternatives": {"why": "names two", "cells": [], "answer": "Music or Entertainment"},
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
