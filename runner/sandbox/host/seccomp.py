"""The seccomp filter: libseccomp compiles `seccomp.json`, which allows what cells and checks need.

The profile has the format of container engines (OCI runtime specification, `linux.seccomp`). It is
compiled on the host; sandboxes get the BPF. A few instructions come before libseccomp's, for what
its rules cannot say: they look at the lower half of an argument, the only one that the kernel uses
there. Format: Linux `Documentation/userspace-api/seccomp_filter.rst`.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import struct
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from runner.contract import SandboxUnavailable

PROFILE = Path(__file__).with_suffix(".json")
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_…, libseccomp's too
SMALLEST_TREE = 2  # libseccomp's SCMP_FLTATR_CTL_OPTIMIZE: search by number, not one by one
REMEDY = "Run `apt-get install libseccomp2` and `python3 pybench_site/local/install.py run`."

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
REFUSE = 0x00050000
NUMBER, ARCHITECTURE, SECOND_ARGUMENT = 0, 4, 24
X32_BIT = 0x40000000
IOCTL = {"x86_64": 16, "aarch64": 29}
TYPES_FOR_OTHERS = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


@cache
def build(machine: str = "") -> bytes:
    """The filter for `bwrap --seccomp`, for this machine unless another is named.

    Raises SandboxUnavailable where there is no libseccomp, or none for the machine.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        known = " or ".join(ARCHITECTURES)
        raise SandboxUnavailable(f"There is no seccomp filter for {machine}. Run it on {known}.")
    return first_looks(machine) + compile_profile(json.loads(PROFILE.read_text()), machine)


def find_library() -> ModuleType:
    """The binding of libseccomp. Raises SandboxUnavailable where the library is missing."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(f"libseccomp cannot be used: {error}. {REMEDY}") from error
    found: ModuleType = pyseccomp
    return found


def compile_profile(profile: dict[str, Any], machine: str) -> bytes:
    """BPF of a profile; calls that libseccomp or the machine does not know fall to the default."""
    library = find_library()
    architecture = ARCHITECTURES[machine]
    made = library.SyscallFilter(library.ERRNO(profile["defaultErrnoRet"]))
    if not made.exist_arch(architecture):
        made.add_arch(architecture)
        made.remove_arch(library.system_arch())
    made.set_attr(library.Attr.CTL_OPTIMIZE, SMALLEST_TREE)
    made.set_attr(library.Attr.ACT_BADARCH, library.KILL_PROCESS)
    for entry in profile["syscalls"]:
        action = library.ALLOW
        if entry["action"] == "SCMP_ACT_ERRNO":
            action = library.ERRNO(entry["errnoRet"])
        arguments = [read_argument(library, argument) for argument in entry.get("args", ())]
        for name in entry["names"]:
            if library.resolve_syscall(architecture, name) >= 0:
                made.add_rule(action, name, *arguments)
    out = os.memfd_create("filter", os.MFD_CLOEXEC)
    with os.fdopen(out, "r+b") as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()


def read_argument(library: ModuleType, argument: dict[str, Any]) -> Any:
    comparison = getattr(library, argument["op"].removeprefix("SCMP_CMP_"))
    return library.Arg(
        argument["index"], comparison, argument["value"], argument.get("valueTwo", 0)
    )


def first_looks(machine: str) -> bytes:
    """Refuses typing into somebody else's terminal, and x32 calls as unknown; falls through."""
    typing = [instruction(LOAD, SECOND_ARGUMENT)]
    for request in TYPES_FOR_OTHERS:
        typing += refuse_when(EQUAL, request, errno.EPERM)
    looks = [instruction(LOAD, NUMBER)]
    if machine == "x86_64":
        looks += refuse_when(AT_LEAST, X32_BIT, errno.ENOSYS)
    looks += [instruction(EQUAL, IOCTL[machine], 0, len(typing)), *typing]
    architecture = ARCHITECTURES[machine]
    others = [instruction(LOAD, ARCHITECTURE), instruction(EQUAL, architecture, 0, len(looks))]
    return b"".join([*others, *looks])


def refuse_when(test: int, value: int, error: int) -> list[bytes]:
    return [instruction(test, value, 0, 1), instruction(RETURN, REFUSE | error)]


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
