"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "music-long": {
        "why": "another form of the same",
        "answer": "Based on the dataset I'd go for music videos: of the Top 100 channels worldwide, 35 have the channel type 'Music' (Entertainment: 27, Education: 8, Games: 7). Caveat: correlation is not causation, and many of the music channels are labels such as T-Series. Exact type: Music",
    },
    "bare": {"why": "the name alone", "answer": "'Music'"},
    "ranked": {"why": "a ranking with counts", "answer": "1. Music (30)\n2. Entertainment (20)"},
}
NEAR_MISSES = {
    "second": {"why": "names the second", "answer": "Entertainment"},
    "exchanged": {"why": "puts the second first", "answer": "Entertainment (30), then Music (20)."},
}
LEFT_OUT = {"scale-by-10": "the query asks for a name alone; figures beside it are not asked for"}
