"""The command line's `follow`: show a site's run until it is over, and then its table."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from time import sleep
from typing import Any

import httpx2

from runner.cli.exit_codes import BAD_INPUT, DONE, GONE, INCOMPLETE, INTERRUPTED
from runner.cli.site_client import (
    TOKEN_VARIABLE,
    SiteAway,
    ask,
    check_site,
    no_answer,
    open_site,
    secret,
)
from runner.cli.summary import table
from runner.contract import ProblemError
from runner.run_figures import Figures

FOLLOW_EVERY_S = 3.0
OVER = ("done", "cancelled", "refused")
FIGURES = [field.name for field in fields(Figures)]


def follow_run(words: Sequence[str]) -> int:
    """Follow a run that was submitted before; the exit code."""
    options = parser().parse_args(words)
    site = check_site(options.site)
    with open_site(site, secret(options.token_env)) as http:
        run = ask_run(http, "GET", f"/api/v1/runs/{options.run}/", is_known=False)
        return follow(http, run["id"], again=command(site, options.run, options.token_env))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pybench follow",
        description="Show the progress of a site's run until it is over.",
    )
    parser.add_argument("--site", required=True, help="address of the site")
    parser.add_argument("--run", type=int, required=True, metavar="ID", help="the run's number")
    parser.add_argument("--token-env", metavar="VAR", default=TOKEN_VARIABLE,
        help=f"environment variable with your API token (default: {TOKEN_VARIABLE})")  # fmt: skip
    return parser


def command(site: str, run_id: int, token_env: str) -> str:
    """The command that follows the run again."""
    words = [".venv/bin/pybench", "follow", "--site", site, "--run", str(run_id)]
    return shlex.join(words + (["--token-env", token_env] * (token_env != TOKEN_VARIABLE)))


def follow(http: httpx2.Client, run_id: int, again: str) -> int:
    """Show the run's progress until it is over. `again` is the command that follows it later."""
    return name_command(again, lambda: watch(http, run_id))


def name_command(again: str, act: Callable[[], int]) -> int:
    """The exit code of `act`, which watches a run; one that ends early names `again`."""
    try:
        return act()
    except SiteAway as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        print(f"The run is the site's and goes on. Follow it again: {again}", file=sys.stderr)
        return GONE
    except ProblemError as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        print(f"The run is left as it is. Follow it again: {again}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"\nThe run goes on. Follow it again: {again}", file=sys.stderr)
        return INTERRUPTED


def watch(http: httpx2.Client, run_id: int) -> int:
    shown = ""
    while True:
        run = ask_run(http, "GET", f"/api/v1/runs/{run_id}/")
        words = progress(run)
        if words != shown:
            print(words, flush=True)
            shown = words
        if run["status"] in OVER:
            return conclude(run)
        sleep(FOLLOW_EVERY_S)


def ask_run(http: httpx2.Client, method: str, path: str, *more: Any, **how: Any) -> dict[str, Any]:
    """The site's answer about a run; ProblemError for one that is no run."""
    run = ask(http, method, path, *more, **how)
    if not run.keys() >= {"id", "status", "address"}:
        raise no_answer(200)
    return run


def progress(run: Mapping[str, Any]) -> str:
    figures = run.get("figures") or {}
    words = {"passed": "passed", "failed": "failed", "void": "did not count"}
    counts = ", ".join(f"{figures.get(name, 0)} {said}" for name, said in words.items())
    return f"{run['status']}: {counts}, {figures.get('open', 0)} open"


def conclude(run: Mapping[str, Any]) -> int:
    """Print the run's table; 0 when every attempt has a verdict."""
    if run["status"] == "refused":
        print(f"Nothing was queued. {run.get('refusal', '')}", file=sys.stderr)
        return BAD_INPUT
    overall = run.get("figures")
    if overall:
        rows = [(str(part["category"]), figures_in(part)) for part in run.get("categories", ())]
        print(table([*rows, ("all", figures_in(overall))]))
    figures = overall or {}
    return INCOMPLETE if figures.get("void") or figures.get("open") else DONE


def figures_in(row: Mapping[str, Any]) -> Figures:
    return Figures(**{name: row[name] for name in FIGURES})
