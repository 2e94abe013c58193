"""Reading: host files, environment, other processes' memory and descriptors, siblings, secrets."""

from __future__ import annotations

from runner.tests.attacks.rows import SHOW_ERROR, Attack, refuses

ATTACKS = [
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
        "text = open('/proc/self/mountinfo').read()\n"
        "print([w for w in ('pytest-of', 'overlay', '/home/', '/srv/', 'manage.py') if w in text])",
        r"^\[\]",
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
