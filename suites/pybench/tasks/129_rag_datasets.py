# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The three most downloaded data sets on a topic, as lines of JSON."""

from runner.checks import Case

INDEX = "129"
TITLE = "下载量前三的数据集"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = ["129.csv"]
STRENGTH = "partial"
NEEDS = "It asks for whatever three data sets are most downloaded on a public hub at the moment, which the sandbox cannot reach."
NOTE = "The name ends in .csv while the query asks for one JSON object a line; the content decides. Without the hub only the form can be judged: which data sets the lines come from is not looked at."
ROLES = ["system", "user", "assistant", "knowledge"]


def check(case: Case) -> None:
    import json

    with case.reading("129.csv", "JSON lines") as path:
        lines = [line for line in path.read_text("utf-8-sig").splitlines() if line.strip()]
        entries = [json.loads(line) for line in lines[:20_000]]
    case.demand("lines", len(entries) >= 30, "30 or more", len(entries), "129.csv")
    shaped = [
        e
        for e in entries
        if isinstance(e, dict)
        and e.get("role") in ROLES
        and isinstance(e.get("content"), str)
        and e["content"].strip()
    ]
    case.expect(
        "role and content in each",
        len(shaped) == len(entries),
        len(entries),
        len(shaped),
        "129.csv",
    )
    roles = {e["role"] for e in shaped}
    case.expect("roles", len(roles) >= 2, "2 or more of them", ", ".join(sorted(roles)), "129.csv")
    distinct = len({e["content"] for e in shaped})
    case.expect(
        "contents differ", distinct * 2 >= len(entries), "half or more", distinct, "129.csv"
    )


REFERENCE = {
    "cells": [
        "import urllib.request\nprint(urllib.request.urlopen('https://huggingface.co/api/datasets?search=rag&sort=downloads', timeout=20).status)"
    ],
    "answer": "这里无法访问网络，没有保存文件。",
}
WRONG = {
    "real-csv": {
        "why": "saves a comma-separated table instead of JSON lines",
        "cells": [
            "import pandas as pd\npd.DataFrame({'role': ['user'] * 40, 'content': ['问题'] * 40}).to_csv('output/129.csv', index=False)"
        ],
        "answer": "已保存到 ./output/129.csv。",
    },
    "three-lines": {
        "why": "saves the names of three data sets",
        "cells": [
            "import json\nopen('output/129.csv', 'w').write('\\n'.join(json.dumps({'role': 'knowledge', 'content': n}) for n in ('a', 'b', 'c')))"
        ],
        "answer": "已保存到 ./output/129.csv。",
    },
}
