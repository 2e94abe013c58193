"""Landlock without a library: what a process may do to files, refused by the kernel for good.

Below the mounts, which show hardly anything already, this is one more layer: nothing may be written
outside the three writable folders even where a mount should be wrong, and neither signals nor
abstract sockets reach anybody outside. Numbers and structures: Linux `include/uapi/linux/
landlock.h`; none needs a privilege.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on x86_64 and aarch64
VERSION_FLAG, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
SINCE = {REFER: 2, TRUNCATE: 3, IOCTL_DEVICE: 5}  # version of Landlock
FIRST_VERSION = (1 << 13) - 1
MAKE_DEVICES = (1 << 6) | (1 << 11)  # character and block
READING = EXECUTE | READ_FILE | READ_DIR
USING = READING | WRITE_FILE | TRUNCATE | IOCTL_DEVICE  # /dev/null is written to
SCOPES_SINCE, SCOPES = 6, 3  # abstract sockets and signals stay among ourselves

LIBC = ctypes.PyDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    result = int(LIBC.syscall(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result


def abi() -> int:
    """The version that this kernel has; 0 for none."""
    try:
        return call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)
    except OSError:
        return 0


def known_rights(version: int) -> int:
    return FIRST_VERSION | sum(right for right, since in SINCE.items() if version >= since)


def restrict(read: Sequence[str], used: Sequence[str], written: Sequence[str]) -> None:
    """Allow this process, from now on, to read, use and write below these folders only.

    A folder that is not there is left out. Needs no_new_privs. Raises OSError.
    """
    version = abi()
    rights = known_rights(version)
    scopes = SCOPES if version >= SCOPES_SINCE else 0
    attribute = struct.pack("QQQ", rights, 0, scopes)[: 24 if scopes else 8]
    ruleset = call(CREATE_RULESET, attribute, ctypes.c_size_t(len(attribute)), 0)
    try:
        for paths, allowed in (
            (read, READING),
            (used, USING),
            (written, rights & ~MAKE_DEVICES),
        ):
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    allow(ruleset, path, allowed & rights)
        call(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
    finally:
        os.close(fd)
