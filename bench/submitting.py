"""Measures a submission: fields and clicks, the wait for the first attempt, fifty at once.

`python -m bench.submitting` makes a fresh site with the starter suite, runs it as `make run` does
(Redis, sandbox, web, worker, sweeper), and submits a scripted endpoint in Chromium from the empty
form. Then fifty accounts submit at once through the handler, four at a time as the web server's
threads do. It ends with 1 when a submission is lost or takes more fields or clicks than it may;
seconds are printed beside their goals.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import TimeoutError

from bench.pages import site
from bench.pages.browser import open_browser

MOST_FIELDS, MOST_CLICKS = 4, 2
FIRST_ATTEMPT_S, HANDLER_MS = 3.0, 300
SUBMISSIONS, WEB_THREADS = 50, 4
DEADLINE_S = 90.0
PASSWORD = "a long password of a bench"
OUTSIDE = frozenset({"scripted"})  # the bench serves the endpoint itself


@dataclass(frozen=True)
class Walk:
    """One submission in Chromium."""

    fields: int
    clicks: int
    checked_s: float  # from the click to the preflight's result
    running_s: float  # from the second click to an attempt under way


@dataclass(frozen=True)
class Crowd:
    """Submissions at once, through the handler of the API."""

    queued: int
    wall_ms: list[float]
    cpu_ms: list[float]


@contextmanager
def endpoint() -> Iterator[str]:
    """A scripted endpoint on a port that the site may call."""
    from runner.scripted.server import ScriptedServer

    server = ScriptedServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    os.environ["PYBENCH_LOOPBACK_PORTS"] = str(server.server_port)
    try:
        yield server.base_url
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def running(only: frozenset[str] = frozenset()) -> Iterator[str]:
    """The configured site with its worker, as `make run` starts it, or some of its services."""
    from pybench_site.local.serve import HERE, HOST, services

    started = [s for s in services() if s.name in (only or {s.name} - OUTSIDE)]
    address = f"http://{HOST}:{HERE.ports.site}"
    try:
        for service in started:
            service.start()
            if service.name == "web" and service.process is not None:
                site.await_answer(address, service.process)
        yield address
    finally:
        for service in reversed(started):
            service.send(signal.SIGTERM)
            service.wait(time.monotonic() + 15)


def fill() -> str:
    """The starter suite, and an account; its session's key."""
    from django.contrib.auth.models import User
    from django.test import Client

    from leaderboard.suites.install import install
    from runner.suite.reader import load_suite

    install(load_suite("starter"))
    client = Client()
    client.force_login(User.objects.create_user("bench", "bench@example.org", PASSWORD))
    return str(client.cookies["sessionid"].value)


def wait_for(is_there: Any, what: str) -> float:
    """Seconds until that is so."""
    started = time.monotonic()
    while time.monotonic() - started < DEADLINE_S:
        if is_there():
            return time.monotonic() - started
        time.sleep(0.01)
    raise SystemExit(f"{what} did not come within {DEADLINE_S:.0f} s.")


def walk(address: str, session: str, base_url: str) -> Walk:
    """Submit from the empty form; every typed field and every click is counted."""
    from leaderboard.models import Attempt

    said = {"base_url": base_url, "api_key": "sk-bench", "model": "reference"}
    clicks = 0
    with open_browser() as browser:
        context = browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        page = context.new_page()
        page.goto(f"{address}/submit/")
        for name, value in said.items():
            page.locator(f"[name={name}]").fill(value)
        started = time.monotonic()
        page.get_by_role("button", name="Check the endpoint").last.click()
        clicks += 1
        queue = page.locator("button", has_text="Queue ")
        try:
            queue.wait_for(timeout=DEADLINE_S * 1000)
        except TimeoutError as error:
            raise SystemExit(f"No run can be queued: {page.inner_text('main')}") from error
        checked_s = time.monotonic() - started
        clicks += 1
        clicked = time.monotonic()
        queue.click(no_wait_after=True)
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
        wait_for(lambda: Attempt.objects.filter(status="running").exists(), "The first attempt")
        running_s = time.monotonic() - clicked
        context.close()
    return Walk(len(said), clicks, checked_s, running_s)


def submit_at_once(base_url: str) -> Crowd:
    """Fifty accounts, each with a submission, through the handler."""
    from django.contrib.auth.models import User
    from django.test import Client

    from leaderboard.accounts.tokens import make_token
    from leaderboard.models import Run

    before = Run.objects.count()
    users = [User.objects.create_user(f"bench-{n}") for n in range(SUBMISSIONS)]
    tokens = [make_token(user, "bench")[1] for user in users]
    body = {"suite": "starter", "base_url": base_url, "model": "reference", "preflight": False}

    handler = Client().handler  # one for all threads, as the web server has: each loads middleware

    def client_of_the_server() -> Client:
        client = Client()
        client.handler = handler
        return client

    def post(number: int) -> tuple[float, float]:
        client = client_of_the_server()
        wall, cpu = time.perf_counter(), time.thread_time()
        answer = client.post(
            "/api/v1/runs/",
            {**body, "name": f"Crowd {number}"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {tokens[number]}", "Host": "127.0.0.1"},
        )
        took = time.perf_counter() - wall, time.thread_time() - cpu
        if answer.status_code != 201:
            print(f"submission {number} was answered {answer.status_code}: {answer.content!r}")
        return took

    together = threading.Barrier(WEB_THREADS)

    def warm_up(_: int) -> None:
        together.wait()  # so that each thread of the pool is one of them
        client_of_the_server().get("/api/v1/runs/", headers={"Host": "127.0.0.1"})

    with ThreadPoolExecutor(WEB_THREADS) as pool:
        list(pool.map(warm_up, range(WEB_THREADS)))
        gc.collect()
        gc.freeze()  # as `pybench_site.wsgi` does
        took = list(pool.map(post, range(SUBMISSIONS)))
    return Crowd(
        Run.objects.count() - before,
        sorted(1000 * wall for wall, _ in took),
        sorted(1000 * cpu for _, cpu in took),
    )


def p95(values: list[float]) -> float:
    return values[min(len(values) - 1, round(0.95 * len(values)) - 1)]


def show(walked: Walk, crowd: Crowd) -> None:
    print(f"typed fields              {walked.fields} (at most {MOST_FIELDS})")
    print(f"clicks                    {walked.clicks} (at most {MOST_CLICKS})")
    print(f"preflight                 {walked.checked_s:.1f} s")
    print(f"queued to first attempt   {walked.running_s:.2f} s (goal {FIRST_ATTEMPT_S:.0f})")
    print(f"submissions at once       {crowd.queued} of {SUBMISSIONS} queued")
    print(
        f"handler, median           {median(crowd.wall_ms):.0f} ms, CPU {median(crowd.cpu_ms):.0f}"
    )
    print(
        f"handler, p95              {p95(crowd.wall_ms):.0f} ms (goal {HANDLER_MS}), "
        f"CPU {p95(crowd.cpu_ms):.0f}"
    )
    print(f"load of the machine       {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def is_kept(walked: Walk, crowd: Crowd) -> bool:
    is_short = walked.fields <= MOST_FIELDS and walked.clicks <= MOST_CLICKS
    return is_short and crowd.queued == SUBMISSIONS


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pb-submit-"))
    try:
        with endpoint() as base_url:
            site.configure(folder)
            session = fill()
            with running() as address:
                walked = walk(address, session, base_url)
            with running(frozenset({"redis"})):  # messages to workers go out, and nobody plays
                crowd = submit_at_once(base_url)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show(walked, crowd)
    sys.exit(0 if is_kept(walked, crowd) else 1)


if __name__ == "__main__":
    main()
