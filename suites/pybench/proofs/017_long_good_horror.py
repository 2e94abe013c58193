"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "others-not-counted": {
        "why": "tells which were not counted",
        "answer": "片长超过 120 分钟、评分高于 7 分的恐怖片共有 «count» 部，在 120 分钟以内的没有计入。",
    },
    "of-400": {
        "why": "other figures stand beside the right one",
        "answer": "400部电影中有28部符合条件（时长>120分钟且评分>7）。",
    },
    "english-share": {
        "why": "other figures stand beside the right one",
        "answer": "28 of the 400 movies (7.0 %) are longer than 120 minutes and rated above 7.",
    },
    "count-first-list": {
        "why": "other figures stand beside the right one",
        "answer": "28个\n\n1. The Orchard 282（168 分钟，8.8 分）\n2. The Well 169（140 分钟，8.6 分）\n3. The Well 0（193 分钟，8.5 分）\n……其余 25 部从略",
    },
    "with-working": {
        "why": "other figures stand beside the right one",
        "answer": "筛选过程：400 部电影里，时长超过 120 分钟的有 104 部，打分超过 7 分的也有 104 部，两者都满足的有 **28 部**（缺时长或评分的不计；如果把等于 7 分、等于 120 分钟的也算进来会更多）。\n\n名单：The Well 0、The Attic 13、The Orchard 73、The Attic 96、The Well 105、The Orchard 116、The Well 121、The Cellar 123、The Attic 141、The Orchard 150、The Attic 155、The Attic 166、The Well 169、The Well 175、The Cellar 181、The Orchard 216、The Attic 225、The Well 242、The Well 260、The Attic 273、The Orchard 279、The Orchard 282、The Orchard 316、The Orchard 333、The Well 364、The Cellar 378、The Cellar 379、The Attic 380",
    },
    "steps": {
        "why": "another form of the same",
        "answer": "先看时长：超过120分钟的有104部；再看打分：超过7分的有104部；两个条件同时满足的共有28部。",
    },
    "listing": {
        "why": "another form of the same",
        "answer": "筛选条件：时长 > 120 分钟，评分 > 7 分。\n\n| # | 片名 | 时长 | 评分 |\n|---|---|---|---|\n| 1 | The Well 0 | 193 min | 8.5 |\n| … | … | … | … |\n\n（仅展示第1部，其余27部略）\n\n✅ 满足条件的电影总数：**28部**，约占全部800部的3.5%。",
    },
    "bare": {"why": "the number alone", "answer": "**«count»**"},
    "in-english": {"why": "answers in English", "answer": "There are «count» such films."},
}
NEAR_MISSES = {
    "one-more": {"why": "counts one too many", "answer": "一共有 29 部。"},
    "minutes": {"why": "gives the bound for the count", "answer": "一共有 121 部。"},
}
