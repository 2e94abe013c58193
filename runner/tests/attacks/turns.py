"""Turns against what comes after a cell: the harvest, the next cell, the end, shared counts."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    ANY,
    KILLED,
    OK,
    RAW_MESSAGE,
    SHOW_ERROR,
    SYSCALL,
    Attack,
)

# In a process that outlives the cell: what is read afterwards is never the same twice.
FLIP = """
import os, time
if os.fork() == 0:
    os.setsid(); end = time.time() + 60
    while time.time() < end:
        for step in steps:
            try: step()
            except OSError: pass
    os._exit(0)
time.sleep(0.2); print('begun')
"""

TURNS = [
    Attack(
        "flickering-kinds",
        "exchange files for pipes, links and folders while they are read",
        "import os\nsteps = [lambda: open('output/x', 'w').write('own'),"
        " lambda: os.unlink('output/x'), lambda: os.mkfifo('output/x'),"
        " lambda: os.unlink('output/x'), lambda: os.symlink('/etc/passwd', 'output/x'),"
        " lambda: os.unlink('output/x'), lambda: os.mkdir('output/x'),"
        " lambda: os.rmdir('output/x'), lambda: os.link('data/a.csv', 'output/x')]\n" + FLIP,
        r"^begun",
    ),
    Attack(
        "flickering-folders",
        "exchange folders for links to the system's while they are entered",
        "import os\nos.makedirs('output/d/etc'); open('output/d/etc/passwd', 'w').write('own')\n"
        "os.symlink('/', 'link')\n"
        "steps = [lambda: os.rename('output/d', 'kept'), lambda: os.rename('link', 'output/d'),"
        " lambda: os.rename('output/d', 'link'), lambda: os.rename('kept', 'output/d'),"
        " lambda: os.rename('output', 'gone'), lambda: os.symlink('/etc', 'output'),"
        " lambda: os.unlink('output'), lambda: os.rename('gone', 'output')]\n" + FLIP,
        r"^begun",
    ),
    Attack(
        "breathing-file",
        "change a file's length while it is copied",
        "import os\nfd = os.open('output/x', os.O_RDWR | os.O_CREAT)\n"
        "steps = [lambda: os.ftruncate(fd, 15 << 20), lambda: os.ftruncate(fd, 0)]\n" + FLIP,
        r"^begun",
    ),
    Attack(
        "holes-of-terabytes",
        "leave files of terabytes without a byte in them",
        SHOW_ERROR + "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "f = open('output/hole', 'wb')\nfor n in (1 << 42, (1 << 63) - 1): attempt(f.truncate, n)",
        r"^(OSError 27.*\n){2}$",
        files=("hole",),
    ),
    Attack(
        "attributes",
        "hide megabytes in the attributes of files",
        "import os\nn = 0\ntry:\n    for f in range(200):\n"
        "        open(f'output/{f:03}', 'w').close()\n"
        "        for a in range(100): os.setxattr(f'output/{f:03}', f'user.{a}', b'x' * 60000);"
        " n += 1\n"
        "except OSError as e: print(e.errno in (1, 12, 28, 34, 95))\nprint(n * 60000 < 64 << 20)",
        r"^True\nTrue",
    ),
    Attack(
        "questions-without-end",
        "ask for input ten thousand times without waiting for an answer",
        RAW_MESSAGE + "for n in range(10000):\n    try: k.session.send(k.stdin_socket,"
        " 'input_request', {'prompt': 'x' * 1000, 'password': True}, k.get_parent())\n"
        "    except Exception as e: print(type(e).__name__); break\nprint('asked')",
        r"asked|too much|stopped|protocol|output",
        ANY,
        "*",
        spoils=True,
    ),
    Attack(
        "pretended-restarts",
        "say that the kernel starts anew and what it is, without end",
        RAW_MESSAGE + "for n in range(3000):\n"
        "    send_raw('status', b'{\"execution_state\": \"restarting\"}')\n"
        '    send_raw(\'kernel_info_reply\', b\'{"status": "ok", "protocol_version": "99"}\')\n'
        "print('on')",
        r"on|stopped|more than",
        ANY,
        "*",
        spoils=True,
    ),
    Attack(
        "clear-and-show",
        "clear and show again, thousands of times, by turns of now and later",
        "from IPython.display import clear_output, display, update_display\n"
        "display('first', display_id='d')\n"
        "for n in range(3000):\n    clear_output(wait=n % 2 == 0); display(n)\n"
        "    update_display('x' * 100, display_id='d')\nprint('end')",
        r"end|more",
        ANY,
        "*",
    ),
    Attack(
        "tasks-afterwards",
        "keep the kernel's loop busy with tasks when the cell is over",
        "import asyncio, time\nasync def spin():\n    while True:\n"
        "        time.sleep(0.001); await asyncio.sleep(0)\n"
        "kept = [asyncio.get_event_loop().create_task(spin()) for n in range(20)]\nprint('set')",
        r"set|RuntimeError",
        ANY,
        "*",
        spoils=True,
    ),
    Attack(
        "sleep-afterwards",
        "hold the kernel's loop up when the cell is over",
        "import threading, time, os, signal\n"
        "def stop(*_):\n    while True: time.sleep(1000)\n"
        "signal.signal(signal.SIGALRM, stop); signal.setitimer(signal.ITIMER_REAL, 0.5)\n"
        "print('set')",
        r"^set",
        spoils=True,
    ),
    Attack(
        "interrupts-by-timer",
        "raise errors inside the kernel's own code, a thousand a second",
        "import signal\ndef boom(*_): raise ZeroDivisionError\n"
        "signal.signal(signal.SIGALRM, boom); signal.setitimer(signal.ITIMER_REAL, 0.05, 0.001)\n"
        "import time; time.sleep(5)",
        r"",
        ANY,
        "*",
        timeout_s=6.0,
        spoils=True,
    ),
    Attack(
        "audit-hook",
        "refuse everything that Python asks its auditors",
        "import sys\nprint('set', flush=True)\n"
        "def hook(event, args):\n    if armed: raise SystemExit(event)\n"
        "armed = []; sys.addaudithook(hook); armed.append(1)",
        r"set",
        ANY,
        "*",
        timeout_s=6.0,
        spoils=True,
    ),
    Attack(
        "strangled-limits",
        "take all limits down to nothing and go on",
        "import resource as r\nprint('set', flush=True)\n"
        "for n in (r.RLIMIT_FSIZE, r.RLIMIT_NOFILE, r.RLIMIT_NPROC, r.RLIMIT_STACK):\n"
        "    r.setrlimit(n, (0, 0))\nr.setrlimit(r.RLIMIT_AS, (1 << 20, 1 << 20))",
        r"set",
        ANY,
        "*",
        timeout_s=6.0,
        spoils=True,
    ),
    Attack(
        "strangled-neighbours",
        "take away the limits of the processes above it",
        SHOW_ERROR + "import os, resource as r\n"
        "for p in {1, os.getppid()} - {os.getpid(), 0}:\n"
        "    for n in (r.RLIMIT_NOFILE, r.RLIMIT_CPU, r.RLIMIT_AS):\n"
        "        try: r.prlimit(p, n, (1, 1)); print('took')\n"
        "        except OSError as e: print('refused')\nprint('on')",
        r"on",
        ANY,
        "*",
        spoils=True,
    ),
    Attack(
        "cpu-limit",
        "let its own limit of CPU time end it",
        "import resource as r, signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "r.setrlimit(r.RLIMIT_CPU, (1, 2))\nwhile True: pass",
        r"died",
        (KILLED,),
        "died",
    ),
    Attack(
        "pending-signals",
        "use up the signals that the host lets one user have waiting",
        SYSCALL + "import os, signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64))\n"
        "libc.pthread_self.restype = ctypes.c_ulong\n"
        "me, n, error = ctypes.c_ulong(libc.pthread_self()), 0, 0\n"
        "while n < 200000 and not error: error = libc.pthread_sigqueue(me, 40, None); n += 1\n"
        "print(n < 200000, error)\n"
        "while signal.sigtimedwait([40], 0): pass",
        r"^True 11",
    ),
    Attack(
        "descriptors-in-flight",
        "keep more descriptors in sockets than it may have open",
        "import array, os, socket\nn, kept = 0, []\nfd = array.array('i', [0] * 200)\n"
        "try:\n    while n < 100000:\n        a, b = socket.socketpair(); kept += [a, b]\n"
        "        for _ in range(50):\n            a.sendmsg([b'x'], [(1, 1, fd)],"
        " socket.MSG_DONTWAIT); n += 200\n"
        "except OSError as e: print(e.errno in (11, 24, 109))\nprint(n < 100000)",
        r"^True\nTrue",
    ),
    Attack(
        "crossed-descriptors",
        "lay its sockets to us over each other and over its standard streams",
        "import os, stat\nfds = []\nfor fd in range(3, 200):\n"
        "    try:\n        if stat.S_ISSOCK(os.fstat(fd).st_mode): fds.append(fd)\n"
        "    except OSError: pass\nprint(len(fds), flush=True)\n"
        "for a, b in zip(fds, fds[1:] + [1]): os.dup2(a, b)\nos.dup2(fds[0], 1) if fds else None\n"
        "os.write(1, b'x' * 100000)",
        r"",
        ANY,
        "*",
        timeout_s=6.0,
        spoils=True,
    ),
    Attack(
        "exit-in-exit-handler",
        "end the process in a handler of its end, leaving a child that starts others",
        "import atexit, os, subprocess\natexit.register(os._exit, 77)\n"
        "atexit.register(subprocess.Popen, ['sleep', '«marker»'], start_new_session=True)\n"
        "print('set')",
        r"^set",
    ),
    Attack(
        "stutter",
        "stop the kernel and let it go on, again and again, from a child",
        "import os, signal, time\nif os.fork() == 0:\n    os.setsid(); end = time.time() + 60\n"
        "    while time.time() < end:\n        try: os.kill(os.getppid(), signal.SIGSTOP)\n"
        "        except OSError: os._exit(0)\n        time.sleep(0.05)\n"
        "        try: os.kill(os.getppid(), signal.SIGCONT)\n"
        "        except OSError: os._exit(0)\n        time.sleep(0.01)\n    os._exit(0)\n"
        "print('begun')",
        r"^begun",
        ANY,
        "*",
        timeout_s=20,
        spoils=True,
    ),
    Attack(
        "shut-own-folder",
        "shut the folder that it works in, and the ones beside it",
        "import os, tempfile\nopen('output/kept.txt', 'w').write('kept')\n"
        "for n in (tempfile.gettempdir(), os.path.expanduser('~'), '.'):\n"
        "    try: os.chmod(n, 0)\n    except OSError: pass\nprint('shut')",
        r"^shut",
        files=("kept.txt",),
        spoils=True,
    ),
    Attack(
        "endings-of-lines",
        "overwrite what it printed, a million times",
        "import sys\nfor n in range(200): sys.stdout.write('a\\r' * 2500 + '\\x08' * 2500)\n"
        "sys.stdout.write('\\x1b[1A\\x1b[2K' * 2000); print('end')",
        r"",
        (OK, KILLED),
        "*",
    ),
]
