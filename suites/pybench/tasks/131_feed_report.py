# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The core views of a broker's report on a feed and pig company."""

from runner.checks import Case
from runner.checks.text import prose

INDEX = "131"
TITLE = "研报的核心观点"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "Judged by the points told, each in a clause that does not deny it: four of eight that the report's first page makes. Figures are not asked for, but those given must be the report's. Chinese or English will do. How well it reads is not judged, nor whether what it says of a point is otherwise true."
RISES = ["增", "升", "稳", "提", "扩", "领先", "优势", "改善", "向好"]
GROWS = ["grow", "increas", "stead", "stable", "improv", "expan", "lead", "rose", "rise", "strong"]
POINTS = {
    "feed grows": [
        *(f"饲料&{word}" for word in RISES),
        *(f"{word}&饲料" for word in RISES),
        *(f"feed&{word}" for word in GROWS),
        *(f"{word}&feed" for word in GROWS),
    ],
    "pig farming": [
        "生猪",
        "养猪",
        "养殖",
        "hog",
        "pig farming",
        "pig business",
        "pig breeding",
        "swine",
    ],
    "costs come down": [
        "降本增效",
        "降本",
        "成本下降",
        "成本&下降",
        "成本&降低",
        "成本&改善",
        "成本&优化",
        "降低&成本",
        "cost reduction",
        "cost control",
        "reduc&cost",
        "cut&cost",
        "lower&cost",
        "costs&down",
        "costs&fall",
    ],
    "the pig cycle turns": [
        "周期&反转",
        "周期&回升",
        "周期&上行",
        "周期&改善",
        "cycle&revers",
        "cycle&turn",
        "cycle&recover",
        "cycle&improv",
        "revers&cycle",
        "turn&cycle",
        "recover&cycle",
        "猪价&回升",
        "猪价&上涨",
    ],
    "the rating is kept": ["买入", "buy"],
    "shares sold, gain booked": [
        "转让",
        "控股权",
        "外部投资者",
        "交易收益",
        "external investor",
        "controlling",
    ],
    "revenue": [
        f"{word}&{figure}"
        for word in ("营收", "营业收入", "收入", "revenue", "sales")
        for figure in ("1417", "1,417", "141.7", "239", "349")
    ],
    "profit or forecast": [
        f"{word}&{figure}"
        for word in ("净利", "盈利", "亏损", "profit", "loss", "earnings", "EPS")
        for figure in (
            "2.49",
            "249",
            "19.3",
            "19.5",
            "45.9",
            "46.0",
            "20.5",
            "20.6",
            "0.249",
            "1.95",
            "1.93",
        )
    ],
}


def check(case: Case) -> None:
    prose.expect_summary(case, prose.pdf_text(case.data / "新希望.pdf"), POINTS, 4, shortest=40)


REFERENCE = {
    "cells": [
        """
import re

import pymupdf

with pymupdf.open("data/新希望.pdf") as document:
    text = "".join(page.get_text() for page in document)
print(re.sub(r"\\s+", "", text)[:3500])
""",
    ],
    "answer": "核心观点：饲料主业量利稳增，2023 年销量和单吨净利继续提升；生猪养殖以稳健为主，着重推进降本增效。2023 年营收 1417.03 亿元，归母净利润 2.49 亿元；禽和食品板块引入外部投资者并转让控股权，缓解了经营压力。随着 2024 年下半年猪周期逐步反转，业绩有望改善，预计 2024 年归母净利润 19.51 亿元，维持“买入”评级。",
}
WRONG = {
    "company-introduced": {
        "why": "introduces the company from general knowledge and holds no view of the report",
        "cells": [],
        "answer": "新希望六和是中国领先的农牧企业，业务涵盖饲料、养殖、食品等多个领域。公司坚持为耕者谋利、为食者造福的理念，致力于成为世界级的农牧食品企业。",
    },
    "disclaimer-summarised": {
        "why": "summarises the legal pages at the end",
        "cells": [],
        "answer": "研报的核心观点是：本报告风险等级为中风险，仅面向专业投资者发布；分析师的薪酬与具体推荐意见无关；投资评级以报告日后六到十二个月的相对涨跌幅为准。",
    },
    "wrong-way-round": {
        "why": "an outlook without a single figure or the rating, from the headline's mood",
        "cells": [],
        "answer": "报告认为公司整体经营承压，营收大幅下滑，亏损扩大，行业前景不明朗，建议投资者谨慎观望，等待公司治理和战略方向进一步明确之后再做决定。",
    },
}
