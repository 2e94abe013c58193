"""The peer upstream: its own script on our workload, in one throw-away sandbox with an endpoint.

PYBENCH_UPSTREAM_CODE names a folder with what is to be run, shown read-only as `{code}`. The
command starts in an empty folder, with all inputs in one `./data` and one `./output` for all tasks,
as the published script expects them; no network but our own endpoint on loopback.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.engine.pipeline import Figures
from bench.engine.recorded import Trajectory
from bench.engine.throwaway_sandbox import run_inside
from bench.measuring.process_tree import TreeMeter

COMMAND = "python {code}/main.py --base-url {base_url} --tasks {tasks} --parallel {parallel}"
LEAST_SHARE = 0.95  # of the replies that it must ask for: else it did not do the work


def measure_upstream(
    trajectories: Sequence[Trajectory], code: Path, command: str, parallel: int
) -> Figures:
    """Time that `command` takes for the conversations, without the endpoint's share.

    SystemExit when it fails, or does not ask for the replies that there are.
    """
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    folder.chmod(0o755)
    order = {
        "command": shlex.split(command),
        "parallel": parallel,
        "replies": {t.query: replies_of(t) for t in trajectories},
    }
    try:
        write_workload(trajectories, folder)
        meter = TreeMeter()
        folders = {folder: "inputs", code: "upstream"}
        report = run_inside("upstream_inside.py", order, folders, meter)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    judge(report, sum(len(replies_of(t)) for t in trajectories))
    return Figures(
        attempts=len(trajectories),
        cells=sum(len(t.cells) for t in trajectories),
        wall_s=report["wall_s"],
        cpu_s=meter.cpu_s - report["endpoint_cpu_s"],
        peak_pss_mib=meter.peak_pss_bytes / 2**20,
    )


def replies_of(trajectory: Trajectory) -> list[str]:
    """The recorded replies; for a workload of cells alone, one for each and the closing word."""
    messages = trajectory.row.get("messages", ())
    said = [str(m["content"]) for m in messages if m["role"] == "assistant"]
    return said or [*(f"```python\n{cell}\n```" for cell in trajectory.cells), "Done."]


def write_workload(trajectories: Sequence[Trajectory], folder: Path) -> None:
    """tasks.json in the published shape (index, user, file_paths), and all inputs in data/."""
    (folder / "data").mkdir()
    for path in {path for trajectory in trajectories for path in trajectory.inputs}:
        shutil.copyfile(path, folder / "data" / path.name)
    tasks = [
        {
            "index": t.index,
            "user": t.query,
            "file_paths": [f"./data/{path.name}" for path in t.inputs],
        }
        for t in trajectories
    ]
    (folder / "tasks.json").write_text(json.dumps(tasks, ensure_ascii=False), "utf-8")


def judge(report: Mapping[str, Any], replies: int) -> None:
    """SystemExit when the script cannot have done the work."""
    code, asked = report["returncode"], report["asked"]
    if code:
        raise SystemExit(f"{report['said']}\nUpstream's script ended with {code}.")
    if asked < LEAST_SHARE * replies:
        raise SystemExit(f"Upstream's script asked for {asked} of {replies} replies only.")
    if asked != replies:
        print(f"upstream asked {asked} times for {replies} replies", file=sys.stderr)
