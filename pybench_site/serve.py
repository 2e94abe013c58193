"""Runs the whole site on one machine: its processes start, are restarted and end together."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

from pybench_site.install import ROOT, VAR

BIN = ROOT / ".venv" / "bin"
HOST = os.environ.get("PYBENCH_HOST", "127.0.0.1")
PORT = int(os.environ.get("PYBENCH_PORT", "8000"))
SCRIPTED_PORT = int(os.environ.get("PYBENCH_SCRIPTED_PORT", "8001"))
MAX_SOCKET_PATH = 100  # the kernel allows 107 bytes
MAX_LOG_BYTES = 8 << 20
LEAST_FREE_BYTES = 100 << 20
START_TIMEOUT_S = 60.0
PREPARE_TIMEOUT_S = 600.0
STOP_TIMEOUT_S = 15.0
MAX_BACK_OFF_S = 30.0


def own_socket(name: str) -> Path:
    """Where a service listens: under var/, or in a private folder when that path is too long."""
    path = VAR / name
    if len(str(path)) <= MAX_SOCKET_PATH:
        return path
    digest = hashlib.sha256(str(VAR).encode()).hexdigest()[:8]
    folder = Path(tempfile.gettempdir()) / f"pybench-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / name


REDIS_SOCKET = own_socket("redis.sock")
SANDBOX_SOCKET = own_socket("sandboxd.sock")
PROVED_SUITE = "starter"
PROOF_WAIT_S = 3600  # for the baselines' runs to end
FOUNDATIONS = ("redis", "sandboxd")  # what the others need to end well


@dataclass
class Service:
    """One child process and its fate."""

    name: str
    command: Sequence[str]
    is_once: bool = False  # it ends by itself, and is not started again
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float = 0.0
    log: IO[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        self.log = self.log or open_log(self.name)
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *self.command],  # should we be killed, they end too
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches us alone; we end them in order
            env=environment(),
        )
        self.started_at = time.monotonic()

    def supervise(self, now: float) -> None:
        """Restart the process when it has died, later each time it dies young."""
        if self.is_once:
            return
        if self.process is None:
            if now >= self.restart_at:
                self.start()
        elif self.process.poll() is not None:
            lived_s = now - self.started_at
            self.failures = 0 if lived_s > 60 else self.failures + 1
            wait_s = min(2.0**self.failures, MAX_BACK_OFF_S)
            code = self.process.returncode
            say(f"{self.name} ended ({code}); again in {wait_s:.0f} s, see var/log/{self.name}.log")
            self.process, self.restart_at = None, now + wait_s

    def signal(self, sign: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, sign)

    def wait(self, deadline: float) -> None:
        """Wait until the process is gone; after the deadline it is killed."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self.process.wait(5)


def say(text: str) -> None:
    print(f"· {text}", flush=True)


def open_log(name: str) -> IO[bytes]:
    """The log file of a service, appended to; a large one is put aside as `.1` first."""
    path = VAR / "log" / f"{name}.log"
    if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
    return path.open("ab")


def environment() -> Mapping[str, str]:
    """What every process of the site is given on top of ours."""
    defaults = {
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "PYBENCH_COLLECTED": "1",
        "PYBENCH_BROKER_URL": f"redis+socket://{REDIS_SOCKET}",
        "PYTHONUNBUFFERED": "1",
        **({"PYBENCH_SANDBOXD": str(SANDBOX_SOCKET)} if has_sandbox_service() else {}),
    }
    return {**defaults, **os.environ}


@cache
def has_sandbox_service() -> bool:
    """Whether we run the service that forks kernels: where it works and nobody named another."""
    if "PYBENCH_SANDBOXD" in os.environ:
        return False
    probe = [sys.executable, "-m", "runner.sandbox.second_wall"]
    return not subprocess.run(probe, cwd=ROOT, timeout=START_TIMEOUT_S, check=False).returncode


def sandbox_service() -> list[Service]:
    if not has_sandbox_service():
        return []
    command = [sys.executable, "-m", "runner.sandbox.sandboxd", "--with-parent"]
    return [Service("sandboxd", [*command, "--socket", str(SANDBOX_SOCKET)])]


def services() -> list[Service]:
    """What the site consists of, in starting order; it is stopped in reverse."""
    celery = [str(BIN / "celery"), "-A", "pybench_site", "--quiet"]
    redis = ["--port", "0", "--unixsocket", str(REDIS_SOCKET), "--unixsocketperm", "700"]
    quiet = ["--save", "", "--appendonly", "no", "--dir", str(VAR)]
    # Back-pressure counts open connections: each of those who watch a run keeps one.
    web = ["--interface", "wsgi", "--host", HOST, "--port", str(PORT), "--workers", "1"]
    return [
        Service("redis", ["redis-server", *redis, *quiet]),
        *sandbox_service(),
        Service(
            "scripted",
            [sys.executable, "-m", "runner.scripted_server", "--port", str(SCRIPTED_PORT)],
        ),
        Service(
            "web",
            [str(BIN / "granian"), *web, "--blocking-threads", "4", "--no-ws", "--backpressure",
             "1024", "pybench_site.wsgi:application"],
        ),
        Service(
            "worker",
            [*celery, "worker", "-P", "threads", "-c", "2", "--loglevel", "INFO",
             "--without-gossip", "--without-mingle"],
        ),
        Service(
            "sweeper",
            [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
        ),
    ]  # fmt: skip


def examine_host() -> None:
    """Say what this machine lacks for the sandbox. Exits when there is none without it."""
    done = subprocess.run(
        [sys.executable, "-m", "runner.fitness"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PREPARE_TIMEOUT_S,
        check=False,
    )
    found = (done.stdout + done.stderr).strip()
    if done.returncode:
        sys.exit(f"Start stopped: this machine cannot run the sandbox.\n{found}")
    if found:
        say(f"the sandbox works, but not at its best:\n{found}")


def proof() -> list[Service]:
    """What fills the health page of a new site, beside everything else and behind it."""
    if os.environ.get("PYBENCH_PROVE", "1") != "1":
        return []
    command = ["nice", "-n", "10", sys.executable, "manage.py", "prove_installed", PROVED_SUITE]
    return [Service("proof", [*command, "--wait-s", str(PROOF_WAIT_S)], is_once=True)]


def refuse_full_disk() -> None:
    free_bytes = shutil.disk_usage(VAR).free
    if free_bytes < LEAST_FREE_BYTES:
        sys.exit(
            f"Start stopped: the disk under {VAR} has {free_bytes >> 20} MB free, and the "
            f"database alone may need {LEAST_FREE_BYTES >> 20}. Make room, then start again."
        )


def prepare() -> None:
    """Bring database, static files and suites up to date. Exits with its words when that fails."""
    started = time.monotonic()
    print("· database, static files, suites …", end="", flush=True)
    done = subprocess.run(
        [sys.executable, "manage.py", "prepare", "--scripted-port", str(SCRIPTED_PORT)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        timeout=PREPARE_TIMEOUT_S,
        check=False,
    )
    print(f" {time.monotonic() - started:.0f} s", flush=True)
    if done.returncode:
        sys.stderr.write(done.stderr.decode("utf-8", "replace")[-3000:])
        sys.exit("Start stopped: the site could not be prepared; the reason is above.")


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Hold the lock that says the site runs from this folder."""
    with (VAR / "serve.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(
                "The site is already running from this folder; end that one with Ctrl-C first."
            )
        yield


def refuse_taken_ports() -> None:
    for name, host, port in (
        ("PYBENCH_PORT", HOST, PORT),
        ("PYBENCH_SCRIPTED_PORT", "127.0.0.1", SCRIPTED_PORT),
    ):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                sys.exit(
                    f"Port {port} on {host} cannot be used: {error.strerror}. "
                    f"End what holds it, or choose another: {name}={port + 80} make run"
                )


def await_listening(path_or_port: Path | int, name: str) -> None:
    """Wait until something accepts connections there. Exits when nothing does in time."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        family = socket.AF_UNIX if isinstance(path_or_port, Path) else socket.AF_INET
        address = str(path_or_port) if isinstance(path_or_port, Path) else (HOST, path_or_port)
        with socket.socket(family) as probe, contextlib.suppress(OSError):
            probe.connect(address)
            return
        time.sleep(0.1)
    raise TimeoutError(
        f"{name} did not start within {START_TIMEOUT_S:.0f} s; see var/log/{name}.log"
    )


def main() -> None:
    VAR.mkdir(parents=True, exist_ok=True)
    (VAR / "log").mkdir(exist_ok=True)
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda *_: stop.set())
    with only_one():
        refuse_taken_ports()
        refuse_full_disk()
        examine_host()
        children = [*services(), *proof()]
        try:
            start(children, stop)
            while not stop.wait(0.5):
                for child in children:
                    child.supervise(time.monotonic())
        except TimeoutError as error:
            sys.exit(f"Start stopped: {error}")
        finally:
            say("stopping")
            stop_all(children)


def start(children: Sequence[Service], stop: threading.Event) -> None:
    """Start everything in order; called off between two steps when `stop` is set."""
    children[0].start()
    await_listening(REDIS_SOCKET, "redis")
    prepare()
    for child in children[1:]:
        if not stop.is_set():
            child.start()
    if not stop.is_set():
        await_listening(PORT, "web")
        say(f"the site is at http://{HOST}:{PORT}  (Ctrl-C ends it; logs are in var/log)")


def stop_all(children: Sequence[Service]) -> None:
    """End everything, what the worker needs to put its work back last."""
    deadline = time.monotonic() + STOP_TIMEOUT_S
    for are_foundations, until in ((False, deadline), (True, deadline + 5)):
        ending = [child for child in children if (child.name in FOUNDATIONS) is are_foundations]
        for child in ending:
            child.signal(signal.SIGTERM)
        for child in ending:
            child.wait(until)


if __name__ == "__main__":
    main()
