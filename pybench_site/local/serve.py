"""Runs the whole site on one machine: its processes start, are restarted and end together."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pybench_site.local.install import ROOT, VAR
from pybench_site.local.ports import Ports, require_free, usual_ports_but
from pybench_site.production_checks import is_for_strangers
from runner.sandbox.host.runtime_folders import runtime_folder, sweep

BIN = ROOT / ".venv" / "bin"
HOST = os.environ.get("PYBENCH_HOST", "127.0.0.1")
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
MAX_SOCKET_PATH = 100  # the kernel allows 107 bytes
LEAST_FREE_BYTES = 100 << 20
START_TIMEOUT_S = 60.0
PREPARE_TIMEOUT_S = 600.0
STOP_TIMEOUT_S = 8.3  # a worker ends by itself a moment before
FOUNDATIONS_TIMEOUT_S = 1.2  # after that
SWEEP_TIMEOUT_S = 0.5  # after that
MAX_BACK_OFF_S = 30.0


def own_socket(name: str) -> Path:
    """Socket path of a service: under var/, or in a private folder when that path is too long."""
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
    orphaned: str = "TERM"  # the signal that ends it if we are killed
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float = 0.0
    has_log: bool = False  # one of this start of the site

    def start(self) -> None:
        path = log_of(self.name)
        if not self.has_log and path.exists():
            path.replace(path.with_name(f"{path.name}.1"))
        self.has_log = True
        with path.open("ab") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", self.orphaned, *self.command],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
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
            self.signal_group(signal.SIGKILL)  # children that it left, who may hold its port
            say(f"{self.name} ended ({code}); again in {wait_s:.0f} s, see var/log/{self.name}.log")
            self.process, self.restart_at = None, now + wait_s

    def signal_group(self, sign: signal.Signals) -> None:
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, sign)

    def send(self, sign: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.signal_group(sign)

    def wait(self, deadline: float) -> None:
        """Wait until the process is gone; after the deadline it is killed."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            self.process.wait(5)


PORTS = Ports.named()


def say(text: str) -> None:
    print(f"· {text}", flush=True)


def log_of(name: str) -> Path:
    return VAR / "log" / f"{name}.log"


def environment() -> Mapping[str, str]:
    """Environment variables that every process of the site gets in addition to the inherited
    ones."""
    defaults = {
        "PYBENCH_PORT": str(PORTS.site),
        "PYBENCH_SCRIPTED_PORT": str(PORTS.scripted),
        **(admit_model_servers() if is_for_this_machine() else {}),
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "PYBENCH_COLLECTED": "1",
        "PYBENCH_BROKER_URL": f"redis+socket://{REDIS_SOCKET}",
        "PYTHONUNBUFFERED": "1",
        "MALLOC_ARENA_MAX": "2",  # the heaps of eight threads would keep 8 MB more
        **({"PYBENCH_SANDBOXD": str(SANDBOX_SOCKET)} if has_sandbox_service() else {}),
    }
    return {**defaults, **os.environ}


def is_for_this_machine() -> bool:
    """True if nobody elsewhere can use the site: by its address and by the names it answers to."""
    hosts = os.environ.get("PYBENCH_HOSTS", "")
    names = [host for host in hosts.split(",") if host]
    return HOST in THIS_MACHINE and not is_for_strangers(names)


def admit_model_servers() -> dict[str, str]:
    """The setting by which runs may call model servers at their usual ports here."""
    ports = usual_ports_but((PORTS.site, PORTS.scripted))
    return {"PYBENCH_LOOPBACK_PORTS": ",".join(map(str, ports))}


@cache
def has_sandbox_service() -> bool:
    """True if we run the service that forks kernels: where it works and nobody named another."""
    if "PYBENCH_SANDBOXD" in os.environ:
        return False
    probe = [sys.executable, "-m", "runner.sandbox.zygote.support"]
    return not subprocess.run(probe, cwd=ROOT, timeout=START_TIMEOUT_S, check=False).returncode


def sandbox_service() -> list[Service]:
    if not has_sandbox_service():
        return []
    command = [sys.executable, "-m", "runner.sandbox.sandboxd", "--with-parent"]
    return [Service("sandboxd", [*command, "--socket", str(SANDBOX_SOCKET)])]


def web_server(port: int) -> list[str]:
    """The command of a web process.

    Back-pressure counts open connections: each of those who watch a run keeps one. The buffer is
    that of a connection, and holds a request's headers whole.
    """
    address = ["--host", HOST, "--port", str(port), "--workers", "1"]
    http = ["--http", "1", "--http1-header-read-timeout", "5000", "--no-ws"]
    limits = ["--backpressure", "16384", "--http1-buffer-size", "16384"]
    application = ["--interface", "asginl", "pybench_site.asgi:application"]
    return [str(BIN / "granian"), *address, *http, *limits, *application]


def services() -> list[Service]:
    """The site's services in starting order; they are stopped in reverse."""
    celery = [str(BIN / "celery"), "-A", "pybench_site", "--quiet"]
    redis = ["--port", "0", "--unixsocket", str(REDIS_SOCKET), "--unixsocketperm", "700"]
    quiet = ["--save", "", "--appendonly", "no", "--dir", str(VAR)]
    return [
        Service("redis", ["redis-server", *redis, *quiet]),
        *sandbox_service(),
        Service(
            "scripted",
            [sys.executable, "-m", "runner.scripted.server", "--port", str(PORTS.scripted)],
        ),
        Service(
            "web",
            web_server(PORTS.site),
        ),
        Service(
            "worker",
            [*celery, "worker", "-Q", "attempts,jobs", "-P", "threads", "-c", "72",
             "--loglevel", "INFO", "--without-gossip", "--without-mingle"],
        ),
        Service(
            "sweeper",
            [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
            orphaned="KILL",  # it keeps nothing, and may hang where it handles another signal twice
        ),
    ]  # fmt: skip


def examine_host() -> None:
    """Say what this machine lacks for the sandbox. Exits when there is none without it."""
    done = subprocess.run(
        [sys.executable, "-m", "runner.sandbox.doctor", "--quick"],
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
    """The process that fills the health page of a new site, at lower priority than everything
    else."""
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
        [sys.executable, "manage.py", "prepare", "--scripted-port", str(PORTS.scripted)],
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


class Called(BaseException):
    """Raised when we are asked to end during a step of the start, which is ended with it."""


class Ending:
    """Tells if the site was asked to end. Then a start is left where it is, and nothing else is."""

    def __init__(self) -> None:
        self.is_called = threading.Event()
        self.is_starting = True
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(sign, self.call)

    def call(self, *_: object) -> None:
        is_first = not self.is_called.is_set()
        self.is_called.set()
        if self.is_starting and is_first:
            raise Called


def keep_private() -> None:
    """Let its user alone read what the site makes, and what an older version made."""
    os.umask(0o077)
    for pattern in ("site.sqlite3*", "mail", "files", "log"):
        for path in VAR.glob(pattern):
            path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)


def main() -> None:
    VAR.mkdir(parents=True, exist_ok=True)
    keep_private()
    (VAR / "log").mkdir(exist_ok=True)
    ending = Ending()
    with contextlib.suppress(Called), only_one():
        require_free("PYBENCH_PORT", HOST, PORTS.site)
        require_free("PYBENCH_SCRIPTED_PORT", "127.0.0.1", PORTS.scripted)
        refuse_full_disk()
        examine_host()
        children = [*services(), *proof()]
        try:
            start(children)
            ending.is_starting = False
            while not ending.is_called.wait(0.5):
                for child in children:
                    child.supervise(time.monotonic())
        except TimeoutError as error:
            sys.exit(f"Start stopped: {error}")
        finally:
            ending.is_starting = False
            say("stopping")
            stop_all(children)
            sweep_sandboxes()


def start(children: Sequence[Service]) -> None:
    """Start everything in order."""
    children[0].start()
    await_listening(REDIS_SOCKET, "redis")
    prepare()
    for child in children[1:]:
        child.start()
    await_listening(PORTS.site, "web")
    say(f"the site is at http://{HOST}:{PORTS.site}  (Ctrl-C ends it; logs are in var/log)")


def sweep_sandboxes() -> None:
    """Remove folders and groups of the sandboxes, whose service is a user who may not do it."""
    deadline = time.monotonic() + SWEEP_TIMEOUT_S
    while not sweep(runtime_folder()) and time.monotonic() < deadline:
        time.sleep(0.1)  # their last processes may be on their way


def stop_all(children: Sequence[Service]) -> None:
    """End everything, what the worker needs to put its work back last."""
    deadline = time.monotonic() + STOP_TIMEOUT_S
    for are_foundations, until in ((False, deadline), (True, deadline + FOUNDATIONS_TIMEOUT_S)):
        ending = [child for child in children if (child.name in FOUNDATIONS) is are_foundations]
        for child in ending:
            child.send(signal.SIGTERM)
        for child in ending:
            child.wait(until)


if __name__ == "__main__":
    main()
