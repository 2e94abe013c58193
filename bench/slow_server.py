"""An endpoint that takes its time: `python -m bench.slow_server LATENCY_S TURNS cells|words`.

Each conversation gets TURNS replies, the last of them the answer; those before hold a cell, or no
code at all. It prints its base URL, then serves until it is ended.
"""

from __future__ import annotations

import asyncio
import json
import sys

ANSWER = "Done."
NO_CODE = ""  # an empty reply: the turn is used, nothing is run, and the model is told so


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, kept open for request after request."""
    latency_s, turns, kind = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    try:
        while True:
            body = await read_body(reader)
            said = sum(message["role"] == "assistant" for message in json.loads(body)["messages"])
            await asyncio.sleep(latency_s)
            code = f"```python\nprint({said})\n```" if kind == "cells" else NO_CODE
            writer.write(reply(ANSWER if said >= turns - 1 else code))
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
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    body = json.dumps({"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage})
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


async def serve() -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
