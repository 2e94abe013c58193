"""The core views of a broker's report on a feed and pig company."""

from runner.checks import Case, texts

INDEX = "131"
TITLE = "研报的核心观点"
CATEGORY = "text"
LANGUAGE = "zh"
OUTPUTS = []
STRENGTH = "partial"
NOTE = "Judged by the points told: five of eight that the report's first page makes, figures among them. Chinese or English will do."
POINTS = {
    "feed grows": ["饲料", "feed"],
    "pig farming": ["生猪", "养猪", "养殖", "hog", "pig", "swine"],
    "costs come down": [
        "降本增效",
        "降本",
        "成本下降",
        "降低成本",
        "cost reduction",
        "reduce cost",
        "reducing cost",
        "cutting cost",
        "lower cost",
    ],
    "the pig cycle turns": ["猪周期", "周期反转", "周期逐步反转", "pig cycle", "hog cycle"],
    "the rating is kept": ["买入", "buy"],
    "shares sold, gain booked": [
        "转让",
        "控股权",
        "外部投资者",
        "交易收益",
        "external investor",
        "controlling",
    ],
    "revenue": ["1417.03", "1,417.03", "1417亿", "239.08", "349.55"],
    "profit or forecast": [
        "2.49亿",
        "2.49 亿",
        "-19.34",
        "19.34亿",
        "19.51",
        "45.97",
        "20.59",
        "0.249 billion",
        "249 million",
    ],
}


def check(case: Case) -> None:
    texts.expect_summary(case, texts.pdf_text(case.data / "新希望.pdf"), POINTS, 5, shortest=60)


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
