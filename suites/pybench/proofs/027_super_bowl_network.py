"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "with-a-conclusion": {
        "why": "counts, then a conclusion",
        "answer": "NBC：«most» 次，CBS：«most» 次。因此，转播次数最多的是 «names»（并列）。",
    },
    "in-english": {
        "why": "answers in English",
        "answer": "«names» tie with «most» broadcasts each.",
    },
    "as-bullets": {
        "why": "answers in a list",
        "answer": "**结果**：«names» 并列第一\n- 次数：各 «most» 次",
    },
}
NEAR_MISSES = {
    "both-files": {
        "why": "counts the rows of both files, which are the same ones",
        "cells": [
            """import pandas as pd
both = pd.concat([pd.read_excel("data/tv.xlsx"), pd.read_csv("data/tv.csv")])
print("most:", both["network"].value_counts().max())"""
        ],
        "answer": "转播次数最多的是 CBS 和 NBC，各 «most» 次。",
    },
    "one-more": {
        "why": "gives one of them a broadcast more",
        "answer": "CBS 最多，共19次；NBC 18次。",
    },
    "one-concluded": {
        "why": "states the tie, and concludes with one of them",
        "answer": "NBC 和 CBS 并列，各 «most» 次。因此，获得转播次数最多的是 NBC。",
    },
    "one-concluded-in-english": {
        "why": "states the tie, and picks one of them in the end",
        "answer": "NBC and CBS both have «most» broadcasts. So the answer is CBS.",
    },
    "other-network": {"why": "names another network among them", "answer": "NBC 和 Fox 并列最多。"},
    "one-as-second": {
        "why": "calls one of the two the second",
        "cells": [
            """import pandas as pd
df = pd.concat([pd.read_csv("data/tv.csv"), pd.read_excel("data/tv.xlsx")]).drop_duplicates()
vc = df["network"].value_counts()
print(f"n: {vc.max()}")"""
        ],
        "answer": "转播次数最多的是 CBS（«n» 次），其次是 NBC。",
    },
}
