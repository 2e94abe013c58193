"""Runs behind the first wall as pid 1: imports the libraries once, then forks a sandbox per order.

    python -I <bundle> CONTROL_FD FOLDER…

Each FOLDER (as SOURCE:TARGET) is shown to every child as inodes of its own. Orders come as packets
on the control socket, each with the descriptors that its child is to have; the child talks for
itself from then on, and of a tool this process tells how it ended. It has one thread and never
runs foreign code; when the socket ends it ends, and with it all that it forked.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runner.sandbox import bundle, packets
from runner.sandbox.inside import (
    confinement,
    fork_reset,
    hugepages,
    kernel_main,
    tool_main,
    warm_up,
)
from runner.sandbox.policy import BEHIND_WALL, SANDBOX_USER

# What a kernel imports while it starts and in its first cells (found by comparing sys.modules).
KERNEL_PARTS = (
    *("IPython.core.completer", "IPython.core.completerlib", "IPython.core.oinspect"),
    *("IPython.core.debugger", "IPython.extensions.storemagic", "ipykernel.ipkernel"),
    *("ipykernel.zmqshell", "ipykernel.debugger", "tornado.platform.asyncio", "tornado.queues"),
    *("tornado.locks", "stack_data", "executing", "asttokens", "pure_eval.core", "encodings.cp437"),
    *("pygments.formatters.terminal256", "pygments.styles.default", "pandas.io.formats.html"),
    *("pandas.io.formats.csvs", "pandas.io.formats.string", "pandas.io.formats.excel"),
    *("pandas.io.parsers.readers", "pandas.plotting._matplotlib", "sklearn.utils._pprint"),
    *("openpyxl.packaging.extended", "encodings.idna", "encodings.utf_8_sig", "encodings.gbk"),
    *("pyarrow.pandas_compat", "PIL.ImageFilter", "PIL.ImageEnhance", "PIL.ImageStat"),
    *("pexpect", "pygments.lexers.python", "pygments.formatters.html", "zmq.utils.garbage"),
)
BELL_BYTES = 1 << 10
INLINE = "matplotlib_inline.backend_inline"
KERNEL_PLACES = (("data", "output"), "/work/data")
TOOL_PLACES = ((), "/opt/pybench")


@dataclass(frozen=True)
class Warm:
    """Objects made once that every child finds."""

    app: Any  # the kernel's application, complete but for key and sockets
    generators: list[Any]
    environment: Mapping[str, str]
    tool_environment: Mapping[str, str]
    traces: kernel_main.OwnTraces
    program: bytes  # the seccomp filter
    user: tuple[int, int]
    shown: Sequence[tuple[str, str]]  # folders: which, and where


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    environment = dict(os.environ)
    kernel_main.leave_debugger_out()
    missing = kernel_main.import_all((*kernel_main.LIBRARIES, *KERNEL_PARTS))
    missing += warm_up.rehearse()
    app, kernel_environment = make_app(environment)
    warm = Warm(
        app,
        fork_reset.find_generators(),
        kernel_environment,
        environment,
        kernel_main.OwnTraces(),
        bundle.read_own_file(bundle.FILTER),
        (os.getuid(), os.getgid()),
        [(source, target) for source, _, target in (w.partition(":") for w in sys.argv[2:])],
    )
    freeze()
    hugepages.collapse()
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    packets.send(control, {"threads": threads, "missing": missing, "modules": len(sys.modules)})
    if threads != 1:
        sys.exit(71)  # a fork of a process with threads is a lottery
    serve(control, warm)


def make_app(environment: Mapping[str, str]) -> tuple[Any, Mapping[str, str]]:
    """(a kernel's application, the environment that it gives its cells)."""
    os.environ.clear()  # OpenCV changes LD_LIBRARY_PATH when it is imported
    os.environ.update(environment)
    kernel_main.make_folders()
    app = kernel_main.make_app()
    inline = sys.modules.get(INLINE)
    if inline:  # shows figures by a hook that needs the shell, which came after the import
        inline._enable_matplotlib_integration()
    app.rehearse()
    return app, dict(os.environ)


def freeze() -> None:
    """Keep the children's collectors from touching, and so copying, what was imported."""
    gc.collect()
    gc.disable()
    gc.freeze()


def serve(control: socket.socket, warm: Warm) -> None:
    bell = ring_on_deaths()
    tools: dict[int, socket.socket] = {}
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(bell, select.POLLIN)
    while True:
        ready = [fd for fd, _ in poll.poll()]
        if bell in ready:
            os.read(bell, BELL_BYTES)
            bury(tools)
        if control.fileno() in ready:
            packet = packets.receive_now(control)
            if packet is None:
                os._exit(0)
            try:
                fork(packet, warm, tools)
            finally:
                packet.close()


def ring_on_deaths() -> int:
    """A descriptor that can be read from when a child has died."""
    bell, striker = os.pipe()
    os.set_blocking(striker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler nothing is struck
    signal.set_wakeup_fd(striker, warn_on_full_buffer=False)
    return bell


def bury(tools: dict[int, socket.socket]) -> None:
    """Reap dead children and report each tool's exit status and CPU time."""
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        channel = tools.pop(pid, None)
        if channel is not None:
            report = {
                "returncode": os.waitstatus_to_exitcode(status),
                "cpu_s": used.ru_utime + used.ru_stime,
                "peak_bytes": used.ru_maxrss << 10,
            }
            with contextlib.suppress(OSError), channel:
                packets.send(channel, report)


def fork(order: packets.Packet, warm: Warm, tools: dict[int, socket.socket]) -> None:
    """Fork the child that carries an order out. Its end of its socket says what went wrong."""
    has_room = len(order.fds) == 4
    flags = (
        0 if has_room else confinement.NEW_USER | confinement.NEW_MOUNT | confinement.OWN_PROCESSES
    )
    mapped, tell = os.pipe()
    pid = confinement.fork_into(flags)
    if pid == 0:
        os.close(tell)
        in_child(order, warm, has_room, mapped)
    os.close(mapped)
    if not has_room and order.body["user"] is not None:
        with contextlib.suppress(OSError):  # it is dead, or says that nobody mapped it
            map_child(pid, order.body["user"])
            os.write(tell, b"1")
    os.close(tell)
    if order.body.get("is_tool"):
        tools[pid] = socket.socket(fileno=os.dup(order.fds[0]))


def map_child(pid: int, user: int) -> None:
    """In its namespace a child is the sandbox's user, outside one of the range."""
    line = f"{SANDBOX_USER} {BEHIND_WALL + user} 1\n"
    confinement.write_maps(pid, (line, line))


def in_child(order: packets.Packet, warm: Warm, has_room: bool, mapped: int) -> None:
    """Never returns."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    channel = socket.socket(fileno=order.fds[0])
    try:
        if has_room:
            confinement.enter(order.fds[2], order.fds[3])
        become_user(order.body["user"], warm, has_room, mapped)
        if has_room and confinement.fork_into(confinement.NEW_MOUNT | confinement.OWN_PROCESSES):
            os._exit(0)
        lock_in(order, warm, channel, has_room)
        if order.body.get("is_tool"):
            tool_main.run(channel)
        else:
            run_kernel(channel, warm)
    except BaseException as error:  # a child that came back from here would be a second zygote
        try:
            packets.send(channel, {"error": f"{type(error).__name__}: {error}"[:500]})
            traceback.print_exc()
        except (OSError, ValueError):
            pass  # nobody listens any more
    finally:
        os._exit(70)


def become_user(user: int | None, warm: Warm, has_room: bool, mapped: int) -> None:
    """The room's, one of the range when the host gave one."""
    if user is not None:
        if not has_room and not os.read(mapped, 1):
            raise OSError("no user of the range could be mapped")
        confinement.become(SANDBOX_USER)
    elif not has_room:
        confinement.map_user(*warm.user)
    os.close(mapped)


def lock_in(order: packets.Packet, warm: Warm, channel: socket.socket, has_room: bool) -> None:
    """Build the wall from within; afterwards this process is a stranger to its parent."""
    os.setsid()
    os.dup2(order.fds[1], 1)
    os.dup2(order.fds[1], 2)
    confinement.close_others({0, 1, 2, channel.fileno()})
    confinement.name_process("forked")
    policy = order.body["policy"]
    show_room(order.body, warm, channel, has_room)
    await_go(channel)
    if order.body["user"] is not None:
        confinement.stay(SANDBOX_USER)
    confinement.unshare(confinement.NEW_CGROUP)
    confinement.mount_own_places(policy["tmp"], policy["shm"], policy["terminals"])
    confinement.limit_shares(policy["shares"])
    os.chdir("/work")
    is_tool = order.body.get("is_tool")
    readable = [*(target for _, target in warm.shown), *((TOOL_PLACES[1],) if is_tool else ())]
    confinement.close_down(policy["limits"], warm.program, policy["niceness"], readable)
    environment = warm.tool_environment if is_tool else warm.environment
    fork_reset.freshen(environment, warm.generators)
    warm.traces.remove()
    gc.enable()
    kernel_main.make_folders()


def run_kernel(channel: socket.socket, warm: Warm) -> None:
    """Wait to be claimed, then be a kernel to the end."""
    packets.send(channel, {"ready": True})
    claim = packets.receive_now(channel)
    if claim is None:
        os._exit(0)  # never needed
    channel.close()
    kernel_main.run(warm.app, str(claim.body["key"]).encode(), claim.fds)


def show_room(order: Mapping[str, Any], warm: Warm, channel: socket.socket, has_room: bool) -> None:
    """Tell the host which process this is and, when it is new, where its room is."""
    shown = [os.pidfd_open(os.getpid())]
    if not has_room:
        confinement.keep_mounts_private()
        confinement.take_own_inodes(warm.shown)
        policy = order["policy"]
        places = TOOL_PLACES if order.get("is_tool") else KERNEL_PLACES
        work, data = confinement.make_room(policy["work"], places[0], policy["data"], places[1])
        namespaces = [
            os.open(f"/proc/self/ns/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("user", "mnt")
        ]
        shown += [*namespaces, work, data]
        confinement.unshare(
            confinement.NEW_MOUNT
        )  # a later kernel finds the room, and not this one's /tmp
    confinement.raise_loopback()
    packets.send(channel, {"walls": True}, shown)
    for fd in shown:
        os.close(fd)


def await_go(channel: socket.socket) -> None:
    """The host has counted us in."""
    if packets.receive_now(channel) is None:
        os._exit(0)
