"""Calls functions on strangers' text, one after another: a process of `runner.reading.readers`.

It ends when its pipe does. A call that computes for too long is ended by the kernel, whether or
not the process that asked is still there: Python's own handlers never run inside a regular
expression, the default action of SIGPROF does.
"""

from __future__ import annotations

import pickle
import resource
import signal
import struct
import sys
from typing import BinaryIO

READY = b"+"
HEADER = struct.Struct("!Q")
MOST_MEMORY_BYTES = 2 << 30


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a function prints is no answer
    import runner.model.reply  # noqa: F401  # what is asked for first

    target.write(READY)
    target.flush()
    while message := receive(source):
        target.write(answer_to(message))
        target.flush()


def receive(source: BinaryIO) -> bytes:
    """The next message; nothing once the pipe has ended."""
    header = source.read(HEADER.size)
    return source.read(HEADER.unpack(header)[0]) if len(header) == HEADER.size else b""


def answer_to(message: bytes) -> bytes:
    cpu_s, function, arguments = pickle.loads(message)  # imports what it needs, off the clock
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        answer = pack((True, function(*arguments)))
    except Exception as error:  # the function's own, which whoever asked is to get
        answer = pack((False, error))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return answer


def pack(value: object) -> bytes:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(data)) + data


if __name__ == "__main__":
    main()
