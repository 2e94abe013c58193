"""Taking the file system away from this process: Landlock, where the host's kernel has it.

Numbers and structures: Linux `include/uapi/linux/landlock.h`, version 1 of the interface.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

CREATE, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
EXECUTE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
EVERYTHING = (1 << 13) - 1
PR_SET_NO_NEW_PRIVS = 38


def keep_only(readable: Iterable[str]) -> bool:
    """From now on nothing can be opened but what lies in `readable`, to read; False without it.

    Descriptors that are open already stay so. It cannot be undone, and children inherit it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    call = libc.syscall
    call.restype = ctypes.c_long
    if call(CREATE, None, ctypes.c_size_t(0), VERSION_FLAG) < 1:
        return False
    wanted = ctypes.create_string_buffer(struct.pack("=Q", EVERYTHING), 8)
    rules = call(CREATE, wanted, ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    try:
        for path in readable:
            allow(call, rules, path)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(call(RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def allow(call: ctypes._NamedFuncPointer, rules: int, path: str) -> None:
    """Let what lies at and below `path` be read; a path that is not there is no rule."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rights = READ_FILE | (READ_FOLDER | EXECUTE if os.path.isdir(path) else 0)  # noqa: PTH112
    rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place), 12)
    call(ADD_RULE, rules, PATH_BENEATH, rule, 0)
    os.close(place)
