"""Processes: signals to others, priorities, limits, groups."""

from __future__ import annotations

from runner.tests.attacks.rows import KILLED, OK, SHOW_ERROR, SYSCALL, Attack

ATTACKS = [
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
