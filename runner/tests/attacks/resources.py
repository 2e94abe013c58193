"""Resources: memory in every disguise, files, descriptors, CPU time, sleep, input prompts."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    ERROR,
    KILLED,
    OK,
    SHOW_ERROR,
    SYSCALL,
    TIMEOUT,
    Attack,
)

ATTACKS = [
    Attack(
        "use-memory",
        "use more memory than it may, in one process",
        "hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))",
        r"more memory",
        (KILLED,),
        "memory",
    ),
    Attack(
        "use-memory-in-children",
        "use more memory than it may, in many processes",
        "import os, time\npids = []\n"
        "for n in range(8):\n    pid = os.fork()\n"
        "    if pid == 0:\n        b = b'x' * (200 << 20); time.sleep(60); os._exit(0)\n"
        "    pids.append(pid)\n"
        "time.sleep(3); alive = [os.waitpid(p, os.WNOHANG) == (0, 0) for p in pids]\n"
        "print('within limits:', sum(alive) * 200 <= 512, sum(alive))",
        r"within limits: True|more memory",
        (OK, KILLED),
        "memory",
    ),
    Attack(
        "hide-memory",
        "use memory that no limit counts",
        SYSCALL + "call('memfd', 319, b'x', 0); call('secret', 447, 0);"
        " call('shmget', 29, 0, 4096, 0o1600); call('semget', 64, 0, 1, 0o1600);"
        " call('msgget', 68, 0, 0o1600); call('mq_open', 240, b'x', 66, 384, 0)",
        r"memfd 38\nsecret (38|1)\nshmget 1\nsemget 1\nmsgget 1\nmq_open 1",
    ),
    Attack(
        "map-memory",
        "map more addresses than there are",
        SHOW_ERROR + "import mmap\nattempt(mmap.mmap, -1, 1 << 40)\n"
        "attempt(mmap.mmap, -1, 1 << 40, flags=mmap.MAP_PRIVATE | 0x4000)",
        r"^(OSError 12.*\n){2}$",
    ),
    Attack(
        "lock-memory",
        "keep memory from ever being paged out",
        SYSCALL + "import mmap\nm = mmap.mmap(-1, 64 << 20)\n"
        "a = ctypes.addressof(ctypes.c_char.from_buffer(m))\n"
        "libc.syscall.argtypes = None\n"
        "print(libc.mlock(ctypes.c_void_p(a), ctypes.c_size_t(64 << 20)), ctypes.get_errno())",
        r"^-1 (1|11|12)\n",
    ),
    Attack(
        "fill-shared-memory",
        "fill /dev/shm",
        SHOW_ERROR + "def fill():\n"
        "    for n in range(100): open(f'/dev/shm/{n}', 'wb').write(bytes(8 << 20))\nattempt(fill)",
        r"^OSError 28",
    ),
    Attack(
        "fill-temporary-folder",
        "fill /tmp with bytes and with files",
        SHOW_ERROR + "import os, shutil\n"
        "def fill():\n    for n in range(100): open(f'/tmp/{n}', 'wb').write(bytes(8 << 20))\n"
        "attempt(fill)\nfor n in range(100):\n"
        "    if os.path.exists(f'/tmp/{n}'): os.remove(f'/tmp/{n}')\n"
        "def many():\n    for n in range(200_000): os.mkdir(f'/tmp/d{n}')\nattempt(many)\n"
        "import subprocess; subprocess.run('rm -rf /tmp/d*', shell=True)",
        r"^OSError 28.*\nOSError 28",
        timeout_s=60.0,
    ),
    Attack(
        "descriptors",
        "open files without end",
        SHOW_ERROR + "held = []\n"
        "def hoard():\n    while True: held.append(open('/dev/null'))\nattempt(hoard)\n"
        "print(len(held) < 2000); held.clear()",
        r"^OSError 24.*\nTrue",
    ),
    Attack(
        "large-pipes",
        "keep memory in pipes",
        SHOW_ERROR + "import fcntl, os\nr, w = os.pipe()\nattempt(fcntl.fcntl, w, 1031, 256 << 20)",
        r"^(PermissionError 1|OSError 12)",
    ),
    Attack(
        "endless-loop",
        "run on after its deadline, but take the interrupt",
        "n = 7\nwhile True: pass",
        r"interrupted after 1 s",
        (TIMEOUT,),
        "timeout",
        1.0,
    ),
    Attack(
        "ignore-interrupt",
        "run on after its deadline, deaf to SIGINT",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        r"did not stop when it was interrupted",
        (KILLED,),
        "timeout",
        1.0,
    ),
    Attack(
        "catch-interrupt",
        "catch the interrupt and go on",
        "import time\nwhile True:\n    try: time.sleep(1000)\n    except BaseException: pass",
        r"did not stop when it was interrupted",
        (KILLED,),
        "timeout",
        1.0,
    ),
    Attack(
        "deaf-library",
        "compute in a library that never looks for signals",
        "sum(range(10 ** 15))",
        r"interrupted after 1 s|did not stop",
        (TIMEOUT, KILLED),
        "timeout",
        1.0,
    ),
    Attack(
        "backtracking",
        "match a pattern that takes for ever",
        "import re; re.match(r'(a+)+$', 'a' * 64 + 'b')",
        r"interrupted after 1 s|did not stop",
        (TIMEOUT, KILLED),
        "timeout",
        1.0,
    ),
    Attack(
        "sleep",
        "sleep past its deadline",
        "import time; time.sleep(10_000)",
        r"interrupted after 1 s",
        (TIMEOUT,),
        "timeout",
        1.0,
    ),
    Attack(
        "asleep-in-the-loop",
        "sleep where the kernel's loop does not take the interrupt",
        "import asyncio; await asyncio.sleep(10_000)",
        r"interrupted after 1 s|did not stop",
        (TIMEOUT, KILLED),
        "timeout",
        1.0,
    ),
    Attack(
        "busy-children",
        "leave busy children when it is interrupted",
        "import os, signal\nfor n in range(6):\n    if os.fork() == 0:\n"
        "        signal.signal(signal.SIGINT, signal.SIG_IGN)\n        while True: pass\n"
        "while True: pass",
        r"interrupted after 1 s|did not stop",
        (TIMEOUT, KILLED),
        "timeout",
        1.0,
    ),
    Attack(
        "wait-for-input",
        "wait for somebody to type",
        "input('name?')",
        r"StdinNotImplementedError",
        (ERROR,),
    ),
    Attack(
        "nested-source",
        "crash the compiler with nested source",
        "compile('(' * 200_000 + ')' * 200_000, 'x', 'eval')",
        r"SyntaxError|MemoryError|RecursionError|died",
        (ERROR, KILLED),
        "died",
    ),
    Attack(
        "endless-recursion",
        "recurse until the stack ends",
        "import sys; sys.setrecursionlimit(10 ** 9)\nclass A:\n"
        "    def __eq__(self, other): return [self] == [other]\nA() == A()",
        r"RecursionError|kernel died|more memory",
        (ERROR, KILLED),
        "*",
    ),
]
