"""Agents that do no work and must fail every task, as the cells and answer that they send."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from runner.suites import Solution, SuiteTask

STOCK_WORDS = (
    "total average mean median sum count minimum maximum highest lowest first last result answer "
    "saved file chart image table document page yes no true false correct "
    "total: average: result: 总计 平均 最大 最小 结果 答案 已保存 正确"
)


def silent(task: SuiteTask) -> Solution:
    """Says that it is done."""
    return Solution("silent", (), "Done.")


def empty_file(task: SuiteTask) -> Solution:
    """Touches the names that the query asks for."""
    names = json.dumps(list(task.spec.outputs), ensure_ascii=False)
    cell = (
        "from pathlib import Path\n"
        'Path("output").mkdir(exist_ok=True)\n'
        f"for name in {names}:\n"
        '    (Path("output") / name).touch()'
    )
    return Solution("empty-file", (cell,), "The files have been created under ./output.")


def keyword_stuffer(task: SuiteTask) -> Solution:
    """Writes no code; its answer holds the query's words, stock words and every small number."""
    words = " ".join(dict.fromkeys(re.findall(r"\w+", task.spec.query)))
    numbers = " ".join(str(n) for n in range(201))
    return Solution("keyword-stuffer", (), f"{words} {STOCK_WORDS} {numbers}")


def confident_liar(task: SuiteTask) -> Solution:
    """Claims that the work is saved and checked; writes nothing."""
    if task.spec.outputs:
        names = ", ".join(f"./output/{name}" for name in task.spec.outputs)
        claim = f"I have saved {names} exactly as you asked and verified the contents."
    else:
        claim = "I have computed the result exactly as you asked and verified it twice: it is 42."
    return Solution("confident-liar", (), f"{claim} Everything is correct.")


FLOORS: dict[str, Callable[[SuiteTask], Solution]] = {
    "silent": silent,
    "empty-file": empty_file,
    "keyword-stuffer": keyword_stuffer,
    "confident-liar": confident_liar,
}
