"""The filter by system calls: what honest programs use is there, the unknown is absent."""

from __future__ import annotations

import errno
import json
import platform
import struct
import subprocess
import sys

import pytest

from runner.contract import CellStatus, SandboxUnavailable
from runner.sandbox import host_findings
from runner.sandbox.base import Session
from runner.sandbox.host import seccomp

PROFILE = json.loads(seccomp.PROFILE.read_text())
HONEST_WORK = {
    "libraries": "import numpy, pandas, matplotlib.pyplot, sklearn, cv2, scipy.stats, PIL.Image\n"
    "import statsmodels.api, openpyxl, pyarrow; print('done')",
    "subprocesses": "import subprocess, multiprocessing.pool as p\n"
    "print(subprocess.run('sort | head -1', shell=True, input=b'b\\na\\n', capture_output=True))\n"
    "print(p.ThreadPool(4).map(abs, range(9)))\n"
    "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as pool:"
    " print(pool.map(abs, range(9)))\nprint('done')",
    "parallel": "from joblib import Parallel, delayed\n"
    "print(Parallel(n_jobs=2)(delayed(abs)(n) for n in range(9))); print('done')",
    "sound": "import subprocess\nc = 'ffmpeg -v error -f lavfi -i sine=d=1 output/a.mp3'.split()\n"
    "subprocess.run(c, check=True); import librosa; print(len(librosa.load('output/a.mp3')[0]))\n"
    "print('done')",
    "words": "import subprocess\nfrom PIL import Image, ImageDraw, ImageFont\n"
    "i = Image.new('L', (400, 90), 255); d = ImageDraw.Draw(i)\n"
    "d.text((20, 20), 'HELLO', font_size=48); i.save('output/a.png')\n"
    "r = subprocess.run(['tesseract', 'output/a.png', '-', '--psm', '7'], capture_output=True)\n"
    "print(r); assert r.returncode == 0 and b'HELLO' in r.stdout; print('done')",
    "database": "import sqlite3; c = sqlite3.connect('output/a.db')\n"
    "c.execute('create table t(a)'); c.execute('insert into t values (1)')\n"
    "c.commit(); c.close(); import fcntl\n"
    "f = open('output/a.lock', 'w'); fcntl.flock(f, fcntl.LOCK_EX); print('done')",
    "loop": "import asyncio, tempfile, shutil, os, signal, time, threading\n"
    "async def f():\n"
    "    p = await asyncio.create_subprocess_exec('true'); await p.wait()\n"
    "    return await asyncio.to_thread(time.time)\n"
    "await f(); signal.signal(signal.SIGALRM, lambda *a: None); signal.alarm(1)\n"
    "shutil.copytree('/etc/fonts', 'fonts'); os.sync()\n"
    "print('done')",
}


def run_filter(program: bytes, number: int, arguments: tuple[int, ...] = (), arch: int = 0) -> int:
    """Compute the kernel's answer: classic BPF over `struct seccomp_data` (64 bytes)."""
    padded = (*arguments, *(0,) * (6 - len(arguments)))
    arch = arch or seccomp.ARCHITECTURES["x86_64"]
    data = struct.pack("<iIQ6Q", number, arch, 0, *padded)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("<HBBI", program, at * 8)
        at += 1
        if code == seccomp.RETURN:
            return int(value)
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x05:
            at += value
        else:
            test = {0x15: int.__eq__, 0x25: int.__gt__, 0x35: int.__ge__}[code]
            at += if_true if test(accumulator, value) else if_false


ALLOW = 0x7FFF0000
EPERM, ENOSYS, NO_FAMILY = (
    0x50000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT)
)
CASES = {
    "read": (0, (), ALLOW),
    "ptrace": (101, (0,), EPERM),
    "io_uring_setup": (425, (), ENOSYS),
    "clone3": (435, (), ENOSYS),
    "memfd_create": (319, (), ENOSYS),
    "listmount, which tells of mounts": (458, (), ENOSYS),
    "a call of tomorrow": (700, (), ENOSYS),
    "x32": (0x40000000, (), ENOSYS),
    "clone of a thread": (56, (0x3D0F00,), ALLOW),
    "clone of a user namespace": (56, (0x10000011,), EPERM),
    "unix socket": (41, (1, 1, 0), ALLOW),
    "vsock": (41, (40, 1, 0), NO_FAMILY),
    "vsock by its lower half": (41, ((1 << 32) + 40, 1, 0), NO_FAMILY),
    "packet": (41, (17, 3, 0), NO_FAMILY),
    "netlink route": (41, (16, 3, 0), ALLOW),
    "netlink audit": (41, (16, 3, 9), NO_FAMILY),
    "TCGETS": (16, (0, 0x5401), ALLOW),
    "TIOCSTI": (16, (0, 0x5412), EPERM),
    "TIOCSTI by its lower half": (16, (0, (1 << 32) + 0x5412), EPERM),
    "TIOCLINUX": (16, (0, 0x541C), EPERM),
    "sync": (162, (), 0x50000),
    "io_setup, counted for the host": (206, (), ENOSYS),
}


def test_the_filter_answers(subtests: pytest.Subtests) -> None:
    for name in CASES:
        with subtests.test(name=name):
            number, arguments, answer = CASES[name]
            assert run_filter(seccomp.build("x86_64"), number, arguments) == answer


def test_code_of_another_machine_is_ended() -> None:
    assert run_filter(seccomp.build("x86_64"), 20, arch=0x40000003) == 0x80000000


def test_the_filter_of_the_other_machine_knows_its_numbers() -> None:
    program, arch = seccomp.build("aarch64"), seccomp.ARCHITECTURES["aarch64"]
    assert run_filter(program, 63, arch=arch) == ALLOW  # read
    assert run_filter(program, 117, arch=arch) == EPERM  # ptrace
    assert run_filter(program, 29, (0, 0x5412), arch=arch) == EPERM  # ioctl
    assert run_filter(program, 425, arch=arch) == ENOSYS


def test_no_call_is_allowed_and_refused() -> None:
    plain = [entry for entry in PROFILE["syscalls"] if not entry.get("args")]
    names = [name for entry in plain for name in entry["names"]]
    with_rules = {n for e in PROFILE["syscalls"] if e.get("args") for n in e["names"]}
    assert len(names) == len(set(names))
    assert with_rules == {"clone", "socket", "socketpair"}
    assert not with_rules & set(names)
    assert PROFILE["derivedFrom"]["licence"] == "Apache-2.0"


@pytest.mark.sandbox
@pytest.mark.parametrize("name", HONEST_WORK)
async def test_honest_work_meets_no_wall(session: Session, name: str) -> None:
    result = await session.run(HONEST_WORK[name], 120)
    shown = "".join(f"{output.error_name} {output.text}" for output in result.outputs)
    assert result.status is CellStatus.OK, shown
    assert "done" in shown


def test_without_the_library_the_doctor_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seccomp.build.cache_clear()
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    with pytest.raises(SandboxUnavailable, match="apt-get install libseccomp2"):
        seccomp.build()
    [finding] = [check.look() for check in host_findings.CHECKS if check.name == "seccomp"]
    assert (finding.is_fine, finding.is_vital) == (False, True)


def test_a_machine_without_numbers_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match="no seccomp filter for sparc"):
        seccomp.build("sparc")


def test_the_kernel_takes_the_filter() -> None:
    """As bwrap loads it; a call that it refuses fails, and the rest goes on."""
    if platform.machine() not in seccomp.ARCHITECTURES:
        pytest.skip("no filter for this machine")
    code = (
        "import ctypes, os, sys\nfrom runner.sandbox.host import seccomp\n"
        "from runner.sandbox.inside import confinement as wall\n"
        "program = seccomp.build()\nwall.LIBC.prctl(38, 1, 0, 0, 0)\nwall.apply_filter(program)\n"
        "print(wall.LIBC.unshare(0x10000000), ctypes.get_errno(), os.getpid() > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.stdout == "-1 1 True\n", done.stderr
