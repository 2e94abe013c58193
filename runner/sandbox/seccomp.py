"""The seccomp filter as raw BPF: refuses what no ordinary program needs, by number.

Unlisted calls are allowed up to the newest one known here; anything newer answers ENOSYS, so that a
new host kernel does not widen the sandbox. Format: Linux `Documentation/userspace-api/
seccomp_filter.rst`; numbers: `arch/x86/entry/syscalls/syscall_64.tbl` and `asm-generic/unistd.h`.
"""

from __future__ import annotations

import errno
import platform
import struct

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT = 0, 4, 16, 24, 32

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
NEWEST_KNOWN = 461

# name: (x86_64, aarch64), None where the machine has no such call
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes' memory and descriptors
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # large and old parts of the kernel
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    # the machine itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    # memory that no address-space limit counts
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
}
ABSENT = {"memfd_create", "memfd_secret", "io_uring_setup"}  # callers fall back on ENOSYS

CLONE, CLONE3 = (56, 220), (435, 435)
SOCKET, SOCKETPAIR, IOCTL = (41, 198), (53, 199), (16, 29)
NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag
TERMINAL_INPUT, TERMINAL_LINUX = 0x5412, 0x541C  # TIOCSTI, TIOCLINUX
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16  # no packet, no vsock (no namespace holds it) ...
NETLINK_ROUTE = 0  # getifaddrs, and libzmq's bind


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value & 0xFFFFFFFF)


def load(offset: int) -> list[bytes]:
    return [instruction(LOAD, offset)]


def end(action: int) -> list[bytes]:
    return [instruction(RETURN, action)]


def refuse(error: int) -> list[bytes]:
    return end(REFUSE | error)


def when(test: int, value: int, block: list[bytes]) -> list[bytes]:
    """`block` is run when the loaded word passes the test, skipped otherwise."""
    return [instruction(test, value, 0, len(block)), *block]


def unless(test: int, value: int, block: list[bytes]) -> list[bytes]:
    return [instruction(test, value, len(block), 0), *block]


def build(machine: str = "") -> bytes:
    """The filter for `bwrap --seccomp`, for this machine unless another is named.

    Raises KeyError for a machine whose numbers are not known here.
    """
    machine = machine or platform.machine()
    architecture = ARCHITECTURES[machine]
    column = 0 if machine == "x86_64" else 1
    program = load(ARCHITECTURE) + unless(EQUAL, architecture, end(KILL)) + load(NUMBER)
    if machine == "x86_64":
        program += when(AT_LEAST, X32_BIT, refuse(errno.ENOSYS))
    program += when(AT_LEAST, NEWEST_KNOWN + 1, refuse(errno.ENOSYS))
    for name, numbers in REFUSED.items():
        number = numbers[column]
        if number is not None:
            error = errno.ENOSYS if name in ABSENT else errno.EPERM
            program += when(EQUAL, number, refuse(error))
    # Its flags lie behind a pointer, out of sight: libc falls back on clone.
    program += when(EQUAL, CLONE3[column], refuse(errno.ENOSYS))
    program += when(EQUAL, CLONE[column], clone_rules())
    program += when(EQUAL, SOCKET[column], socket_rules())
    program += when(EQUAL, SOCKETPAIR[column], socket_rules())
    program += when(EQUAL, IOCTL[column], ioctl_rules())
    return b"".join(program + end(ALLOW))


def clone_rules() -> list[bytes]:
    return load(FIRST_ARGUMENT) + when(ANY_BIT, NEW_NAMESPACES, refuse(errno.EPERM)) + end(ALLOW)


def socket_rules() -> list[bytes]:
    """Families UNIX, INET and INET6, and of NETLINK only ROUTE."""
    rules = load(FIRST_ARGUMENT)
    for family in (UNIX, INET, INET6):
        rules += when(EQUAL, family, end(ALLOW))
    rules += unless(EQUAL, NETLINK, refuse(errno.EAFNOSUPPORT))
    rules += load(THIRD_ARGUMENT) + when(EQUAL, NETLINK_ROUTE, end(ALLOW))
    return rules + refuse(errno.EAFNOSUPPORT)


def ioctl_rules() -> list[bytes]:
    """Nothing that types into somebody else's terminal."""
    rules = load(SECOND_ARGUMENT)
    for request in (TERMINAL_INPUT, TERMINAL_LINUX):
        rules += when(EQUAL, request, refuse(errno.EPERM))
    return rules + end(ALLOW)
