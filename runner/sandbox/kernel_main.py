"""Runs inside the sandbox: an IPython kernel on listening sockets that were made outside.

    python -I <bundle> SPEC_FD

SPEC_FD holds a JSON object: `key`, `sockets` (two descriptors), `ready` (a pipe that gets a byte
when the kernel listens), `is_warm` (whether to import what tasks need beforehand). Standard
library and the kernel environment only.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import signal
import sys
import threading
import uuid
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

TEXT_CAP_CHARS = 1 << 20
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
OWN_PACKAGE = "runner"
OWN_PLACE = "/proc/"  # of the archive that this runs from


def main() -> None:
    with os.fdopen(int(sys.argv[1])) as file:
        spec = json.load(file)
    make_folders()
    app = make_app()
    if spec.get("is_warm"):
        import_all(LIBRARIES)
    keep_only({0, 1, 2, spec["ready"], *spec["sockets"]})
    OwnTraces().remove()
    os.write(spec["ready"], b"R")  # fails, and ends us, when nobody waits any more
    os.close(spec["ready"])
    run(app, spec["key"].encode(), spec["sockets"])


def run(app: Any, key: bytes, sockets: Sequence[int]) -> None:
    """Be a kernel to the first peer on the listening sockets of shell and iopub."""
    app.listen(key, sockets)
    sys.argv[:] = ["ipykernel"]
    app.start()


class OwnTraces:
    """What the interpreter remembers of the project, to be taken away before a cell can look.

    A zygote finds it before it forks: to look through all modules, or to let go of what is found,
    is to copy the memory that it lies in.
    """

    def __init__(self) -> None:
        self.modules = [name for name in sys.modules if name.partition(".")[0] == OWN_PACKAGE]
        self.places = [path for path in sys.path_importer_cache if path.startswith(OWN_PLACE)]
        self.kept: list[Any] = []

    def remove(self) -> None:
        self.kept += [sys.modules.pop(name) for name in self.modules]
        self.kept += [sys.path_importer_cache.pop(path) for path in self.places]
        sys.path[:] = [path for path in sys.path if not path.startswith(OWN_PLACE)]


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
    from ipykernel.displayhook import ZMQDisplayHook
    from ipykernel.kernelapp import IPKernelApp
    from IPython.core.history import HistoryManager
    from tornado.ioloop import IOLoop
    from traitlets import Any as Anything

    from runner.sandbox import kernel_wire

    class SandboxKernel(ipkernel.IPythonKernel):  # type: ignore[misc]
        """Runs everything in the main thread: no control, no subshells."""

        shell_stream = Anything()
        _supports_kernel_subshells = False
        _execute_sleep = 0.0  # before each reply, lest output be late: ours is waited for

        def __init__(self, **kwargs: Any) -> None:
            # It lists the files of all modules, for a debugger that is not there. In a fork, to
            # look at each module is to copy the memory that it lies in.
            ipkernel.sys = NoModules()
            try:
                super().__init__(**kwargs)
            finally:
                ipkernel.sys = sys
            self.shell_channel_thread = SimpleNamespace(parent_thread=threading.main_thread())

        @property
        def io_loop(self) -> Any:
            """Made when somebody wants it."""
            return IOLoop.current()

        def start(self) -> None:
            self.shell.exit_now = False
            self._publish_status("starting", "shell")

        def pre_handler_hook(self) -> None:
            """Nothing: an interrupt is for the cell's code, and its reply must go out."""

        post_handler_hook = pre_handler_hook

        async def do_execute(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                try:
                    return await super().do_execute(*args, **kwargs)  # type: ignore[no-any-return]
                finally:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
            except KeyboardInterrupt:  # it came between the cell's code and here
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                return {
                    "status": "error",
                    "execution_count": self.execution_count,
                    "ename": "KeyboardInterrupt",
                    "evalue": "",
                    "traceback": [],
                }

        async def take(self, frames: list[bytes]) -> None:
            await self.shell_main(None, [zmq.Frame(frame) for frame in frames])

    class SandboxKernelApp(IPKernelApp):  # type: ignore[misc]
        """A kernel that is complete before it is forked, and before it is told key and sockets."""

        kernel_class = SandboxKernel

        def init_sockets(self) -> None:
            self.shell_socket = kernel_wire.Channel(b"ROUTER")
            self.iopub_socket = kernel_wire.Channel(b"PUB")

        def init_io(self) -> None:
            """The streams come with the sockets."""
            self.displayhook = sys.displayhook = ZMQDisplayHook(self.session, self.iopub_socket)
            self.patch_io()

        def init_signal(self) -> None:
            """Comes with the sockets."""

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
            self.displayhook.get_execution_count = lambda: self.kernel.execution_count

        def rehearse(self) -> None:
            """Answer what a host asks first, to nobody: what is made for it once is then made."""
            code = {"code": "pass", "silent": False, "store_history": False, "allow_stdin": False}
            request = self.session.msg("execute_request", code)
            asyncio.run(self.kernel.take(self.session.serialize(request)))
            self.kernel.set_parent([], {})
            asyncio.set_event_loop(None)

        def listen(self, key: bytes, sockets: Sequence[int]) -> None:
            """Take up what was made outside, the key and listening sockets, and be a kernel."""
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # but while a cell runs
            self.session.key = key
            self.session.session = uuid.uuid4().hex
            self.session.pid = os.getpid()
            self.shell.user_ns["_dh"][:] = [Path.cwd()]
            shell, iopub = sockets
            self.shell_socket.accept(shell)
            self.iopub_socket.accept(iopub)
            tender = kernel_wire.Tender(self.iopub_socket, self.session)
            for name in ("stdout", "stderr"):
                stream = kernel_wire.Stream(tender, name)
                setattr(sys, name, stream)
            tender.thread.start()

        def start(self) -> None:
            self.kernel.start()
            loop = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)
            kernel_wire.Requests(self.shell_socket, self.kernel.take).begin(loop)
            while True:
                try:
                    loop.run_forever()
                    return
                except KeyboardInterrupt:
                    pass  # it came in between, and the next request can

        def parse_command_line(self, argv: Any = None) -> None:
            """There is none."""

        def load_config_file(self, **kwargs: Any) -> None:
            """There is none."""

        def init_code(self) -> None:
            """No start-up files; what is imported was counted before."""
            self.shell.user_ns_hidden.update(self.shell.user_ns)
            self.shell._sys_modules_keys = imported

        def init_path(self) -> None:
            """Modules in the working folder can be imported, which `-I` would prevent."""
            last = [path.rpartition("/")[2] for path in sys.path]
            sys.path.insert(last.index("site-packages"), "")

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


def make_app() -> Any:
    """A kernel with its shell, without a thread or a socket: it can be forked."""
    from traitlets.config import Config

    config = Config()
    config.IPCompleter.use_jedi = False
    config.IPKernelApp = Config()  # by which some libraries tell a notebook from a terminal
    app = app_class().instance(config=config, transport="ipc", log_level=40)
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
