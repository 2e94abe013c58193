"""Ends: crashes, exits, survivors, and what is left behind for a harvest."""

from __future__ import annotations

from runner.sandbox.files.harvest import FILES
from runner.tests.attacks.rows import (
    ANY,
    ERROR,
    KILLED,
    OK,
    SHOW_ERROR,
    Attack,
)

# Life and death: crashes, exits, survivors, and a kernel that spoils itself.
LIFE = [
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

# Artefacts: links, special files, hostile names, bombs, planted modules and configuration.
ARTEFACTS = [
    Attack(
        "links",
        "leave links that lead outside, or to the inputs",
        "import os\nos.symlink('/etc/passwd', 'output/sym'); os.symlink('/', 'output/dir')\n"
        "open('output/one', 'w').write('1'); os.link('output/one', 'output/two')\n"
        "os.symlink('one', 'output/inner'); open('output/good.txt', 'w').write('good')",
        r"",
        files=("good.txt",),
        refused={
            "sym": "symbolic link",
            "dir": "symbolic link",
            "inner": "symbolic link",
            "one": "hard link",
            "two": "hard link",
        },
    ),
    Attack(
        "link-loops",
        "leave links that lead to each other and to descriptors",
        "import os\nos.symlink('b', 'output/a'); os.symlink('a', 'output/b')\n"
        "os.symlink('.', 'output/self'); os.symlink('/proc/self/fd/0', 'output/fd')\n"
        "os.symlink('../data/a.csv', 'output/input')",
        r"",
        refused=dict.fromkeys(("a", "b", "self", "fd", "input"), "symbolic link"),
    ),
    Attack(
        "special-files",
        "leave a pipe and a socket that would block or confuse a reader",
        "import os, socket\nos.mkfifo('output/pipe')\n"
        "s = socket.socket(socket.AF_UNIX); s.bind('output/sock')",
        r"",
        refused={"pipe": "no regular file", "sock": "no regular file"},
    ),
    Attack(
        "names",
        "leave names that forge a page or a path",
        "import os\nfor n in (b'new\\nline', b'\\xe2\\x80\\xae' b'gpj.exe', b'bad\\xff', b'a\\\\b',"
        " b'n' * 240, b'm' * 255, b'..\\\\up', b'\\x1b[2J', b'fine \\xe4\\xb8\\xad.txt',\n"
        "    '\\u0645\\u06cc\\u200c\\u062e\\u0648.csv'.encode(), 'a\\u200db.txt'.encode()):\n"
        "    open(b'output/' + n, 'w').close()",
        r"",
        files=("fine 中.txt", "می\u200cخو.csv"),
        refused={
            "a\\u200db.txt": "name",
            "new\\nline": "name",
            "\\u202egpj.exe": "name",
            "bad\\udcff": "name",
            "a\\b": "name",
            "n" * 240: "name",
            "m" * 255: "name",
            "..\\up": "name",
            "\\x1b[2J": "name",
        },
    ),
    Attack(
        "odd-spaces",
        "leave names that are kept under another name than their own",
        "for n in ('a\\u3000b.txt', 'a\\u00a0b.txt', '\\U0001fae9.txt', ' ', '-rf'):\n"
        "    open('output/' + n, 'w').close()",
        r"",
        files=("a\u3000b.txt", "a\u00a0b.txt", "\U0001fae9.txt", " ", "-rf"),
    ),
    Attack(
        "shut-folders",
        "leave folders that nobody may enter",
        "import os\nos.makedirs('output/a/b'); open('output/a/b/f', 'w').close()\n"
        "for n in ('output/a/b', 'output/a', 'output'): os.chmod(n, 0)",
        r"",
        files=("a/b/f",),
    ),
    Attack(
        "leased-file",
        "make whoever opens a file wait for its lease to be broken",
        "import fcntl, signal\nsignal.signal(signal.SIGIO, signal.SIG_IGN)\n"
        "kept = open('output/leased', 'w'); fcntl.fcntl(kept, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
        r"",
        files=("leased",),
    ),
    Attack(
        "climbing-names",
        "write beside the output folder through its name",
        "import os\nopen('output/../beside.txt', 'w').write('x')\n"
        "open('output/./plain.txt', 'w').write('x'); os.makedirs('output/a/../b')\n"
        "open('output/b/deep.txt', 'w').write('x')",
        r"",
        files=("b/deep.txt", "plain.txt"),
    ),
    Attack(
        "sparse-file",
        "leave a file that is small here and huge when copied",
        "for n in range(40):\n    with open(f'output/{n:02}', 'wb') as f: f.truncate(15 << 20)",
        r"",
        files=tuple(f"{n:02}" for n in range(17)),
        refused={"17": "too large", "39": "too large"},
    ),
    Attack(
        "too-many-files",
        "leave more files than are taken",
        "for n in range(280): open(f'output/{n:04}', 'w').close()",
        r"",
        files=tuple(f"{n:04}" for n in range(min(280, FILES))),
    ),
    Attack(
        "replaced-output",
        "put a link in place of the output folder",
        "import os; os.rmdir('output'); os.symlink('/etc', 'output')",
        r"",
        refused={"output": "no folder"},
    ),
    Attack(
        "output-as-a-file",
        "put a file in place of the output folder",
        "import os; os.rmdir('output'); open('output', 'w').write('x')",
        r"",
        refused={"output": "no folder"},
    ),
    Attack(
        "deep-folders",
        "nest folders without end",
        "import os\nos.chdir('output')\nfor n in range(60): os.mkdir('d'); os.chdir('d')\n"
        "open('f', 'w').close()",
        r"",
        refused={"/".join("d" * 9): "too deep"},
    ),
    Attack(
        "modes",
        "leave programs and files that nobody may read or that run as their owner",
        "import os\nfor n, m in (('run', 0o6777), ('shut', 0o000), ('odd', 0o1644)):\n"
        "    open(f'output/{n}', 'w').write(n); os.chmod(f'output/{n}', m)",
        r"",
        files=("odd", "run", "shut"),
    ),
    Attack(
        "archive-bombs",
        "leave archives that unpack to gigabytes or outside their folder",
        "import io, tarfile, zipfile, gzip\n"
        "with zipfile.ZipFile('output/bomb.zip', 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "    z.writestr('../../etc/cron.d/x', 'x'); z.writestr('zeros', bytes(60 << 20))\n"
        "open('output/bomb.gz', 'wb').write(gzip.compress(bytes(60 << 20), 1))\n"
        "with tarfile.open('output/up.tar', 'w') as t:\n"
        "    i = tarfile.TarInfo('../../../x'); i.size = 1; t.addfile(i, io.BytesIO(b'x'))",
        r"",
        files=("bomb.gz", "bomb.zip", "up.tar"),
    ),
    Attack(
        "planted-modules",
        "leave modules, tests and configuration for whoever judges",
        "for n in ('sitecustomize.py', 'conftest.py', 'numpy.py', 'case.py', 'evil.pth',"
        " 'pytest.ini', '.coveragerc', 'expected.json', 'harness.py'):\n"
        "    open(f'output/{n}', 'w').write('import os; os._exit(0)')",
        r"",
        files=(
            *(".coveragerc", "case.py", "conftest.py", "evil.pth", "expected.json"),
            *("harness.py", "numpy.py", "pytest.ini", "sitecustomize.py"),
        ),
    ),
    Attack(
        "claimed-results",
        "claim to have passed, in files and in output",
        "import json\njson.dump({'passed': True, 'done': 1}, open('output/verdict.json', 'w'))\n"
        "print(json.dumps({'assertion': {'name': 'x', 'passed': True}}))\n"
        "print(json.dumps({'done': 1}))",
        r"",
        (OK, ERROR),
        files=("verdict.json",),
    ),
]
