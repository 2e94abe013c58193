"""Cost of playing attempts: kernels, the harness alone, and the recorded trajectories.

`python -m bench.runner` prints, as medians of `--rounds` rounds with their range, each beside its
peers and in turn with them:

* first cell: from asking for a kernel to the end of a cell that imports the large libraries;
* trivial cell: one more cell's round trip;
* memory: what each further kernel holds that waits, beyond what all share;
* harness: 30 conversations of five cells `print(n)`, so that next to nothing is the cells' own;
* queue: attempts of three replies and two cells with the worker's own player, through the rows of
  SQLite and of PostgreSQL, beside the same without rows: CPU and commits per attempt, for whole
  replies and for streamed ones;
* recorded: the recorded conversations of an upstream checkout whose inputs are there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.engine.kernels import measure_memory, time_ours, time_plain
from bench.engine.pipeline import LIMITS, Figures, measure_pipeline, replaying, serving
from bench.engine.recorded import Trajectory, look_for_upstream, read_trajectories
from bench.engine.throwaway_sandbox import SHOWN_AT, run_inside
from bench.engine.upstream import COMMAND, measure_upstream
from bench.measuring.process_tree import TreeMeter
from bench.measuring.spread import spread
from bench.queue.part import bench_queue

PARTS = ("kernels", "memory", "harness", "queue", "recorded")
HARNESS_TASKS, HARNESS_CELLS = 30, 5
CODE = "PYBENCH_UPSTREAM_CODE"

Rounds = dict[str, list[Figures]]


def harness_tasks() -> list[Trajectory]:
    cells = tuple(f"print({number})" for number in range(HARNESS_CELLS))
    return [Trajectory(str(n), "Count.", (), cells, {}) for n in range(HARNESS_TASKS)]


def measure_plain(trajectories: Sequence[Trajectory], parallel: int) -> Figures:
    """The same cells in plain jupyter_client kernels without a sandbox between them."""
    meter = TreeMeter()
    report = play_inside("plain_kernels.py", trajectories, {"parallel": parallel}, meter)
    return Figures(
        attempts=len(trajectories),
        cells=report["cells"],
        wall_s=report["wall_s"],
        cpu_s=meter.cpu_s,
        peak_pss_mib=meter.peak_pss_bytes / 2**20,
        cell_s=report["cell_s"],
    )


def play_inside(
    script: str,
    trajectories: Sequence[Trajectory],
    order: Mapping[str, object],
    meter: TreeMeter,
) -> dict[str, Any]:
    """Have `script` play the cells, each conversation's inputs at hand, in a throw-away sandbox."""
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    folder.chmod(0o755)
    try:
        for trajectory in trajectories:
            trajectory.copy_inputs(folder / trajectory.index)
        jobs = [{"data": f"{SHOWN_AT}/inputs/{t.index}", "cells": t.cells} for t in trajectories]
        whole = {**order, "cell_timeout_s": LIMITS.cell_timeout_s, "jobs": jobs}
        return run_inside(script, whole, {folder: "inputs"}, meter)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def play_rounds(contestants: Mapping[str, Callable[[], Figures]], rounds: int, part: str) -> Rounds:
    """All contestants in turn, round by round."""
    told: Rounds = {name: [] for name in contestants}
    for number in range(rounds):
        for name, measure in contestants.items():
            told[name].append(measure())
            last = told[name][-1]
            print(f"{part}, round {number + 1}: {name}: {last.wall_s:.1f} s", file=sys.stderr)
    return told


def bench_kernels(options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    told = {"our kernel": time_ours(options.rounds)}
    told["plain jupyter_client"] = time_plain(options.rounds)
    print(f"{'kernels':28} {'first cell ms':>24} {'trivial cell ms':>24}")
    for name, each in told.items():
        print(f"{name:28} {spread(each['first_ms']):>24} {spread(each['trivial_ms']):>24}")
    return told


def bench_memory(options: argparse.Namespace) -> list[float]:
    told = [measure_memory(8) for _ in range(options.rounds)]
    print(f"{'memory, MiB for each kernel':28} {spread(told):>24}")
    return told


def bench_harness(options: argparse.Namespace) -> Rounds:
    tasks, parallel = harness_tasks(), options.parallel

    def counting() -> Any:
        return serving("bench.engine.slow_server", "0", str(HARNESS_CELLS + 1), "cells")

    contestants: dict[str, Callable[[], Figures]] = {
        "ours, up": lambda: measure_pipeline(tasks, counting, parallel, is_up=True),
        "ours": lambda: measure_pipeline(tasks, counting, parallel),
        "plain kernels alone": lambda: measure_plain(tasks, parallel),
    }
    contestants |= upstream_for(tasks, options)
    rounds = play_rounds(contestants, options.rounds, "harness")
    print_table("harness", rounds)
    return rounds


def upstream_for(
    tasks: Sequence[Trajectory], options: argparse.Namespace
) -> dict[str, Callable[[], Figures]]:
    """Upstream's script as one of the engines, where its code is at hand."""
    code = os.environ.get(CODE)
    if not code:
        return {}
    command, parallel = options.upstream_command, options.parallel
    return {"upstream": lambda: measure_upstream(tasks, Path(code), command, parallel)}


def bench_recorded(options: argparse.Namespace) -> Rounds:
    upstream = look_for_upstream()
    if upstream is None:
        print("recorded: left out, PYBENCH_UPSTREAM names no folder with trajectory.jsonl")
        return {}
    tasks = read_trajectories(upstream)[: options.only]
    parallel, source = options.parallel, upstream / "trajectory.jsonl"
    contestants: dict[str, Callable[[], Figures]] = {
        "ours": lambda: measure_pipeline(tasks, lambda: replaying(source), parallel),
        "plain kernels alone": lambda: measure_plain(tasks, parallel),
    }
    contestants |= upstream_for(tasks, options)
    rounds = play_rounds(contestants, options.rounds, "recorded")
    print_table("recorded", rounds)
    return rounds


def print_table(title: str, rounds: Rounds) -> None:
    """Medians with their range; the columns of ratios are to the first row."""
    print(f"{title:26} {'wall s':>20} {'CPU s':>20} {'peak MiB':>20} {'wall ÷':>7} {'CPU ÷':>7}")
    first: tuple[float, float] | None = None
    for name, each in rounds.items():
        wall, cpu, peak = (
            [getattr(figures, field) for figures in each]
            for field in ("wall_s", "cpu_s", "peak_pss_mib")
        )
        middle = sorted(wall)[len(wall) // 2], sorted(cpu)[len(cpu) // 2]
        first = first or middle
        ratios = f"{middle[0] / first[0]:7.2f} {middle[1] / first[1]:7.2f}"
        print(f"{name:26} {spread(wall):>20} {spread(cpu):>20} {spread(peak):>20} {ratios}")


def main() -> None:
    text = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m bench.runner", description=__doc__, formatter_class=text
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parallel", type=int, default=4, help="attempts at once")
    parser.add_argument("--only", type=int, help="the first N trajectories")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument(
        "--upstream-command",
        default=COMMAND,
        help=f"what starts upstream's script; {{code}} is the folder that {CODE} names",
    )
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there")
    options = parser.parse_args()
    benches = {
        "kernels": bench_kernels,
        "memory": bench_memory,
        "harness": bench_harness,
        "queue": bench_queue,
        "recorded": bench_recorded,
    }
    print(
        f"medians of {options.rounds} rounds with their range; {os.cpu_count()} cores, load ",
        end="",
    )
    print(f"{os.getloadavg()[0]:.1f}; {options.parallel} attempts at once")
    told = {part: benches[part](options) for part in options.parts}
    if options.json:
        options.json.write_text(json.dumps(told, indent=1, default=asdict))


if __name__ == "__main__":
    main()
