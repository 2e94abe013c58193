"""Life and death: crashes, exits, survivors, and a kernel that spoils itself."""

from __future__ import annotations

from runner.tests.attacks.rows import ANY, ERROR, KILLED, OK, SHOW_ERROR, Attack

ATTACKS = [
    Attack("exit", "end the process", "import os; os._exit(3)", "died", (KILLED,), "died"),
    Attack(
        "polite-exit",
        "ask the kernel to end, in each of its ways",
        "import sys\nget_ipython().kernel.do_shutdown(False)\nexit()\nsys.exit(0)",
        r"",
        ANY,
        "*",
        spoils=True,
    ),
    Attack(
        "segfault",
        "crash the interpreter",
        "import ctypes; ctypes.string_at(0)",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    Attack(
        "abort",
        "abort, leaving a core dump",
        "import os; os.abort()",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    Attack(
        "kill-itself",
        "kill its own process, from within and from a child",
        "import os, signal, subprocess\nos.kill(os.getpid(), signal.SIGKILL)\n"
        "subprocess.run('kill -9 $PPID', shell=True); print('on')",
        r"kernel died|on",
        (OK, KILLED),
        "died",
    ),
    Attack(
        "stop-itself",
        "stand still and never answer",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        r"did not stop|^$",
        (KILLED, OK),  # the first process of a namespace cannot be stopped from within
        "timeout",
        1.0,
    ),
    Attack(
        "alarm",
        "let a timer end it",
        "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_DFL)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.1); time.sleep(3); print('on')",
        r"kernel died|on",
        (KILLED, OK),  # signals without a handler do not reach the first of a namespace
        "died",
    ),
    Attack(
        "replace-the-kernel",
        "put another program in the kernel's place",
        "import os; os.execv('/usr/bin/sleep', ['sleep', '100'])",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    Attack(
        "replace-the-kernel-and-listen",
        "put a program in the kernel's place that keeps its sockets and answers with nonsense",
        "import os, stat, sys\nfor fd in range(3, 256):\n"
        "    try:\n        if stat.S_ISSOCK(os.fstat(fd).st_mode): os.set_inheritable(fd, True)\n"
        "    except OSError: pass\n"
        "code = '''\nimport os, socket, time\nfor fd in range(3, 256):\n"
        "    try: s = socket.socket(fileno=os.dup(fd)); s.setblocking(False)\n"
        "    except OSError: continue\n"
        "    for n in range(99):\n        try: s.send(b'\\\\xff' * 4096)\n"
        "        except OSError: break\ntime.sleep(1000)\n'''\n"
        "os.execv(sys.executable, [sys.executable, '-I', '-c', code])",
        r"",
        (KILLED,),
        "*",
        4.0,
    ),
    Attack(
        "close-everything",
        "close every descriptor",
        "import os; os.closerange(0, 256)",
        r"",
        ANY,
        "*",
        4.0,
        spoils=True,
    ),
    Attack(
        "stop-the-loop",
        "stop the kernel's event loop",
        "import asyncio; asyncio.get_event_loop().stop()",
        r"",
        ANY,
        "*",
        4.0,
        spoils=True,
    ),
    Attack(
        "break-builtins",
        "break what its own later cells need",
        "import builtins, sys\nbuiltins.print = builtins.open = builtins.len = None\n"
        "sys.modules.clear(); sys.stdout = None",
        r"",
        ANY,
        "*",
        6.0,
        spoils=True,
    ),
    Attack(
        "survivors",
        "leave processes in sessions of their own, forked twice, deaf to every signal",
        "import os, signal, subprocess\nsubprocess.Popen(['sleep', '«marker»'],"
        " start_new_session=True)\n"
        "subprocess.run('nohup setsid sleep «marker» >/dev/null 2>&1 &', shell=True)\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        for n in range(1, 64):\n"
        "            try: signal.signal(n, signal.SIG_IGN)\n"
        "            except (OSError, ValueError): pass\n"
        "        os.execv('/usr/bin/sleep', ['sleep', '«marker»'])\n"
        "    os._exit(0)\nprint('begun')",
        r"^begun",
    ),
    Attack(
        "surviving-threads",
        "go on printing from a thread when the cell is over",
        "import threading, time\ndef talk():\n"
        "    while True: print('more'); time.sleep(0.05)\n"
        "threading.Thread(target=talk, daemon=True).start(); print('begun')",
        r"begun",
    ),
    Attack(
        "late-exit",
        "hold up its end with an exit handler",
        "import atexit, signal, time\natexit.register(time.sleep, 1000)\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); print('set')",
        r"^set",
    ),
    Attack(
        "idle-and-busy",
        "say that the kernel is idle, and go on past the deadline",
        "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "get_ipython().kernel._publish_status('idle', 'shell')\n"
        "while True: time.sleep(0.05)",
        r"was killed",
        (KILLED,),
        "timeout",
        timeout_s=2.0,
    ),
    Attack(
        "magics",
        "run shells and scripts by magic",
        "get_ipython().run_line_magic('sx', 'echo «marker» > output/x; id -u')\n"
        "get_ipython().run_cell_magic('bash', '', 'kill -9 -1; id -u')\nprint('on')",
        r"on|died|CalledProcessError",
        (OK, ERROR, KILLED),
        "died",
    ),
    Attack(
        "install-packages",
        "fetch a package, or install one from the folder",
        "import subprocess, sys, os\nr = subprocess.run([sys.executable, '-m', 'pip', 'install',"
        " '--timeout', '2', '--retries', '0', 'left-pad'], capture_output=True, text=True)\n"
        "print('refused' if r.returncode else 'SUCCEEDED')",
        r"^refused",
        timeout_s=60.0,
    ),
    Attack(
        "hooks-for-the-next",
        "leave start-up files for the next kernel",
        SHOW_ERROR + "import os, site, sys\nhome = os.path.expanduser('~')\n"
        "for p in (home + '/.ipython/profile_default/startup/a.py', home + '/.pythonrc.py',"
        " 'sitecustomize.py', 'usercustomize.py', 'numpy.py', 'zmq.py', 'ipykernel.py'):\n"
        "    try:\n        os.makedirs(os.path.dirname(p) or '.', exist_ok=True)\n"
        "        open(p, 'w').write('import os; os._exit(7)')\n    except OSError: pass\n"
        "os._exit(0)",
        r"kernel died",
        (KILLED,),
        "died",
    ),
]
