"""The web server's requests reach the WSGI application as PEP 3333 has them, and are counted."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from conftest import wait_until
from leaderboard.serving import transfers, turns
from leaderboard.serving.exchange import UPLOAD_PATHS, Server, build_environ
from leaderboard.serving.transfers import (
    TOO_MANY,
    TOO_MANY_OF_YOURS,
    Places,
    Transfer,
    TransferRefusal,
)
from leaderboard.serving.turns import PageTurns, Turns
from leaderboard.visitors.page_limits import Allowance

Message = dict[str, Any]


def make_scope(method: str = "GET", *headers: tuple[bytes, bytes]) -> Message:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": "/a b/\u00e9/",
        "raw_path": b"/a%20b/%C3%A9%2F",
        "query_string": b"x=%20",
        "headers": [(b"host", b"site"), *headers],
        "client": ("127.0.0.9", "50000"),
        "server": ("127.0.0.1", "8000"),
    }


@pytest.mark.parametrize(
    ("headers", "key", "value"),
    [
        ([(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"2.2.2.2")],
         "HTTP_X_FORWARDED_FOR", "1.1.1.1,2.2.2.2"),
        ([(b"x_forwarded_for", b"1.1.1.1")], "HTTP_X_FORWARDED_FOR", None),
        ([(b"cookie", b"a=1"), (b"cookie", b"b=2")], "HTTP_COOKIE", "a=1; b=2"),
        ([(b"content-type", b"text/plain")], "CONTENT_TYPE", "text/plain"),
        ([(b"content-length", b"3")], "CONTENT_LENGTH", "3"),
        ([], "PATH_INFO", "/a b/\u00c3\u00a9/"),
        ([], "QUERY_STRING", "x=%20"),
        ([], "SERVER_PORT", "8000"),
        ([], "REMOTE_ADDR", "127.0.0.9"),
    ],
)  # fmt: skip
def test_environ_of_request(
    headers: list[tuple[bytes, bytes]], key: str, value: str | None
) -> None:
    assert build_environ(make_scope("GET", *headers)).get(key) == value


def ask(application: Any, scope: Message, *bodies: bytes) -> tuple[Message, bytes]:
    """The start of the answer, and its body."""
    sent: list[Message] = []
    arriving: Iterator[Message] = iter(
        {"type": "http.request", "body": body, "more_body": number < len(bodies)}
        for number, body in enumerate(bodies, 1)
    )

    async def receive() -> Message:
        message = next(arriving, None)
        if message is None:
            await asyncio.sleep(3600)  # nobody leaves
        assert message is not None
        return message

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Server(application)(scope, receive, send))
    assert [one.get("more_body", False) for one in sent][-1] is False
    return sent[0], b"".join(one["body"] for one in sent[1:])


@pytest.mark.parametrize("size", [0, 5, 64 * 1024, 64 * 1024 + 1, 1_000_000])
def test_body_of_any_length_arrives_whole(size: int) -> None:
    def echo(environ: Message, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))]

    body = bytes(range(256)) * (size // 256 + 1)
    body = body[:size]
    pieces = [body[at : at + 10_000] for at in range(0, size, 10_000)] or [b""]
    start, answer = ask(echo, make_scope("POST", (b"content-length", b"%d" % size)), *pieces)
    assert (start["status"], answer == body) == (200, True)


class Pieces:
    """An answer of unknown length, as Django's."""

    streaming = True

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces, self.is_closed = pieces, False

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(("method", "size"), [("GET", 3), ("GET", 5_000_000), ("HEAD", 3)])
def test_stream_is_sent_whole_and_closed(method: str, size: int) -> None:
    pieces = Pieces([b"a" * size, b"", b"b"])

    def application(_: Message, start_response: Any) -> Iterable[bytes]:
        start_response("206 Partial Content", [("X-A", "1")])
        return pieces

    start, answer = ask(application, make_scope(method))
    assert (start["status"], start["headers"]) == (206, [(b"x-a", b"1")])
    assert answer == (b"a" * size + b"b" if method == "GET" else b"")
    assert pieces.is_closed


class Piece(bytes):
    """Bytes that are counted while they are there."""

    living = 0

    def __del__(self) -> None:
        Piece.living -= 1


def test_long_piece_is_not_in_memory_while_it_is_sent() -> None:
    living: list[int] = []

    def make() -> Piece:
        Piece.living += 1
        return Piece(5_000_000)

    def application(_: Message, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return Pieces(make() for _ in range(2))

    async def receive() -> Message:
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: Message) -> None:
        if message.get("body"):
            living.append(Piece.living)

    asyncio.run(Server(application)(make_scope(), receive, send))
    assert len(living) > 2
    assert set(living) == {0}


@pytest.mark.parametrize("size", [0, 64 * 1024, 64 * 1024 + 1, 5_000_000])
def test_answer_that_is_made_before_is_sent_whole(size: int) -> None:
    body = (bytes(range(256)) * (size // 256 + 1))[:size]

    def application(_: Message, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", f"{size}")])
        return [body]

    assert ask(application, make_scope())[1] == body


@pytest.mark.parametrize("path", UPLOAD_PATHS)
@pytest.mark.parametrize("size", [10, 100_000])
def test_uploads_that_wait_hold_no_page_and_no_place_of_bodies(path: str, size: int) -> None:
    """More of them than there are threads for pages, and places for bodies of a visitor."""
    go_on, read = threading.Event(), []

    def application(environ: Message, start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            read.append(len(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))))
            go_on.wait(120)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    async def request(server: Server, method: str, visitor: int) -> int:
        asked = path if method == "POST" else "/"
        scope = make_scope(method, (b"content-length", b"%d" % size))
        scope |= {"path": asked, "raw_path": asked.encode(), "client": (f"127.0.1.{visitor}", 1)}
        sent: list[Message] = []

        arriving = iter([bytes(size)])

        async def receive() -> Message:  # as granian, which says only later that it was all
            body = next(arriving, None)
            if body is None:
                await asyncio.sleep(3600)  # nobody leaves
            return {"type": "http.request", "body": body, "more_body": True}

        async def send(message: Message) -> None:
            sent.append(message)

        await server(scope, receive, send)
        return int(sent[0]["status"])

    async def run() -> list[int]:
        server = Server(application)
        uploads = [asyncio.ensure_future(request(server, "POST", n // 4)) for n in range(12)]
        try:
            await asyncio.to_thread(wait_until, lambda: len(read) == 12, "all of them wait")
            async with asyncio.timeout(60):
                assert await request(server, "GET", 0) == 200
        finally:
            go_on.set()
        return await asyncio.gather(*uploads)

    assert asyncio.run(run()) == [200] * 12
    assert read == [size] * 12


@pytest.mark.parametrize("path", ["/account/login/", "/account/password/reset/key/1-x/"])
def test_account_forms_go_one_after_another_and_by_visitor(path: str) -> None:
    """Each takes half a second of CPU time for a password; pages are made meanwhile."""
    go_on, begun = threading.Event(), []

    def application(environ: Message, start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "GET":
            begun.append(environ["REMOTE_ADDR"])
            go_on.wait(120)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    async def request(server: Server, method: str, visitor: str) -> int:
        scope = make_scope(method, (b"content-length", b"1"))
        scope |= {"path": path, "raw_path": path.encode(), "client": (visitor, 1)}
        sent: list[Message] = []

        arriving = iter([b"x"])

        async def receive() -> Message:
            body = next(arriving, None)
            if body is None:
                await asyncio.sleep(3600)  # nobody leaves
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await server(scope, receive, send)
        return int(sent[0]["status"])

    async def run() -> list[int]:
        server = Server(application)
        visitors = ["127.0.1.1"] * 3 + ["127.0.1.2"] * 2 + ["127.0.1.3"]
        methods = ["POST", "PUT"] * 3
        forms = [
            asyncio.ensure_future(request(server, method, visitor))
            for method, visitor in zip(methods, visitors, strict=True)
        ]
        try:
            await asyncio.to_thread(wait_until, lambda: bool(begun), "the first begins")
            async with asyncio.timeout(60):
                for number in range(1, 9):
                    assert await request(server, "GET", f"127.0.1.{number}") == 200
            assert begun == ["127.0.1.1"]
        finally:
            go_on.set()
        return await asyncio.gather(*forms)

    assert asyncio.run(run()) == [200] * 6
    assert [visitor[-1] for visitor in begun] == ["1", "2", "3", "1", "2", "1"]


def test_page_goes_to_who_asks_least_and_to_nobody_who_left() -> None:
    """Two visitors ask 20 times each, one leaves, and a newcomer asks twice."""
    go_on, begun = threading.Event(), []

    def application(environ: Message, start_response: Any) -> Iterable[bytes]:
        begun.append(environ["REMOTE_ADDR"])
        go_on.wait(120)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    async def request(server: Server, visitor: str, has_left: bool) -> None:
        async def receive() -> Message:
            if not has_left:
                await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            pass

        await server(make_scope() | {"client": (visitor, 1)}, receive, send)

    async def run() -> None:
        server = Server(application)
        visitors = ["127.0.1.1", "127.0.1.2"] * 20
        visitors += ["127.0.1.7", "127.0.1.8", "127.0.1.8"]
        asked = [
            asyncio.ensure_future(request(server, visitor, visitor.endswith("7")))
            for visitor in visitors
        ]
        try:
            await asyncio.to_thread(wait_until, lambda: len(begun) == 4, "four have begun")
        finally:
            go_on.set()
        await asyncio.gather(*asked)
        assert (server.page_turns.under_way, server.page_turns.requests) == (0, {})

    asyncio.run(run())
    assert begun[:4] == ["127.0.1.1", "127.0.1.2"] * 2
    assert begun[4:8].count("127.0.1.8") == 2
    assert "127.0.1.7" not in begun
    assert len(begun) == 42


def test_account_form_is_never_read_beyond_what_needs_no_thread() -> None:
    def application(environ: Message, start_response: Any) -> Iterable[bytes]:
        raise AssertionError

    scope = make_scope("POST", (b"content-length", b"100000"))
    scope |= {"path": "/account/login/", "raw_path": b"/account/login/"}
    start, answer = ask(application, scope, *[b"x" * 10_000] * 10)
    assert (start["status"], b"longer than 64 KiB" in answer) == (413, True)


def make_transfer(
    visitor: str, waits_s: float = 0.0, waited_s: float = 0.0, moved_kb: int = 0
) -> Transfer:
    transfer = Transfer(visitor, asyncio.new_event_loop())
    transfer.loop.close()
    transfer.waited_s, transfer.moved_bytes = waited_s, moved_kb * 1024
    if waits_s:
        transfer.waiting, transfer.since_s = Future(), time.monotonic() - waits_s
    return transfer


@pytest.mark.parametrize(
    ("under_way", "visitor", "expected", "over"),
    [
        ([("a", 0.0)], "a", None, []),
        ([("a", 9.0), ("a", 9.0)], "a", TOO_MANY_OF_YOURS, []),
        ([("a", 1.0), ("a", 0.0), ("b", 4.0)], "c", TOO_MANY, []),
        ([("a", 6.0), ("a", 0.0), ("b", 7.0)], "c", None, [2]),
        # 64 kB/s, 16 kB/s, and one that has begun slowly; then two that are slow, and one that was
        # fast and stands still
        ([("a", 0.9, 8.0, 570), ("a", 0.9, 8.0, 142), ("b", 0.9, 2.0, 3)], "c", None, [1]),
        ([("a", 0.9, 8.0, 570), ("a", 0.9, 8.0, 570), ("b", 0.9, 2.0, 3)], "c", TOO_MANY, []),
        ([("a", 0.1, 8.0, 142), ("a", 0.0, 8.0, 71), ("b", 0.0, 8.0, 142)], "c", None, [1]),
        ([("a", 0.1, 8.0, 570), ("a", 0.1, 8.0, 570), ("b", 5.0, 8.0, 1 << 20)], "c", None, [2]),
    ],
)
def test_place_for_transfer(
    under_way: list[tuple[Any, ...]],
    visitor: str,
    expected: TransferRefusal | None,
    over: list[int],
) -> None:
    known = [make_transfer(*one) for one in under_way]
    places = Places(most=3, most_of_one=2, stalled_s=5.0, under_way=[*known])
    assert places.take(make_transfer(visitor)) == expected
    assert [number for number, one in enumerate(known) if one.refusal] == over
    for transfer in known:
        places.leave(transfer)
    assert len(places.under_way) == (expected is None)


STEADY = (0.1, 8.0, 570)


@pytest.mark.parametrize(
    ("visitors", "began_s", "newcomer", "over"),
    [
        ("aab", 9.0, "c", [1]),  # the slower of the visitor who has two
        ("aab", 9.0, "b", []),  # who has a place already
        ("aab", 1.0, "c", []),  # they have just begun
        ("abd", 9.0, "c", []),  # each has one
    ],
)
def test_visitor_without_a_place_gets_a_second_one_of_another(
    visitors: str, began_s: float, newcomer: str, over: list[int]
) -> None:
    known = [make_transfer(visitor, *STEADY) for visitor in visitors]
    known[1].waited_s += 0.5
    for transfer in known:
        transfer.began_s -= began_s
    places = Places(most=3, most_of_one=2, stalled_s=5.0, under_way=[*known])
    assert (places.take(make_transfer(newcomer)) is None) == bool(over)
    refused = {number: one.refusal for number, one in enumerate(known) if one.refusal}
    assert refused == dict.fromkeys(over, TOO_MANY_OF_YOURS)


def test_line_for_places_goes_by_those_that_a_visitor_has() -> None:
    first = [make_transfer("a", *STEADY), make_transfer("b", *STEADY)]
    places = Places(2, most_of_one=2, stalled_s=5.0, most_in_line=3, under_way=[*first])
    second, other, third = (make_transfer(visitor) for visitor in "acb")
    for one in (second, other, third):
        assert places.take(one) is TOO_MANY
    assert places.take(make_transfer("a")) is TOO_MANY_OF_YOURS  # who waits is counted
    assert places.take(make_transfer("d")) is TOO_MANY  # the line is full
    places.leave(first[1])
    assert [places.take(one) for one in (second, third, other)] == [TOO_MANY, TOO_MANY, None]
    assert places.line == [second, third]


def test_line_for_places_goes_by_those_in_line_where_nobody_has_one() -> None:
    places = Places(1, most_of_one=3, stalled_s=5.0, under_way=[make_transfer("z", *STEADY)])
    line = [make_transfer(visitor) for visitor in "aaabbc"]
    assert [places.take(one) for one in line] == [TOO_MANY] * 6
    served = []
    for _ in range(6):
        places.leave(places.under_way[0])
        [one] = [one for one in line if one not in served and places.take(one) is None]
        served.append(one)
    assert "".join(one.visitor for one in served) == "cbbaaa"


def test_line_for_places_ends_with_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "LINE_S", 0.0)
    places = Places(most=1, most_of_one=1, stalled_s=5.0, under_way=[make_transfer("a", *STEADY)])
    assert asyncio.run(places.await_place(make_transfer("b"))) is TOO_MANY
    assert places.line == []


@pytest.mark.parametrize(
    ("taken", "visitor", "size", "expected", "over"),
    [
        ([], "a", 500, None, []),  # one alone may be larger than the room
        ([("a", 40, 0.0)], "a", 10, None, []),
        ([("a", 40, 0.0)], "a", 20, TOO_MANY_OF_YOURS, []),
        ([("a", 40, 0.0), ("b", 50, 0.0)], "c", 10, None, []),
        ([("a", 40, 0.0), ("b", 50, 0.0)], "c", 20, TOO_MANY, []),
        ([("a", 40, 9.0), ("b", 20, 8.0), ("c", 40, 7.0)], "d", 50, None, [0, 1]),
    ],
)
def test_place_for_bytes(
    taken: list[tuple[str, int, float]],
    visitor: str,
    size: int,
    expected: TransferRefusal | None,
    over: list[int],
) -> None:
    known = [make_transfer(name, waits_s) for name, _, waits_s in taken]
    for one, (_, held, _) in zip(known, taken, strict=True):
        one.size = held
    newcomer = make_transfer(visitor)
    newcomer.size = size
    places = Places(100, most_of_one=50, stalled_s=5.0, most_in_line=15, under_way=[*known])
    assert asyncio.run(places.await_place(newcomer)) is expected  # at once: it fits no line
    assert [number for number, one in enumerate(known) if one.refusal] == over


def test_turns_go_to_who_took_least(monkeypatch: pytest.MonkeyPatch) -> None:
    allowance = Allowance(10.0, clock=lambda: 0.0)
    monkeypatch.setattr(turns, "ALLOWANCE", allowance)
    allowance.charge("heavy", 5.0)
    had, places = [], Turns(1)

    def work(visitor: str) -> None:
        with places.of(visitor):
            had.append(visitor)

    with ThreadPoolExecutor(4) as threads, places.of("first"):
        for number, visitor in enumerate(["heavy", "heavy", "light", "new"], 1):
            allowance.charge("light", 0.1)
            threads.submit(work, visitor)
            wait_until(lambda: len(places.waiting) == number, "it waits")  # noqa: B023
        assert had == []
    assert had == ["new", "light", "heavy", "heavy"]


def test_turns_at_pages_go_to_who_took_and_asks_least() -> None:
    had, places = [], PageTurns(1)
    places.taken.charge("heavy", 5.0)
    places.taken.charge("light", 0.06)

    async def work(visitor: str) -> None:
        with places.count(visitor):
            async with places.of(visitor):
                had.append(visitor)

    async def run() -> None:
        async with places.of("first"):
            visitors = ["heavy", "many", "many", "many", "light", "left", "new"]
            asked = [asyncio.ensure_future(work(visitor)) for visitor in visitors]
            await asyncio.sleep(0)
            asked.pop(5).cancel()
        await asyncio.gather(*asked)

    asyncio.run(run())
    assert had == ["new", "light", "many", "many", "many", "heavy"]
    assert (places.under_way, places.waiting, places.requests) == (0, [], {})
