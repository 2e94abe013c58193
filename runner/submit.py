"""The command line's `submit`: hand an endpoint to a site's queue, and follow its run."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import urlsplit

import httpx2

from runner import extra_body
from runner.contract import ActionFormat, EndpointSpec, ProblemError
from runner.refusals import check_spec
from runner.suites import problem

DONE, INCOMPLETE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
REQUEST_S = 30.0
FOLLOW_EVERY_S = 3.0
CHECK_EVERY_S = 1.0
MAX_CHECK_S = 90.0  # for a worker to be free, and to look
MAX_SILENCE_S = 120.0  # of the site while a run is followed
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_VARIABLE = "PYBENCH_TOKEN"
MARKS = {"ok": "ok", "warning": "warning", "failed": "FAILED", "skipped": "–"}
SAMPLING = ("temperature", "top_p", "max_tokens")
PASSED_ON = (
    "suite", "base_url", "model", "action_format", "attempts_per_task", "concurrency",
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
        run = ask(http, "POST", "/api/v1/runs/", body)
        if run["status"] == "checking":
            print(f"Run {run['id']} is being checked: {site}{run['address']}", flush=True)
            run = await_check(http, run)
            show(run.get("preflight") or {})
        if run["status"] == "refused":
            print(f"Nothing was queued. {run['refusal']}", file=sys.stderr)
            return BAD_INPUT
        if run["status"] == "checking":
            print("No worker has looked at the endpoint yet; the run waits.", file=sys.stderr)
        else:
            print(f"Run {run['id']} is {run['status']}: {site}{run['address']}", flush=True)
        if options.follow:
            return follow(http, run["id"])
        return INCOMPLETE if run["status"] == "checking" else DONE


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m runner submit",
        description="Submit an OpenAI-compatible endpoint to a site's queue.",
    )
    add = parser.add_argument
    add("--site", required=True, help="such as https://board.your-host.org")
    add("--token-env", metavar="VAR", default=TOKEN_VARIABLE,
        help=f"environment variable with your API token (default: {TOKEN_VARIABLE})")  # fmt: skip
    add("--suite", default="starter", help="name of a suite on the site")
    add("--base-url", required=True, help="of the endpoint, reachable from the site")
    add("--model", required=True, help="the model's name at the endpoint")
    add("--name", help="on the board (default: the model's)")
    add("--api-key-env", metavar="VAR", help="environment variable that holds the endpoint's key")
    add("--format", dest="action_format", choices=[f.value for f in ActionFormat],
        default="fenced", help="how the model hands over code (default: fenced)")  # fmt: skip
    add("--temperature", type=float, metavar="T")
    add("--top-p", type=float, metavar="P")
    add("--max-tokens", type=int, metavar="N", help="per reply")
    add("--no-stream", dest="stream", action="store_false", help="ask for whole replies")
    add("--extra-body", metavar="JSON", default="",
        help="an object merged into every request, or @FILE that holds one")  # fmt: skip
    add("--attempts", dest="attempts_per_task", type=int, default=1, metavar="K", help="per task")
    add("--concurrency", type=int, default=2, metavar="N", help="attempts at once")
    add("--organisation", default="", help="who made the model")
    add("--parameters", dest="parameters_b", type=float, metavar="B", help="in billions")
    add("--weights", choices=["open", "closed", "unknown"], default="unknown")
    add("--description", default="")
    add("--public", action="store_true", help="show the run to everybody from the start")
    add("--no-preflight", dest="preflight", action="store_false",
        help="queue the run without having the site look at the endpoint first")  # fmt: skip
    add("--follow", action="store_true", help="wait for the run's end, showing its progress")
    return parser


def check_site(url: str) -> str:
    """The site's address without a slash at its end. Secrets travel encrypted or not at all."""
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not (is_safe and parts.hostname):
        raise problem(
            "bad_site",
            "The site's address must begin with https://, or be one of this machine.",
            "Give it as in --site https://board.your-host.org.",
        )
    return url.rstrip("/")


def secret(variable: str | None) -> str:
    if not variable:
        return ""
    if not os.environ.get(variable):
        raise problem(
            "no_secret",
            f"The environment variable {variable} is not set.",
            "Set it; API tokens are made on the site under “account”.",
        )
    return os.environ[variable].strip()


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
    if said.startswith("@"):
        try:
            said = Path(said[1:]).read_text("utf-8")
        except (OSError, UnicodeError) as error:
            raise problem(
                "no_extra_body",
                f"The file {said[1:]} cannot be read ({type(error).__name__}).",
                "Give --extra-body the object itself, or @ and a file that holds it.",
            ) from None
    return extra_body.read(said)


def body_of(options: argparse.Namespace, api_key: str) -> dict[str, Any]:
    """The submission as the API takes it."""
    given = {name: getattr(options, name) for name in SAMPLING}
    return {
        **{name: getattr(options, name) for name in PASSED_ON},
        "name": options.name or options.model,
        "sampling": {name: value for name, value in given.items() if value is not None},
        "stream": options.stream,
        "extra_body": extra_body_of(options.extra_body),
        "is_public": options.public,
        "preflight": options.preflight,
        "api_key": api_key,
    }


def await_check(http: httpx2.Client, run: dict[str, Any]) -> dict[str, Any]:
    """The run once its preflight is over, or as it is after `MAX_CHECK_S`."""
    until_s = time.monotonic() + MAX_CHECK_S
    while run["status"] == "checking" and time.monotonic() < until_s:
        sleep(CHECK_EVERY_S)
        run = ask(http, "GET", f"/api/v1/runs/{run['id']}/")
    return run


def show(report: Mapping[str, Any]) -> None:
    """What the site's preflight found, one check a line."""
    for check in report.get("checks", ()):
        said = f"{check['said']} {check['next_step']}".strip()
        print(f"  {MARKS.get(check['state'], check['state']):<8} {check['title']:<14} {said}")


def open_site(site: str, token: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=site,
        headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        timeout=REQUEST_S,
        follow_redirects=False,
    )


def ask(
    http: httpx2.Client, method: str, path: str, body: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The site's answer. ProblemError in the site's words when it refuses."""
    try:
        answer = http.request(method, path, json=body)
    except httpx2.HTTPError as error:
        raise problem(
            "site_unreachable",
            f"The site did not answer ({type(error).__name__}).",
            "Check --site, and that the site is up.",
        ) from None
    try:
        content = answer.json()
    except ValueError:
        content = None
    if answer.is_success and isinstance(content, dict):
        return content
    raise refused(answer.status_code, content)


def refused(status: int, content: Any) -> ProblemError:
    """The site's error, with what it says of each field."""
    error = content.get("error") if isinstance(content, dict) else None
    if not isinstance(error, dict):
        return problem(
            "site_refused",
            f"The site answered {status}, and not as its API does.",
            "Check that --site is the address of a PyBench site.",
        )
    fields = error.get("fields") or {}
    details = "".join(f" {name}: {' '.join(map(str, said))}" for name, said in fields.items())
    return problem(str(error.get("code")), f"{error.get('what')}{details}", str(error["next_step"]))


def follow(http: httpx2.Client, run_id: int) -> int:
    """Show the run's progress until it is over."""
    heard_s, shown = time.monotonic(), ""
    while True:
        try:
            run = ask(http, "GET", f"/api/v1/runs/{run_id}/")
            heard_s = time.monotonic()
        except ProblemError as error:
            if error.problem.code != "site_unreachable":
                raise
            if time.monotonic() - heard_s > MAX_SILENCE_S:
                raise
        else:
            words = progress(run)
            if words != shown:
                print(words, flush=True)
                shown = words
            if run["status"] in ("done", "cancelled", "refused"):
                return conclude(run)
        sleep(FOLLOW_EVERY_S)


def progress(run: Mapping[str, Any]) -> str:
    figures = run.get("figures") or {}
    counts = ", ".join(f"{figures.get(word, 0)} {word}" for word in ("passed", "failed", "void"))
    return f"{run['status']}: {counts}, {figures.get('open', 0)} open"


def conclude(run: Mapping[str, Any]) -> int:
    """0 when every attempt has a verdict."""
    if run["status"] == "refused":
        print(f"Nothing was queued. {run.get('refusal', '')}", file=sys.stderr)
        return BAD_INPUT
    figures = run.get("figures") or {}
    return INCOMPLETE if figures.get("void") or figures.get("open") else DONE
