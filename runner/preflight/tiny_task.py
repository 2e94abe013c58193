"""Tiny tasks of a preflight, which show whether a model works in the interpreter at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from runner.contract import TaskSpec
from runner.suite.reader import Solution, SuiteTask


@dataclass(frozen=True)
class TinyTask:
    """A question, with the one file that answers it."""

    suite_task: SuiteTask
    result: str  # "output/letters.txt"
    expected: bytes  # of its words; blanks and line breaks do not count


def make(
    key: str, title: str, query: str, expected: str, code: str, wrong: str, answer: str
) -> TinyTask:
    name = f"{key}.txt"
    task = SuiteTask(
        spec=TaskSpec(
            suite="preflight",
            suite_version="1",
            key=key,
            title=title,
            category="preflight",
            query=query,
            inputs=(),
            outputs=(name,),
        ),
        position=1,
        note="",
        path=Path(__file__),
        digest="",
        reference=Solution("reference", (code,), answer),
        wrong=(Solution("line", (wrong,), "10"),),
    )
    return TinyTask(task, f"output/{name}", expected.encode())


TINY_TASKS = (
    make(
        "letters",
        "Count letters",
        "With Python, count the letters of the word “benchmark”, write the number and nothing "
        "else to ./output/letters.txt, then answer with the number.",
        "9",
        'from pathlib import Path\n\nnumber = len("benchmark")\n'
        'Path("output/letters.txt").write_text(str(number))\nprint(number)',
        'print(len("bench mark"))',
        "The word has 9 letters.",
    ),
    make(
        "sum",
        "Add numbers",
        "With Python, add up the whole numbers from 1 to 100, write the sum and nothing else to "
        "./output/sum.txt, then answer with the sum.",
        "5050",
        "from pathlib import Path\n\nnumber = sum(range(1, 101))\n"
        'Path("output/sum.txt").write_text(str(number))\nprint(number)',
        "print(sum(range(100)))",
        "The sum is 5050.",
    ),
    make(
        "words",
        "Sort words",
        "With Python, sort the words pear, fig and apple by the alphabet, write them to "
        "./output/words.txt, one on each line, then answer with the first of them.",
        "apple fig pear",
        'from pathlib import Path\n\nwords = sorted(["pear", "fig", "apple"])\n'
        'Path("output/words.txt").write_text("\\n".join(words))\nprint(words[0])',
        'print(min(["pear", "fig"]))',
        "The first word is apple.",
    ),
)
