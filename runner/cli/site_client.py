"""Requests of the command line to a site's API, asked again while the site is away."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Mapping
from itertools import chain, repeat
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpx2

from runner.contract import ProblemError
from runner.suite.reader import problem

REQUEST_S = 30.0
UPLOAD_S = 400.0  # a site reads a large file for minutes
PIECE_BYTES = 1 << 18
PAUSES_S = (1.0, 2.0, 5.0, 10.0, 15.0)  # the last again and again
MAX_SILENCE_S = 600.0  # of a site that answered before
MAX_WAIT_S = 60.0  # that a site can ask for
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_VARIABLE = "PYBENCH_TOKEN"
IN_FRONT = (502, 503, 504)  # of a proxy whose site restarts
FAILED = 500  # of a site, such as one without its database for a moment
NEVER_REACHED, AWAY, BUSY = "site_unreachable", "site_away", "too_many_requests"
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # characters that a terminal acts on
UNDER_WAY = "idempotency_key_under_way"


def check_site(url: str) -> str:
    """The site's address without a slash at its end. Secrets travel encrypted or not at all."""
    parts = split_address(url)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not (is_safe and parts.hostname):
        raise problem(
            "bad_site",
            "The site's address must begin with https://, or be one of this machine.",
            "Give it as in --site https://board.your-host.org.",
        )
    return url.rstrip("/")


def split_address(url: str) -> SplitResult:
    """Parts of an address. ProblemError for one that has none."""
    try:
        return urlsplit(url)
    except ValueError as error:
        what = f"The address cannot be read ({error})."
        raise problem("bad_address", what, "Type it again.") from None


def secret(variable: str | None) -> str:
    if not variable:
        return ""
    if not os.environ.get(variable):
        raise problem(
            "no_secret",
            f"The environment variable {variable} is not set.",
            "Set it to an API token; create one on the site under “account”.",
        )
    return os.environ[variable].strip()


def open_site(site: str, token: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=site,
        headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        timeout=REQUEST_S,
        follow_redirects=False,
    )


def ask(
    http: httpx2.Client,
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
    *,
    key: str = "",
    is_known: bool = True,
    file: Path | None = None,
) -> dict[str, Any]:
    """The site's answer. ProblemError in the site's words when it refuses, or stays away.

    A site that is away is asked again for ten minutes. With an idempotency `key` that holds for a
    request that changes something too. One that is not known to exist is given up at once. A `file`
    is sent as it is, in place of a body.
    """
    until_s = time.monotonic() + MAX_SILENCE_S
    is_noted = False
    for pause_s in chain(PAUSES_S, repeat(PAUSES_S[-1])):
        try:
            return ask_once(http, method, path, body, key, file)
        except SiteAway as error:
            is_lost = error.problem.code == NEVER_REACHED and not is_known
            if is_lost or time.monotonic() > until_s:
                raise
            if not is_noted and error.problem.code != UNDER_WAY:
                print(f"{error.problem.what} Trying again.", file=sys.stderr, flush=True)
                is_noted = True
            sleep(max(pause_s, error.wait_s))
    raise AssertionError("the pauses never end")


class SiteAway(ProblemError):
    """A site that does not answer now, and may in a moment."""

    wait_s = 0.0  # that it asks for

    @property
    def is_gone(self) -> bool:  # type: ignore[override]
        """True if the site was reached before: it may have taken what was sent."""
        return self.problem.code != NEVER_REACHED


def ask_once(
    http: httpx2.Client,
    method: str,
    path: str,
    body: Mapping[str, Any] | None,
    key: str,
    file: Path | None = None,
) -> dict[str, Any]:
    headers = {"Idempotency-Key": key} if key else {}
    try:
        if file is None:
            answer = http.request(method, path, json=body, headers=headers)
        else:
            answer = send_file(http, path, headers, file)
    except (httpx2.LocalProtocolError, httpx2.UnsupportedProtocol) as error:
        raise problem(
            "bad_request", f"The request cannot be sent ({error}).", "Check --site and the token."
        ) from None
    except httpx2.HTTPError as error:
        is_reached = not isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout))
        raise away(
            AWAY if is_reached else NEVER_REACHED,
            f"The site did not answer ({type(error).__name__}).",
        ) from None
    try:
        content = printable(answer.json())
    except (ValueError, RecursionError):
        content = None
    if answer.is_success and isinstance(content, dict):
        return content
    refusal = refused(answer.status_code, content)
    is_passing = refusal.problem.code in (BUSY, UNDER_WAY)
    is_failing = method == "GET" and answer.status_code == FAILED
    if answer.status_code in IN_FRONT or is_passing or is_failing:
        gone = (
            SiteAway(refusal.problem)
            if is_passing
            else away(AWAY, f"The site does not answer at the moment ({answer.status_code}).")
        )
        gone.wait_s = read_wait(answer.headers.get("Retry-After", ""))
        raise gone
    raise refusal


def send_file(
    http: httpx2.Client, path: str, headers: Mapping[str, str], file: Path
) -> httpx2.Response:
    """Send a file's bytes a piece at a time; reading them takes the site longer than an answer."""
    size = {"Content-Type": "application/octet-stream", "Content-Length": str(file.stat().st_size)}
    with file.open("rb") as content:
        pieces = iter(lambda: content.read(PIECE_BYTES), b"")
        answer: httpx2.Response = http.post(
            path, content=pieces, headers={**headers, **size}, timeout=UPLOAD_S
        )
        return answer


def read_wait(text: str) -> float:
    return min(float(text), MAX_WAIT_S) if text.isdecimal() else 0.0


def away(code: str, what: str) -> SiteAway:
    return SiteAway(problem(code, what, "Check --site, and that the site is up.").problem)


def refused(status: int, content: Any) -> ProblemError:
    """The site's error, with its words about each field."""
    error = content if isinstance(content, dict) and "code" in content else None
    if error is None:
        error = content.get("error") if isinstance(content, dict) else None
    if not isinstance(error, dict):
        return no_answer(status)
    fields = error.get("fields")
    details = "".join(
        f" {name}: {' '.join(map(str, said)) if isinstance(said, list) else said}"
        for name, said in (fields.items() if isinstance(fields, dict) else ())
    )
    what, next_step = f"{error.get('what')}{details}", str(error.get("next_step", ""))
    return problem(str(error.get("code")), what, next_step)


def no_answer(status: int) -> ProblemError:
    return problem(
        "site_refused",
        f"The answer ({status}) is not one of the PyBench API.",
        "Check that --site is the address of a PyBench site.",
    )


def printable(value: Any) -> Any:
    """JSON with a mark in the place of each control character."""
    if isinstance(value, str):
        return CONTROLS.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {printable(name): printable(item) for name, item in value.items()}
    return value
