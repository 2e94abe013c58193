"""Answers an ASGI server's requests by the WSGI application, so that slow visitors hold no page.

Pages have a few threads of their own. A request's body is awaited without a thread up to its first
64 KiB; a longer one, and an answer that is made while it is sent, has a thread to itself. All are
counted (`transfers.py`), as is an answer of more than 64 KiB that is made before. An upload has a
thread to itself, too, and may wait for others.
Forms of accounts, most of which take half a second of CPU time for a password, wait in a line of
their own before they take a page's thread. The next page is that of the visitor who took least of
these threads; none is made for a visitor who left.
"""

from __future__ import annotations

import asyncio
import contextvars
import io
import json
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary

from django.db import connections

from leaderboard.api.errors import API, PROBLEM_TYPE, ErrorAnswer, body_of
from leaderboard.serving.connection import ClientConnection
from leaderboard.serving.transfers import (
    BODIES,
    PATIENCE_S,
    SLICE_BYTES,
    SMALL_BODIES,
    STREAMS,
    TOO_LONG,
    TOO_SLOW,
    WHOLE_ANSWERS,
    SlowTransfer,
    Transfer,
    TransferRefusal,
)
from leaderboard.serving.turns import PageTurns, Turns
from leaderboard.visitors.client_address import client_address
from leaderboard.visitors.page_limits import THIS_MACHINE, charge_cpu

PAGE_THREADS = 4
PAGES_OF_ONE = 2
UPLOAD_PATHS = ("/view/", "/api/v1/uploads/", "/api/v1/uploads/score/")
UPLOAD_THREADS = 16  # more than uploads that wait, so that one too many hears of it
UPLOADS_OF_ONE = 4
ACCOUNT_PATHS = "/account/"  # sign-in, sign-up and whatever else takes a password
READS = ("GET", "HEAD", "OPTIONS")
HEAD_BYTES = 64 * 1024  # of a body, for which no thread waits
WHOLE_BYTES = 2 << 20  # of a file that is read before it is sent
UNCOUNTED_BYTES = 64 * 1024  # of an answer that is handed to the server at once

RETRY_AFTER_S = 10

# Exports are made while they are sent; more of them at once would slow the pages.
MAKING = Turns(2)

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer:
    """Status, headers and body; of a stream the pieces are yet to be made."""

    status: int
    headers: list[tuple[str, str]]
    pieces: Iterable[bytes]
    length: int | None  # in bytes, where the headers say it

    @property
    def is_stream(self) -> bool:
        is_long = self.length is None or self.length > WHOLE_BYTES
        return is_long and bool(getattr(self.pieces, "streaming", False))

    def whole(self) -> Answer:
        try:
            return replace(self, pieces=[b"".join(self.pieces)])
        finally:
            close(self.pieces)


NOBODY = Answer(HTTPStatus.REQUEST_TIMEOUT, [], [], None)  # to a visitor who left meanwhile


class Server:
    """The ASGI application."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.pages = ThreadPoolExecutor(PAGE_THREADS, "page")
        self.page_turns = PageTurns(PAGE_THREADS)
        self.uploads = asyncio.Semaphore(UPLOAD_THREADS)
        self.account_forms = asyncio.Semaphore(1)
        self.turns: WeakValueDictionary[tuple[str, str], asyncio.Semaphore] = WeakValueDictionary()

    def turn_of(self, visitor: str, kind: str, at_once: int) -> asyncio.Semaphore:
        """The semaphore that a visitor's requests of a kind pass before they queue for a thread."""
        return self.turns.setdefault((visitor, kind), asyncio.Semaphore(at_once))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        await Exchange(self, scope, receive, send).run()


@dataclass
class Exchange:
    """One request and its answer."""

    server: Server
    scope: Message
    receive: Receive
    send: Send
    has_all: bool = False  # of the body
    missing_bytes: int = -1  # of the body; negative where its length is not announced
    departure: asyncio.Task[None] | None = None
    context: contextvars.Context = field(default_factory=contextvars.copy_context)

    async def run(self) -> None:
        try:
            await self.answer()
        finally:
            if self.departure:
                self.departure.cancel()

    async def answer(self) -> None:
        environ = build_environ(self.scope)
        visitor = client_address(environ)
        answer = await self.ask_with_body(environ, visitor)
        places, send = STREAMS, self.send_stream
        transfer = Transfer(visitor, asyncio.get_running_loop())
        if not answer.is_stream:
            transfer.size = sum(map(len, answer.pieces))
            if transfer.size <= UNCOUNTED_BYTES:
                await self.send_whole(answer)
                return
            places, send = WHOLE_ANSWERS, self.send_slices
        refusal = await places.await_place(transfer)
        if refusal is not None:
            close(answer.pieces)
            await self.send_whole(refuse(environ, refusal))
            return
        self.watch_departure().add_done_callback(lambda _: transfer.give_way())
        try:
            await self.start(answer)
            if await send(answer, transfer):
                await self.send_body(b"", is_last=True)
        finally:
            places.leave(transfer)

    async def ask_with_body(self, environ: Environ, visitor: str) -> Answer:
        self.has_all = not {"CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"} & environ.keys()
        length = environ.get("CONTENT_LENGTH", "")
        self.missing_bytes = int(length) if length.isascii() and length.isdigit() else -1
        head = b"" if self.has_all else await self.gather_head(visitor)
        if isinstance(head, TransferRefusal):
            return refuse(environ, head)
        if self.has_all:
            return await self.ask({**environ, "wsgi.input": io.BytesIO(head)}, visitor)
        if self.is_account_form:
            return refuse(environ, TOO_LONG)
        transfer = Transfer(visitor, asyncio.get_running_loop())
        refusal = await BODIES.await_place(transfer)
        if refusal is not None:
            return refuse(environ, refusal)
        try:
            environ["wsgi.input"] = io.BufferedReader(Body(self, transfer, head), SLICE_BYTES)
            answer = await in_new_thread(partial(self.ask_here, environ, visitor))
            if transfer.refusal is None:
                return answer
            close(answer.pieces)  # says that the body could not be read
            return refuse(environ, transfer.refusal)
        finally:
            BODIES.leave(transfer)

    async def gather_head(self, visitor: str) -> bytes | TransferRefusal:
        """The first 64 KiB of the body, or the reason why they are awaited no longer."""
        transfer = Transfer(visitor, asyncio.get_running_loop())
        refusal = await SMALL_BODIES.await_place(transfer)
        if refusal is not None:
            return refusal
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await transfer.follow(self.gather(HEAD_BYTES))
        except (TimeoutError, SlowTransfer):
            return transfer.refusal or TOO_SLOW
        finally:
            SMALL_BODIES.leave(transfer)

    async def gather(self, size: int) -> bytes:
        """At least so many bytes of the body, or the rest of it."""
        pieces = bytearray()
        while not self.has_all and len(pieces) < size:
            message = await self.receive()
            body = message.get("body", b"")
            pieces += body
            self.missing_bytes -= len(body)
            is_last = not message.get("more_body", False)  # also where the visitor left
            self.has_all = is_last or self.missing_bytes == 0
        return bytes(pieces)

    @property
    def is_upload(self) -> bool:
        return self.scope["method"] == "POST" and self.scope["path"] in UPLOAD_PATHS

    @property
    def is_account_form(self) -> bool:
        return self.scope["method"] not in READS and self.scope["path"].startswith(ACCOUNT_PATHS)

    async def ask(self, environ: Environ, visitor: str) -> Answer:
        departure = self.watch_departure()
        async with self.turn(visitor):
            if departure.done():
                return NOBODY
            work = partial(self.ask_here, environ, visitor)
            if self.is_upload:
                return await in_new_thread(work)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.server.pages, work)

    @asynccontextmanager
    async def turn(self, visitor: str) -> AsyncIterator[None]:
        """Wait until it is this request's turn at a thread."""
        server = self.server
        if self.is_upload:
            async with server.turn_of(visitor, "upload", UPLOADS_OF_ONE), server.uploads:
                yield
            return
        async with AsyncExitStack() as waited:
            waited.enter_context(server.page_turns.count(visitor))
            if self.is_account_form:
                await waited.enter_async_context(server.turn_of(visitor, "account", 1))
                await waited.enter_async_context(server.account_forms)
            else:
                at_once = PAGE_THREADS if visitor in THIS_MACHINE else PAGES_OF_ONE
                await waited.enter_async_context(server.turn_of(visitor, "page", at_once))
            async with server.page_turns.of(visitor):
                yield

    def ask_here(self, environ: Environ, visitor: str) -> Answer:
        with charge_cpu(visitor, self.server.page_turns.taken):
            return self.context.run(ask, self.server.application, environ)

    async def start(self, answer: Answer) -> None:
        headers = [
            (name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers
        ]
        await self.send(
            {"type": "http.response.start", "status": answer.status, "headers": headers}
        )

    async def send_body(self, body: bytes, is_last: bool) -> None:
        await self.send({"type": "http.response.body", "body": body, "more_body": not is_last})

    async def send_whole(self, answer: Answer) -> None:
        await self.start(answer)
        await self.send_body(b"".join(answer.pieces), is_last=True)

    @property
    def connection(self) -> ClientConnection:
        host, port = self.scope["client"]
        return ClientConnection((host, int(port)), int(self.scope["server"][1]))

    async def send_slices(self, answer: Answer, transfer: Transfer) -> bool:
        """Send a whole answer but for the end as the visitor takes it; False if that is too slow.

        The connection is broken off then.
        """
        await asyncio.to_thread(self.connection.hold_little)
        body = memoryview(b"".join(answer.pieces))
        try:
            for start in range(0, len(body), SLICE_BYTES):
                piece = bytes(body[start : start + SLICE_BYTES])
                async with asyncio.timeout(PATIENCE_S):
                    await transfer.follow(self.send_body(piece, is_last=False))
        except (TimeoutError, SlowTransfer):
            await asyncio.to_thread(self.connection.break_off)
            return False
        return True

    async def send_stream(self, answer: Answer, transfer: Transfer) -> bool:
        """The same for one that is made meanwhile."""
        return await in_new_thread(partial(self.context.run, self.pump, answer, transfer))

    def watch_departure(self) -> asyncio.Task[None]:
        """The task that ends when the visitor leaves, once the body has arrived.

        There is one until all is sent: after one that is cancelled granian may tell of a departure
        that never was.
        """

        async def await_departure() -> None:
            while (await self.receive())["type"] != "http.disconnect":
                pass

        self.departure = self.departure or asyncio.ensure_future(await_departure())
        return self.departure

    def pump(self, answer: Answer, transfer: Transfer) -> bool:
        connection = self.connection
        connection.hold_little()
        try:
            for piece in make_slices(answer, transfer.visitor):
                transfer.wait(self.send_body(piece, is_last=False), len(piece))
        except SlowTransfer:
            connection.break_off()
            return False
        finally:
            close(answer.pieces)
        return True


class Body(io.RawIOBase):
    """A request's body, which a thread of its own reads as it arrives.

    Raises SlowTransfer, an OSError.
    """

    def __init__(self, exchange: Exchange, transfer: Transfer, head: bytes) -> None:
        self.exchange, self.transfer = exchange, transfer
        self.arrived = memoryview(head)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.arrived:
            self.arrived = memoryview(self.transfer.wait(self.exchange.gather(SLICE_BYTES)))
            if self.exchange.has_all and self.exchange.is_upload:  # which may wait for others
                BODIES.leave(self.transfer)
        size = min(len(buffer), len(self.arrived))
        buffer[:size] = self.arrived[:size]
        self.arrived = self.arrived[size:]
        return size


def build_environ(scope: Message) -> Environ:
    """The request as PEP 3333 has it; its body is added where it has arrived."""
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:  # or it would pass for the one with a hyphen, such as X-Forwarded-For
            continue
        key = name.upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        between = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{between}{value}" if key in environ else value
    return environ


def ask(application: Application, environ: Environ) -> Answer:
    """The application's answer, whole unless it is long."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: object = None) -> None:
        begun.append((status, headers))

    pieces = application(environ, start_response)
    status, headers = begun[-1]
    lengths = [int(value) for name, value in headers if name.lower() == "content-length"]
    length = 0 if environ["REQUEST_METHOD"] == "HEAD" else next(iter(lengths), None)
    answer = Answer(int(status.split(" ", 1)[0]), headers, pieces, length)
    if answer.length == 0:
        close(pieces)
        return replace(answer, pieces=[])
    return answer if answer.is_stream else answer.whole()


def refuse(environ: Environ, refusal: TransferRefusal) -> Answer:
    """The refusal in a sentence, without asking the application."""
    problem = refusal.problem
    if environ["PATH_INFO"].startswith(API):
        told = body_of(ErrorAnswer(problem, refusal.status), environ["PATH_INFO"])
        kind, body = PROBLEM_TYPE, json.dumps(told)
    else:
        kind, body = "text/plain; charset=utf-8", f"{problem.sentence} {problem.next_step}\n"
    headers = {
        "Content-Type": kind,
        "Retry-After": str(RETRY_AFTER_S),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Answer(refusal.status, [*headers.items()], [body.encode()], None)


def make_slices(answer: Answer, visitor: str) -> Iterator[bytes]:
    """Slices of a stream, whose pieces are each charged to its visitor. A long piece is on disk."""
    iterator = iter(answer.pieces)
    is_made = answer.length is not None  # it only has to be read
    while True:
        with ExitStack() as stack:
            held = stack.enter_context(tempfile.SpooledTemporaryFile(WHOLE_BYTES))
            with ExitStack() as making:
                if not is_made:
                    making.enter_context(MAKING.of(visitor))
                making.enter_context(charge_cpu(visitor))
                piece = next(iterator, None)
                if piece is None:
                    return
                held.write(piece)
                del piece
            held.seek(0)
            while slice_ := held.read(SLICE_BYTES):
                yield slice_


def close(pieces: Iterable[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()


async def in_new_thread(work: Callable[[], Result]) -> Result:
    """The result of `work`; its thread keeps nobody from ending the process."""
    done: Future[Result] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)
        finally:
            connections.close_all()

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)
