"""Powers: privileges of the kernel, and what all sandboxes of one host share."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    SHOW_ERROR,
    SYSCALL,
    Attack,
    refuses,
)

# Privilege: capabilities, set-uid programs, namespaces, and rarely used parts of the kernel.
PRIVILEGE = [
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
        "reaching-into-others",
        "take descriptors, memory, schedules and queues by the calls that came late",
        1,
        pidfd_getfd=(438, 0, 0, 0),
        process_vm_readv=(310, 1, 0, 0, 0, 0, 0),
        process_vm_writev=(311, 1, 0, 0, 0, 0, 0),
        process_madvise=(440, 0, 0, 0, 0, 0),
        kcmp=(312, 1, 1, 0, 0, 0),
        mq_open=(240, b"x", 0o102, 0o600, 0),
        quotactl_fd=(443, 0, 0, 0, 0),
        userfaultfd_of_users=(323, 1),
        clone_cgroup=(56, 0x02000011, 0, 0, 0, 0),
        unshare_time=(272, 0x80),
        typing_with_high_bits=(16, 0, 0x5412 | 1 << 32, b"x"),
        consoles_with_high_bits=(16, 0, 0x541C | 1 << 40, b"x"),
        trusted_attribute=(188, b"/work/output", b"trusted.overlay.opaque", b"y", 1, 0),
        other_memory_map=(157, 35, 1, 0, 0, 0),
        secure_bits=(157, 28, 0x2F, 0, 0, 0),
    ),
    refuses(
        "hidden-memory-and-rings",
        "use memory that nobody can look into, and rings that others made",
        38,
        memfd_secret=(447, 0),
        io_uring_enter=(426, 0, 0, 0, 0, 0, 0),
        io_uring_register=(427, 0, 0, 0, 0),
        uselib=(134, b"x"),
        statmount=(457, 0, 0, 0, 0),
        listmount=(458, 0, 0, 0, 0),
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

# Shared: what the host has once, or counts, for all sandboxes of one user together.
SHARED = [
    Attack(
        "terminals-of-others",
        "see, read or write the terminals of other attempts",
        "import os\nprint(sorted(os.listdir('/dev/pts')))\n"
        "for n in range(200):\n"
        "    try: os.write(os.open(f'/dev/pts/{n}', os.O_WRONLY | os.O_NOCTTY), b'SUCCEEDED')\n"
        "    except FileNotFoundError: continue\n    print('SUCCEEDED', n)",
        r"^\['ptmx'\]\n$",
    ),
    Attack(
        "all-terminals",
        "take all terminals that the host has for sandboxes",
        "import os, time\nwidth = 0\nout, into = os.pipe()\n"
        "for _ in range(8):\n    if os.fork() == 0:\n        n = 0\n"
        "        try:\n            while True: os.openpty(); n += 1\n"
        "        except OSError: os.write(into, b'%d ' % n); time.sleep(60)\n        os._exit(0)\n"
        "got = b''\nwhile got.count(b' ') < 8: got += os.read(out, 100)\n"
        "print(sum(map(int, got.split())))",
        r"^(3[0-2]|[12]?\d)\n$",
    ),
    Attack(
        "terminal-of-the-host",
        "open the multiplexer of the host's terminals by another way",
        SHOW_ERROR
        + "import os\nfor p in ('/dev/console', '/dev/tty0', '/dev/ttyS0', '/dev/vcs'):\n"
        "    attempt(os.open, p, os.O_RDWR)\nprint(os.readlink('/dev/ptmx'))",
        r"^((FileNotFoundError|PermissionError|OSError) .*\n){4}pts/ptmx",
    ),
    Attack(
        "inotify-instances",
        "take all inotify instances that the host has for one user",
        SYSCALL + "n = 0\nwhile libc.inotify_init1(0) >= 0: n += 1\n"
        "print(1 <= n <= 8, ctypes.get_errno())",
        r"^True 24\n$",
    ),
    Attack(
        "multiplexer-by-another-name",
        "take the terminals' multiplexer along to a place of its own, or type by it",
        SHOW_ERROR + "import fcntl, os\nmaster, end = os.openpty()\n"
        "for p in ('/dev/ptmx', '/dev/pts/ptmx'):\n"
        "    attempt(os.link, p, '/dev/shm/p'); attempt(os.rename, p, '/dev/pts/q')\n"
        "for fd in (master, end): attempt(fcntl.ioctl, fd, 0x5412, b'x')",
        r"^((OSError 18|PermissionError 1).*\n){6}$",
    ),
    Attack(
        "whole-disk",
        "make the host write all that it has to its disks, again and again",
        SYSCALL + "import os\nos.sync()\nprint(libc.syscall(306, 999))",  # a real one: EBADF
        r"^0\n$",
    ),
    Attack(
        "user-namespaces-by-count",
        "raise its own shares of what the host counts",
        SHOW_ERROR + "for n in ('max_inotify_instances', 'max_user_namespaces'):\n"
        "    attempt(lambda: open('/proc/sys/user/' + n, 'w').write('9999'))",
        r"^((PermissionError|OSError) .*\n){2}$",
    ),
    Attack(
        "shared-memory-of-others",
        "find the shared memory of other attempts",
        "import os\nfrom multiprocessing import shared_memory\n"
        "before = os.listdir('/dev/shm')\n"
        "kept = shared_memory.SharedMemory('mine-7c2e', True, 64)\n"
        "print(before, os.listdir('/dev/shm'))\nkept.unlink()",
        r"^\[\] \['mine-7c2e'\]\n$",
    ),
    refuses(
        "objects-by-key",
        "reach queues, semaphores and segments of others by their keys",
        1,
        shmget=(29, 7, 64, 0o1666),
        semget=(64, 7, 1, 0o1666),
        msgget=(68, 7, 0o1666),
        keyctl=(250, 0, -3, 0),
    ),
    Attack(
        "processes-of-others",
        "see a process that is not its own",
        "import os\nown = [p for p in os.listdir('/proc') if p.isdigit()]\n"
        "users = {os.stat('/proc/' + p).st_uid for p in own}\nprint(len(own) < 12, users)",
        r"^True \{65534\}\n$",
    ),
]
