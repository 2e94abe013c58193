# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "seaborn": {
        "why": "drawn by seaborn, with the numbers above the bars",
        "edits": {
            'ax.bar(counts.index, counts.values, color="«colour»", width=0.7)': """import seaborn as sns
sns.barplot(x=list(counts.index), y=list(counts.values), color="«colour»", saturation=1, ax=ax)
ax.bar_label(ax.containers[0], padding=3)
ax.set_title("成绩分布")""",
        },
        "answer": "**平均分：«mean»**（补考以补考成绩为准，缺考者不计）",
    },
    "plain-loops": {
        "why": "csv module and loops; narrow bars at whole numbers with named ticks",
        "cells": [
            """
import csv, unicodedata
final = {}
rows = list(csv.DictReader(open('data/成绩.csv', encoding='gbk', newline='')))
for want in ('首考', '补考'):
    for r in rows:
        s = unicodedata.normalize('NFKC', r['成绩']).strip().replace('分', '')
        if r['场次'].strip() == want and s.isdigit():
            final[r['学号']] = int(s)
names = ['0-59', '60-69', '70-79', '80-89', '90-100']
n = [0] * 5
for s in final.values():
    n[max(0, min(4, s // 10 - 5))] += 1
with open('output/分布.csv', 'w', encoding='utf-8-sig', newline='') as f:
    w = csv.writer(f)
    w.writerow(['分数段', '人数'])
    w.writerows(zip(names, n))
print('mean:', format(sum(final.values()) / len(final), '.2f'))
print('people:', len(final))
""",
            """
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
plt.rcParams['font.family'] = ['Noto Sans CJK SC', 'Noto Sans CJK JP', 'sans-serif']
plt.figure(figsize=(10, 6), dpi=150)
plt.bar(range(5), n, 0.5, color='«colour»', zorder=2)
plt.xticks(range(5), names)
plt.ylim(0, max(n) + 10)
plt.grid(axis='y', linestyle='--', alpha=0.5, zorder=0)
plt.title('成绩分布')
plt.tight_layout()
plt.savefig('output/分布.png')
""",
        ],
        "answer": "全体 «people» 名学生的有效成绩平均分约为 «mean» 分。",
    },
    "in-english": {
        "why": "answers in English",
        "answer": "The mean of all valid scores is «mean».",
    },
    "pandas-plot": {
        "why": "drawn by pandas, with title and grid",
        "edits": {
            'ax.bar(counts.index, counts.values, color="«colour»", width=0.7)': 'counts.plot.bar(ax=ax, color="«colour»", width=0.6, rot=0, title="各分数段人数")\nax.set_axisbelow(True)\nax.grid(axis="y")'
        },
        "answer": "平均分：«mean»分",
    },
    "with-the-number": {
        "why": "mean after the number of pupils",
        "edits": {'print(f"mean:': 'print(f"n: {len(final)}")\nprint(f"mean:'},
        "answer": "共有 «n» 名学生有有效成绩，他们的平均分是 **«mean»**。",
    },
}
NEAR_MISSES = {
    "all-tries": {
        "why": "the mean of all tries",
        "edits": {"{final['分'].mean():.2f}": "{valid['分'].mean():.2f}"},
    },
    "names-exchanged": {
        "why": "two bands' names exchanged below the bars",
        "edits": {
            "ax.bar(counts.index, counts.values": "ax.bar([bands[i] for i in (0, 2, 1, 3, 4)], counts.values"
        },
    },
    "from-high-to-low": {
        "why": "the bars from the highest band to the lowest",
        "edits": {
            "ax.bar(counts.index, counts.values": "ax.bar(counts.index[::-1], counts.values[::-1]"
        },
    },
    "touching-bars": {"why": "no room between the bars", "edits": {"width=0.7": "width=1.0"}},
    "lying-bars": {
        "why": "lying bars",
        "edits": {
            'ax.bar(counts.index, counts.values, color="«colour»", width=0.7)': 'ax.barh(counts.index, counts.values, color="«colour»", height=0.7)'
        },
    },
    "shares": {
        "why": "draws and saves shares instead of numbers",
        "edits": {
            ".reindex(bands)": ".reindex(bands)\ncounts = (counts / counts.sum() * 100).round(1)"
        },
    },
    "one-decimal": {
        "why": "the median, called mean",
        "edits": {"{final['分'].mean():.2f}": "{final['分'].median():.2f}"},
    },
    "other-colour": {"why": "another colour", "edits": {'color="«colour»"': 'color="#777777"'}},
    "absent-as-zero": {
        "why": "counts absent pupils with 0",
        "edits": {'valid = df.dropna(subset="分").copy()': 'valid = df.fillna({"分": 0}).copy()'},
    },
    "bands-exchanged": {
        "why": "two bands' numbers exchanged in the table",
        "edits": {
            'counts.rename_axis("分数段")': 'counts.set_axis([bands[i] for i in (0, 2, 1, 3, 4)]).rename_axis("分数段")'
        },
    },
    "of-the-bands": {
        "why": "the mean of the bands' middles",
        "edits": {
            "{final['分'].mean():.2f}": "{(counts.to_numpy() * [30, 65, 75, 85, 95]).sum() / counts.sum():.2f}"
        },
    },
    "axis-cut": {
        "why": "an axis that begins above zero",
        "edits": {'ax.set_ylabel("人数")': 'ax.set_ylim(counts.min() - 2)\nax.set_ylabel("人数")'},
    },
}
