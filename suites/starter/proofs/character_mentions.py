# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ranking-answer": {
        "why": "names others in a ranking before it concludes",
        "answer": "统计表已存为 ./output/人物.csv，其中沈老(5)最少，周小满(18)排在前面。答案：«most»。",
    },
    "by-hand": {
        "why": "walks through each line by hand, answers in bold with a number",
        "cells": [
            """
import json, csv
people = json.load(open('data/人物.json', encoding='utf-8'))
calls = sorted(((c, p['姓名']) for p in people for c in [p['姓名'], *p['别名']]), key=lambda t: -len(t[0]))
tally = {p['姓名']: [0, 0, 0] for p in people}
now = -1
for line in open('data/故事.txt', encoding='utf-8'):
    line = line.strip()
    if line.startswith(('第一章', '第二章', '第三章')):
        now = '一二三'.index(line[1])
        continue
    if line.startswith('【注】'):
        continue
    i = 0
    while i < len(line):
        for call, name in calls:
            if line.startswith(call, i):
                tally[name][now] += 1
                i += len(call)
                break
        else:
            i += 1
rows = sorted(([n, *c, sum(c)] for n, c in tally.items()), key=lambda r: -r[-1])
with open('output/人物.csv', 'w', encoding='utf-8-sig', newline='') as f:
    w = csv.writer(f)
    w.writerow(['姓名', '第一章', '第二章', '第三章', '合计'])
    w.writerows(rows)
print('most:', rows[0][0])
print('total:', rows[0][-1])
"""
        ],
        "answer": "合计最多的人物是 **«most»**，三章共被提到 «total» 次。",
    },
    "in-english": {
        "why": "answers in English with the table",
        "answer": "The character mentioned most often is «most».",
    },
    "name-in-brackets": {"why": "the name in book brackets", "answer": "答：「«most»」"},
    "with-the-second": {
        "why": "names the second with its number after it",
        "edits": {
            'print("most:", counts.loc[0, "姓名"])': 'print("most:", counts.loc[0, "姓名"])\nprint("n:", counts.loc[0, "合计"])\nprint("second:", counts.loc[1, "姓名"], "（", counts.loc[1, "合计"], "次）")'
        },
        "answer": "合计最多的是«most»（«n»次），其次是«second»。",
    },
    "a-sentence": {"why": "name first", "answer": "**«most»** 被提到的次数最多。"},
    "second-after-comma": {
        "why": "a ranking",
        "edits": {
            'print("most:", counts.loc[0, "姓名"])': 'print("most:", counts.loc[0, "姓名"])\nprint("rank:", " > ".join(counts["姓名"][:3]))'
        },
        "answer": "合计最多的是«most»。前三名：«rank»",
    },
}
NEAR_MISSES = {
    "fewest-first": {
        "why": "sorts from few to many",
        "edits": {
            'sort_values("合计", ascending=False': 'sort_values("合计", ascending=True',
            'counts.loc[0, "姓名"]': 'counts.iloc[-1]["姓名"]',
        },
    },
    "chapters-exchanged": {
        "why": "exchanges the second and the third chapter",
        "edits": {
            'counts.to_csv("output': 'counts[["第二章", "第三章"]] = counts[["第三章", "第二章"]].to_numpy()\ncounts.to_csv("output'
        },
    },
    "second-named": {
        "why": "names the second",
        "edits": {'counts.loc[0, "姓名"]': 'counts.loc[1, "姓名"]'},
    },
    "shortest-first": {
        "why": "takes the shortest name that fits",
        "edits": {"key=len, reverse=True": "key=len"},
    },
    "aliases-as-names": {
        "why": "writes an alias in place of the name",
        "edits": {
            'counts.to_csv("output': 'counts["姓名"] = [next(p["别名"][0] if p["别名"] else n for p in people if p["姓名"] == n) for n in counts["姓名"]]\ncounts.to_csv("output'
        },
    },
    "two-named": {
        "why": "names two and does not settle",
        "edits": {
            'print("most:", counts.loc[0, "姓名"])': 'print("most:", counts.loc[0, "姓名"])\nprint("other:", counts.loc[1, "姓名"])'
        },
        "answer": "合计最多的是«most»或«other»。",
    },
    "file-order": {
        "why": "in the order of the file",
        "edits": {'counts.sort_values("合计", ascending=False, kind="stable")': "counts"},
    },
    "total-twice": {
        "why": "totals counted twice",
        "edits": {"counts.sum(axis=1)": "2 * counts.sum(axis=1)"},
    },
    "least-named": {
        "why": "names the one who is mentioned least",
        "edits": {'counts.loc[0, "姓名"])': 'counts.iloc[-1]["姓名"])'},
    },
    "tie-claimed": {
        "why": "claims that two tie",
        "edits": {
            'print("most:", counts.loc[0, "姓名"])': 'print("both:", " 和 ".join(counts["姓名"][:2]))'
        },
        "answer": "合计最多的是«both»，两人并列。",
    },
}
