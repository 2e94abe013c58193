"""A real Jupyter Kernel Gateway on loopback, whose kernels run in the kernel environment."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from runner.sandbox.daemon import end_own_daemons
from runner.sandbox.kernel_env import find_kernel_environment

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / "var" / "gateway-env" / "bin" / "python"
START_TIMEOUT_S = 120.0
END_TIMEOUT_S = 30.0
KERNEL = "pybench"
# As docs/operating.md advises; kernels may be listed so that tests can count them.
OPTIONS = {
    "ZMQChannelsWebsocketConnection.limit_rate": "False",
    "MappingKernelManager.cull_idle_timeout": "900",
    "MappingKernelManager.cull_busy": "True",
    "MappingKernelManager.buffer_offline_messages": "False",
    "JupyterWebsocketPersonality.list_kernels": "True",
    "KernelGatewayApp.ip": "127.0.0.1",
    "KernelGatewayApp.port_retries": "0",
}


@dataclass
class RealGateway:
    """A running gateway. `folder` holds all that it and its kernels write."""

    folder: Path
    port: int
    token: str
    process: subprocess.Popen[bytes]
    certificate: Path | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.port}"

    def settings(self) -> dict[str, str]:
        """What a worker's environment says of it."""
        return {
            "PYBENCH_SANDBOX": "gateway",
            "PYBENCH_GATEWAY_URL": self.url,
            "PYBENCH_GATEWAY_TOKEN": self.token,
            "PYBENCH_GATEWAY_KERNEL": KERNEL,
        }

    def ask(self, method: str, path: str) -> object:
        request = urllib.request.Request(
            f"{self.url}{path}", method=method, headers={"Authorization": f"token {self.token}"}
        )
        trust = ssl.create_default_context(cafile=self.certificate) if self.certificate else None
        with urllib.request.urlopen(request, timeout=60, context=trust) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def kernels(self) -> list[str]:
        """The ids of those that it has."""
        told = self.ask("GET", "/api/kernels")
        assert isinstance(told, list)
        return [kernel["id"] for kernel in told]

    def processes(self) -> list[int]:
        """Of its kernels, whose arguments name a file in its folder."""
        found: list[int] = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
                if "ipykernel_launcher" in words and f"{self.folder}/" in words:
                    found.append(int(folder.name))
        return found

    def is_up(self) -> bool:
        try:
            self.ask("GET", "/api")
        except (OSError, urllib.error.URLError):
            return False
        return True

    def kill(self) -> None:
        """Without a chance to end its kernels, which notice that they are orphans."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(END_TIMEOUT_S)


@contextlib.contextmanager
def real_gateway(
    folder: Path, of_kernels: Mapping[str, str] | None = None, certificate: Path | None = None
) -> Iterator[RealGateway]:
    """One that answers; it, its kernels and their folders are gone afterwards.

    With a `certificate`, whose file holds the key as well, it answers over TLS. `of_kernels` are
    options of its kernel manager.
    """
    if not PYTHON.exists():
        pytest.fail("There is no gateway to test with. Run `make test`, which installs it.")
    write_kernelspec(folder)
    port, token = free_port(), secrets.token_hex(16)
    log = folder / "gateway.log"
    options = {**OPTIONS, "KernelGatewayApp.port": str(port)}
    options |= {f"MappingKernelManager.{name}": value for name, value in (of_kernels or {}).items()}
    if certificate:
        options["KernelGatewayApp.certfile"] = str(certificate)
    process = launch(folder, token, log, options)
    gateway = RealGateway(folder, port, token, process, certificate)
    try:
        wait_for(lambda: gateway.is_up() or gateway.process.poll() is not None, "the gateway is up")
        assert gateway.process.poll() is None, log.read_text()[-3000:]
        yield gateway
    finally:
        end(gateway)


@contextlib.contextmanager
def gateway_in_force(folder: Path) -> Iterator[RealGateway]:
    """One that this process's settings name meanwhile, with a runtime folder of its own."""
    runtime = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    with real_gateway(folder) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(runtime))
        patch.delenv("PYBENCH_SANDBOXD", raising=False)
        for name, value in running.settings().items():
            patch.setenv(name, value)
        yield running
        end_own_daemons()
    shutil.rmtree(runtime, ignore_errors=True)


def write_kernelspec(folder: Path) -> None:
    python = find_kernel_environment().folder / "bin" / "python"
    place = folder / "share" / "kernels" / KERNEL
    place.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Python", "language": "python"}
    (place / "kernel.json").write_text(json.dumps(spec))


def launch(folder: Path, token: str, log: Path, options: dict[str, str]) -> subprocess.Popen[bytes]:
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    home = str(folder / "home")
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": str(folder / "tmp"),
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "JUPYTER_PATH": str(folder / "share"),
        **{f"JUPYTER_{name}_DIR": home for name in ("DATA", "RUNTIME", "CONFIG")},
        "KG_AUTH_TOKEN": token,
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    with log.open("wb") as written:
        return subprocess.Popen(
            [str(PYTHON), "-m", "kernel_gateway", *words],
            env=environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def end(gateway: RealGateway) -> None:
    """Politely, so that it ends its kernels, then by force."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(gateway.process.pid, signal.SIGTERM)
    try:
        gateway.process.wait(END_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        gateway.kill()
    for pid in gateway.processes():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def wait_for(is_so: Callable[[], bool], what: str, timeout_s: float = START_TIMEOUT_S) -> None:
    deadline_s = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline_s, f"not so within {timeout_s:.0f} s: {what}"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
