"""Use: processes, memory in every disguise, files, descriptors, CPU time and sleep."""

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

# Processes: signals to others, priorities, limits, groups.
PROCESSES = [
    Attack(
        "signal-the-worker",
        "signal the worker by its number on the host",
        SHOW_ERROR + "import os; attempt(os.kill, «pid», 0); attempt(os.kill, «pid», 9)",
        r"^(ProcessLookupError 3.*\n){2}$",
    ),
    Attack(
        "kill-everything",
        "kill every process it can",
        SHOW_ERROR + "import os\nattempt(os.kill, -1, 9)\nos.kill(1, 9); print('on')",
        r"ProcessLookupError 3.*\non",
    ),
    Attack(
        "kill-groups",
        "kill the process groups and sessions around it",
        "import os\nfor n in (1, 2, 3, os.getppid()):\n"
        "    try: os.killpg(n, 0); print('group', n != os.getpgid(0) and n > 3)\n"
        "    except OSError as e: print('none')\nprint('on')",
        r"^((none|group False)\n){4}on",
    ),
    Attack(
        "raise-priority",
        "run before everybody else",
        SHOW_ERROR + SYSCALL + "import os\nattempt(os.setpriority, os.PRIO_PROCESS, 0, -10)\n"
        "attempt(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(50))\n"
        "call('ioprio', 251, 1, 0, (1 << 13))",
        r"^PermissionError 13.*\nPermissionError 1.*\nioprio 1",
    ),
    Attack(
        "raise-limits",
        "take back its limits",
        SHOW_ERROR + "import resource as r\n"
        "for n in (r.RLIMIT_NPROC, r.RLIMIT_NOFILE, r.RLIMIT_AS, r.RLIMIT_FSIZE, r.RLIMIT_CORE):\n"
        "    attempt(r.setrlimit, n, (r.RLIM_INFINITY, r.RLIM_INFINITY))",
        r"^(ValueError .*\n){5}$",
    ),
    Attack(
        "leave-the-group",
        "leave the control group that counts its memory",
        SHOW_ERROR + "import os\nfor p in ('/sys/fs/cgroup/cgroup.procs', '/cgroup/tasks'):\n"
        "    attempt(lambda: open(p, 'wb', 0).write(b'0'))\n"
        "print(any('pybench' in l for l in open('/proc/self/cgroup')))",
        r"^(FileNotFoundError 2.*\n){2}(True|False)",
    ),
    Attack(
        "fork-bomb",
        "start processes without end",
        "import os, time\nn = 0\ntry:\n    while True:\n"
        "        if os.fork() == 0: time.sleep(60); os._exit(0)\n        n += 1\n"
        "except OSError as e: print(e.errno, n <= 40)",
        r"^11 True",
    ),
    Attack(
        "zombies",
        "fill the table of processes with ones that nobody waits for",
        "import os\nn = 0\ntry:\n    while n < 5000:\n"
        "        if os.fork() == 0: os._exit(0)\n        n += 1\n"
        "except OSError as e: print(e.errno)\nprint(n <= 40)",
        r"^11\nTrue",
    ),
    Attack(
        "threads",
        "start threads without end",
        "import threading, time\nn = 0\ntry:\n    while n < 5000:\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); n += 1\n"
        "except RuntimeError as e: print(type(e).__name__)\nprint(n <= 40)",
        r"^RuntimeError\nTrue",
        spoils=True,
    ),
    Attack(
        "reparented-fork-loop",
        "stay ahead of whoever kills it by forking and leaving",
        "import os, time\nif os.fork() == 0:\n    os.setsid(); end = time.time() + 600\n"
        "    while time.time() < end:\n        try:\n            if os.fork(): os._exit(0)\n"
        "        except OSError: time.sleep(0.01)\n        time.sleep(0.002)\n    os._exit(0)\n"
        "print('begun')",
        r"^begun",
        (OK, KILLED),
    ),
]

# Resources: memory in every disguise, files, descriptors, CPU time, sleep, input prompts.
RESOURCES = [
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
        "import os, time\npids, ends = [], []\n"
        "for n in range(8):\n    r, w = os.pipe(); pid = os.fork()\n"
        "    if pid == 0:\n        b = b'x' * (200 << 20); os.write(w, b'1')\n"
        "        time.sleep(600); os._exit(0)\n"
        "    os.close(w); ends.append(r); pids.append(pid)\n"
        "for r in ends: os.read(r, 1)  # each has it all by then, or is dead\n"
        "time.sleep(3); alive = [os.waitpid(p, os.WNOHANG) == (0, 0) for p in pids]\n"
        "print('within limits:', sum(alive) * 200 <= 512, sum(alive))",
        r"within limits: True|more memory",
        (OK, KILLED),
        "memory",
        120.0,
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
