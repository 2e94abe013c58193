"""Playing the solutions of a task to the files and answers that its check is then asked about."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from runner.contract import CellResult, CellStatus, KernelLost, Limits, OutputKind
from runner.proof import variants
from runner.sandbox.base import Sandbox
from runner.scripted import floor_agents
from runner.suite.placeholders import filled_answer, filled_cells, visible_parameters
from runner.suite.proof_file import ProofRows
from runner.suite.task_file import Solution, SuiteTask

if TYPE_CHECKING:
    from runner.task_code.inputs import Instance

TROUBLE_CHARS = 200  # of an exception's text


@dataclass(frozen=True)
class Ready:
    """Files that a solution left, to be checked."""

    solution: Solution
    kind: str
    outputs: Path
    answer: str
    seconds: float = 0.0
    trouble: str = ""  # the first cell that did not run to its end, and why
    missing: tuple[str, ...] = ()  # files of OUTPUTS that it did not leave


@dataclass(frozen=True)
class Stage:
    """One instance of a task, and the folder that takes a folder for each solution."""

    sandbox: Sandbox
    limits: Limits
    task: SuiteTask
    instance: Instance
    folder: Path

    async def play_all(
        self, rows: ProofRows, recorded: str = "", *, is_varied: bool = True
    ) -> list[Ready]:
        """Everything there is to check, the reference first; generic variants if `is_varied`.

        `recorded` is a conversation's answer: without its files it is nothing.
        """
        written = [("reference", self.task.reference)]
        written += [("wrong", one) for one in self.task.wrong]
        written += [(sort, one) for sort, many in rows.solutions.items() for one in many]
        ready = [
            await self.play(kind, solution, f"solution-{place}")
            for place, (kind, solution) in enumerate(written)
        ]
        reference = ready[0]
        if is_varied and not reference.trouble:
            ready += await self.vary(reference)
        return [*ready, *await self.play_floors(recorded)]

    async def play(self, kind: str, solution: Solution, folder: str) -> Ready:
        """Play the cells in a real session; the answer is filled with what they printed."""
        outputs = self.folder / folder
        outputs.mkdir()
        started = time.monotonic()
        results = await self.run_cells(solution, outputs) if solution.cells else []
        seconds = time.monotonic() - started
        visible = visible_parameters(self.task.spec.query, self.instance.parameters)
        printed = "\n".join(observed(result) for result in results)
        answer = filled_answer(solution, visible, printed)
        missing = tuple(n for n in self.task.spec.outputs if not (outputs / n).exists())
        return Ready(solution, kind, outputs, answer, seconds, trouble_of(results), missing)

    async def run_cells(
        self, solution: Solution, outputs: Path, prelude: Sequence[str] = ()
    ) -> list[CellResult]:
        visible = visible_parameters(self.task.spec.query, self.instance.parameters)
        cells = (*prelude, *filled_cells(solution, visible))
        session = await self.sandbox.open(self.instance.data, self.limits)
        try:
            results = [await session.run(cell, self.limits.cell_timeout_s) for cell in cells]
            await session.harvest(outputs, self.task.spec.outputs)
        finally:
            await session.close()
        return results

    async def vary(self, reference: Ready) -> list[Ready]:
        """The generic variants that fit what the reference left."""
        ready = [
            varied(reference, sort, name, answer=answer)
            for sort, name, answer in variants.answer_variants(self.task, reference.answer)
        ]
        if not self.task.spec.outputs:
            return ready
        ready += await self.vary_files(reference)
        if variants.draws_figures(self.task):
            ready += await self.vary_figures(reference)
        return ready

    async def vary_files(self, reference: Ready) -> list[Ready]:
        made = self.folder / "files"
        session = await self.sandbox.open(reference.outputs, self.limits)
        try:
            result = await session.run(variants.file_cell(), self.limits.cell_timeout_s)
            await session.harvest(made)
        finally:
            await session.close()
        expect_silence([result], "the variants of its files")
        return variants_in(made, reference)

    async def vary_figures(self, reference: Ready) -> list[Ready]:
        made, restyled = self.folder / "figures", self.folder / "restyled"
        results = await self.run_cells(reference.solution, made, [variants.figure_cell()])
        expect_silence(results[:1], "the variants of its figures")
        ready = variants_in(made, reference)
        results = await self.run_cells(reference.solution, restyled, [variants.OTHER_LOOK])
        look = varied(reference, "style", "other-look", outputs=restyled)
        return [*ready, replace(look, trouble=trouble_of(results))]

    async def play_floors(self, recorded: str) -> list[Ready]:
        """Agents without work; the files of those that write any come from one session."""
        floors = floors_of(self.task, recorded)
        made = self.folder / "floors"
        writing = [solution for solution in floors if solution.cells]
        if writing and self.task.spec.outputs:
            session = await self.sandbox.open(self.instance.data, self.limits)
            try:
                cell = floor_agents.at_once(writing)
                result = await session.run(cell, self.limits.cell_timeout_s)
                await session.harvest(made)
            finally:
                await session.close()
            expect_silence([result], "the files of the floor agents")
        for solution in floors:
            (made / solution.name).mkdir(parents=True, exist_ok=True)
        return [Ready(one, "floor", made / one.name, one.answer) for one in floors]


def varied(
    reference: Ready, sort: str, name: str, *, answer: str = "", outputs: Path | None = None
) -> Ready:
    """The reference's result with another answer, or with other files."""
    answer = answer or reference.answer
    solution = Solution(name, (), answer)
    return Ready(solution, sort, outputs or reference.outputs, answer)


def variants_in(folder: Path, reference: Ready) -> list[Ready]:
    """One for each folder called “SORT NAME”; files that it lacks are the reference's."""
    ready = []
    for outputs in sorted(path for path in folder.glob("* *") if path.is_dir()):
        sort, _, name = outputs.name.partition(" ")
        if sort not in variants.SORTS:
            continue
        for path in reference.outputs.rglob("*"):
            target = outputs / path.relative_to(reference.outputs)
            if path.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        ready.append(varied(reference, sort, name, outputs=outputs))
    return ready


def expect_silence(results: Sequence[CellResult], what: str) -> None:
    """Raise KernelLost when cells of our own said anything or did not run to their end."""
    said = "\n".join(observed(result) for result in results).strip()
    if said or trouble_of(results):
        raise KernelLost(f"{what} could not be written: {said or trouble_of(results)}")


def trouble_of(results: Sequence[CellResult]) -> str:
    """The first cell that did not run to its end, and why; "" when all did."""
    for number, result in enumerate(results, 1):
        if result.status is CellStatus.ERROR:
            raised = [o for o in result.outputs if o.kind is OutputKind.ERROR]
            what = f"{raised[0].error_name}: {raised[0].error_value}" if raised else "an error"
            return f"its cell {number} raised {what[:TROUBLE_CHARS].strip()}"
        if result.status is not CellStatus.OK:
            return f"its cell {number} was ended: {result.reason or result.status}"
    return ""


def observed(result: CellResult) -> str:
    """Text that a cell printed or returned."""
    kinds = (OutputKind.STDOUT, OutputKind.RESULT)
    return "\n".join(output.text for output in result.outputs if output.kind in kinds)


def floors_of(task: SuiteTask, recorded: str = "") -> list[Solution]:
    """The agents without work that the task must fail."""
    makers = {**floor_agents.FLOORS, **floor_agents.FILE_FLOORS}
    found = [make(task) for make in makers.values()]
    if recorded and task.spec.outputs:
        found.append(Solution(floor_agents.RECORDED, (), recorded))
    return found
