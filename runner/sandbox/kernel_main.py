"""Runs inside the sandbox: an IPython kernel on listening sockets that were made outside.

    python -I kernel_main.py SPEC_FD

SPEC_FD holds a JSON object: `key`, `sockets` (five descriptors), `ready` (a pipe that gets a byte
when the kernel listens), `is_warm` (whether to import what tasks need beforehand). Standard
library and the kernel environment only.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

TEXT_CAP_CHARS = 1 << 20
MESSAGES_AHEAD = 20  # of the reader; then the cell waits, rather than the kernel hoards
BIND_TIMEOUT_S = 30.0
# What tasks import as a rule: there already in a kernel that was made ahead.
LIBRARIES = (
    *("numpy", "pandas", "scipy.stats", "scipy.optimize", "scipy.signal", "scipy.ndimage"),
    *("matplotlib.pyplot", "matplotlib.backends.backend_agg", "seaborn"),
    *("matplotlib_inline.backend_inline", "mpl_toolkits.mplot3d"),
    *("sklearn.linear_model", "sklearn.ensemble", "sklearn.preprocessing", "sklearn.cluster"),
    *("sklearn.model_selection", "sklearn.metrics", "sklearn.decomposition", "sklearn.svm"),
    *("sklearn.feature_extraction.text", "sklearn.pipeline", "sklearn.neighbors"),
    *("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.PngImagePlugin", "PIL.JpegImagePlugin"),
    *("cv2", "openpyxl", "lxml.etree", "bs4", "soundfile"),
    *("csv", "sqlite3", "decimal", "asyncio", "multiprocessing.pool", "concurrent.futures.thread"),
)
FOLDERS = ("HOME", "MPLCONFIGDIR", "IPYTHONDIR")  # named in the environment


def main() -> None:
    with os.fdopen(int(sys.argv[1])) as file:
        spec = json.load(file)
    keep_only({0, 1, 2, spec["ready"], *spec["sockets"]})
    make_folders()
    app = make_app()
    if spec.get("is_warm"):
        import_all(LIBRARIES)
    app.listen(spec["key"].encode(), spec["sockets"])
    sys.argv[:] = ["ipykernel"]
    os.write(spec["ready"], b"R")  # fails, and ends us, when nobody waits any more
    os.close(spec["ready"])
    app.start()


def keep_only(descriptors: set[int]) -> None:
    """Close what the launcher left open and keep the rest from the kernel's children."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        fd = int(name)
        try:
            if fd not in descriptors:
                os.close(fd)
            elif fd > 2:
                os.set_inheritable(fd, False)
        except OSError:
            pass  # the listing's own descriptor


def make_folders() -> None:
    for name in FOLDERS:
        os.makedirs(os.environ[name], exist_ok=True)  # noqa: PTH103 (pathlib is not loaded yet)


def import_all(names: tuple[str, ...]) -> list[str]:
    """Import what is there; the names of what is not."""
    missing: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            try:
                importlib.import_module(name)
            except ImportError:
                missing.append(name)
    return missing


def leave_debugger_out() -> None:
    """A tenth of a second of imports. To be called before anything of ipykernel is imported."""
    sys.modules.setdefault("debugpy", None)  # type: ignore[arg-type]


def app_class() -> Any:
    """The kernel's application. Imports what a kernel needs, and starts nothing."""
    leave_debugger_out()
    import zmq
    from ipykernel import ipkernel
    from ipykernel.kernelapp import IPKernelApp
    from IPython.core.history import HistoryManager

    class SandboxKernel(ipkernel.IPythonKernel):  # type: ignore[misc]
        def __init__(self, **kwargs: Any) -> None:
            # It lists the files of all modules, for a debugger that is not there. In a fork, to
            # look at each module is to copy the memory that it lies in.
            ipkernel.sys = NoModules()
            try:
                super().__init__(**kwargs)
            finally:
                ipkernel.sys = sys

    class SandboxKernelApp(IPKernelApp):  # type: ignore[misc]
        """A kernel that is complete before it is told its key and its sockets."""

        kernel_class = SandboxKernel

        def _try_bind_socket(self, s: Any, port: int) -> int:
            s.setsockopt(zmq.SNDHWM, MESSAGES_AHEAD)
            if s.type == zmq.XPUB:
                s.setsockopt(zmq.XPUB_NODROP, 1)  # wait for it, rather than lose what was shown
            self.unbound = {**getattr(self, "unbound", {}), port: s}
            return port

        def init_iopub(self, context: Any) -> None:
            # Also the pipe inside, from the cell's thread to the one that sends.
            context.sndhwm = context.rcvhwm = MESSAGES_AHEAD
            super().init_iopub(context)

        def listen(self, key: bytes, sockets: Sequence[int]) -> None:
            """Take up what was made outside: the key, and listening sockets by their number.

            Three of the sockets are polled by threads of their own, which alone may touch them.
            """
            self.session.key = key
            owners = {
                self.shell_port: self.shell_channel_thread.io_loop,
                self.control_port: self.control_thread.io_loop,
                self.iopub_port: self.iopub_thread.io_loop,
            }
            for port, s in self.unbound.items():
                bind = partial(self.bind, s, port, sockets[port - 1])
                call_in(owners[port], bind) if port in owners else bind()

        def bind(self, s: Any, port: int, listener: int) -> None:
            s.setsockopt(zmq.USE_FD, listener)
            s.bind(f"ipc://{self.ip}-{port}")

        def parse_command_line(self, argv: Any = None) -> None:
            """There is none."""

        def load_config_file(self, **kwargs: Any) -> None:
            """There is none."""

        def init_code(self) -> None:
            """No start-up files; what is imported was counted before the fork, if there is one."""
            self.shell.user_ns_hidden.update(self.shell.user_ns)
            self.shell._sys_modules_keys = imported

        def _configure_logging(self) -> None:
            """Its few warnings would be shown as the cell's."""
            self.log.addHandler(logging.NullHandler())

        def init_connection_file(self) -> None:
            """There is none: the host knows the sockets."""

        def write_connection_file(self, **kwargs: Any) -> None:
            """There is none."""

        def log_connection_info(self) -> None:
            """Nobody to tell."""

        def init_heartbeat(self) -> None:
            """The host watches the process itself."""

        def init_poller(self) -> None:
            """The pid namespace ends with its parent."""

    HistoryManager.enabled = False
    cap_text()
    imported = set(sys.modules)
    return SandboxKernelApp


class NoModules:
    """`sys`, but nothing seems to be imported."""

    modules: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


def call_in(loop: Any, function: Callable[[], None]) -> None:
    """Have it called in the thread that an event loop runs in; returns when that is done."""
    is_done = threading.Event()

    def call_and_tell() -> None:
        function()
        is_done.set()

    loop.add_callback(call_and_tell)
    if not is_done.wait(BIND_TIMEOUT_S):
        raise TimeoutError("a socket was not bound in time")


def make_app(app_type: Any = None) -> Any:
    """A kernel with its shell, its threads started, bound to no socket yet."""
    from traitlets.config import Config

    config = Config()
    config.IPCompleter.use_jedi = False
    app = (app_type or app_class()).instance(
        config=config,
        transport="ipc",
        ip="/nonexistent/k",
        shell_port=1,
        iopub_port=2,
        stdin_port=3,
        hb_port=4,
        control_port=5,
        log_level=40,
    )
    app.initialize([])
    return app


def cap_text() -> None:
    """Mute an endless print inside, so that it ends in a KeyboardInterrupt with variables kept.

    A courtesy and no wall: whoever resists meets the reader's caps, and is killed.
    """
    from ipykernel.iostream import OutStream

    write = OutStream.write
    written: dict[str, tuple[Any, int]] = {}

    def capped(self: Any, string: str) -> int:
        cell = getattr(self, "parent_header", {}).get("msg_id")
        last, before = written.get(self.name, (None, 0))
        before = before if last == cell else 0
        written[self.name] = (cell, before + len(string))
        room = TEXT_CAP_CHARS - before
        if room <= 0:
            return len(string)
        if len(string) > room:
            limit = f"output limit of {TEXT_CAP_CHARS} characters"
            string = f"{string[:room]}\n[{limit}: what this cell wrote after it is dropped]\n"
        return int(write(self, string))

    OutStream.write = capped


if __name__ == "__main__":
    main()
