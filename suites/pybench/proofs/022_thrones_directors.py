# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "table-with-counts": {
        "why": "other figures stand beside the right one",
        "answer": "| # | Director | Episodes | Average IMDb rating |\n|---|---|---|---|\n| 1 | Neil Marshall | 2 | 9.60 |\n| 2 | Alex Graves | 6 | 9.35 |\n| 3 | Matt Shakman | 2 | 9.20 |\n| 4 | Alik Sakharov | 4 | 9.03 |\n| 5 | D. B. Weiss | 1 | 9.00 |\n| 6 | Jack Bender | 2 | 9.00 |\n| 7 | Alan Taylor | 7 | 8.99 |\n| 8 | Daniel Minahan | 5 | 8.84 |\n| 9 | Daniel Sackheim | 2 | 8.80 |\n| 10 | Tim Van Patten | 2 | 8.75 |\n| 11 | Brian Kirk | 3 | 8.70 |\n| 12 | David Benioff | 1 | 8.70 |\n| 13 | Michelle MacLaren | 4 | 8.70 |\n| 14 | Jeremy Podeswa | 6 | 8.67 |\n| 15 | Miguel Sapochnik | 6 | 8.65 |\n| 16 | David Petrarca | 2 | 8.60 |\n| 17 | Mark Mylod | 6 | 8.60 |\n| 18 | David Nutter | 9 | 8.46 |\n| 19 | Michael Slovis | 2 | 8.35 |\n| 20 | David Benioff & D. B. Weiss | 1 | 4.00 |",
    },
    "markdown-table": {
        "why": "a Markdown table without a picture",
        "edits": {
            'print("chart:"': 'print("table:", " ".join(f"| {n} | {m:.2f} |" + chr(0x2028) for n, m in means.items()).replace(chr(0x2028), ""))\nprint("chart:"',
        },
        "answer": "«chart»",
    },
    "each-of-two": {
        "why": "an episode of two directors counts for each of them",
        "edits": {
            'means = df.groupby("Directed by")': 'df["Directed by"] = df["Directed by"].str.split(" & ")\ndf = df.explode("Directed by")\nmeans = df.groupby("Directed by")',
        },
    },
    "picture": {
        "why": "standing bars in a picture that the answer shows",
        "edits": {
            'ax.barh(means.index[::-1], means[::-1])\nax.set_xlabel("average IMDb rating")': 'ax.bar(means.index, means, color="tab:orange")\nax.tick_params(axis="x", rotation=90)\nax.set_ylim(0, 10)\nax.set_ylabel("Average rating")',
            "directors.png": "got_ratings.png",
        },
        "answer": "Here is the chart:\n\n![Average ratings](output/got_ratings.png)",
    },
    "critics": {
        "why": "the critics' percentages",
        "edits": {
            '"IMDb Rating"': '"Rotten Tomatoes Rating (Percentage)"',
            "round(mean)": "round(mean / 10)",
            "average IMDb rating": "average Rotten Tomatoes rating, %",
        },
        "answer": "Average Rotten Tomatoes rating (in %) of the episodes by director:\n\n«chart»\n\n![chart](./output/directors.png)",
    },
    "lines": {
        "why": "one line each of blocks and numbers in a code block",
        "edits": {
            'print("chart:"': 'for n, (name, mean) in enumerate(means.items()):\n    print(f"l{n}: {name} | {chr(9608) * round(mean * 2)} {mean:.2f}")\nprint("chart:"'
        },
        "answer": "```\n«l0»\n«l1»\n«l2»\n«l3»\n«l4»\n«l5»\n«l6»\n«l7»\n«l8»\n«l9»\n«l10»\n«l11»\n«l12»\n«l13»\n«l14»\n«l15»\n«l16»\n«l17»\n«l18»\n«l19»\n```",
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "the best and the worst director exchanged",
        "edits": {
            ".sort_values(ascending=False)": ".sort_values(ascending=False)\nnames = list(means.index)\nnames[0], names[-1] = names[-1], names[0]\nmeans.index = names"
        },
    },
    "episodes": {
        "why": "the number of episodes",
        "edits": {".mean().sort_values": ".count().sort_values"},
    },
    "running-times": {
        "why": "running times",
        "edits": {'"IMDb Rating"': '"Running Time (Minutes)"'},
    },
    "half-a-point": {
        "why": "each half a point more",
        "edits": {".sort_values(ascending=False)": ".sort_values(ascending=False) + 0.5"},
    },
    "turned-round": {
        "why": "names in one order, values in the other",
        "edits": {
            ".sort_values(ascending=False)": ".sort_values(ascending=False)\nmeans[:] = means.to_numpy()[::-1]"
        },
    },
    "seasons": {
        "why": "by season under the directors' names",
        "edits": {
            ".sort_values(ascending=False)": '.sort_values(ascending=False)\nbest = df.groupby("Season")["IMDb Rating"].mean()\nmeans[:] = [best.iloc[i % len(best)] for i in range(len(means))]'
        },
    },
    "shifted-by-one": {
        "why": "each with the next one's average",
        "edits": {
            ".sort_values(ascending=False)": ".sort_values(ascending=False)\nmeans[:] = means.tolist()[3:] + means.tolist()[:3]"
        },
    },
}
LEFT_OUT = {
    "drop-row": "the picture that the answer still shows has every director",
}
