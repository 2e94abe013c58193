"""An S3-compatible service on loopback, as far as stored artifacts need one: objects by key."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

Objects = dict[str, bytes]  # by "/bucket/key"


@contextlib.contextmanager
def s3_server() -> Iterator[tuple[str, Objects]]:
    """Its address, and what it holds. It believes every signature."""
    objects: Objects = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def key(self) -> str:
            return unquote(urlsplit(self.path).path)

        def do_PUT(self) -> None:
            objects[self.key()] = self.read_body()
            self.answer(200)

        def do_GET(self) -> None:
            content = objects.get(self.key())
            if content is None:
                return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return self.answer(200, content, etag_of(content))

        do_HEAD = do_GET

        def do_DELETE(self) -> None:
            objects.pop(self.key(), None)
            self.answer(204)

        def read_body(self) -> bytes:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if "aws-chunked" not in self.headers.get("content-encoding", ""):
                return body
            return b"".join(chunks_of(body))

        def answer(self, status: int, content: bytes = b"", etag: str = "") -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            if etag:
                self.send_header("etag", etag)
                self.send_header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle(self) -> None:
            with contextlib.suppress(OSError):
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", objects
    finally:
        server.shutdown()
        server.server_close()


def etag_of(content: bytes) -> str:
    return f'"{hashlib.md5(content).hexdigest()}"'


def chunks_of(body: bytes) -> Iterator[bytes]:
    """The chunks of an aws-chunked body, without their signatures and trailers."""
    while body:
        head, _, body = body.partition(b"\r\n")
        size = int(head.split(b";")[0], 16)
        if not size:
            return
        yield body[:size]
        body = body[size + 2 :]
