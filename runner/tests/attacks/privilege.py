"""Privilege: capabilities, set-uid programs, namespaces, and rarely used parts of the kernel."""

from __future__ import annotations

from runner.tests.attacks.rows import SHOW_ERROR, SYSCALL, Attack, refuses

ATTACKS = [
    Attack(
        "capabilities",
        "hold a capability or be able to gain one",
        "t = open('/proc/self/status').read()\n"
        "print([l.split()[1] for l in t.splitlines()"
        " if l.split(':')[0] in ('CapEff','CapPrm','CapBnd','CapAmb','NoNewPrivs','Seccomp')])",
        r"\['0{16}', '0{16}', '0{16}', '0{16}', '1', '2'\]",
    ),
    Attack(
        "become-root",
        "change its user, or run a set-uid program",
        SHOW_ERROR + "import os; attempt(os.setuid, 0); attempt(os.setgroups, [0])\n"
        "print(os.getuid(), os.geteuid())",
        r"(OSError|PermissionError).*\n(OSError|PermissionError).*\n65534 65534",
    ),
    Attack(
        "set-uid-programs",
        "become root through the set-uid programs of the system",
        "import subprocess\nfor c in (['su', '-c', 'id -u'], ['sudo', '-n', 'id', '-u'],"
        " ['pkexec', 'id', '-u'], ['newgrp', 'root'], ['mount', '-t', 'tmpfs', 'x', '/tmp']):\n"
        "    try: r = subprocess.run(c, input='', capture_output=True, text=True, timeout=10)\n"
        "    except OSError: print('absent'); continue\n"
        "    print('refused' if r.returncode and r.stdout.strip() != '0' else 'SUCCEEDED')",
        r"^((absent|refused)\n){5}$",
    ),
    refuses(
        "namespaces",
        "make namespaces of its own or enter others",
        1,
        unshare_user=(272, 0x10000000),
        unshare_net=(272, 0x40000000),
        unshare_mount=(272, 0x20000),
        setns=(308, 0, 0),
        clone_user=(56, 0x10000011, 0, 0, 0, 0),
        clone_pid=(56, 0x20000011, 0, 0, 0, 0),
    ),
    refuses(
        "mounts",
        "mount, unmount, change its root, open files by handle",
        1,
        mount=(165, 0, 0, 0, 0, 0),
        umount=(166, 0, 0),
        pivot_root=(155, 0, 0),
        chroot=(161, b"/tmp"),
        open_tree=(428, 0, 0, 0),
        move_mount=(429, 0, 0, 0, 0, 0),
        fsopen=(430, 0, 0),
        fsmount=(432, 0, 0, 0),
        fspick=(433, 0, 0, 0),
        mount_setattr=(442, 0, 0, 0, 0, 0),
        name_to_handle=(303, 0, 0, 0, 0, 0),
        open_by_handle=(304, 0, 0, 0),
    ),
    refuses(
        "debugging",
        "trace processes, profile the kernel, catch page faults",
        1,
        ptrace_traceme=(101, 0, 0, 0, 0),
        ptrace_attach=(101, 16, 1, 0, 0),
        perf_event_open=(298, 0, 0, 0, 0, 0),
        userfaultfd=(323, 0),
        bpf=(321, 0, 0, 0),
        fanotify=(300, 0, 0),
        lookup_dcookie=(212, 0, 0, 0),
    ),
    refuses(
        "keyring",
        "use the keys of the user",
        1,
        add_key=(248, 0),
        request_key=(249, 0),
        keyctl=(250, 0, 0),
    ),
    refuses(
        "machine",
        "load modules, another kernel or swap, reboot, reach ports",
        1,
        init_module=(175, 0, 0, 0),
        finit_module=(313, 0, 0, 0),
        delete_module=(176, 0, 0),
        kexec_load=(246, 0, 0, 0, 0),
        kexec_file_load=(320, 0, 0, 0, 0, 0),
        reboot=(169, 0, 0, 0, 0),
        swapon=(167, 0, 0),
        acct=(163, 0),
        syslog=(103, 2, 0, 0),
        iopl=(172, 3),
        ioperm=(173, 0, 1, 1),
        quotactl=(179, 0, 0, 0, 0),
        vhangup=(153,),
    ),
    refuses(
        "clock-and-names",
        "set the clock or the host's name",
        1,
        settimeofday=(164, 0, 0),
        clock_settime=(227, 0, 0),
        adjtimex=(159, 0),
        sethostname=(170, b"x", 1),
        setdomainname=(171, b"x", 1),
    ),
    refuses(
        "old-corners",
        "change how it is executed, or move pages of others",
        1,
        personality=(135, 0x0040000),
        modify_ldt=(154, 1, 0, 0),
        move_pages=(279, 1, 0, 0, 0, 0, 0),
        migrate_pages=(256, 1, 0, 0, 0),
    ),
    refuses(
        "absent-calls",
        "use calls that a sandbox cannot look into, and ones that are newer than its filter",
        38,
        io_uring_setup=(425, 1, 0),
        clone3=(435, 0, 0),
        newest=(462, 0, 0, 0),
        far_newer=(500, 0, 0, 0),
        x32=(0x40000000 + 39,),
    ),
    Attack(
        "other-architecture",
        "make a system call as 32-bit code, by numbers that the filter does not mean",
        "import ctypes, mmap, os\npid = os.fork()\nif pid == 0:\n"
        "    m = mmap.mmap(-1, 4096, prot=7)\n"
        "    m.write(bytes.fromhex('b814000000cd80c3'))  # getpid by int 0x80\n"
        "    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()\n"
        "    os._exit(0)\n_, status = os.waitpid(pid, 0)\n"
        "print('signal', os.WTERMSIG(status)) if os.WIFSIGNALED(status) else print('SUCCEEDED')",
        r"^signal (31|11)",
    ),
    Attack(
        "typing-for-others",
        "type into the terminal that we were started from",
        SHOW_ERROR + "import fcntl, socket\ns = socket.socket()\n"
        "for r in (0x5412, 0x541c): attempt(fcntl.ioctl, s.fileno(), r, b'x')\n"
        "attempt(open, '/dev/tty', 'w')",
        r"^PermissionError 1 .*\nPermissionError 1 .*\n(OSError 6|FileNotFoundError 2|OSError 30)",
    ),
    Attack(
        "undo-restrictions",
        "take back what was given up: privileges by exec, capabilities, the filter",
        SYSCALL + "call('no_new_privs', 157, 38, 0, 0, 0, 0)\n"
        "call('ambient', 157, 47, 2, 21, 0, 0)\ncall('keepcaps', 157, 8, 1, 0, 0, 0)"
        " if False else None\ncall('seccomp_off', 317, 0, 1, 0)\ncall('capset', 126, 0, 0)",
        r"^no_new_privs 22\nambient 1\nseccomp_off (22|1)\ncapset (14|1|22)\n$",
    ),
]
