"""The command line's `submit`: hand an endpoint to a site's queue, and follow its run."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import Any
from uuid import uuid4

import httpx2

from runner.cli.exit_codes import BAD_INPUT, DONE, INCOMPLETE
from runner.cli.follow import ask_run, command, follow, name_command
from runner.cli.site_client import TOKEN_VARIABLE, check_site, open_site, secret
from runner.contract import ActionFormat, EndpointSpec
from runner.endpoint.errors import check_spec
from runner.endpoint.extras import extra_body, extra_headers
from runner.submission_fields import SAMPLING, add_options
from runner.suite.reader import problem

MARKS = {"warning": "warning", "failed": "FAILED", "skipped": "–", "unseen": "not seen"}
CHECK_EVERY_S = 1.0
MAX_CHECK_S = 90.0  # for a worker to be free, and to look
CEILINGS = ("ceiling_tokens", "ceiling_dollars")
PASSED_ON = (
    "suite", "base_url", "model", "action_format", "concurrency",
    "organisation", "parameters_b", "weights", "description",
)  # fmt: skip


def submit_endpoint(words: Sequence[str]) -> int:
    """Submit the endpoint, print what the site found of it and where its run is; the exit code."""
    options = parser().parse_args(words)
    site = check_site(options.site)
    token, api_key = secret(options.token_env), secret(options.api_key_env)
    check_spec(spec_of(options, api_key))
    body = body_of(options, api_key)
    with open_site(site, token) as http:
        # Sent again after a lost answer, it is the same submission.
        key = str(uuid4())
        run = ask_run(http, "POST", "/api/v1/runs/", body, key=key, is_known=False)
        again = command(site, run["id"], options.token_env)
        return name_command(again, lambda: see_through(http, run, options, again))


def see_through(
    http: httpx2.Client, run: dict[str, Any], options: argparse.Namespace, again: str
) -> int:
    """Show what becomes of a submitted run: its preflight, and its end if it is followed."""
    address = f"{check_site(options.site)}{run['address']}"
    if run["status"] == "checking":
        print(f"Run {run['id']} is being checked: {address}", flush=True)
        run = await_check(http, run)
        show_checks(run.get("preflight") or {})
    if run["status"] == "refused":
        print(f"Nothing was queued. {run.get('refusal', '')}", file=sys.stderr)
        return BAD_INPUT
    if run["status"] == "checking":
        print("No worker has checked the endpoint yet; the run is waiting.", file=sys.stderr)
    else:
        print(f"Run {run['id']} is {run['status']}: {address}", flush=True)
    if options.follow:
        return follow(http, run["id"], again)
    return INCOMPLETE if run["status"] == "checking" else DONE


def show_checks(report: Mapping[str, Any]) -> None:
    """Print the findings of a preflight, one check a line."""
    for check in report.get("checks", ()):
        said = f"{check['said']} {check['next_step']}".strip()
        print(f"  {MARKS.get(check['state'], check['state']):<8} {check['title']:<14} {said}")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pybench submit",
        description="Submit an OpenAI-compatible endpoint to a site's queue.",
    )
    add = parser.add_argument
    add("--site", required=True, help="address of the site, such as https://board.your-host.org")
    add("--token-env", metavar="VAR", default=TOKEN_VARIABLE,
        help=f"environment variable with your API token (default: {TOKEN_VARIABLE})")  # fmt: skip
    add("--suite", default="starter", help="name of a suite on the site")
    add("--base-url", required=True, help="base URL of the endpoint, as the site can reach it")
    add("--model", required=True, help="the model's name at the endpoint")
    add("--name", help="name on the board (default: the model's name)")
    add("--api-key-env", metavar="VAR", help="environment variable with the endpoint's key")
    add("--format", dest="action_format", choices=[f.value for f in ActionFormat],
        default="fenced", help="how the model hands over code (default: fenced)")  # fmt: skip
    add_options(parser)
    add(
        "--no-stream",
        dest="stream",
        action="store_false",
        help="ask for whole replies, not for streams",
    )
    add("--extra-body", metavar="JSON", default="",
        help="extra request fields: a JSON object, or @FILE with one")  # fmt: skip
    add("--extra-headers", metavar="FILE", default="",
        help="@FILE with extra headers of each request, a “Name: value” on each line")  # fmt: skip
    add("--ceiling-tokens", type=int, metavar="N", help="stop the run at so many tokens")
    add("--ceiling-dollars", type=float, metavar="X", help="stop the run at so much money")
    add("--organisation", default="", help="who made the model")
    add(
        "--parameters",
        dest="parameters_b",
        type=float,
        metavar="B",
        help="parameters of the model, in billions",
    )
    add("--weights", choices=["open", "closed", "unknown"], default="unknown",
        help="are the weights open? (default: unknown)")  # fmt: skip
    add("--description", default="", help="for readers: quantisation, server, prompt template")
    add("--public", action="store_true", help="make the run public from the start")
    add("--no-preflight", dest="preflight", action="store_false",
        help="queue the run without a preflight of the endpoint")  # fmt: skip
    add("--follow", action="store_true", help="wait for the run's end, showing its progress")
    return parser


def spec_of(options: argparse.Namespace, api_key: str) -> EndpointSpec:
    return EndpointSpec(
        base_url=options.base_url,
        model=options.model,
        api_key=api_key,
        action_format=ActionFormat(options.action_format),
        stream=options.stream,
        **{name: getattr(options, name) for name in SAMPLING},
    )


def extra_body_of(said: str) -> dict[str, Any]:
    """The object in `said`, or in the file it names as `@FILE`: values may be secrets."""
    return extra_body.read(said_or_read("--extra-body", said))


def read_headers(said: str) -> dict[str, str]:
    """The headers in `said`, or in the file it names as `@FILE`: values may be secrets."""
    return extra_headers.read(said_or_read("--extra-headers", said))


def said_or_read(option: str, said: str) -> str:
    if not said.startswith("@"):
        return said
    try:
        return Path(said[1:]).read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise problem(
            "no_file",
            f"The file {said[1:]} cannot be read ({type(error).__name__}).",
            f"Give {option} the text itself, or @ and a file with it.",
        ) from None


def body_of(options: argparse.Namespace, api_key: str) -> dict[str, Any]:
    """The submission as the API takes it."""
    given = {name: getattr(options, name) for name in SAMPLING}
    return {
        **{name: getattr(options, name) for name in PASSED_ON},
        "name": options.name or options.model,
        "attempts_per_task": options.attempts,
        "sampling": {name: value for name, value in given.items() if value is not None},
        "stream": options.stream,
        "extra_body": extra_body_of(options.extra_body),
        **({"extra_headers": headers} if (headers := read_headers(options.extra_headers)) else {}),
        "is_public": options.public,
        "preflight": options.preflight,
        "api_key": api_key,
        **{name: said for name in CEILINGS if (said := getattr(options, name)) is not None},
    }


def await_check(http: httpx2.Client, run: dict[str, Any]) -> dict[str, Any]:
    """The run once its preflight is over, or as it is after `MAX_CHECK_S`."""
    until_s = time.monotonic() + MAX_CHECK_S
    while run["status"] == "checking" and time.monotonic() < until_s:
        sleep(CHECK_EVERY_S)
        run = ask_run(http, "GET", f"/api/v1/runs/{run['id']}/")
    return run
