"""The small open model of `make model`: its replies are read, long ones beside others too."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import free_port
from leaderboard.tests.support.page_tools import find_peer
from pybench_site.local.model import NAME, serve_model
from runner.cli.main import main
from runner.contract import LONGEST_REPLY_S, EndpointSpec
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import open_http

pytestmark = [
    pytest.mark.peers,
    pytest.mark.sandbox,
    pytest.mark.one_of("model servers", "llama-cpp"),
]

SUITE = Path(__file__).parents[3] / "suites" / "starter"


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    find_peer("llama-cpp", "python")
    with serve_model(free_port()) as address:
        yield address


def test_small_model_plays_tasks_of_the_starter_suite(
    base_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_VAR", str(tmp_path / "var"))
    words = ["--suite", str(SUITE), "--tasks", "access-log,lattice-paths"]
    words += ["--base-url", base_url, "--model", NAME, "--out", str(tmp_path / "out")]
    words += ["--max-tokens", "200", "--limit-turns", "2", "--json", str(tmp_path / "figures")]
    assert main(words) == 0
    [whole] = json.loads((tmp_path / "figures").read_text("utf-8"))["figures"][-1:]
    assert (whole["attempts"], whole["void"]) == (2, 0)
    assert whole["turns"] >= 1


async def test_long_replies_are_whole_beside_other_requests(base_url: str) -> None:
    """Each takes some forty seconds on a small machine, while the server is asked other things.

    On a loaded one it takes as long as it must.
    """
    asked = [{"role": "user", "content": "Count from 1 to 2000, one number on each line."}]
    without_end = {"logit_bias": {"2": -100}}  # so that it goes on to the limit
    spec = EndpointSpec(base_url, NAME, max_tokens=1_600, temperature=0.0, extra_body=without_end)
    async with open_http() as http:
        chat = EndpointClient(spec, http)
        replies = [asyncio.create_task(chat.reply(asked, LONGEST_REPLY_S)) for _ in range(2)]
        while not all(reply.done() for reply in replies):
            assert (
                await http.get(f"{base_url}/models", timeout=LONGEST_REPLY_S)
            ).status_code == 200
            await asyncio.sleep(1)
    for reply in [await one for one in replies]:
        assert reply.finish_reason == "length"
        assert len(reply.text) > 1_000
