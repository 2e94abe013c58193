# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "permutations": {
        "why": "by branch and bound; JSON on one line with escapes; the time in hours too",
        "cells": [
            """
import csv, json, re, unicodedata
rows = list(csv.reader(open('data/times.csv', encoding='utf-8-sig', newline='')))
jobs = rows[0][1:]
def mins(s):
    s = unicodedata.normalize('NFKC', s).strip()
    if s == '-':
        return None
    h = re.search('([0-9]+) *小时', s)
    m = re.search('([0-9]+) *分', s)
    if h or m:
        return 60 * int(h[1] if h else 0) + int(m[1] if m else 0)
    return int(s)
cost = [[mins(s) for s in r[1:]] for r in rows[1:]]
best = {0: (0, ())}
for person in cost:
    new = {}
    for used, (total, plan) in best.items():
        for j, c in enumerate(person):
            if c is not None and not used >> j & 1:
                k = used | 1 << j
                if k not in new or total + c < new[k][0]:
                    new[k] = (total + c, plan + (j,))
    best = new
(total, plan), = best.values()
json.dump({r[0]: jobs[j] for r, j in zip(rows[1:], plan)}, open('output/plan.json', 'w'))
print('total:', total)
print('clock:', f'{total // 60} 小时 {total % 60} 分')
"""
        ],
        "answer": "最少总用时为 **«total» 分钟**（即 «clock»）。",
    },
    "in-english": {
        "why": "answers in English",
        "answer": "The minimum total time is «total» minutes.",
    },
    "table": {
        "why": "lists the plan with each time, then the total",
        "edits": {
            "print('total:', int(matrix[rows, columns].sum()))": "print('total:', int(matrix[rows, columns].sum()))\nprint('list:', '；'.join(f'{cost.index[r]}→{cost.columns[c]}（{int(matrix[r, c])} 分钟）' for r, c in zip(rows, columns)))"
        },
        "answer": "分配方案：«list»。总用时最少为«total»分钟。",
    },
    "hours-too": {
        "why": "in hours and in minutes",
        "edits": {
            "print('total:', int(": "t = int(matrix[rows, columns].sum())\nprint('clock:', f'{t // 60}小时{t % 60}分钟')\nprint('total:', int("
        },
        "answer": "最少总用时：«clock»，即 «total» 分钟。",
    },
    "number-alone": {"why": "the number with its unit alone", "answer": "«total»分钟"},
    "with-steps": {
        "why": "a heading, the method, then the result",
        "answer": "## 结果\n\n使用匈牙利算法求解，方案已写入 plan.json。\n\n- **最少总用时**：«total» 分钟",
    },
    "tasks-counted": {
        "why": "says how many people there are before it",
        "edits": {"print('total:'": "print('n:', len(plan))\nprint('total:'"},
        "answer": "«n» 个人各完成一项任务，总共最少需要 «total» 分钟。",
    },
}
NEAR_MISSES = {
    "called-hours": {"why": "the minutes called hours", "answer": "最少的总用时是 «total» 小时。"},
    "keys-and-values-exchanged": {
        "why": "tasks as keys, people as values",
        "edits": {
            "plan = {cost.index[r]: cost.columns[c]": "plan = {cost.columns[c]: cost.index[r]"
        },
    },
    "in-hours": {
        "why": "the total in hours, called minutes",
        "edits": {
            "print('total:', int(matrix[rows, columns].sum()))": "print('total:', round(matrix[rows, columns].sum() / 60, 2))"
        },
    },
    "two-exchanged": {
        "why": "the first two people's tasks exchanged",
        "edits": {
            "plan = {cost.index[r]: cost.columns[c] for r, c in zip(rows, columns)}": "columns = columns.copy()\ncolumns[:2] = columns[[1, 0]]\nplan = {cost.index[r]: cost.columns[c] for r, c in zip(rows, columns)}\nmatrix = np.where(np.isinf(matrix), 0, matrix)"
        },
    },
    "longest": {
        "why": "the longest total of the people as if at once",
        "edits": {"int(matrix[rows, columns].sum())": "int(matrix[rows, columns].max())"},
    },
    "one-left-out": {
        "why": "leaves one person without a task",
        "edits": {"with open('./output": "plan.popitem()\nwith open('./output"},
    },
    "names-shortened": {
        "why": "people numbered instead of named",
        "edits": {"plan = {cost.index[r]:": "plan = {f'{r + 1}':"},
    },
    "sum-of-least": {
        "why": "the sum of everybody's shortest time",
        "edits": {"int(matrix[rows, columns].sum())": "int(matrix.min(axis=1).sum())"},
    },
    "most": {
        "why": "the longest plan",
        "edits": {
            "linear_sum_assignment(np.where(np.isinf(matrix), 1e6, matrix))": "linear_sum_assignment(np.where(np.isinf(matrix), -1e6, matrix), maximize=True)"
        },
    },
    "one-off": {
        "why": "a minute too many in the answer",
        "edits": {"int(matrix[rows, columns].sum())": "int(matrix[rows, columns].sum()) + 1"},
    },
    "hours-and-minutes-wrong": {
        "why": "the total as if an hour had a hundred minutes",
        "edits": {
            "print('total:', int(matrix[rows, columns].sum()))": "t = int(matrix[rows, columns].sum())\nprint('total:', f'{t // 100}小时{t % 100 % 60}分钟')"
        },
        "answer": "最少的总用时是 «total»。",
    },
}
