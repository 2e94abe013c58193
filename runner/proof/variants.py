"""Generic variants of a reference: other styles and mutants, written once for all tasks.

What changes files runs in a kernel (`runner/proof/inside/`); a variant fits a task when it changes
something of what the reference leaves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from runner.proof import answers
from runner.suite.task_file import SuiteTask

INSIDE = Path(__file__).parent / "inside"
CHART = (".png", ".jpg", ".jpeg")
DRAWS = ("pyplot", "matplotlib", "seaborn", ".plot(", "plt.")
SORTS = ("style", "mutant")
OTHER_LOOK = """
import matplotlib
import matplotlib.pyplot as plt
plt.style.use("ggplot")
matplotlib.rcParams.update({"savefig.dpi": 130, "font.size": 11})
"""


@cache
def source_of(name: str) -> str:
    return (INSIDE / f"{name}.py").read_text("utf-8")


def run_sources(*names: str) -> str:
    """A cell that executes modules of `inside/` in one namespace, called `variants`."""
    sources = {name: source_of(name) for name in names}
    return (
        f"variants = {{'__name__': 'variants'}}\n"
        f"for name, source in {sources!r}.items():\n"
        "    exec(compile(source, name, 'exec'), variants)\n"
    )


def file_cell() -> str:
    """A cell that writes every variant of the files in ./data that it knows."""
    return run_sources("tables", "pictures", "documents", "files") + (
        "v = variants\n"
        "v['vary_files']({\n"
        "    'style': [v['styled_tables'], v['styled_pictures']],\n"
        "    'mutant': [v['changed_tables'], v['changed_pictures'], v['changed_documents']],\n"
        "})\n"
    )


def figure_cell() -> str:
    """A cell to run before the reference's: its figures are then saved changed, too."""
    return run_sources("figures")


def draws_figures(task: SuiteTask) -> bool:
    """True if the reference seems to save a figure of matplotlib's."""
    is_asked = any(Path(name).suffix.lower() in CHART for name in task.spec.outputs)
    return is_asked and any(word in cell for cell in task.reference.cells for word in DRAWS)


def answer_variants(task: SuiteTask, answer: str) -> list[tuple[str, str, str]]:
    """(sort, name, answer) of each that differs. With files asked for, the answer is an aside."""
    styles = dict(answers.STYLES)
    if task.spec.language == "zh":
        styles |= answers.CHINESE_STYLES
    if task.spec.outputs:
        styles = {name: styles[name] for name in ("answer-as-markdown",)}
    made = [("style", name, rewrite(answer)) for name, rewrite in styles.items()]
    if not task.spec.outputs:
        made += [
            ("mutant", name, change(answer, task.spec.query))
            for name, change in answers.MUTANTS.items()
        ]
    return [one for one in made if one[2] != answer]
