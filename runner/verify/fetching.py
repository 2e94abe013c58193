"""Fetches a run's bundle and the keys of its site, bounded, without following redirects."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from runner.cli.site_client import (
    AWAY,
    NEVER_REACHED,
    ask,
    away,
    check_site,
    open_site,
    split_address,
)
from runner.evidence.statement import KEYS_ADDRESS
from runner.suite.reader import problem
from runner.verify.keys import TrustedKeys, read_published

RUN_PATH = re.compile(r"((?:/[\w.~-]{1,60})*)/runs/(\d{1,18})(?:/(?:manifest\.json|bundle\.zip)?)?")
MAX_BUNDLE_BYTES = 4 << 30
FETCH_S = 120.0  # of silence


@dataclass(frozen=True)
class RunAddress:
    """A run on a site."""

    site: str
    number: int


def read_address(url: str) -> RunAddress:
    """The run at an address such as https://board.your-host.org/runs/12/. ProblemError."""
    parts = split_address(url)
    match = RUN_PATH.fullmatch(parts.path)
    if match is None or parts.query or parts.username is not None:
        raise problem(
            "bad_address",
            "The address is not that of a run.",
            "Give it as in https://board.your-host.org/runs/12/.",
        )
    return RunAddress(check_site(f"{parts.scheme}://{parts.netloc}{match[1]}"), int(match[2]))


def fetch_keys(site: str) -> TrustedKeys:
    """The keys that a site publishes. ProblemError."""
    with open_site(check_site(site), "") as http:
        del http.headers["Authorization"]
        return read_published(ask(http, "GET", KEYS_ADDRESS, is_known=False))


@contextmanager
def fetched(address: RunAddress, token: str) -> Iterator[Path]:
    """The run's bundle as a file of its own; a private run's by an API token. ProblemError."""
    with (
        tempfile.NamedTemporaryFile(prefix="evidence-", suffix=".zip") as file,
        open_site(address.site, token) as http,
    ):
        path = f"/api/v1/runs/{address.number}/bundle/"
        if not token:
            path = f"/runs/{address.number}/bundle.zip"
            del http.headers["Authorization"]
        download(http, path, file)
        file.flush()
        yield Path(file.name)


def download(http: httpx2.Client, path: str, file: Any) -> None:
    size = 0
    try:
        with http.stream("GET", path, timeout=FETCH_S) as answer:
            if answer.status_code != 200:
                raise refused(answer.status_code)
            for piece in answer.iter_bytes(1 << 20):
                size += file.write(piece)
                if size > MAX_BUNDLE_BYTES:
                    raise problem(
                        "large_bundle",
                        f"The bundle is larger than {MAX_BUNDLE_BYTES >> 30} GB.",
                        "Tell the site's maintainers.",
                    )
    except httpx2.HTTPError as error:
        is_reached = not isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout))
        code = AWAY if is_reached else NEVER_REACHED
        raise away(code, f"The site did not answer ({type(error).__name__}).") from None


def refused(status: int) -> Exception:
    if status == 404:
        return problem(
            "no_bundle",
            "The site has no evidence for this run: it is private, not over, or does not exist.",
            "Check the number. For your own private run, add --private.",
        )
    if status in (401, 403):
        return problem(
            "no_access", "The site does not take this API token.", "Create another one there."
        )
    return away(AWAY, f"The site answered {status}.")
