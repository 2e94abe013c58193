"""Runs inside, as pid 1 of a tool's sandbox: the suite's code, and what it starts with it.

All of it ends with this process, whose parent outside tells the host how that was.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import traceback
import types
from collections.abc import Sequence

from runner.sandbox import packets
from runner.sandbox.inside import confinement

FLAGS = ("-I", "-B", "-s", "-E")


def run(channel: socket.socket) -> None:
    """Wait for the job and do it. Returns only when there is none to be done."""
    os.environ["MPLBACKEND"] = "Agg"
    packets.send(channel, {"ready": True})
    claim = packets.receive_now(channel)
    if claim is not None:
        channel.close()
        os._exit(do(claim))


def do(claim: packets.Packet) -> int:
    """Be `python … -c CODE` with the three streams that came along; its exit status."""
    try:
        for target, fd in enumerate(claim.fds):
            os.dup2(fd, target)
        confinement.close_others({0, 1, 2})
        sys.modules["matplotlib"].use("Agg")
        return run_code([word for word in claim.body["argv"][1:] if word not in FLAGS])
    except BaseException:  # the tool's code may raise anything, and its words are its report
        traceback.print_exc()
        return 1
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # closed, or nobody reads
                stream.flush()


def run_code(words: Sequence[str]) -> int:
    """`words` is "-c", the source, and its arguments."""
    sys.argv[:] = ["-c", *words[2:]]
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    try:
        exec(compile(words[1], "<string>", "exec"), main.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    return 0
