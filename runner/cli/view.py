"""`pybench view`: results in a browser, without a site to set up."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from runner.cli.exit_codes import BAD_INPUT, DONE
from runner.suite.reader import ROOT, problem

VIEWER = "pybench_site.local.viewer"
END_TIMEOUT_S = 5.0
WHAT = "a folder that --out named, a folder of such, or a file or folder of trajectories"


def view_results(words: Sequence[str]) -> int:
    """Serve results on this machine until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="pybench view",
        description="Show results in the browser: replays, failures and comparison. Nobody but "
        "this machine can reach them, nothing is written, and Ctrl-C ends it.",
    )
    parser.add_argument("place", type=Path, metavar="FOLDER", help=WHAT)
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    options = parser.parse_args(words)
    require(options.place)
    with tempfile.TemporaryDirectory(prefix="pybench-view-") as scratch:
        process = start([str(options.place), "--port", str(options.port)], scratch)
        try:
            return show(process, options.no_browser)
        except KeyboardInterrupt:
            return DONE
        finally:
            end(process)


def require(place: Path) -> None:
    if not place.exists():
        raise problem(
            "no_results",
            f"There is no folder or file {place}.",
            "Name one that `.venv/bin/pybench … --out FOLDER` wrote.",
        )


def start(words: Sequence[str], scratch: str) -> subprocess.Popen[str]:
    """The viewer's process, in a session of its own so that Ctrl-C reaches us first."""
    raise_on_end()
    return subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", sys.executable, "-m", VIEWER, "--scratch", scratch,
         *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT.parent)},
        start_new_session=True,
    )  # fmt: skip


def raise_on_end() -> None:
    """Have a plain `kill` clean up as Ctrl-C does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's "&" has it ignored
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.default_int_handler)


def show(process: subprocess.Popen[str], is_silent: bool) -> int:
    """Print the address once it answers, then wait for the end."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    if not address:
        return process.wait() or BAD_INPUT
    print(f"The results are at {address} (Ctrl-C ends it).", flush=True)
    if not is_silent:
        webbrowser.open(address)
    return process.wait()


def end(process: subprocess.Popen[str]) -> None:
    """End the viewer, and wait until it is gone."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
