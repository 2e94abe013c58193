"""The tiny task of a preflight, which shows whether a model works in the interpreter at all."""

from __future__ import annotations

from pathlib import Path

from runner.contract import TaskSpec
from runner.suites import Solution, SuiteTask

RESULT = "output/letters.txt"
EXPECTED = b"9"

TINY = SuiteTask(
    spec=TaskSpec(
        suite="preflight",
        suite_version="1",
        key="letters",
        title="Count letters",
        category="preflight",
        query=(
            "With Python, count the letters of the word “benchmark”, write the number and nothing "
            "else to ./output/letters.txt, then answer with the number."
        ),
        inputs=(),
        outputs=("letters.txt",),
    ),
    position=1,
    note="",
    path=Path(__file__),
    digest="",
    reference=Solution(
        "reference",
        (
            'from pathlib import Path\n\nnumber = len("benchmark")\n'
            'Path("output/letters.txt").write_text(str(number))\nprint(number)',
        ),
        "The word has 9 letters.",
    ),
    wrong=(Solution("line", ('print(len("bench mark"))',), "10"),),
)
