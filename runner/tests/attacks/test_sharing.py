"""Two attempts side by side: neither feels what the other does with what both of them see."""

from __future__ import annotations

import asyncio
import fcntl
import os
from pathlib import Path

import pytest

from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.tests.attacks.played import Ground
from runner.tests.attacks.rows import SMALL
from runner.tests.support.sessions import tell, two_sessions

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]


WRITE_TO_ALL = """
import os, time
for _ in range(40):
    for n in range(100):
        try: fd = os.open(f'/dev/pts/{n}', os.O_WRONLY | os.O_NOCTTY)
        except OSError: continue
        os.write(fd, b'The answer is 41.'); os.close(fd)
    time.sleep(0.05)
print('written')
"""


async def test_what_one_writes_to_terminals_no_other_s_command_shows(ground: Ground) -> None:
    async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, other):
        await asyncio.gather(tell(one, "1"), tell(other, "1"))
        shown, written = await asyncio.gather(
            tell(other, "!sleep 2; echo mine"), tell(one, WRITE_TO_ALL)
        )
    assert written == "written\n"
    assert shown.split() == ["mine"]


TAKE_TERMINALS = """
import os, time
out, into = os.pipe()
for _ in range(12):
    if os.fork() == 0:
        try:
            while True: os.openpty()
        except OSError: os.write(into, b'.'); time.sleep(600)
        os._exit(0)
got = b''
while len(got) < 12: got += os.read(out, 12)
print('taken')
"""


async def test_one_that_takes_all_terminals_leaves_the_others_theirs(ground: Ground) -> None:
    async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, other):
        assert await tell(one, TAKE_TERMINALS) == "taken\n"
        assert (await tell(other, "!echo mine")).split() == ["mine"]


# What the host counts by user: one takes all it can get and keeps it, another wants some too.
COUNTED = {
    "inotify instances": (
        "while l.inotify_init1(0) >= 0: pass",
        "print(l.inotify_init1(0) >= 0)",
    ),
    "signals that wait": (
        "me = ctypes.c_ulong(l.pthread_self()); signal.pthread_sigmask(0, range(34, 64))\n"
        "while l.pthread_sigqueue(me, 40, None) == 0: pass",
        "me = ctypes.c_ulong(l.pthread_self()); signal.pthread_sigmask(0, range(34, 64))\n"
        "print(l.pthread_sigqueue(me, 40, None) == 0)",
    ),
    "descriptors in flight": (
        "kept = []\ntry:\n    while True:\n        kept += socket.socketpair()\n"
        "        for n in range(50): kept[-1].sendmsg([b'x'], [(1, 1, bytes(800))], 64)\n"
        "except OSError: pass",
        "a, b = socket.socketpair(); print(a.sendmsg([b'x'], [(1, 1, bytes(800))], 64) == 1)",
    ),
    "memory of pipes": (
        "kept = []\ntry:\n    while True:\n        kept += os.pipe()\n"
        "        fcntl.fcntl(kept[-1], 1031, 1 << 20)\nexcept OSError: pass",
        "r, w = os.pipe(); print(fcntl.fcntl(w, 1032) >= 65536)",
    ),
}


@pytest.mark.parametrize("what", COUNTED)
async def test_one_that_takes_all_of_a_count_leaves_the_others_theirs(
    ground: Ground, what: str
) -> None:
    take, ask = COUNTED[what]
    begin = "import ctypes, fcntl, os, signal, socket\nl = ctypes.CDLL(None)\n"
    begin += "l.pthread_self.restype = ctypes.c_ulong\n"
    async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, other):
        assert await tell(one, f"{begin}{take}\nprint('all')") == "all\n"
        assert await tell(other, begin + ask) == "True\n"


LOCK = """
import fcntl, os
def lock(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.isfile(path): fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error: return error.errno
    kept.append(fd); return 'held'
kept = []; print([lock(path) for path in «paths»])
"""
SHOWN = (
    *("/usr", "/usr/lib/os-release", "/opt/env/pyvenv.cfg", "/etc", "/etc/passwd"),
    *("/etc/ld.so.cache", "/etc/fonts/fonts.conf", "/work/data/a.csv"),
)


async def test_a_lock_on_what_all_see_is_felt_by_nobody_else(ground: Ground) -> None:
    code = LOCK.replace("«paths»", repr(SHOWN))
    everything = f"{['held'] * len(SHOWN)}\n"
    env = find_kernel_environment().folder
    on_host = ("/usr", "/usr/lib/os-release", env / "pyvenv.cfg", "/etc/ld.so.cache", "/etc/fonts")
    async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, other):
        assert await tell(one, code) == everything
        assert await tell(other, code) == everything
        for path in on_host:
            fd = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(fd)


async def test_a_lock_of_the_host_is_not_felt_inside(ground: Ground) -> None:
    fd = os.open("/usr/lib/os-release", os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, _):
            shown = await tell(one, LOCK.replace("«paths»", "['/usr/lib/os-release']"))
    finally:
        os.close(fd)
    assert shown == "['held']\n"


WATCH = """
import ctypes, os
libc = ctypes.CDLL(None); fd = libc.inotify_init1(os.O_NONBLOCK)
for path in (b'/usr/lib/os-release', b'/usr/share/zoneinfo', b'/etc/passwd', b'/opt/env',
             b'/work/data/a.csv'):
    assert libc.inotify_add_watch(fd, path, 0xfff) > 0
print('watching')
"""
SEEN = """
try: print(len(os.read(fd, 4096)))
except BlockingIOError: print('nothing')
"""


async def test_who_opens_what_all_see_is_seen_by_nobody_else(ground: Ground) -> None:
    paths = "/usr/lib/os-release", "/etc/passwd", "/work/data/a.csv"
    act = f"print(all(open(path).read() for path in {paths}))"
    async with two_sessions(ground.sandbox, ground.inputs, SMALL) as (one, other):
        assert await tell(one, WATCH) == "watching\n"
        assert await tell(other, act) == "True\n"
        Path("/usr/lib/os-release").read_bytes()
        assert await tell(one, SEEN) == "nothing\n"
