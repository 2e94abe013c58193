"""Slow bodies, slow readers and slow headers stop nobody; who is steady is served whole."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.support.site import Site, migrate
from leaderboard.tests.support.warm import run_python
from leaderboard.tests.support.web_process import (
    forget_peak,
    peak_bytes,
    production_server,
    web,
)
from pybench_site.local.serve import web_server

HANG_S = 10.0  # shorter than a slow visitor is borne
END_S = 90.0
BEGIN_S = 5.0  # until the slow have every place
PAGES = ("/healthz", "/", "/about/method/", "/runs/1/", "/ledger/")
TOKEN = "a" * 32
HEAD = f"Host: 127.0.0.1\r\nCookie: csrftoken={TOKEN}\r\n"
FORM = f"{HEAD}Content-Type: application/x-www-form-urlencoded\r\n"
SMALL, LARGE = 60_000, 1_000_000  # bytes of bodies that are awaited without and with a thread


@dataclass(frozen=True)
class Served:
    """A site with a large run, and the addresses of what is large in it."""

    host: str
    port: int
    paths: dict[str, str]
    pid: int

    def get(
        self, path: str, address: str = "127.0.0.1", hang_s: float = HANG_S
    ) -> tuple[int, bytes]:
        """Status and body; fails if the site hangs."""
        line = HTTPConnection(self.host, self.port, hang_s, source_address=(address, 0))
        with contextlib.closing(line):
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("slow")
    with serve(folder, f"sqlite:///{folder}/site.sqlite3", web_server) as found:
        yield found


@contextlib.contextmanager
def serve(folder: Path, database_url: str, command: Callable[[int], list[str]]) -> Iterator[Served]:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": database_url,
        "PYBENCH_VAR": str(folder / "var"),
        "PYBENCH_BROKER_URL": f"redis+socket://{folder}/none.sock",
    }
    site = Site(folder, environment)
    migrate(site)
    done = run_python(["-m", "leaderboard.tests.support.heavy_run"], environment)
    assert done.returncode == 0, done.stderr
    with web(site, command) as (url, process):
        host, _, port = url.removeprefix("http://").partition(":")
        yield Served(host, int(port), json.loads(done.stdout.splitlines()[-1]), process.pid)


@dataclass
class Crowd:
    """Connections that send and read a little now and then, and the answers that they get."""

    served: Served
    lines: list[socket.socket] = field(default_factory=list)
    answers: dict[socket.socket, bytes] = field(default_factory=dict)
    is_over: threading.Event = field(default_factory=threading.Event)

    def connect(self, address: str, words: str) -> socket.socket:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(HANG_S)
        line.bind((address, 0))
        line.connect((self.served.host, self.served.port))
        line.sendall(words.encode())
        self.lines.append(line)
        return line

    def stay(self, line: socket.socket, sends: bytes) -> None:
        """Send these bytes and read up to 64 each second, until the site ends the connection."""
        line.settimeout(1.0)
        answer = b""
        with line, contextlib.suppress(ConnectionError, BrokenPipeError):
            while not self.is_over.wait(1.0):
                if sends:
                    line.sendall(sends)
                with contextlib.suppress(TimeoutError):
                    piece = line.recv(64)
                    if not piece:
                        break
                    answer = (answer + piece)[:64]
                    if answer.startswith(b"HTTP/1.1 ") and b"200" not in answer[:13]:
                        break
        self.answers[line] = answer

    def status(self, line: socket.socket) -> str:
        """Of a line that was ended; 200 for an answer that broke off, "" where none began."""
        return self.answers[line][9:12].decode()


@contextlib.contextmanager
def crowd_of(served: Served, addresses: list[str], each: int) -> Iterator[dict[str, Crowd]]:
    """Slow bodies, readers and headers, so many of each kind from each address."""
    crowds = {kind: Crowd(served) for kind in ("bodies", "readers", "headers")}
    paths = list(served.paths.values())
    stays: list[tuple[Crowd, socket.socket, bytes]] = []
    for number, address in enumerate(addresses * each):
        size = SMALL if number % 2 else LARGE
        begun = "x" * (70_000 if size == LARGE else 10)
        words = f"POST / HTTP/1.1\r\n{FORM}Content-Length: {size}\r\n\r\n{begun}"
        body = crowds["bodies"].connect(address, words)
        path = paths[number % len(paths)]
        reader = crowds["readers"].connect(address, f"GET {path} HTTP/1.1\r\n{HEAD}\r\n")
        header = crowds["headers"].connect(address, "GET / HTTP/1.1\r\nX-A: ")
        stays += [(crowds["bodies"], body, b"x"), (crowds["readers"], reader, b"")]
        stays.append((crowds["headers"], header, b"x"))
    with ThreadPoolExecutor(len(stays)) as threads:
        for crowd, line, sends in stays:
            threads.submit(crowd.stay, line, sends)
        try:
            yield crowds
        finally:
            for crowd in crowds.values():
                crowd.is_over.set()


ONE = ["127.0.0.2"]
TEN = [f"127.0.0.{number}" for number in range(10, 20)]


@pytest.mark.parametrize(("addresses", "each"), [(ONE, 20), (TEN, 2), (TEN, 10)])
def test_pages_answer_while_slow_visitors_are_there(
    served: Served, addresses: list[str], each: int
) -> None:
    ask_for_pages_beside_the_slow(served, addresses, each)


@pytest.mark.peers
def test_pages_answer_beside_slow_visitors_of_a_server_of_two_processes(
    tmp_path: Path, new_postgres_database: Callable[[], str]
) -> None:
    """The command that ships, on PostgreSQL, without a proxy that would wait for the slow."""
    with serve(tmp_path, new_postgres_database(), production_server) as served:
        ask_for_pages_beside_the_slow(served, TEN, 10)


def ask_for_pages_beside_the_slow(served: Served, addresses: list[str], each: int) -> None:
    number = len(addresses) * each
    with crowd_of(served, addresses, each) as crowds:
        for path in PAGES * 2:
            assert served.get(path)[0] == 200, path
        assert any(len(crowd.answers) < number for crowd in crowds.values())  # still open

        await_bundle(served)
        bodies, headers = crowds["bodies"], crowds["headers"]
        for crowd in (bodies, headers):
            wait_until(lambda: len(crowd.answers) == number, "the slow are ended", END_S)  # noqa: B023
    assert {bodies.status(line) for line in bodies.lines} <= {"408", "429", "503"}
    assert "408" in {bodies.status(line) for line in bodies.lines}
    assert served.get("/healthz")[0] == 200


MANY = 1_100
UNREAD = f"POST /account/login/ HTTP/1.1\r\n{FORM}Content-Length: {SMALL}\r\n\r\nx"


@pytest.mark.parametrize(
    "words",
    [
        UNREAD,
        UNREAD.replace("/account/login/", "/%61ccount/login/"),
        f"POST / HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
        f"GET /healthz HTTP/1.1\r\n{HEAD}\r\n",
        "GET / HTTP/1.1\r\nX-A: ",
        "",
    ],
    ids=["bodies", "encoded", "chunked", "idle", "headers", "silent"],
)
def test_as_many_lines_as_an_address_can_open_leave_room_for_others(
    served: Served, words: str
) -> None:
    crowd = Crowd(served)
    with contextlib.ExitStack() as lines:
        for _ in range(MANY):
            lines.enter_context(crowd.connect("127.0.0.8", words))
        for path in PAGES:
            assert served.get(path, "127.0.0.9")[0] == 200, path


def test_headers_of_many_lines_take_little_memory(served: Served) -> None:
    """Each sends 390 KiB of them, and goes on."""
    crowd, words = Crowd(served), f"GET / HTTP/1.1\r\nX-A: {'a' * (390 << 10)}"
    forget_peak(served.pid)
    before = peak_bytes(served.pid)
    with contextlib.ExitStack() as lines:
        for _ in range(MANY):
            line = lines.enter_context(crowd.connect("127.0.0.8", ""))
            with contextlib.suppress(ConnectionError):  # the site has ended it
                line.sendall(words.encode())
        assert served.get("/healthz", "127.0.0.9")[0] == 200
    assert peak_bytes(served.pid) - before < 100 << 20


def await_bundle(served: Served) -> None:
    """Wait until a visitor gets a whole bundle."""

    def is_whole() -> bool:
        status, body = served.get(served.paths["bundle"], "127.0.0.99")
        return status == 200 and body.endswith(b"\0\0")  # a zip's last two bytes

    wait_until(is_whole, "somebody else gets a whole bundle", HANG_S * 2)


def test_newcomers_are_served_while_the_slow_come_again_at_once(served: Served) -> None:
    """Ten addresses of ten slow bodies and ten slow readers; who is ended is back at once."""
    is_over = threading.Event()
    request = f"GET {served.paths['file']} HTTP/1.1\r\n{HEAD}\r\n"
    words = f"POST / HTTP/1.1\r\n{FORM}Content-Length: {LARGE}\r\n\r\n{'x' * 70_000}"
    await_bundle(served)  # others have left
    with ThreadPoolExecutor(len(TEN) * 20) as threads:
        for address in TEN * 10:
            threads.submit(come_again, served, is_over, address, words, b"x")
            threads.submit(come_again, served, is_over, address, request, b"")
        try:
            time.sleep(BEGIN_S)
            for number in range(50, 53):
                assert send_body(served, f"127.0.0.{number}") == b"HTTP/1.1 200"
                for path in ("file", "bundle"):
                    assert served.get(served.paths[path], f"127.0.0.{number}", END_S)[0] == 200
        finally:
            is_over.set()


def come_again(
    served: Served, is_over: threading.Event, address: str, words: str, sends: bytes
) -> None:
    while not is_over.is_set():
        crowd = Crowd(served, is_over=is_over)
        with contextlib.suppress(OSError):
            crowd.stay(crowd.connect(address, words), sends)
        is_over.wait(0.2)


@pytest.mark.parametrize("kind", ["file", "attempt", "step"])
def test_stalled_reader_is_cut_off_and_its_place_is_free(served: Served, kind: str) -> None:
    """Of a file, and of answers that are made when it is their turn."""
    most = 6
    crowd, path = Crowd(served), served.paths[kind]
    request = f"GET {path} HTTP/1.1\r\n{HEAD}\r\n"
    await_bundle(served)  # others have left
    lines = [crowd.connect("127.0.0.3", request) for _ in range(most)]
    assert [line.recv(13) for line in lines] == [b"HTTP/1.1 200 "] * most
    status, body = served.get(path, "127.0.0.3")
    assert (status, b"from your network address" in body) == (429, True)
    assert served.get(path, "127.0.0.4")[0] == 200
    wait_until(lambda: served.get(path, "127.0.0.3")[0] == 200, "a place is free", END_S)
    for line in lines:
        with line:
            wait_until(lambda: is_reset(line), "it is broken off", END_S)  # noqa: B023


def is_reset(line: socket.socket) -> bool:
    return line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNRESET


def test_bodies_that_are_slow_and_never_stand_still_give_way(served: Served) -> None:
    """25 kB a second on every place, from as few addresses as can have them."""
    crowd, words = Crowd(served), f"POST / HTTP/1.1\r\n{FORM}Content-Length: 2000000"
    await_bundle(served)
    request = f"{words}\r\n\r\n{'x' * 70_000}"
    lines = [crowd.connect(f"127.0.0.{30 + n // 4}", request) for n in range(8)]
    with ThreadPoolExecutor(len(lines)) as threads:
        for line in lines:
            threads.submit(keep_sending, crowd, line)
        try:
            wait_until(
                lambda: send_body(served, "127.0.0.40")[9:] == b"200", "one is taken", HANG_S
            )
        finally:
            crowd.is_over.set()


def keep_sending(crowd: Crowd, line: socket.socket) -> None:
    with line, contextlib.suppress(OSError):
        while not crowd.is_over.wait(0.1):
            line.sendall(b"x" * 2_500)


def send_body(served: Served, address: str) -> bytes:
    """The beginning of the answer to a long form that is sent at once."""
    form = f"csrfmiddlewaretoken={TOKEN}&login=a@example.org&password={'x' * 1_500_000}"
    words = f"POST / HTTP/1.1\r\n{FORM}Content-Length: {len(form)}\r\n\r\n{form}"
    with Crowd(served).connect(address, words) as line:
        line.settimeout(END_S)
        return line.recv(12)


def test_refusals_of_the_api_are_problems(served: Served) -> None:
    words = f"POST /api/v1/uploads/ HTTP/1.1\r\n{HEAD}Content-Length: {SMALL}\r\n\r\n{{"
    with Crowd(served).connect("127.0.0.5", words) as line:
        line.settimeout(END_S)
        head, _, body = line.recv(1 << 16).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408")
    assert b"retry-after: 10" in head.lower()
    assert b"application/problem+json" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (408, "too_slow")


def test_steady_visitors_are_served_whole(served: Served) -> None:
    """50 kB a second are enough, whatever others do."""
    with crowd_of(served, TEN, 3), ThreadPoolExecutor(2) as threads:
        await_bundle(served)
        sent = threads.submit(send_steadily, served, "127.0.0.6")
        taken = threads.submit(take_steadily, served, "127.0.0.7")
        assert sent.result().startswith(b"HTTP/1.1 200")
        head, body = taken.result()
    assert head.startswith(b"HTTP/1.1 206")
    assert len(body) == PART_BYTES
    whole = served.get(served.paths["file"])[1]
    assert hashlib.sha256(whole).hexdigest() == Path(served.paths["file"]).parent.name
    assert body == whole[:PART_BYTES]


PART_BYTES = (2 << 20) + 300_000  # more than an answer that is sent as a whole
RATE = 50_000  # bytes a second


def send_steadily(served: Served, address: str) -> bytes:
    """A form whose password is a long one; the beginning of the answer."""
    form = f"csrfmiddlewaretoken={TOKEN}&login=a@example.org&password=".encode()
    body = form + b"x" * (12 * RATE)
    words = f"POST / HTTP/1.1\r\n{FORM}Content-Length: {len(body)}\r\n\r\n"
    with Crowd(served).connect(address, words) as line:
        for start in range(0, len(body), RATE // 10):
            line.sendall(body[start : start + RATE // 10])
            time.sleep(0.1)
        line.settimeout(END_S)
        return line.recv(64)


def take_steadily(served: Served, address: str) -> tuple[bytes, bytes]:
    """Head and body of a part of the file."""
    part = f"Range: bytes=0-{PART_BYTES - 1}\r\nConnection: close\r\n"
    words = f"GET {served.paths['file']} HTTP/1.1\r\n{HEAD}{part}\r\n"
    answer = b""
    with socket.create_connection((served.host, served.port), HANG_S, (address, 0)) as line:
        line.settimeout(END_S)
        line.sendall(words.encode())
        while piece := line.recv(RATE // 10):
            answer += piece
            time.sleep(0.1)
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body
