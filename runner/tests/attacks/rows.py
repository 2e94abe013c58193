"""A hostile cell as a row of data, and what several of them begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from _pytest.mark import ParameterSet

from runner.contract import CellStatus, Limits

MIB = 1 << 20
SMALL = Limits(
    memory_bytes=512 * MIB,
    work_bytes=24 * MIB,
    work_files=300,
    file_size_bytes=16 * MIB,
    processes=40,
)
SECRET = "canary-4d1f"  # in our environment and in one of our files: must never be seen inside
OK, ERROR, TIMEOUT, KILLED = (
    CellStatus.OK,
    CellStatus.ERROR,
    CellStatus.TIMEOUT,
    CellStatus.KILLED,
)
ANY = (OK, ERROR, TIMEOUT, KILLED)


@dataclass(frozen=True)
class Attack:
    """`code` runs with «port», «abstract», «unix», «canary», «pid» and «marker» filled in.

    Safe is: `shows` is found in what it showed, it ended in one of `ends`, and nothing of it is
    left. "SUCCEEDED" must never be shown.
    """

    name: str
    tried: str
    code: str
    shows: str  # a pattern that its outputs must hold
    ends: tuple[CellStatus, ...] = (OK,)
    reason: str = ""  # why the cell was stopped, when it was; "*" for any reason
    timeout_s: float = 20.0
    files: tuple[str, ...] = ()  # exactly what a harvest afterwards holds
    refused: dict[str, str] = field(default_factory=dict)  # {path as shown: part of the reason}
    spoils: bool = False  # its own kernel, which nobody promises to keep usable


SHOW_ERROR = """
def attempt(f, *a, **k):
    try:
        print("SUCCEEDED", f(*a, **k))
    except BaseException as e:
        print(type(e).__name__, getattr(e, "errno", None), e)
"""

SYSCALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *args):
    result = libc.syscall(number, *args)
    print(name, "SUCCEEDED" if result >= 0 else ctypes.get_errno())
"""

RAW_MESSAGE = """
import json, os, zmq
k = get_ipython().kernel
def send_raw(kind, content_bytes):
    header = k.session.msg_header(kind); header["date"] = header["date"].isoformat()
    parent = dict(k.get_parent()["header"]); parent["date"] = str(parent["date"])
    parts = [json.dumps(header).encode(), json.dumps(parent).encode(), b"{}", content_bytes]
    k.iopub_socket.send_multipart([b"x", b"<IDS|MSG>", k.session.sign(parts), *parts])
"""

RAW_SOCKETS = """
import os, socket, stat
def raw_sockets():
    for fd in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                s = socket.socket(fileno=os.dup(fd)); s.getpeername(); yield s
        except OSError: pass
"""


def refuses(name: str, tried: str, error: int, **numbers: tuple[object, ...]) -> Attack:
    """System calls by number, every one of which must fail with the same error."""
    calls = "".join(f"call({key!r}, *{values!r})\n" for key, values in numbers.items())
    shows = "".join(rf"{key} {error}\n" for key in numbers)
    return Attack(name, tried, SYSCALL + calls, f"^{shows}$")


def rows(**groups: Sequence[Attack]) -> list[ParameterSet]:
    """Parameters of a test, each with the group and the name of its attack as its id."""
    return [
        pytest.param(attack, id=f"{group}-{attack.name}")
        for group, attacks in groups.items()
        for attack in attacks
    ]
