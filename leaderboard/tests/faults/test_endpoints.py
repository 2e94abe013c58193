"""Whole runs against endpoints that go bad: the right outcome, a sentence on the page, all kept."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.tests.support import site as sites
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import CELLS, reply_to
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import Answer, Handler, MisbehavingServer, misbehaving

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

TASKS = 4
OLD_KEY, NEW_KEY = "sk-the-old-key-of-a-submitter", "sk-the-new-key-of-a-submitter"
REPLY_TIMEOUT = "reply_timeout_s = 6.0"  # not minutes for a slow reply


@pytest.fixture(scope="module")
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-site-"))
    with pytest.MonkeyPatch.context() as patch:
        quick = sites.SUITE.replace("reply_timeout_s = 600.0", REPLY_TIMEOUT)
        assert quick != sites.SUITE
        patch.setattr(sites, "SUITE", quick)
        try:
            made = make_site(folder, "", redis_url, TASKS)
            with made.worker(), made.sweeper():
                yield made
        finally:
            shutil.rmtree(folder, ignore_errors=True)


SPOILED = "Once more.\n```python\nopen('output/lines.txt', 'w').write('no lines')\n```"


def another_reply(handler: Handler) -> str:
    """Of a model that writes something else, and says then that it is done."""
    with handler.server.lock:
        messages = handler.server.bodies[-1]["messages"]
    return "Done." if any(m["role"] == "assistant" for m in messages) else SPOILED


def working(handler: Handler, model: str = "m") -> None:
    """A model that does what the task asks."""
    with handler.server.lock:
        body = handler.server.bodies[-1]  # runs here have one attempt in flight
    endpoint_server.completion(reply_to(body["messages"]), model=model)(handler)


def is_first(handler: Handler) -> bool:
    """True while the first attempt is still the one that asks."""
    return ask_count(handler.server) <= CELLS + 1


def page_of(site: Site, run: int, path: str = "") -> str:
    """The run's page as a visitor gets it, from the installation's own database."""
    code = (
        "from django.test import Client; answer = Client().get('/runs/{}/{}'); "
        "assert answer.status_code == 200, answer.status_code; print(answer.content.decode())"
    )
    return site.manage("shell", "--no-imports", "-c", code.format(run, path))


Row = tuple[str, int | None, str, str, str]


def attempts_of(site: Site, run: int) -> list[Row]:
    """Outcome, whether it passed, whose fault, which problem and the verdict's sentence."""
    return site.rows(
        "SELECT outcome, passed, fault, problem_code, sentence FROM leaderboard_attempt "
        f"WHERE run_id = {run} AND status = 'done' ORDER BY id"
    )


def summary_of(site: Site, run: int) -> tuple[int, ...]:
    """Passed, failed, void and open, as the board has them."""
    [row] = site.rows(
        f"SELECT passed, failed, void, open FROM leaderboard_runsummary "
        f"WHERE run_id = {run} AND category = ''"
    )
    return row


def test_key_revoked_during_a_run_voids_only_remaining_attempts(site: Site) -> None:
    def answer(handler: Handler) -> None:
        key = handler.headers["authorization"].removeprefix("Bearer ")
        is_good = key == (OLD_KEY if is_first(handler) else NEW_KEY)
        (working if is_good else endpoint_server.status(401, "The key was revoked."))(handler)

    with misbehaving(answer) as server:
        run = site.start_run(server.base_url, concurrency=1, SUBMITTERS_KEY=OLD_KEY)
        site.wait_for_end(run, 180)
        kept = [row for row in attempts_of(site, run) if row[0] == "finished"]
        void = [row for row in attempts_of(site, run) if row[0] != "finished"]
        assert (len(kept), len(void)) == (1, TASKS - 1)
        assert {row[1] for row in kept} == {1}
        assert set(void) == {("endpoint_failed", None, "submitter", "endpoint_unauthorised", "")}
        assert site.run_status(run) == "done"
        assert summary_of(site, run) == (len(kept), 0, len(void), 0)
        page = page_of(site, run)
        assert f"<b>{len(void)} attempt" in page
        assert "on the submitter’s side</span>" in page or "on the submitter’s side" in page
        assert "refused the API key" in page
        assert OLD_KEY not in page

        replace_key(site, run)
        site.wait_for_end(run, 180)
    rows = attempts_of(site, run)
    assert [row[0] for row in rows] == ["finished"] * TASKS
    assert summary_of(site, run) == (TASKS, 0, 0, 0)
    assert "refused the API key" not in page_of(site, run)


def replace_key(site: Site, run: int) -> None:
    """As the owner does: another key for the entry, and the void attempts once more."""
    code = (
        "from leaderboard.models import Run; from leaderboard.storage import encryption; "
        "from leaderboard.submissions import run_actions; "
        f"endpoint = Run.objects.get(pk={run}).entry.endpoint; "
        f"endpoint.encrypted_key = encryption.encrypt('{NEW_KEY}'); endpoint.save(); "
        f"run_actions.retry({run})"
    )
    site.manage("shell", "--no-imports", "-c", code)


def test_an_endpoint_that_turns_into_another_model_is_seen_through(site: Site) -> None:
    def answer(handler: Handler) -> None:
        if is_first(handler):
            working(handler, "first-model")
        else:
            endpoint_server.completion(another_reply(handler), model="second-model")(handler)

    with misbehaving(answer) as server:
        run = site.start_run(server.base_url, concurrency=1)
        site.wait_for_end(run, 180)
    rows = attempts_of(site, run)
    assert [row[0] for row in rows] == ["finished"] * TASKS
    assert [row[1] for row in rows] == [
        1,
        *[0] * (TASKS - 1),
    ]  # it answers: that it answers wrongly is the model's doing
    environment = json.loads(site.one(f"SELECT environment FROM leaderboard_run WHERE id = {run}"))
    assert environment["models that replied"] == "first-model · second-model"
    page = page_of(site, run)
    assert "named more than one model" in page
    assert "<b>first-model</b>, <b>second-model</b>" in page


def test_a_model_that_is_taken_off_the_endpoint_loses_no_verdict(site: Site) -> None:
    is_back = threading.Event()

    def answer(handler: Handler) -> None:
        if is_first(handler) or is_back.is_set():
            working(handler)
        else:
            endpoint_server.status(404, "The model `m` does not exist.")(handler)

    with misbehaving(answer) as server:
        run = site.start_run(server.base_url, concurrency=1)
        site.wait_for_end(run, 300)
        rows = attempts_of(site, run)
        gone = ("endpoint_failed", None, "submitter", "endpoint_unknown_model", "")
        assert [row[:2] for row in rows].count(("finished", 1)) == 1
        assert rows.count(gone) == TASKS - 1
        assert summary_of(site, run) == (1, 0, TASKS - 1, 0)
        page = page_of(site, run)
        assert f"<b>{TASKS - 1} attempts</b>" in page
        assert "The endpoint does not know the model" in page
        is_back.set()
        site.manage(
            "shell",
            "--no-imports",
            "-c",
            f"from leaderboard.submissions import run_actions; run_actions.retry({run})",
        )
        site.wait_for_end(run, 300)
    assert [row[:2] for row in attempts_of(site, run)] == [("finished", 1)] * TASKS
    assert summary_of(site, run) == (TASKS, 0, 0, 0)
    assert "does not know the model" not in page_of(site, run)


def test_a_model_that_never_stops_is_out_of_turns(site: Site) -> None:
    with misbehaving(endpoint_server.completion(SPOILED)) as server:
        run = site.start_run(server.base_url, "--tasks=lines-1", concurrency=1)
        site.wait_for_end(run, 120)
        assert len(server.bodies) == 5
    assert [row[:3] for row in attempts_of(site, run)] == [("out_of_turns", 0, "")]
    assert site.one(f"SELECT turns FROM leaderboard_attempt WHERE run_id = {run}") == 5
    assert summary_of(site, run) == (0, 1, 0, 0)
    assert "Failed" in attempts_of(site, run)[0][4]
    assert "out of steps" in page_of(site, run, "tasks/lines-1/")


UNFINISHED: dict[str, tuple[Answer, str, str]] = {
    "endless": (endpoint_server.endless, "endpoint_too_large", "went past the limit of"),
    "dripping": (endpoint_server.dripping, "endpoint_timeout", "within 6 s"),
    "silent": (endpoint_server.silence, "endpoint_timeout", "within 6 s"),
    "broken off": (
        endpoint_server.stream(endpoint_server.chunk({"content": "I beg"}), ends=False),
        "endpoint_cut_off",
        "in the middle",
    ),
}


@pytest.fixture(scope="module")
def played(site: Site) -> dict[str, tuple[int, int]]:
    """By the way a reply goes on: its run and the count of requests. All wait side by side."""
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(misbehaving(answer))
            for name, (answer, _, _) in UNFINISHED.items()
        }
        runs = {
            name: site.start_run(
                server.base_url, "--tasks=lines-1,lines-2", f"--model={name}", concurrency=2
            )
            for name, server in servers.items()
        }
        for run in runs.values():
            site.wait_for_end(run, 300)
        return {name: (run, ask_count(servers[name])) for name, run in runs.items()}


@pytest.mark.parametrize("way", UNFINISHED)
def test_a_reply_that_does_not_end_makes_the_attempts_void(
    site: Site, played: dict[str, tuple[int, int]], way: str
) -> None:
    run, asked = played[way]
    _, problem, words = UNFINISHED[way]
    rows = attempts_of(site, run)
    assert [row[:4] for row in rows] == [("endpoint_failed", None, "submitter", problem)] * 2
    assert summary_of(site, run) == (0, 0, 2, 0)
    page = page_of(site, run)
    assert "<b>2 attempts</b>" in page
    assert words in page
    assert "no rate until every attempt has a verdict" in page
    assert 2 <= asked <= 60  # tried again, and not for ever


def ask_count(server: MisbehavingServer) -> int:
    return len(server.bodies)


def test_a_run_after_all_that_is_played_as_any_other(site: Site) -> None:
    with misbehaving(working) as server:
        run = site.start_run(server.base_url, concurrency=1)
        site.wait_for_end(run, 180)
    assert summary_of(site, run) == (TASKS, 0, 0, 0)
    assert "void" not in {row[0] for row in attempts_of(site, run)}
