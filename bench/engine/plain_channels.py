"""The peer "ipykernel's channels": forked kernels with ipykernel's own sockets and threads.

Takes the place of `runner.sandbox.inside.kernel_overrides` in the sandbox's archive; the rest of
the engine is the same. `make_whole_app` leaves all of the kernel to be made after the fork;
`make_app_with_shell` makes the shell before it, so that the channels alone come after.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zmq
from ipykernel.displayhook import ZMQDisplayHook
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from IPython.core.history import HistoryManager
from traitlets import Any as Anything
from traitlets.config import Config
from zmq.eventloop.zmqstream import ZMQStream


class ForkedApp(IPKernelApp):  # type: ignore[misc]
    """ipykernel's application on sockets that were made outside; its own are made after a fork."""

    given: list[int]  # descriptors of shell and iopub, until they are bound

    def listen(self, key: bytes, sockets: Sequence[int]) -> None:
        self.take_identity(key, sockets)
        self.initialize([])
        self.debug_shell_socket.close()  # it would look for the shell's address without end

    def take_identity(self, key: bytes, sockets: Sequence[int]) -> None:
        self.ip = f"/tmp/kernel-{os.getpid()}"
        self.session.key = key
        self.session.session = uuid.uuid4().hex
        self.session.pid = os.getpid()
        self.given = list(sockets)

    def rehearse(self) -> None:
        """Nothing is there that could."""

    def _try_bind_socket(self, s: Any, port: int) -> int:
        """Shell and iopub, made first of their types, listen on the descriptors given."""
        wanted = {zmq.ROUTER: 2, zmq.XPUB: 1}[s.type]
        if len(self.given) == wanted:
            s.setsockopt(zmq.USE_FD, self.given.pop(0))
        return int(super()._try_bind_socket(s, port))

    def parse_command_line(self, argv: Any = None) -> None:
        """There is none."""

    def load_config_file(self, **kwargs: Any) -> None:
        """There is none."""

    def init_connection_file(self) -> None:
        """There is none."""

    def write_connection_file(self, **kwargs: Any) -> None:
        """There is none."""

    def init_path(self) -> None:
        last = [path.rpartition("/")[2] for path in sys.path]
        sys.path.insert(last.index("site-packages"), "")

    def _configure_logging(self) -> None:
        self.log.addHandler(logging.NullHandler())


class KernelOfAnyStream(IPythonKernel):  # type: ignore[misc]
    """Rehearses before it has streams."""

    shell_stream = Anything()


class ForkedAppWithShell(ForkedApp):
    """The kernel and its shell are made before the fork, and get their channels after it."""

    kernel_class = KernelOfAnyStream

    def listen(self, key: bytes, sockets: Sequence[int]) -> None:
        self.take_identity(key, sockets)
        self.shell.user_ns["_dh"][:] = [Path.cwd()]
        super().init_sockets()
        self.debug_shell_socket.close()
        super().init_heartbeat()
        super().init_io()
        self.connect_kernel()

    def connect_kernel(self) -> None:
        """As `IPKernelApp.init_kernel` and `IPythonKernel.__init__` do."""
        shell_thread, kernel = self.shell_channel_thread, self.kernel
        kernel.shell_stream = ZMQStream(self.shell_socket, shell_thread.io_loop)
        shell_thread.shell_stream = kernel.shell_stream
        kernel.control_stream = ZMQStream(self.control_socket, self.control_thread.io_loop)
        self.control_thread.start()
        shell_thread.start()
        kernel.control_thread, kernel.shell_channel_thread = self.control_thread, shell_thread
        kernel.iopub_thread, kernel.iopub_socket = self.iopub_thread, self.iopub_socket
        kernel.stdin_socket = self.stdin_socket
        kernel._stdout, kernel._stderr = sys.stdout, sys.stderr
        self.displayhook.get_execution_count = lambda: kernel.execution_count
        self.shell.displayhook.pub_socket = self.iopub_socket
        self.shell.display_pub.pub_socket = self.iopub_socket

    def init_sockets(self) -> None:
        nobody: Any = Nobody()
        self.shell_socket = self.iopub_socket = nobody

    def init_heartbeat(self) -> None:
        """Comes with the sockets."""

    def init_io(self) -> None:
        self.displayhook = sys.displayhook = ZMQDisplayHook(self.session, self.iopub_socket)

    def init_kernel(self) -> None:
        self.kernel = self.kernel_class.instance(
            parent=self,
            session=self.session,
            shell_stream=self.shell_socket,
            iopub_socket=self.iopub_socket,
            log=self.log,
            profile_dir=self.profile_dir,
            user_ns=self.user_ns,
        )

    def rehearse(self) -> None:
        """Answer a request to nobody, as ours do."""
        code = {"code": "pass", "silent": False, "store_history": False, "allow_stdin": False}
        request = self.session.serialize(self.session.msg("execute_request", code))
        asyncio.run(self.kernel.shell_main(None, [zmq.Frame(frame) for frame in request]))
        self.kernel.set_parent([], {})
        asyncio.set_event_loop(None)


class Nobody:
    """A socket that leads nowhere."""

    def send_multipart(self, *args: Any, **kwargs: Any) -> None:
        """Send nothing."""


def configured(app: type[ForkedApp]) -> Any:
    HistoryManager.enabled = False
    config = Config()
    config.IPCompleter.use_jedi = False
    return app.instance(config=config, transport="ipc", log_level=40)


def make_whole_app() -> Any:
    return configured(ForkedApp)


def make_app_with_shell() -> Any:
    app = configured(ForkedAppWithShell)
    app.initialize([])
    return app
