"""Checks a worker's requests: the service trusts no packet before this module has read it.

One connection (`SOCK_SEQPACKET`, see `packets`) is one session. Every request but the one-way ones
is answered by one packet, `{"ok": true, …}` or `{"error": "a sentence"}`; anything malformed ends
the connection, and the end of the connection ends the session and all that it started.

| `do` | with | descriptors | answer |
|---|---|---|---|
| `facts` | | | zygote's facts, memory layer |
| `open` | `limits` {name: number}; `is_tool`, `has_browser` | | |
| `put` | `files` [{path, mtime_ns}]; `folders` [path] | one per file, to read | |
| `give` | the same, into a tool's working folder | one per file, to read | |
| `start` | `key` | a listening socket for each channel | descriptors: pidfd, working folder |
| `run` | `argv` (of a tool) | stdin, stdout, stderr | descriptors: pidfd, working folder |
| `interrupt`, `kill` | one way | | |
| `end` | | | `is_out_of_memory`, `is_our_fault`, `log`; tools `returncode`, `cpu_s`, `peak_bytes` |
| `harvest` | | | as `end`; then every file in the working folder is readable |
| `show` | | | then every file that is there is readable |
| `close` | | | when nothing is left |
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from runner.contract import Limits
from runner.sandbox.host.runtime_folders import CHANNELS
from runner.sandbox.packets import Malformed, Packet

LIMITS = ("memory_bytes", "processes", "file_size_bytes", "work_bytes", "work_files")
GREATEST = 1 << 40
KEY_CHARS = 200
PATH_BYTES = 1_000
PATH_PARTS = 16
ARGUMENTS = 20


@dataclass(frozen=True)
class Given:
    """An input file that a worker hands over."""

    path: PurePosixPath
    mtime_ns: int


def read_limits(packet: Packet) -> Limits:
    limits = packet.body.get("limits")
    if not isinstance(limits, dict) or set(limits) != set(LIMITS):
        raise Malformed("limits that are not what was agreed")
    return Limits(**{name: read_number(limits, name, least=1) for name in LIMITS})


def read_number(body: Mapping[str, Any], name: str, least: int) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= GREATEST:
        raise Malformed(f"{name} is no number in bounds")
    return value


def read_files(packet: Packet) -> list[Given]:
    files = packet.body.get("files")
    if not isinstance(files, list) or len(files) != len(packet.fds):
        raise Malformed("not one descriptor for each file")
    return [read_file(file) for file in files]


def read_file(file: object) -> Given:
    if not isinstance(file, dict):
        raise Malformed("a file that is no object")
    mtime_ns = file.get("mtime_ns")
    if not isinstance(mtime_ns, int) or isinstance(mtime_ns, bool) or not 0 <= mtime_ns < 1 << 62:
        raise Malformed("mtime_ns is no number in bounds")
    return Given(read_path(file.get("path")), mtime_ns)


def read_path(text: object) -> PurePosixPath:
    """A relative path that stays below where it is put."""
    if not isinstance(text, str) or "\0" in text:
        raise Malformed("an invalid path")
    path = PurePosixPath(text)
    try:
        too_long = len(os.fsencode(text)) > PATH_BYTES
    except UnicodeEncodeError as error:  # half of a character: no file is named so
        raise Malformed("an invalid path") from error
    if path.is_absolute() or ".." in path.parts or not path.parts or too_long:
        raise Malformed("a path that leads elsewhere")
    if len(path.parts) > PATH_PARTS:
        raise Malformed("a path that is too deep")
    return path


def read_folders(packet: Packet) -> list[PurePosixPath]:
    folders = packet.body.get("folders", [])
    if not isinstance(folders, list):
        raise Malformed("folders that are no list")
    return [read_path(folder) for folder in folders]


def read_run(packet: Packet) -> list[str]:
    """The command; the descriptors must be its three streams."""
    argv = packet.body.get("argv")
    if not isinstance(argv, list) or not 3 <= len(argv) <= ARGUMENTS:
        raise Malformed("no command")
    if not all(isinstance(word, str) for word in argv) or len(packet.fds) != 3:
        raise Malformed("an invalid command")
    return argv


def read_start(packet: Packet) -> str:
    """The key; the descriptors must be one listening socket for each channel."""
    key = packet.body.get("key")
    if not isinstance(key, str) or not key.isascii() or not 0 < len(key) <= KEY_CHARS:
        raise Malformed("no key")
    if len(packet.fds) != len(CHANNELS):
        raise Malformed("not one socket for each channel")
    return key
