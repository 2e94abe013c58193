"""The first hour of a newcomer, played in a machine that has nothing (`fresh_machine.py`).

`make run` until every scripted baseline is over; the pages that show them; Ctrl-C, after which
nothing may be left; the set-up of `make test`; `make clean`. Ends with the seconds of each, or with
the first thing that is not as it should be.

Runs on the system's Python with nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
TASKS = 31  # of the starter suite
BASELINES = 10
ADDRESS = re.compile(r"the site is at (http://\S+)")
OUTPUT = Path("/tmp/make-run.log")
SETUP_LIMIT_S = 1800.0
PLAY_LIMIT_S = 1800.0
END_LIMIT_S = 30.0
ASK_TIMEOUT_S = 30.0
CGROUPS = Path("/sys/fs/cgroup")
PLACES_OF_OTHERS = ("/tmp", "/run", "/dev/shm", "/var/lib")

T = TypeVar("T")


class Unexpected(Exception):
    """Something is not as a newcomer may expect it."""


def main() -> None:
    before = look_round()
    times: dict[str, float] = {}
    started = time.monotonic()
    with OUTPUT.open("wb") as output:
        site = subprocess.Popen(
            ["make", "run"], cwd=ROOT, stdout=output, stderr=output, start_new_session=True
        )
    groups: set[Path] = set()
    try:
        address = wait("the site", SETUP_LIMIT_S, lambda: find_address(site))
        times["make run until its first page"] = measure(started)
        read(address)
        board = wait(
            "the baselines", PLAY_LIMIT_S, lambda: read_baselines(site, address, times, groups)
        )
        times["make run until all baselines are over"] = measure(started)
        visit(address, board)
        times["Ctrl-C until the end"] = interrupt(site)
    finally:
        if site.poll() is None:
            interrupt(site)
    print(OUTPUT.read_text("utf-8"))
    expect_nothing_new(before, groups)
    times["set-up of make test"] = make_ready("test")
    make("clean")
    expect_nothing_of_ours()
    width = max(map(len, times))
    print(*(f"{seconds:6.1f} s  {what:{width}}" for what, seconds in times.items()), sep="\n")


def measure(started: float) -> float:
    return time.monotonic() - started


def wait(what: str, limit_s: float, look: Callable[[], T | None]) -> T:
    """Ask `look` until it finds something. Raises Unexpected when that takes too long."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if (found := look()) is not None:
            return found
        time.sleep(0.5)
    said = OUTPUT.read_text("utf-8")
    raise Unexpected(f"{what} did not come within {limit_s:.0f} s:\n{said}")


def find_address(site: subprocess.Popen[bytes]) -> str | None:
    said = OUTPUT.read_text("utf-8", "replace")
    if site.poll() is not None:
        raise Unexpected(f"make run ended with {site.returncode}:\n{said}")
    return found[1] if (found := ADDRESS.search(said)) else None


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=ASK_TIMEOUT_S) as answer:
        return str(answer.read().decode())


def words_of(page: str) -> str:
    """The text between a page's tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def read_baselines(
    site: subprocess.Popen[bytes], address: str, times: dict[str, float], groups: set[Path]
) -> dict[str, Any] | None:
    """The rows of the baselines by their names once all are over; none may have a void attempt."""
    groups |= control_groups()
    find_address(site)  # it still runs
    rows = {row["entry"]: row for row in json.loads(read(f"{address}/board.json"))["rows"]}
    if void := [name for name, row in rows.items() if row["void"]]:
        raise Unexpected(f"void attempts of {', '.join(void)}: {rows}")
    is_over = all(row["passed"] + row["failed"] == TASKS for row in rows.values())
    return rows if is_over and len(rows) == BASELINES else None


def control_groups() -> set[Path]:
    """The control groups of sandboxes that processes of this machine are in."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cgroup"):
        try:
            lines = path.read_text().splitlines()
        except OSError:  # it has ended
            continue
        for _, controllers, group in (line.split(":", 2) for line in lines):
            found.add(CGROUPS / controllers.removeprefix("name=") / group.lstrip("/"))
    return {group for group in found if group.name.startswith("pybench-")}


def visit(address: str, board: dict[str, Any]) -> None:
    """Look at the first page, a run's and a replay, as the links between them lead."""
    reference = board["Reference solutions"]
    if reference["passed"] != TASKS:
        raise Unexpected(f"the reference passed {reference['passed']} of {TASKS}")
    first, run = read(f"{address}/"), read(f"{address}{reference['address']}")
    replay = re.search(rf'href="({reference["address"]}tasks/[^"]+)"', run)
    if replay is None or reference["address"] not in first:
        raise Unexpected("no link leads from the first page to the run and on to a replay")
    for page, verdict in (
        (first, "Reference solutions 100.0"),
        (run, f"passed {TASKS} of {TASKS}"),
        (read(f"{address}{replay[1]}"), "Passed: "),
    ):
        if verdict not in words_of(page):
            raise Unexpected(f"a page does not say “{verdict}”: {words_of(page)[:600]} …")


def interrupt(site: subprocess.Popen[bytes]) -> float:
    """Press Ctrl-C: a terminal tells every process of the group. Returns the seconds it took."""
    started = time.monotonic()
    os.killpg(site.pid, signal.SIGINT)
    try:
        site.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise Unexpected(f"make run did not end within {END_LIMIT_S:.0f} s") from None
    return measure(started)


def look_round() -> dict[str, set[str]]:
    """All that may be left behind: processes, mounts, and files outside of the checkout."""
    outside = {str(path) for place in PLACES_OF_OTHERS for path in Path(place).glob("*")}
    return {
        "processes": set(processes()),
        "mounts": set(Path("/proc/self/mountinfo").read_text().splitlines()),
        "files": outside - {str(OUTPUT)},
    }


def processes() -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if words:  # one that has ended has none until the machine's first process looks
            found.append(f"{path.parent.name} {words}")
    return found


def expect_nothing_new(before: dict[str, set[str]], groups: set[Path]) -> None:
    after = look_round()
    new = {what: sorted(after[what] - found) for what, found in before.items()}
    new["files"] = [path for path in new["files"] if "pybench" in path and not may_stay(path)]
    new["control groups"] = sorted(str(group) for group in groups if group.exists())
    if left := {what: found for what, found in new.items() if found}:
        raise Unexpected(f"left behind: {left}")
    print(f"· left behind: nothing, of {len(groups)} control groups too", flush=True)


def may_stay(path: str) -> bool:
    """True of the folder of sandboxes, if it is empty, and until `make clean` of kernels."""
    is_empty = path == os.environ["PYBENCH_SANDBOX_DIR"] and not any(Path(path).iterdir())
    return is_empty or path.startswith("/var/lib/pybench-kernel-env")


def make_ready(purpose: str) -> float:
    """The set-up of another target of the Makefile. Returns the seconds it took."""
    started = time.monotonic()
    subprocess.run(["python3", "pybench_site/local/install.py", purpose], cwd=ROOT, check=True)
    return measure(started)


def make(target: str) -> None:
    subprocess.run(["make", target], cwd=ROOT, check=True)


def expect_nothing_of_ours() -> None:
    """After `make clean` the checkout is as it was cloned, and nothing of it lies elsewhere."""
    status = ["git", "status", "--porcelain", "--ignored"]
    found = subprocess.run(status, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    left = [line[3:] for line in found.splitlines()]
    for place in PLACES_OF_OTHERS:
        own = [str(path) for path in Path(place).glob("*pybench*")]
        left += [path for path in own if path != os.environ["PYBENCH_SANDBOX_DIR"]]
    if left:
        raise Unexpected(f"make clean left {', '.join(left)}")
    print("· make clean left nothing", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Unexpected, subprocess.CalledProcessError) as error:
        sys.exit(f"test-fresh failed: {error}")
