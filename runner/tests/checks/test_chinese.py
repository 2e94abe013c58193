"""Chinese words come out as jieba itself cuts and weighs them, from a part of its dictionary."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

TEXT = (
    "去年冬天，北京大学的研究生在实验室里完成了一项关于城市交通的调查。他们发现，公共汽车的"
    "平均速度只有每小时十四公里，地铁的乘客却增加了百分之二十。负责人李晓明说：“如果不改变"
    "道路规划，Python3.11 也帮不上忙。”调查报告共有 120 页，the report is in English and 中文。"
    "乒乓球拍卖完了，南京市长江大桥通车，结婚的和尚未结婚的，龘靐齉。"
)
SETUP = f"""
import re, sys
TEXT = {TEXT!r}

def same(case, text):
    from runner.checks.text import chinese
    ours = chinese.cut(text), chinese.weights(text)
    words = chinese.keywords(text, 12)
    import jieba.analyse
    theirs = tuple(jieba.cut(text)), dict(jieba.analyse.extract_tags(text, None, withWeight=True))
    first = [w for w in jieba.analyse.extract_tags(text, 36) if len(w) > 1]
    first = tuple(w for w in first if re.search("[\\u4e00-\\u9fff]", w))[:12]
    case.equal("cut", list(ours[0]), list(theirs[0]))
    case.equal("weights", ours[1], theirs[1])
    case.equal("keywords", list(words), list(first))
"""
TRIALS = [
    Trial("whole", "a.txt", "(data / 'a.txt').write_text(TEXT)", "same(case, TEXT)"),
    Trial("repeated", "b.txt", "(data / 'b.txt').write_text('b')", "same(case, TEXT * 20)"),
    Trial("no-chinese", "c.txt", "(data / 'c.txt').write_text('c')", "same(case, 'only English')"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(TRIALS, SETUP, tmp_path_factory.mktemp("chinese"), 120.0))


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_words_are_those_of_jieba(trial: Trial, found: dict[str, Assertion]) -> None:
    expect_as_told(trial, found[trial.name])
