"""The command line through LiteLLM's proxy: every format, streaming and not."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import yaml

from conftest import free_port, wait_until
from leaderboard.tests.support.page_tools import find_peer
from runner.cli.main import main
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import scripted, small_suite

pytestmark = [
    pytest.mark.peers,
    pytest.mark.sandbox,
    pytest.mark.one_of("model servers", "litellm"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_suite(tmp_path_factory.mktemp("suite")).folder


@pytest.fixture(scope="module")
def proxy(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a proxy before the scripted endpoint."""
    program, home, port = find_peer("litellm", "litellm"), tmp_path_factory.mktemp("lite"), 0
    with scripted(load_suite(folder)) as server:
        port = free_port()
        entry = {"model": "openai/reference", "api_base": server.base_url, "api_key": "none"}
        config = {"model_list": [{"model_name": "through", "litellm_params": entry}]}
        (home / "config.yaml").write_text(yaml.safe_dump(config), "utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # it would be fetched
            "LITELLM_TELEMETRY": "False",
        }
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [program, "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port)],
                cwd=home,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            address = f"http://127.0.0.1:{port}/v1"
            try:
                wait_until(lambda: answers(address, process), "LiteLLM answers", 600)
                yield address
            finally:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(60)


def answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "LiteLLM has ended"
    try:
        return httpx2.get(f"{address}/models", timeout=30).status_code == 200
    except httpx2.HTTPError:
        return False


@pytest.mark.parametrize("streaming", [[], ["--no-stream"]])
@pytest.mark.parametrize("form", ["fenced", "markers", "tools"])
def test_suite_is_passed_through_the_proxy(
    form: str,
    streaming: list[str],
    proxy: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PYBENCH_VAR", str(tmp_path / "var"))
    words = ["--suite", str(folder), "--base-url", proxy, "--model", "through"]
    words += ["--out", str(tmp_path / "out"), "--format", form, *streaming]
    assert main(words) == 0
    assert "2/2" in capsys.readouterr().out
