"""The proxy of deploy/nginx takes bodies and answers whole, and says who a visitor is."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from conftest import free_port, served, wait_until
from pybench_site.local.install import ROOT

CONFIGURATION = ROOT / "deploy" / "nginx" / "pybench.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
LARGE = 8 << 20
SLOW = 10

pytestmark = pytest.mark.skipif(NGINX is None, reason="no nginx on this host")


class Upstream(BaseHTTPRequestHandler):
    """In place of the site: records whom it hears of, and when its answers are taken whole."""

    protocol_version = "HTTP/1.1"
    visitors: ClassVar[list[str]] = []
    bodies: ClassVar[list[int]] = []
    whole: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.visitors.append(self.headers["X-Forwarded-For"])
        self.send_response(200)
        self.send_header("Content-Length", str(LARGE))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # whoever asked has left
            self.wfile.write(b"x" * LARGE)
            self.whole.append(self.path)

    def do_POST(self) -> None:
        self.bodies.append(len(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Proxy:
    """nginx with the configuration that ships, on ports of its own."""

    http: int = field(default_factory=free_port)
    https: int = field(default_factory=free_port)

    def connect(self, address: str) -> socket.socket:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(10)
        line.bind((address, 0))
        line.connect(("127.0.0.1", self.https))
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(line)

    def ask(self, address: str, words: str) -> socket.socket:
        line = self.connect(address)
        line.sendall(words.replace("\n", "\r\n").encode())
        return line


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    proxy = Proxy()
    words = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=bench.example.org"]
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(["openssl", "req", *words, *files], check=True, capture_output=True)
    with served(ThreadingHTTPServer(("127.0.0.1", 0), Upstream)) as upstream:
        text = CONFIGURATION.read_text()
        for shipped, tried in (
            ("127.0.0.1:8000", f"127.0.0.1:{upstream.server_port}"),
            ("listen 80;", f"listen 127.0.0.1:{proxy.http};"),
            ("listen 443 ssl", f"listen 127.0.0.1:{proxy.https} ssl"),
            ("    listen [::]:80;\n", ""),
            ("    listen [::]:443 ssl http2;\n", ""),
            ("/etc/letsencrypt/live/bench.example.org/fullchain.pem", str(tmp_path / "cert.pem")),
            ("/etc/letsencrypt/live/bench.example.org/privkey.pem", str(tmp_path / "key.pem")),
        ):
            assert shipped in text
            text = text.replace(shipped, tried)
        folders = " ".join(
            f"{kind}_temp_path {tmp_path}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole = tmp_path / "nginx.conf"
        whole.write_text(
            f"daemon off; master_process off; pid {tmp_path}/pid; error_log {tmp_path}/log;\n"
            f"events {{}} http {{ access_log off; {folders}\n{text} }}"
        )
        command = [str(NGINX), "-p", str(tmp_path), "-c", str(whole)]
        done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with subprocess.Popen(command) as process:
            try:
                wait_until(lambda: accepts(proxy.https), "nginx answers", 30)
                yield proxy
            finally:
                process.terminate()


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(autouse=True)
def forget() -> None:
    for record in (Upstream.visitors, Upstream.bodies, Upstream.whole):
        record.clear()


def test_slow_visitors_stay_at_the_proxy(proxy: Proxy) -> None:
    with contextlib.ExitStack() as stack:
        for number in range(SLOW):
            body = "POST /form/ HTTP/1.1\nHost: bench.example.org\nContent-Length: 1000\n\nx"
            stack.enter_context(proxy.ask("127.0.0.2", body))
            reader = f"GET /{number} HTTP/1.1\nHost: bench.example.org\n\n"
            stack.enter_context(proxy.ask("127.0.0.3", reader))
        wait_until(lambda: len(Upstream.whole) == SLOW, "each answer has left the site", 30)
        body = "POST / HTTP/1.1\nHost: bench.example.org\nContent-Length: 3\n\nabc"
        with proxy.ask("127.0.0.4", body) as line:
            assert line.recv(12) == b"HTTP/1.1 204"
        assert Upstream.bodies == [3]  # none of the slow ones


def test_visitor_cannot_name_another_address(proxy: Proxy) -> None:
    words = "GET / HTTP/1.1\nHost: bench.example.org\nX-Forwarded-For: 192.0.2.7\n\n"
    with proxy.ask("127.0.0.5", words) as line:
        assert line.recv(12) == b"HTTP/1.1 200"
    assert Upstream.visitors == ["127.0.0.5"]


def test_plain_http_leads_to_https(proxy: Proxy) -> None:
    with socket.create_connection(("127.0.0.1", proxy.http), 10) as line:
        line.sendall(b"GET /a?b HTTP/1.0\r\nHost: bench.example.org\r\n\r\n")
        answer = line.recv(4096)
    assert answer.startswith(b"HTTP/1.1 301")
    assert b"Location: https://bench.example.org/a?b\r\n" in answer
