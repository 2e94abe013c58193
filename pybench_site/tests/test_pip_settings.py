"""The set-up finds indexes, proxy and certificates where pip is configured to have them."""

from __future__ import annotations

import base64
import datetime
import functools
import hashlib
import http.server
import ipaddress
import os
import ssl
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pip._internal.models.index import PyPI

from conftest import served
from pybench_site.local import install

OTHERS = ("PIP_", "UV_", "SSL_")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Neither this machine's own configuration of pip nor variables for pip or uv."""
    for name in (name for name in os.environ if name.startswith(OTHERS)):
        monkeypatch.delenv(name)
    for name in ("HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))
    install.pip_settings.cache_clear()
    yield
    install.pip_settings.cache_clear()


@pytest.mark.parametrize(
    ("configuration", "environment", "expected"),
    [
        ("[global]\ncert = /etc/own-ca.pem", {}, {"SSL_CERT_FILE": "/etc/own-ca.pem"}),
        (
            "[global]\nproxy = http://127.0.0.1:9",
            {},
            {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"},
        ),
        (
            "[global]\nindex-url = https://127.0.0.1/simple\nextra-index-url =\n"
            "    https://127.0.0.1/more\n    file:///srv/simple",
            {},
            {
                "UV_INDEX": "https://127.0.0.1/simple https://127.0.0.1/more",
                "UV_DEFAULT_INDEX": "file:///srv/simple",
            },
        ),
        (
            "[global]\nextra-index-url = file:///srv/simple",
            {},
            {"UV_INDEX": PyPI.simple_url, "UV_DEFAULT_INDEX": "file:///srv/simple"},
        ),
        ("[global]\nindex-url = file:///srv/a", {}, {"UV_DEFAULT_INDEX": "file:///srv/a"}),
        (
            "[global]\nfind_links = /srv/a /srv/b\ntrusted-host = a b",
            {},
            {"UV_FIND_LINKS": "/srv/a,/srv/b", "UV_INSECURE_HOST": "a b"},
        ),
        (
            "[global]\nindex-url = https://127.0.0.1/a\n[install]\nindex-url = https://127.0.0.1/b",
            {},
            {"UV_DEFAULT_INDEX": "https://127.0.0.1/b"},
        ),
        (
            "[install]\nindex-url = https://127.0.0.1/b",
            {"PIP_INDEX_URL": "https://127.0.0.1/c", "PIP_DEFAULT_TIMEOUT": "180"},
            {"UV_DEFAULT_INDEX": "https://127.0.0.1/c", "UV_HTTP_TIMEOUT": "180"},
        ),
        (
            "[global]\ncert = /etc/pips.pem\nproxy = http://127.0.0.1:9",
            {"SSL_CERT_FILE": "/etc/uvs.pem", "HTTPS_PROXY": "http://127.0.0.1:8"},
            {"HTTP_PROXY": "http://127.0.0.1:9"},
        ),
        ("[freeze]\ntimeout = 10\n[global]\nno-color = true", {}, {}),
        ("", {"UV_SYSTEM_CERTS": "0"}, {}),
    ],
)
def test_uv_gets_the_settings_of_pip(
    configuration: str,
    environment: dict[str, str],
    expected: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    configure(monkeypatch, tmp_path, configuration)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = dict(install.uv_environment())
    assert found.pop("UV_SYSTEM_CERTS", "") == ("" if "UV_SYSTEM_CERTS" in environment else "1")
    assert {name: value for name, value in found.items() if name in expected} == expected
    assert not set(found) & set(environment)


def configure(monkeypatch: pytest.MonkeyPatch, folder: Path, configuration: str) -> None:
    path = folder / "pip.conf"
    path.write_text(configuration)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(path))


def test_index_beside_the_main_one_that_has_other_files_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Such as a local folder that has a release's files for another kind of machine."""
    lock, others = publish(tmp_path / "index", "main"), publish(tmp_path / "others", "other")
    lock.write_text(f"{lock.read_text().strip()} {others.read_text().split()[1]}\n")
    simple = [(tmp_path / name / "simple").as_uri() for name in ("index", "others")]
    configure(
        monkeypatch, tmp_path, f"[global]\nindex-url = {simple[0]}\nextra-index-url = {simple[1]}"
    )
    folder = tmp_path / "env"
    install_from(lock, folder, monkeypatch, tmp_path)
    [module] = folder.rglob("newcomer.py")
    assert module.read_text() == "main"


@pytest.mark.parametrize("switch", ["1", "true"])
def test_setup_without_an_index_installs_from_a_folder_of_wheels(
    switch: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lock, folder = publish(tmp_path / "index"), tmp_path / "env"
    wheels = tmp_path / "index" / "simple" / "newcomer"
    (wheels / "index.html").unlink()
    configure(monkeypatch, tmp_path, f"[global]\nno-index = {switch}\nfind-links = {wheels}")
    assert "--no-index" in install.installer()
    install_from(lock, folder, monkeypatch, tmp_path)
    assert [*folder.rglob("newcomer.py")]


def install_from(lock: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", str(place / "cache"))
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    install.install_environment(folder, Path(sys.executable), "environment", [lock])


@pytest.mark.parametrize("is_known", [True, False])
def test_environment_is_installed_over_a_certificate_that_pip_alone_is_told_of(
    is_known: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    certificate = make_certificate(tmp_path)
    lock, folder = publish(tmp_path / "index"), tmp_path / "env"
    with served(index_server(tmp_path / "index", certificate)) as server:
        told = f"[global]\nindex-url = https://127.0.0.1:{server.server_address[1]}/simple/\n"
        own = f"cert = {certificate}\n" if is_known else ""
        configure(monkeypatch, tmp_path, told + own)
        if is_known:
            install_from(lock, folder, monkeypatch, tmp_path)
        else:
            with pytest.raises(install.SetupError, match="a name or a certificate"):
                install_from(lock, folder, monkeypatch, tmp_path)
    assert bool(list(folder.rglob("newcomer.py"))) is is_known
    assert ("certificate" in capfd.readouterr().err) is not is_known


def make_certificate(folder: Path) -> Path:
    """A key and a certificate for 127.0.0.1 that it signed itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "own authority")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = (pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "own-ca.pem"
    path.write_bytes(key.private_bytes(*private) + certificate.public_bytes(pem))
    return path


def publish(index: Path, content: str = "") -> Path:
    """An index with one package that has this module, and the lock that names it."""
    page = index / "simple" / "newcomer"
    page.mkdir(parents=True)
    wheel = page / "newcomer-1.0-py3-none-any.whl"
    facts = "newcomer-1.0.dist-info"
    files = {
        "newcomer.py": content,
        f"{facts}/METADATA": "Metadata-Version: 2.1\nName: newcomer\nVersion: 1.0\n",
        f"{facts}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},{hash_of(text)},{len(text)}\n" for name, text in files.items())
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in {**files, f"{facts}/RECORD": f"{record}{facts}/RECORD,,\n"}.items():
            archive.writestr(name, text)
    (page / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    lock = index / "requirements.txt"
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock.write_text(f"newcomer==1.0 --hash=sha256:{digest}\n")
    return lock


def hash_of(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"


def index_server(folder: Path, certificate: Path) -> http.server.ThreadingHTTPServer:
    """Serves `folder` by HTTPS on loopback."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return server
