"""Reach: files, other processes, secrets and the network, to read from and to write to."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    KILLED,
    MIB,
    SHOW_ERROR,
    Attack,
    refuses,
)

# Reading: host files, environment, other processes' memory and descriptors, siblings, secrets.
READING = [
    Attack(
        "read-host-files",
        "read the host's files",
        SHOW_ERROR + "import os\n"
        "for p in ('«canary»', '/etc/shadow', '/root', '/home', '/var/log', '/sys', '/boot'):\n"
        "    attempt(lambda: open(p).read() if '.' in p else os.listdir(p))",
        r"^(FileNotFoundError 2.*\n){7}$",
    ),
    Attack(
        "read-environment",
        "find our environment in its own or in another process's",
        "import os, glob\nfound = [os.environ.items()]\n"
        "for p in glob.glob('/proc/[0-9]*/environ'):\n"
        "    try: found.append(open(p, 'rb').read())\n"
        "    except OSError: pass\n"
        "print('CANARY' in str(found), 'DJANGO' in str(found), len(found) > 1)",
        r"^False False True",
    ),
    Attack(
        "see-processes",
        "see processes outside",
        "import os, glob\n"
        "lines = [open(p).read() for p in glob.glob('/proc/[0-9]*/cmdline')]\n"
        "print(len(lines), any('pytest' in line for line in lines), os.getppid())",
        r"^([23] False 1|1 False 0)\n",
    ),
    Attack(
        "no-project-code",
        "find project code or checks",
        "import subprocess\n"
        "print(subprocess.run(['find', '/', '-xdev', '-name', 'contract.py', '-path', '*runner*'],"
        " capture_output=True, text=True).stdout.count('contract'))",
        r"^0$",
    ),
    Attack(
        "search-own-memory",
        "find our secrets in its own memory, left over from the process that made it",
        "import re\nwanted = re.compile(rb'canary-4d1[f]|DJANGO_SECRET_KE[Y]=')\nfound = seen = 0\n"
        "with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:\n"
        "    for line in maps:\n        span, rights, *_ = line.split()\n"
        "        low, high = (int(x, 16) for x in span.split('-'))\n"
        "        if rights[0] != 'r' or 'v' in line.split()[-1][:2] or high - low > 64 << 20:"
        " continue\n"
        "        try:\n            memory.seek(low); found += len(wanted.findall("
        "memory.read(high - low))); seen += 1\n"
        "        except (OSError, ValueError, OverflowError): pass\nprint(found, seen > 20)",
        r"^0 True",
    ),
    Attack(
        "read-mount-table",
        "learn host paths from the mount table",
        "import re\ntext = open('/proc/self/mountinfo').read()\n"
        "hints = ('pytest-of', 'overlay2', '/home/', '/srv/', 'manage.py')\n"
        "layers = [part for found in re.findall(r'(?:lower|upper|work)dir=([^, \\n]*)', text)"
        " for part in found.split(':')]\n"
        "print([w for w in hints if w in text]"
        " + [part for part in layers if not re.fullmatch('/proc/self/fd/[0-9]+', part)])",
        r"^\[\]\n$",
    ),
    Attack(
        "read-others-memory",
        "read the memory and the descriptors of the processes around it",
        SHOW_ERROR + "import os, glob\n"
        "for p in sorted(glob.glob('/proc/[0-9]*')):\n"
        "    if int(p[6:]) in (os.getpid(),): continue\n"
        "    try:\n        names = [os.readlink(f'{p}/fd/{n}') for n in os.listdir(p + '/fd')]\n"
        "        kinds = ('/dev/null', 'pipe:', 'socket:', '/memfd', 'anon_inode', '/proc', '/')\n"
        "        print(p, [n for n in names if not n.startswith(kinds)])\n"
        "    except OSError as e: print(p, [])\nprint('looked')",
        r"^(/proc/\d+ \[\]\n)*looked",
    ),
    refuses(
        "reach-into-processes",
        "read another process's memory or take its descriptors by system call",
        1,
        process_vm_readv=(310, 1, 0, 0, 0, 0, 0),
        process_vm_writev=(311, 1, 0, 0, 0, 0, 0),
        pidfd_getfd=(438, 0, 0, 0),
        kcmp=(312, 1, 1, 0, 0, 0),
        process_madvise=(440, 0, 0, 0, 0, 0),
    ),
    Attack(
        "read-siblings",
        "find the files of another attempt that runs on the same worker",
        "import subprocess\nword = 'sibling-' + '7c2e'\n"
        "print(subprocess.run(['grep', '-rlsI', '--exclude-dir=proc', '--exclude-dir=usr',"
        " '--exclude-dir=env', word, '/'], capture_output=True, text=True).stdout.split())\n"
        "import glob\n"
        "print([p for p in glob.glob('/proc/[0-9]*/root/work/*/*') if 'sibling' in p])",
        r"^\[\]\n\[\]",
    ),
    Attack(
        "read-kernel-secrets",
        "read the kernel's log, memory and symbols",
        SHOW_ERROR + "for p in ('/dev/kmsg', '/proc/kcore', '/dev/mem', '/proc/kmsg',"
        " '/proc/keys'):\n"
        "    attempt(lambda: open(p, 'rb').read(16)[:0] or 'read') if p != '/proc/keys' else 0\n"
        "try: print({line.split()[0] for line in open('/proc/kallsyms')} <= {'0' * 16})\n"
        "except OSError: print(True)",
        r"^((PermissionError|FileNotFoundError|OSError) .*\n){4}True",
    ),
    Attack(
        "inherited-descriptors",
        "find a descriptor that its launcher left open",
        "import os\nfor n in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
        "    try: print(os.readlink(f'/proc/self/fd/{n}').split(':')[0])\n"
        "    except OSError: pass\n"
        "import subprocess; print('child', subprocess.run(['ls', '/proc/self/fd'],"
        " capture_output=True, text=True).stdout.split())",
        r"^((/dev/null|/memfd|socket|pipe|anon_inode|/proc/.*)\b.*\n)+"
        r"child \['0', '1', '2', '3'\]\n$",
    ),
    Attack(
        "read-earlier-attempts",
        "find what earlier cells of other attempts left in folders, history or temporary files",
        "import os\nfound = [os.path.join(f, n) for top in ('/tmp', '/dev/shm', '/work')"
        " for f, _, names in os.walk(top) for n in names]\n"
        "print([p for p in found if p != '/work/data/a.csv' and '/home' not in p\n"
        "       and 'mpl' not in p and 'fontlist' not in p and '/ipython/' not in p])\n"
        "print(get_ipython().history_manager.get_tail(5, raw=True) != None)",
        r"^\[\]",
    ),
]

# Writing: outside the folder, inputs, the interpreter, kernel knobs, devices, quotas.
WRITING = [
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

# Network: the internet, services of the host, names, the cloud's metadata, raw and odd sockets.
CONNECT = SHOW_ERROR + "import socket\n"

NETWORK = [
    Attack(
        "connect-outside",
        "reach an address on the internet",
        CONNECT + "attempt(socket.create_connection, ('1.1.1.1', 80), 3)",
        r"OSError 101",
    ),
    Attack(
        "connect-outside-6",
        "reach an address on the internet over IPv6",
        CONNECT + "attempt(socket.create_connection, ('2606:4700:4700::1111', 80), 3)",
        r"OSError (101|99|97)",
    ),
    Attack(
        "metadata",
        "ask the cloud for the host's credentials",
        CONNECT + "import urllib.request\n"
        "for h in ('169.254.169.254', '169.254.170.2', 'metadata.google.internal'):\n"
        "    attempt(urllib.request.urlopen, f'http://{h}/latest/meta-data/', timeout=3)",
        r"^(URLError .*\n){3}$",
    ),
    Attack(
        "connect-host-loopback",
        "reach a service that listens on the host's loopback",
        CONNECT + "attempt(socket.create_connection, ('127.0.0.1', «port»), 3)\n"
        "attempt(socket.create_connection, ('localhost', «port»), 3)",
        r"^(ConnectionRefusedError 111.*\n){2}",
    ),
    Attack(
        "connect-abstract-socket",
        "reach an abstract unix socket of the host",
        CONNECT + "s = socket.socket(socket.AF_UNIX)\nattempt(s.connect, '\\0«abstract»')",
        r"ConnectionRefusedError 111",
    ),
    Attack(
        "connect-unix-socket",
        "reach a unix socket of the host by its path",
        CONNECT + "for p in ('«unix»', '/var/run/docker.sock', '/run/dbus/system_bus_socket'):\n"
        "    attempt(socket.socket(socket.AF_UNIX).connect, p)",
        r"^(FileNotFoundError 2 .*\n){3}$",
    ),
    Attack(
        "connect-sibling",
        "reach services that another attempt on the same worker opened",
        CONNECT + "attempt(socket.create_connection, ('127.0.0.1', 45671), 3)\n"
        "attempt(socket.socket(socket.AF_UNIX).connect, '\\0sibling-7c2e')",
        r"^(ConnectionRefusedError 111.*\n){2}",
    ),
    Attack(
        "resolve-name",
        "ask a name server",
        CONNECT + "attempt(socket.getaddrinfo, 'example.org', 80)",
        r"gaierror",
    ),
    Attack(
        "send-datagrams",
        "send secrets out in datagrams that need no answer",
        CONNECT + "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "attempt(s.sendto, b'x', ('8.8.8.8', 53)); attempt(s.sendto, b'x', ('255.255.255.255', 9))",
        r"^(OSError 101|PermissionError (1|13)).*\n(OSError 101|PermissionError (1|13))",
    ),
    Attack(
        "odd-socket-families",
        "open sockets that no network namespace holds, or raw ones",
        CONNECT + "for f, t in ((40, 1), (17, 3), (38, 5), (16, 3)):\n"
        "    attempt(socket.socket, f, t, 12 if f == 16 else 0)\n"
        "attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)",
        r"(OSError 97.*\n){4}PermissionError",
    ),
    Attack(
        "interfaces",
        "find an interface other than its own loopback",
        "import socket\nprint([n for _, n in socket.if_nameindex() if n.startswith("
        "('eth', 'en', 'wl', 'docker', 'br', 'veth', 'tap'))])\n"
        "print(len(open('/proc/net/route').readlines()))",
        r"^\[\]\n[01]\n",
    ),
    Attack(
        "configure-network",
        "give itself an address",
        "import socket, struct\ns = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)\n"
        "body = struct.pack('BBBBI', 2, 24, 0, 0, 1)\n"
        "body += struct.pack('HH4s', 8, 2, bytes([10, 9, 8, 7]))\n"
        "s.send(struct.pack('IHHII', 16 + len(body), 20, 0x405, 1, 0) + body)\n"
        "answer = s.recv(4096); print(struct.unpack('i', answer[16:20])[0])",
        r"^-1\n",
    ),
]
