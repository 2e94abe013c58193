# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: dependence of charges on smoking: a chart and what it shows."""

STYLES = {
    "points-by-colour": {
        "why": "charges over age, a colour for smokers",
        "edits": {
            'sns.boxplot(data=df, x="smoker", y="charges", ax=ax)': 'sns.scatterplot(data=df, x="age", y="charges", hue="smoker", ax=ax)'
        },
    },
    "lying-bars-with-amounts-beside-them": {
        "why": "bars of means that lie, each with its amount right beside it",
        "cells": [
            """
import pandas as pd, numpy as np, matplotlib.pyplot as plt, seaborn as sns
d=pd.read_csv('./data/insurance.csv')
from scipy import stats
m=d.groupby('smoker')['charges'].mean()[['no','yes']]
t,p=stats.ttest_ind(d[d.smoker=='yes'].charges,d[d.smoker=='no'].charges,equal_var=False)
fig,ax=plt.subplots(figsize=(9,4))
b=ax.barh(['不吸烟','吸烟'],m.values,color=['seagreen','firebrick'],height=.5)
ax.bar_label(b,fmt='{:,.0f}',padding=4);ax.set_xlim(0,m.max()*1.15)
ax.set_xlabel('平均保险费用');ax.set_ylabel('是否吸烟');ax.set_title('吸烟状况与平均保险付费金额')
plt.tight_layout();plt.savefig('./output/31.png',dpi=200);print(m,t,p)
"""
        ],
        "answer": "从图中可以看出：\n- 吸烟者平均保险费用：约 32050.23\n- 不吸烟者平均保险费用：约 8434.27\n\nWelch t 检验 p 值远小于 0.001，差异非常显著：吸烟者的保险付费金额平均高出约 2.4 万。",
    },
    "two-in-a-bin": {
        "why": "two histograms side by side in each bin",
        "cells": [
            """import pandas as pd, numpy as np, glob, os, re
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/insurance.csv"); y=d[d.smoker=="yes"].charges; n=d[d.smoker=="no"].charges; plt.figure(figsize=(9,5)); plt.hist([n,y],bins=30,label=["非吸烟 no","吸烟 yes"],stacked=False); plt.legend(); plt.xlabel("charges"); plt.savefig("output/31.png")"""
        ],
        "answer": "吸烟使保费大幅上升：吸烟者均值 3.2 万美元，非吸烟者 0.84 万美元。",
    },
    "letter-values": {
        "why": "boxes of letter values by seaborn",
        "cells": [
            """import pandas as pd, numpy as np, glob, os
os.makedirs("output",exist_ok=True)
import matplotlib.pyplot as plt
d=pd.read_csv("data/insurance.csv")
import seaborn as sns
sns.set_theme(style="whitegrid"); g=sns.catplot(data=d,x="smoker",y="charges",hue="smoker",kind="boxen",legend=False); g.set_axis_labels("smoker","charges"); g.savefig("output/31.png",dpi=110)"""
        ],
        "answer": "吸烟者的平均保险费用约 32,050 美元，明显高于不吸烟者（约 8,434 美元），接近 3.8 倍。",
    },
    "others-pay-less": {
        "why": "says it of those who do not smoke, with a factor",
        "answer": "不吸烟者的保险费用明显低于吸烟者：吸烟者平均 «yes»，不吸烟者平均 «no»，吸烟者约为 «ratio» 倍。",
    },
    "bars": {
        "why": "bars of the means, lying",
        "edits": {
            'sns.boxplot(data=df, x="smoker", y="charges", ax=ax)': 'df.groupby("smoker")["charges"].mean().plot.barh(ax=ax, color=["#88aa33", "#aa3355"])',
        },
    },
    "two-histograms": {
        "why": "overlapping histograms with a legend",
        "edits": {
            'sns.boxplot(data=df, x="smoker", y="charges", ax=ax)': """for kind, rows in df.groupby("smoker"):
    ax.hist(rows["charges"], bins=30, alpha=0.6, label={"yes": "吸烟", "no": "不吸烟"}[kind])
ax.legend()""",
        },
    },
    "times-the-latter": {
        "why": "says how many times the latter",
        "cells": [
            """import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
df = pd.read_csv("data/insurance.csv")
m = df.groupby("smoker")["charges"].mean(); md = df.groupby("smoker")["charges"].median()
print(f"my: {m['yes']:.2f}"); print(f"mn: {m['no']:.2f}"); print(f"ra: {m['yes']/m['no']:.2f}"); print(f"dy: {md['yes']:.2f}"); print(f"dn: {md['no']:.2f}")
import seaborn as sns
plt.figure(figsize=(8, 6)); sns.boxplot(x="smoker", y="charges", data=df, hue="smoker", legend=False)
plt.title("Insurance Charges by Smoking Status"); plt.savefig("output/31.png"); plt.close()"""
        ],
        "answer": "吸烟与保险费用显著相关：吸烟者平均费用约 «my»，不吸烟者约 «mn»，吸烟者约为后者的 «ra» 倍。图已保存至 ./output/31.png。",
    },
}
NEAR_MISSES = {
    "factor-of-the-others": {
        "why": "gives the factor to those who do not smoke",
        "answer": "不吸烟者的平均费用约为吸烟者的 «ratio» 倍。图片保存在 ./output/31.png。",
    },
    "smokers-pay-less": {
        "why": "says that smokers pay less",
        "answer": "吸烟者的费用低于不吸烟者（«yes» 对 «no»）。",
    },
    "bars-exchanged": {
        "why": "bars under each other's names",
        "edits": {
            'sns.boxplot(data=df, x="smoker", y="charges", ax=ax)': """means = df.groupby("smoker")["charges"].mean()
ax.bar(means.index[::-1], means.values)""",
        },
    },
    "boxes-exchanged": {
        "why": "boxes under each other's names",
        "edits": {
            'sns.boxplot(data=df, x="smoker", y="charges", ax=ax)': """sns.boxplot(data=df, x="smoker", y="charges", ax=ax)
ax.set_xticks([0, 1], ["no", "yes"])""",
        },
    },
}
LEFT_OUT = {
    "drop-row": "it hides a single outlier; the boxes stay whole",
    "reverse-order": "it exchanges outliers within one box, which changes nothing that is seen",
}
