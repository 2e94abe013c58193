"""A repository is fetched over TLS as it is over a file address, and from nobody else."""

from __future__ import annotations

import ipaddress
import os
import ssl
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from conftest import served
from runner.contract import ProblemError
from runner.suite import git_checkout

HOST = "127.0.0.1"


class GitHost(BaseHTTPRequestHandler):
    """git's own HTTP server, called for each request (git-http-backend(1))."""

    root: Path

    def answer(self) -> None:
        path, _, query = self.path.partition("?")
        length = int(self.headers.get("Content-Length") or 0)
        done = subprocess.run(
            ["git", "http-backend"],
            input=self.rfile.read(length),
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(self.root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "REMOTE_ADDR": HOST,
            },
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and its certificate for HOST."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    address = x509.IPAddress(ipaddress.ip_address(HOST))
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "host.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def repository(tmp_path: Path) -> str:
    """One commit with a data folder and a script beside it; its name."""
    folder = tmp_path / "hosted" / "bench.git"
    (folder / "data" / "meta").mkdir(parents=True)
    (folder / "data" / "meta" / "task.json").write_text("[]")
    (folder / "run.sh").write_text("echo never\n")

    def git(*words: str) -> str:
        who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
        command = ["git", *who, "-C", str(folder), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "-m", "all")
    return git("rev-parse", "HEAD").strip()


@pytest.fixture
def address(tmp_path: Path, pem: Path, repository: str) -> Iterator[str]:
    handler = type("Handler", (GitHost,), {"root": tmp_path / "hosted"})
    server = ThreadingHTTPServer((HOST, 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with served(server):
        yield f"https://{HOST}:{server.server_address[1]}/bench.git/.git"


def test_the_data_folder_comes_over_tls_and_nothing_else(
    address: str, repository: str, pem: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(pem))
    clone = tmp_path / "clone"
    assert git_checkout.fetch(address, clone) == repository
    assert (clone / "data" / "meta" / "task.json").read_text() == "[]"
    assert sorted(path.name for path in clone.iterdir()) == [".git", "data"]


def test_a_host_with_an_unknown_certificate_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_SSL_CAINFO", raising=False)
    with pytest.raises(ProblemError, match="could not be fetched") as refused:
        git_checkout.fetch(address, tmp_path / "clone")
    assert "certificate" in str(refused.value).lower()
    assert not (tmp_path / "clone" / "data").exists()


def test_a_repository_that_is_not_there_is_named(
    address: str, pem: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(pem))
    with pytest.raises(ProblemError, match="not found") as refused:
        git_checkout.fetch(address.replace("bench.git", "none.git"), tmp_path / "clone")
    assert refused.value.problem.next_step
