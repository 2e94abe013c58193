"""Targets on the host that a hostile cell would like to reach, and traces it may have left
there."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from runner.sandbox.host.account import sandbox_uid
from runner.tests.attacks.rows import SECRET


@dataclass(frozen=True)
class Surroundings:
    """Of one run of the suite."""

    port: int
    abstract: str
    unix: Path
    canary: Path
    marker: str  # an odd number of seconds by which a sleeping process is known on the host

    def fill(self, code: str) -> str:
        """`code` with the placeholders filled in."""
        values = {
            "«port»": str(self.port),
            "«abstract»": self.abstract,
            "«unix»": str(self.unix),
            "«canary»": str(self.canary),
            "«pid»": str(os.getpid()),
            "«marker»": self.marker,
        }
        for placeholder, value in values.items():
            code = code.replace(placeholder, value)
        return textwrap.dedent(code)


@contextmanager
def made_surroundings(folder: Path) -> Iterator[Surroundings]:
    canary, path = folder / "canary.txt", folder / "s"
    canary.write_text(SECRET)
    abstract = f"pybench-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as unnamed,
        socket.socket(socket.AF_UNIX) as named,
    ):
        for server, address in ((unnamed, f"\0{abstract}"), (named, str(path))):
            server.bind(address)
            server.listen()
        marker = f"9{secrets.randbelow(10**8):08}"
        yield Surroundings(tcp.getsockname()[1], abstract, path, canary, marker)


@dataclass(frozen=True)
class Traces:
    """Traces on the host of the sandboxes of one runtime folder."""

    processes: int  # in whose mount table or arguments the folder stands
    survivors: int  # that an attack left asleep
    mounts: int  # in our own mount table
    memory: int  # shared-memory files and System V objects of the sandbox's user

    def exceeds(self, before: Traces) -> list[str]:
        """Names of the traces of which there are more than before."""
        names = [field.name for field in fields(self)]
        return [
            f"{name}: {getattr(before, name)} before, {getattr(self, name)} now"
            for name in names
            if getattr(self, name) > getattr(before, name)
        ]


def find_traces(runtime: Path, marker: str) -> Traces:
    words, tables = read_processes()
    own = Path("/proc/self/mountinfo").read_text()
    return Traces(
        processes=sum(str(runtime) in " ".join(w) for w in words)
        + sum(f"{runtime.name}/" in table for table in tables),
        survivors=sum(marker in w for w in words),
        mounts=own.count(f"{runtime.name}/"),
        memory=count_shared_memory(sandbox_uid()),
    )


def read_processes() -> tuple[list[list[str]], list[str]]:
    """The arguments and the mount tables of every process but this one."""
    words: list[list[str]] = []
    tables: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            line = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            words.append(line.split("\0"))
            tables.append((folder / "mountinfo").read_text())
    return words, tables


def count_shared_memory(uid: int) -> int:
    """Files in /dev/shm and System V objects that belong to `uid`."""
    count = 0
    for path in Path("/dev/shm").iterdir():
        with contextlib.suppress(OSError):
            count += path.lstat().st_uid == uid
    for kind in ("shm", "sem", "msg"):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
            column = lines[0].split().index("uid")
            count += sum(line.split()[column] == str(uid) for line in lines[1:])
    return count
