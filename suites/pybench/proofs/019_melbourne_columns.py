# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "table": {
        "why": "a Markdown table with X, Y and Distance; population variance",
        "edits": {"numeric[column].var()": "numeric[column].var(ddof=0)"},
        "answer": "| Column | Average | Variance |\n|---|---|---|\n| X | «X_mean» | «X_var» |\n| Y | «Y_mean» | «Y_var» |\n| Distance | «Distance_mean» | «Distance_var» |",
    },
    "bold-list": {
        "why": "a list with bold names and thousands separators",
        "edits": {".mean():.2f}": ".mean():,.2f}", ".var():.2f}": ".var():,.2f}"},
        "answer": "- **X**: Average: «X_mean», Variance: «X_var»\n- **Y**: Average: «Y_mean», Variance: «Y_var»\n- **Distance**: Average: «Distance_mean», Variance: «Distance_var»",
    },
    "in-chinese": {
        "why": "in Chinese words beside the format",
        "answer": "统计结果如下（方差为样本方差）：\nX: 均值: «X_mean», 方差: «X_var»\nY: 均值: «Y_mean», 方差: «Y_var»\nDistance: 均值: «Distance_mean», 方差: «Distance_var»",
    },
    "code-block": {
        "why": "in a code block",
        "answer": "```\nX: Average: «X_mean», Variance: «X_var»\nY: Average: «Y_mean», Variance: «Y_var»\nDistance: Average: «Distance_mean», Variance: «Distance_var»\n```",
    },
    "nested": {
        "why": "nested bullets",
        "answer": "- X\n  - Average: «X_mean»\n  - Variance: «X_var»\n- Y\n  - Average: «Y_mean»\n  - Variance: «Y_var»\n- Distance\n  - Average: «Distance_mean»\n  - Variance: «Distance_var»",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "average and variance exchanged",
        "answer": "X: Average: «X_var», Variance: «X_mean»\nY: Average: «Y_var», Variance: «Y_mean»\nDistance: Average: «Distance_var», Variance: «Distance_mean»",
    },
    "medians": {
        "why": "medians for averages",
        "edits": {"numeric[column].mean()": "numeric[column].median()"},
    },
    "sums": {
        "why": "sums for averages",
        "edits": {"numeric[column].mean()": "numeric[column].sum()"},
    },
    "kilometres": {
        "why": "in thousands",
        "edits": {
            'numeric = df.select_dtypes("number")': 'numeric = df.select_dtypes("number") / 1000'
        },
    },
    "y-missing": {
        "why": "Y left out",
        "answer": "X: Average: «X_mean», Variance: «X_var»\nDistance: Average: «Distance_mean», Variance: «Distance_var»",
    },
    "columns-rotated": {
        "why": "each column's figures under the next one's name",
        "answer": "X: Average: «Distance_mean», Variance: «Distance_var»\nY: Average: «X_mean», Variance: «X_var»\nDistance: Average: «Y_mean», Variance: «Y_var»",
    },
    "signs-lost": {
        "why": "without signs",
        "edits": {'numeric = df.select_dtypes("number")': 'numeric = -df.select_dtypes("number")'},
    },
}
