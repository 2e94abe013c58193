"""An endpoint that takes its time.

`python -m bench.engine.slow_server LATENCY_S TURNS cells|words|lines [streamed]`

Each conversation gets TURNS replies, the last of them the answer; those before hold a cell that
prints or, with `lines`, also writes a file, or no code at all. With `streamed` a reply comes as
events of a few characters each. It prints its base URL, then serves until it is ended.
"""

from __future__ import annotations

import asyncio
import json
import sys

ANSWER = "Done."
KINDS = {
    "cells": "```python\nprint({})\n```",
    "words": "",  # an empty reply: the turn is used, nothing is run, and the model is informed
    "lines": "```python\nprint({0}, file=open('output/lines.txt', 'a'))\nprint({0})\n```",
}
PIECE_CHARS = 4  # of an event: about a token
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, kept open for request after request."""
    latency_s, turns, kind = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    try:
        while True:
            body = await read_body(reader)
            said = sum(message["role"] == "assistant" for message in json.loads(body)["messages"])
            await asyncio.sleep(latency_s)
            text = ANSWER if said >= turns - 1 else KINDS[kind].format(said)
            writer.write(streamed(text) if "streamed" in sys.argv[4:] else reply(text))
            await writer.drain()
    except (asyncio.IncompleteReadError, OSError):
        pass
    finally:
        writer.close()


async def read_body(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
    return await reader.readexactly(length)


def reply(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], "usage": USAGE})
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def streamed(text: str) -> bytes:
    """The same as server-sent events, in one chunk each."""
    pieces = [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
    choices: list[dict[str, object]] = [
        {"index": 0, "delta": {"content": piece}, "finish_reason": None} for piece in pieces
    ]
    choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    bodies: list[dict[str, object]] = [{"choices": [choice], "usage": None} for choice in choices]
    bodies.append({"choices": [], "usage": USAGE})
    chunk: dict[str, object] = {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "slow",
    }
    events = [f"data: {json.dumps({**chunk, **body})}\n\n" for body in bodies]
    chunks = [f"{len(event):x}\r\n{event}\r\n" for event in (*events, "data: [DONE]\n\n")]
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    return f"{head}\r\n{''.join(chunks)}0\r\n\r\n".encode()


async def serve() -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
