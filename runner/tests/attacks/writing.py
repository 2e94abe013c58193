"""Writing: outside the folder, inputs, the interpreter, kernel knobs, devices, quotas."""

from __future__ import annotations

from runner.tests.attacks.rows import KILLED, MIB, SHOW_ERROR, Attack

ATTACKS = [
    Attack(
        "write-inputs",
        "change, replace, move or link away the inputs",
        SHOW_ERROR + "import os\n"
        "attempt(open, 'data/a.csv', 'w'); attempt(os.remove, 'data/a.csv')\n"
        "attempt(os.rename, 'data', 'elsewhere'); attempt(os.chmod, 'data/a.csv', 0o777)\n"
        "attempt(os.link, 'data/a.csv', 'output/a.csv')\n"
        "print(open('data/a.csv').read())",
        r"^OSError 30.*\nOSError 30.*\nOSError 16.*\nOSError 30.*\n"
        r"(OSError 18|PermissionError 1).*\nx,y",
    ),
    Attack(
        "write-outside",
        "write anywhere but in its folders",
        SHOW_ERROR + "for p in ('/x', '/dev/x', '/usr/x', '/etc/x', '/opt/env/x', '/proc/sys/x'):\n"
        "    attempt(open, p, 'w')",
        r"^(?:(?:OSError 30|PermissionError 13|FileNotFoundError 2).*\n){6}$",
    ),
    Attack(
        "write-interpreter",
        "change the libraries or the interpreter that the next attempt runs on",
        SHOW_ERROR + "import os, sys, numpy\n"
        "attempt(open, numpy.__file__, 'a'); attempt(os.remove, sys.executable)\n"
        "attempt(open, '/proc/self/exe', 'r+b')\n"
        "attempt(os.mkdir, os.path.dirname(numpy.__file__) + '/planted')",
        r"^(?:(?:OSError (30|26)|PermissionError 13).*\n){4}$",
    ),
    Attack(
        "write-through-proc",
        "reach outside through another process's root and working folder",
        SHOW_ERROR + "import glob\n"
        "for p in ('/proc/1/root/x', '/proc/1/cwd/../x', '/proc/self/root/x'):\n"
        "    attempt(open, p, 'w')",
        r"^(?:(?:OSError 30|PermissionError 13|FileNotFoundError 2).*\n){3}$",
    ),
    Attack(
        "kernel-knobs",
        "turn the kernel's knobs: core dumps, module loader, emergency keys, memory killer",
        SHOW_ERROR + "for p in ('/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe',"
        " '/proc/sysrq-trigger', '/proc/sys/vm/drop_caches', '/proc/sys/kernel/hostname',"
        " '/proc/sys/net/ipv4/ip_forward'):\n"
        "    attempt(lambda: open(p, 'wb', 0).write(b'1'))",
        r"^(?:(?:OSError 30|PermissionError 13|FileNotFoundError 2).*\n){6}$",
    ),
    Attack(
        "shield-from-memory-killer",
        "make itself the last to be killed when memory runs out",
        SHOW_ERROR + "attempt(lambda: open('/proc/self/oom_score_adj', 'wb', 0).write(b'-1000'))",
        r"^(PermissionError 13|OSError 30)",
    ),
    Attack(
        "make-devices",
        "make a device that is the host's disk or memory",
        SHOW_ERROR + "import os, stat\n"
        "attempt(os.mknod, 'output/disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0))\n"
        "attempt(os.mknod, '/tmp/mem', 0o600 | stat.S_IFCHR, os.makedev(1, 1))",
        r"^(PermissionError (1|13) .*\n){2}$",
    ),
    Attack(
        "set-uid-file",
        "leave a program that runs as its owner",
        "import os, shutil, subprocess\nshutil.copy('/usr/bin/id', 'id'); os.chmod('id', 0o6755)\n"
        "print(subprocess.run(['./id', '-u'], capture_output=True, text=True).stdout)",
        r"^65534\n",
    ),
    Attack(
        "privileged-attributes",
        "give a file capabilities or trusted attributes",
        SHOW_ERROR + "import os\nopen('f', 'w').close()\n"
        "attempt(os.setxattr, 'f', 'trusted.x', b'1')\n"
        "attempt(os.setxattr, 'f', 'security.capability', b'\\1\\0\\0\\2' + bytes(16))",
        r"^((PermissionError 1|OSError 95|OSError 22) .*\n){2}$",
    ),
    Attack(
        "change-owner",
        "give a file to somebody else",
        SHOW_ERROR + "import os\nopen('f', 'w').close()\nattempt(os.chown, 'f', 0, 0)\n"
        "attempt(os.chown, 'f', 1000, 1000)",
        r"^((PermissionError 1|OSError 22) .*\n){2}$",
    ),
    Attack(
        "fill-disk",
        "write more bytes than the folder may hold",
        SHOW_ERROR + "import os\n"
        "def fill():\n    for n in range(100): open(f'output/{n}', 'wb').write(bytes(4 << 20))\n"
        "attempt(fill)\nimport shutil; print(shutil.disk_usage('.').total)\n"
        "for n in range(100):\n    if os.path.exists(f'output/{n}'): os.remove(f'output/{n}')",
        rf"OSError 28.*\n{24 * MIB}\n",
    ),
    Attack(
        "fill-inodes",
        "make more files than the folder may hold",
        SHOW_ERROR + "import os, shutil\nos.mkdir('many')\n"
        "def fill():\n    for n in range(5000): open(f'many/{n}', 'w').close()\n"
        "attempt(fill); print(len(os.listdir('many')) <= 300); shutil.rmtree('many')",
        r"OSError 28.*\nTrue",
    ),
    Attack(
        "large-file",
        "make one file larger than a file may be",
        SHOW_ERROR + "f = open('/tmp/big', 'wb')\nattempt(f.truncate, 20 << 20)",
        r"OSError 27",
    ),
    Attack(
        "spoil-the-next-kernel",
        "fill /tmp and /dev/shm, close the folder, and die, so that no kernel can start again",
        "import os\nfor d in ('/tmp', '/dev/shm'):\n"
        "    try:\n        for n in range(999): open(f'{d}/{n}', 'wb').write(bytes(8 << 20))\n"
        "    except OSError: pass\n"
        "os.chmod('/work', 0); os._exit(0)",
        r"kernel died",
        (KILLED,),
        "died",
    ),
]
