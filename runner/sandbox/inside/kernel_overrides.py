"""Runs inside: ipykernel's application, kernel and streams, on channels of our own.

All that rests on private parts of ipykernel is here, and `test_kernel_overrides.py` names each.

ipykernel gives requests, control, output and each captured stream a thread, and libzmq two more of
its own. A kernel of a few short cells spends most of its time on starting and waking them. Here the
kernel is complete before it is forked, the main thread reads requests and writes all messages
itself, and one more thread sends what was printed while a cell goes on and reads what its children
print. To be imported after `kernel_main.leave_debugger_out`.
"""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import inspect
import io
import json
import logging
import os
import pydoc
import re
import select
import signal
import sys
import termios
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import Any, NoReturn

import zmq
from ipykernel import ipkernel, zmqshell
from ipykernel.displayhook import ZMQDisplayHook
from ipykernel.iostream import IOPubThread, OutStream
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core import interactiveshell
from IPython.core.autocall import ExitAutocall
from IPython.core.error import StdinNotImplementedError
from IPython.core.events import EventManager, available_events
from IPython.core.history import HistoryManager
from IPython.utils.process import system
from jupyter_client.jsonutil import json_clean, json_default
from jupyter_client.session import json_packer
from tornado.ioloop import IOLoop
from traitlets import Any as Anything
from traitlets import Instance, Type
from traitlets.config import Config

from runner.sandbox.inside.kernel_channels import PIECE_BYTES, Channel, Requests
from runner.sandbox.inside.kernel_left_out import Notes, name_alternatives
from runner.sandbox.inside.kernel_repair import STREAMS, Originals

TEXT_CAP_CHARS = 1 << 20
LONGEST_TEXT, LONGEST_ERROR = 200_000, 8_000  # characters of one value, of an exception's text
FLOOD_BYTES = PIECE_BYTES // 2
LAST_PIECES = 64  # that are taken at a cell's end, should a child print without end
GRACE_S = 0.05  # at a cell's beginning, for what it prints itself
DRAIN_WAIT_S = 0.1  # for the other thread, which may be at it without end
EXIT_ADVICE = "To exit: use"  # IPython's, after a SystemExit
EXIT_PAUSE_S = 0.01
FORKS_WAIT_S = 1.0  # at a cell's end, for children that come back from it
CELL: ContextVar[int] = ContextVar("CELL", default=0)  # by whose code this is called
SUCCESS = ("", "None", "0", "False")  # of a SystemExit, as text
KEPT = "The kernel and its variables are kept."
CELL_ENDED = f"The cell ended at its exit. {KEPT}"
MOST_CODE_CHARS = 200  # of an exit, that are named
MOST_FRAMES, MOST_CAUSES = 40, 8  # of a traceback, and of an exception, that are shown
UNHANDLED = (signal.SIG_DFL, signal.SIG_IGN, None)
DEADLY = signal.valid_signals() - {
    *(signal.SIGINT, signal.SIGCHLD, signal.SIGWINCH, signal.SIGCONT, signal.SIGURG),
    *(signal.SIGPIPE, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
}
END_PROCESS = os._exit
SET_TIMER = signal.setitimer
TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)  # alarm() sets the first
TIMER_ENDED = (
    "A timer of this cell (signal.alarm or signal.setitimer) had not run out when the cell ended. "
    "It was cancelled."
)
STREAM_KEPT = (
    "{} is another stream since this cell, as its code asked: what is printed there may not be "
    "shown, now and in later cells."
)
STREAM_BACK = "{} was still replaced when an error ended the cell. It was put back."
KILL = re.compile(r"(?<![.\w])kill[ \t]+[^\n]*(?:\$\{?PPID|getpid\(\))")  # in a shell
KILL_SURVIVED = f"The signal that kill sent to this kernel had no effect. {KEPT}"
NO_INPUT = (
    "Nobody can type here: input(), getpass(), debuggers and editors get no answer. Write the "
    "value into the code, or look at variables with print()."
)


def make_app() -> Any:
    """A kernel with its shell, without a thread or a socket: it can be forked."""
    HistoryManager.enabled = False
    cap_text()
    interactiveshell.warn = warn
    zmqshell.system = run_without_input
    config = Config()
    config.InteractiveShell.display_page = True  # there is no pager
    config.IPCompleter.use_jedi = False
    config.IPKernelApp = Config()  # by which some libraries tell a notebook from a terminal
    app = SandboxKernelApp.instance(config=config, transport="ipc", log_level=40)
    app.initialize([])
    app.session.pack = pack
    helper: Any = pydoc.Helper
    helper.intro = lambda self: None
    helper.interact = lambda self: refuse_input()
    for name in ("debug", "edit", "ed"):
        app.shell.register_magic_function(refuse_magic, "line_cell", name)
    for name in ("quit", "exit"):
        app.shell.register_magic_function(lambda line: app.shell.ask_exit(), "line", name)
    app.shell.register_magic_function(lambda line: print(NO_INPUT), "line", "pdb")
    app.kernel.left_out = name_alternatives()
    return app


def run_without_input(command: str) -> Any:
    """Run a shell command of a cell, which finds nothing to read."""
    return system(f"exec </dev/null; {command}")


def pack(value: Any) -> bytes:
    """A part of a message as JSON in UTF-8: pairs of surrogates are joined, others replaced."""
    value = shorten(value)
    try:
        return bytes(json_packer(value))
    except UnicodeEncodeError:
        clean = json_clean(value)
        text = json.dumps(clean, default=json_default, ensure_ascii=False, allow_nan=False)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def shorten(value: Any) -> Any:
    """The content of a message, with the middle of a very long text left out."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("data"), dict) and "text/plain" in value["data"]:
        data = value["data"]
        return {**value, "data": {**data, "text/plain": cut(data["text/plain"])}}
    if "evalue" in value:
        traceback = [cut(part, LONGEST_ERROR) for part in value.get("traceback", ())]
        return {**value, "evalue": cut(value["evalue"], LONGEST_ERROR), "traceback": traceback}
    return value


def cut(text: Any, limit: int = LONGEST_TEXT) -> Any:
    if not isinstance(text, str) or len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - limit:,} characters left out …]\n{text[-half:]}"


def cap_text() -> None:
    """Mute an endless print inside, so that it ends in a KeyboardInterrupt with variables kept.

    Best effort only: code that bypasses this hits the reader's limits and is killed.
    """
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


class Tender(IOPubThread):  # type: ignore[misc]
    """One thread beside the main one, for the streams. To ipykernel it is the I/O thread.

    It sleeps while nothing is printed.
    """

    def __init__(self, channel: Channel, session: Any) -> None:  # nothing of the base's is made
        self.socket = self.background_socket = channel
        self.session = session
        self.io_loop = None
        self.streams: list[Stream] = []
        self.bell, self.bell_rope = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.is_awake = False
        self.thread = threading.Thread(target=self.tend, name="IOPub", daemon=True)

    def schedule(self, f: Callable[[], None]) -> None:
        f()

    def send_multipart(self, frames: Sequence[Any], *args: Any, **kwargs: Any) -> None:
        self.socket.send_multipart(frames)

    def wake(self) -> None:
        """Something was printed: it is sent within the flush interval."""
        if not self.is_awake:
            self.is_awake = True
            os.write(self.bell_rope, b"!")

    def tend(self) -> None:
        poll = select.poll()
        poll.register(self.bell, select.POLLIN)
        by_fd = {stream._fid: stream for stream in self.streams}
        for fd in by_fd:
            poll.register(fd, select.POLLIN)
        interval_s = OutStream.flush_interval
        flush_at = time.monotonic()
        while True:
            wait_ms = max(0, int((flush_at - time.monotonic()) * 1000)) if self.is_awake else None
            for fd, _ in poll.poll(wait_ms):
                if fd == self.bell:
                    os.read(fd, PIECE_BYTES)
                    flush_at = time.monotonic() + interval_s
                else:
                    by_fd[fd].drain_beside()
            if self.is_awake and time.monotonic() >= flush_at:
                flush_at += interval_s
                self.is_awake = False  # before looking: who prints meanwhile rings
                for stream in self.streams:
                    self.is_awake = stream.send_pending() or self.is_awake


class Stream(OutStream):  # type: ignore[misc]
    """stdout or stderr. What children print into its descriptor is read before a cell ends."""

    left_out: Notes | None = None

    def __init__(self, tender: Tender, name: str) -> None:
        self.sending = threading.RLock()  # what is written first is sent first
        self.draining = threading.RLock()
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.decode_bytes = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.begun_at = 0.0  # the cell
        self.begun_line = ""  # in a child, whose lines are not to mix with its siblings'
        super().__init__(tender.session, tender, name)
        tender.streams.append(self)

    def _setup_stream_redirects(self, name: str) -> None:
        self._original_stdstream_fd = 1 if name == "stdout" else 2
        self._original_stdstream_copy = os.dup(self._original_stdstream_fd)
        self._fid, inlet = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._fid, False)
        os.dup2(inlet, self._original_stdstream_fd)
        os.close(inlet)

    @property
    def buffer(self) -> Bytes:
        return Bytes(self)

    def reconfigure(self, **kwargs: Any) -> None:
        """Take what scripts ask for: any text is printed whatever the encoding."""

    def close(self) -> None:
        """Stay open: later cells print as well."""
        self.flush()

    def _schedule_flush(self) -> None:
        self._flush_pending = True
        self.pub_thread.wake()

    def drain(self, wait_s: float = 0.0) -> bool:
        """Take in what was written to the descriptor itself, a piece; whether there was any."""
        if not self.draining.acquire(timeout=wait_s):
            return False  # the other thread does
        try:
            super().write(self.decode(os.read(self._fid, PIECE_BYTES)))
            return True
        except BlockingIOError:
            return False
        finally:
            self.draining.release()

    def drain_beside(self) -> None:
        """From the other thread: not before the cell had its say, nor into the one after it."""
        while (wait_s := self.begun_at + GRACE_S - time.monotonic()) > 0:
            time.sleep(wait_s)
        self._parent_header.set(self._parent_header_global)  # this thread's own
        self.drain()

    def is_flooded(self) -> bool:
        """True if a child prints faster than it is read: then nothing on our side need wait for
        it."""
        held = fcntl.ioctl(self._fid, termios.FIONREAD, bytes(4))
        return int.from_bytes(held, "little") >= FLOOD_BYTES

    def send_pending(self) -> bool:
        """Send pending messages; True if there were any."""
        was_pending = self._flush_pending
        if was_pending:
            self._flush()
        return was_pending

    def flush(self) -> None:
        if self._is_master_process():
            for _ in range(LAST_PIECES):
                if not self.drain(DRAIN_WAIT_S):
                    break
            self._flush()
        else:
            self.write_as_child("", is_last=True)

    def _flush(self) -> None:
        with self.sending:
            super()._flush()

    def set_parent(self, parent: Any) -> None:
        self.begun_at = time.monotonic()
        super().set_parent(parent)

    def write(self, string: str) -> int | None:
        if self.left_out and self.left_out.sentences and isinstance(string, str):
            self.left_out.leave_out(string)
        if self._is_master_process() or not isinstance(string, str):
            if not self.is_flooded():
                self.drain()  # what a child printed before comes before
            return super().write(string)  # type: ignore[no-any-return]
        self.write_as_child(string)
        return len(string)

    def write_as_child(self, string: str, is_last: bool = False) -> None:
        """Into the descriptor, which the kernel's process reads."""
        text = self.begun_line + string
        whole = len(text) if is_last else text.rfind("\n") + 1
        self.begun_line = text[whole:]
        rest = text[:whole].encode("utf-8", "replace")
        while rest:
            rest = rest[os.write(self._original_stdstream_fd, rest) :]


def is_shown(stream: Any) -> bool:
    """True for one of our streams, or text around its bytes: what it prints is shown."""
    return isinstance(stream, Stream) or (
        type(stream) is io.TextIOWrapper and isinstance(stream.buffer, Bytes)
    )


class Bytes(io.RawIOBase):
    """A stream's `buffer`: bytes that are printed, as text in UTF-8."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        held = bytes(data)
        self.stream.write(self.stream.decode_bytes(held))
        return len(held)

    def flush(self) -> None:
        self.stream.flush()


def warn(message: str, category: type[Warning] = UserWarning, stacklevel: int = 1) -> None:
    """IPython's warnings but one: to leave by `exit`, which would not leave either."""
    if not message.startswith(EXIT_ADVICE):
        warnings.warn(message, category, stacklevel=stacklevel + 1)


class Exit(ExitAutocall):  # type: ignore[misc]
    """`exit` and `quit`: as `sys.exit`, they end the cell's code and not the kernel."""

    def __call__(self, code: object = None) -> NoReturn:
        raise SystemExit(code)

    def __repr__(self) -> str:
        return "exit() ends the cell; the kernel and its variables are kept."


class Events(EventManager):  # type: ignore[misc]
    """IPython's hooks: one that exits ends no cell."""

    def trigger(self, event: str, *args: Any, **kwargs: Any) -> None:
        with suppress(SystemExit):
            super().trigger(event, *args, **kwargs)


class SandboxShell(ZMQInteractiveShell):  # type: ignore[misc]
    """A shell without a front end: no pager, no lines to fill in, nobody to leave it."""

    events: Any
    exiter = Instance(Exit, ())
    runs_code = False  # of a cell, and no hook
    has_shown_error = False  # since the cell began
    frames_cut = 0  # of the traceback that is shown
    _last_traceback = None  # a first cell that awaits something finds none otherwise

    def init_builtins(self) -> None:
        """Imported modules and `%run` have `exit` and `quit` as well."""
        super().init_builtins()
        self.builtin_trap.auto_builtins.update(exit=self.exiter, quit=self.exiter)

    def init_events(self) -> None:
        super().init_events()
        events = Events(self, available_events)
        events.callbacks.update(self.events.callbacks)
        self.events = events

    async def run_code(self, *args: Any, **kwargs: Any) -> Any:
        self.runs_code = True
        try:
            return await super().run_code(*args, **kwargs)
        finally:
            self.runs_code = False

    def can_run_cells(self) -> bool:
        """False if a cell has destroyed what it takes to run others."""
        if not self.kernel.originals.are_methods_kept():
            return False
        try:
            exec(compile(self.transform_cell("pass"), "", "exec"))
        except BaseException:
            return False
        return True

    def ask_exit(self) -> NoReturn:
        raise SystemExit

    def set_parent(self, parent: Any) -> None:
        """Tell the kernel's streams as well, though a cell has put others in their place."""
        super().set_parent(parent)
        for stream in self.kernel.streams:
            stream.set_parent(parent)

    def set_next_input(self, text: str, replace: bool = False) -> None:
        """Show what a front end would put into the next cell, as `%load` does."""
        print(text)

    def showtraceback(self, exc_tuple: Any = None, *args: Any, **kwargs: Any) -> None:
        value: Any = (exc_tuple or sys.exc_info())[1]
        self.kernel.put_back()
        hide_own_frames(value)
        if isinstance(value, SystemExit):
            self.show_exit(value)
            return
        had_shown, self.has_shown_error = self.has_shown_error, False
        self.frames_cut = cut_frames(value)
        try:
            super().showtraceback(exc_tuple, *args, **kwargs)
        except KeyboardInterrupt:
            raise
        except BaseException:
            if self.has_shown_error:  # by the debugger, after it
                raise
            self.show_untold(value)  # by the exception's own methods
        finally:
            self.has_shown_error = self.has_shown_error or had_shown

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        if self.frames_cut:
            cut, self.frames_cut = self.frames_cut, 0
            stb = [*stb[:-1], f"[{cut:,} frames in the middle are left out.]", *stb[-1:]]
        super()._showtraceback(etype, evalue, stb)
        self.has_shown_error = True

    def show_exit(self, value: SystemExit) -> None:
        told = tell(value)
        if told in SUCCESS:
            print(CELL_ENDED, file=sys.stderr)
            return
        what = "message" if isinstance(value.code, str) else "code"
        end = f"The cell ended at its exit, a failure with the {what} {told[:MOST_CODE_CHARS]}."
        self._showtraceback(SystemExit, told, [f"SystemExit: {told}", f"{end} {KEPT}"])

    def show_untold(self, value: BaseException) -> None:
        """Show an exception whose traceback cannot be made."""
        told = tell(value)
        self._showtraceback(type(value), told, [f"{type(value).__name__}: {told}"])


SandboxShell.__name__ = "ZMQInteractiveShell"  # by which libraries know a notebook


def hide_own_frames(error: BaseException | None) -> None:
    """Take this module's frames out of a traceback, but the first one, which is not shown."""
    last = error.__traceback__ if error else None
    while last and last.tb_next:
        if last.tb_next.tb_frame.f_code.co_filename == tell.__code__.co_filename:
            last.tb_next = last.tb_next.tb_next
        else:
            last = last.tb_next


def links_of(error: BaseException) -> Iterator[TracebackType]:
    link = error.__traceback__
    while link:
        yield link
        link = link.tb_next


def cut_frames(error: BaseException | None) -> int:
    """Take frames out of the middle of long tracebacks, of an exception and of its causes.

    To show one takes some milliseconds. Returns the number of frames that were taken out.
    """
    cut, last = 0, error
    for _ in range(MOST_CAUSES):
        if error is None:
            return cut
        frames = list(links_of(error))
        if len(frames) > MOST_FRAMES:
            cut += len(frames) - MOST_FRAMES
            frames[MOST_FRAMES // 2 - 1].tb_next = frames[-MOST_FRAMES // 2]
        last, error = error, error.__cause__ or error.__context__
    if last is not None:
        last.__cause__ = last.__context__ = None
    return cut


def hide_from_hooks() -> None:
    """Have what Python itself prints of errors, in `__del__` and in threads, hide own frames."""
    unraisable, threads = sys.unraisablehook, threading.excepthook

    def show_unraisable(given: Any) -> None:
        hide_own_frames(given.exc_value)
        unraisable(given)

    def show_of_thread(given: Any) -> None:
        hide_own_frames(given.exc_value)
        threads(given)

    sys.unraisablehook, threading.excepthook = show_unraisable, show_of_thread


def tell(error: BaseException) -> str:
    """An exception's text, or that it has none."""
    try:
        return str(error)
    except BaseException as fault:
        return f"(str() of it raises {type(fault).__name__})"


class NoModules:
    """`sys`, but nothing seems to be imported."""

    modules: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


class SandboxKernel(ipkernel.IPythonKernel):  # type: ignore[misc]
    """Runs everything in the main thread: no control, no subshells."""

    cell = requests_under_way = 0
    left_out: Notes
    originals: Originals | None = None
    streams: Sequence[Stream] = ()
    shell_class = Type(SandboxShell)
    shell_stream = Anything()
    _supports_kernel_subshells = False
    _execute_sleep = 0.0  # before each reply, lest output be late: ours is waited for

    def __init__(self, **kwargs: Any) -> None:
        self.forks: list[int] = []  # of the running cell, by process id
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

    def put_back(self) -> None:
        """Put back what a cell broke; nothing before the kernel listens."""
        if self.originals:
            self.originals.put_back()

    async def do_execute(self, code: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        self.shell.has_shown_error = False
        self.left_out.sentences.clear()
        notes = [KILL_SURVIVED] if KILL.search(code) else []
        were = {name: getattr(sys, name, None) for name in STREAMS}
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                reply = dict(await super().do_execute(code, *args, **kwargs))
            finally:
                notes += [TIMER_ENDED] if cancel_timers() else []
                self.put_back()
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except BaseException as error:  # between the cell's code and here
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if isinstance(error, Exception) and not self.shell.has_shown_error:
                self.shell.show_untold(error)
            reply = {
                "status": "error",
                "execution_count": self.execution_count,
                "ename": type(error).__name__,
                "evalue": tell(error),
                "traceback": [],
            }
        if reply.get("ename") == "SystemExit" and reply["evalue"] in SUCCESS:
            reply["status"] = "error" if self.shell.has_shown_error else "ok"
        changed = [name for name, was in were.items() if getattr(sys, name, None) is not was]
        for name in changed if reply["status"] != "ok" else ():
            setattr(sys, name, were[name])
            notes.append(STREAM_BACK.format(f"sys.{name}"))
        self.put_back()
        for name in changed:
            if not is_shown(getattr(sys, name)):
                notes.append(STREAM_KEPT.format(f"sys.{name}"))
        for stream in self.streams:  # also where a cell put others in their place
            stream.flush()
        self.left_out.note_error(str(reply.get("evalue", "")))
        for sentence in [*notes, *self.left_out.sentences.values()]:
            print(sentence, file=sys.stderr)
        if self.shell_stream.is_inherited():  # a fork that came back from its cell
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(reply["status"] != "ok")
        self.await_forks()
        if self.originals and not self.shell.can_run_cells():
            threading.Thread(target=os._exit, args=(1,), daemon=True).start()  # after the reply
        return reply

    def await_forks(self) -> None:
        """Wait a moment for the cell's forks, so that what they print is not the next cell's."""
        last_s = time.monotonic() + FORKS_WAIT_S
        while self.forks and time.monotonic() < last_s:
            with suppress(ChildProcessError):
                options = os.WEXITED | os.WNOHANG | os.WNOWAIT
                if os.waitid(os.P_PID, self.forks[-1], options) is None:
                    time.sleep(EXIT_PAUSE_S)
                    continue
            self.forks.pop()
        self.forks.clear()

    def raw_input(self, prompt: object = "") -> NoReturn:
        refuse_input()

    def getpass(self, *args: Any, **kwargs: Any) -> NoReturn:
        refuse_input()

    @contextmanager
    def _cancel_on_sigint(self, future: asyncio.Task[Any]) -> Iterator[None]:
        """Interrupt a cell that awaits something.

        ipykernel's own leaves its callback in a loop that sleeps until something else happens, and
        does nothing for code between two awaits.
        """
        loop = asyncio.get_running_loop()

        def interrupt(*_: object) -> None:
            if asyncio.current_task(loop) is future:
                raise KeyboardInterrupt
            loop.call_soon_threadsafe(future.cancel)

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    async def take(self, frames: list[bytes]) -> None:
        self.cell += 1
        CELL.set(self.cell)
        self.requests_under_way += 1
        replies = self.shell_stream.sent
        try:
            await self.shell_main(None, [zmq.Frame(frame) for frame in frames])
        finally:
            self.requests_under_way -= 1
            if self.shell_stream.sent == replies:
                END_PROCESS(1)  # the cell broke what it takes to reply


def cancel_timers() -> bool:
    """Whether there was one to cancel: its handler is for the cell that set it."""
    left_s = [SET_TIMER(timer, 0)[0] for timer in TIMERS]
    return max(left_s) > 0


def refuse_magic(line: str = "", cell: str = "") -> NoReturn:
    """Refuse a magic that opens a debugger or an editor, before it prints anything."""
    refuse_input()


def refuse_input() -> NoReturn:
    """In one sentence, without the frames of a debugger or of ipykernel."""
    refusal: Any = StdinNotImplementedError(NO_INPUT)
    refusal._render_traceback_ = lambda: [f"StdinNotImplementedError: {NO_INPUT}"]
    raise refusal


class SignalHandler:
    """A cell's signal handler: to exit, in a later cell, ends that handler alone."""

    def __init__(self, handler: Callable[..., Any]) -> None:
        self.handler = handler
        self.cell = CELL.get()

    def __call__(self, *args: Any) -> None:
        running = CELL.get()
        token = CELL.set(self.cell)
        try:
            self.handler(*args)
        except SystemExit:
            if self.cell == running:
                raise
        finally:
            CELL.reset(token)


def note_forks(kernel: SandboxKernel) -> None:
    """Have `os.fork` tell the kernel of its children, but those of multiprocessing."""
    fork = os.fork

    def noted_fork() -> int:
        frame = inspect.currentframe()
        caller = frame.f_back.f_globals.get("__name__") if frame and frame.f_back else ""
        child = fork()
        if child and not str(caller).startswith("multiprocessing."):
            kernel.forks.append(child)
        return child

    os.fork = noted_fork


def wrap_handlers() -> None:
    """Have `signal.signal` and `getsignal` hide that a cell's handlers are wrapped."""
    install, get = signal.signal, signal.getsignal

    def unwrap(handler: Any) -> Any:
        return handler.handler if isinstance(handler, SignalHandler) else handler

    def install_wrapped(signalnum: int, handler: Any) -> Any:
        is_own = CELL.get() and callable(handler) and not isinstance(handler, SignalHandler)
        return unwrap(install(signalnum, SignalHandler(handler) if is_own else handler))

    signal.signal = install_wrapped
    signal.getsignal = lambda signalnum: unwrap(get(signalnum))


def note_survived_signals() -> None:
    """Have a signal to the kernel itself say so where it ends nothing, as for a first process."""

    def note(send: Callable[..., Any], is_own: Callable[..., bool]) -> Callable[..., Any]:
        def send_noted(*args: Any) -> Any:
            sent = send(*args)
            if args[-1] in DEADLY and is_own(*args) and signal.getsignal(args[-1]) in UNHANDLED:
                name = signal.Signals(args[-1]).name
                print(f"The signal {name} had no effect on this kernel. {KEPT}", file=sys.stderr)
            return sent

        return send_noted

    os.kill = note(os.kill, lambda pid, _: pid == os.getpid())
    os.killpg = note(os.killpg, lambda group, _: group in (0, os.getpgrp()))
    signal.raise_signal = note(signal.raise_signal, lambda _: True)


def end_between_cells(kernel: SandboxKernel) -> None:
    """Have `os._exit` wait for the running cell, unless the code of that cell calls it.

    It is called by an earlier cell's thread, event loop callback, signal handler or hook.
    """
    leave, owner = os._exit, os.getpid()

    def leave_later(status: int) -> NoReturn:
        while kernel.requests_under_way:
            time.sleep(EXIT_PAUSE_S)
        leave(status)

    def end(status: int) -> NoReturn:
        if os.getpid() != owner or not kernel.requests_under_way:
            leave(status)
        if threading.current_thread() is not threading.main_thread():
            leave_later(status)
        if kernel.shell.runs_code and CELL.get() == kernel.cell:
            leave(status)
        threading.Thread(target=leave_later, args=(status,), daemon=True).start()
        raise SystemExit(status)

    os._exit = end


class SandboxKernelApp(IPKernelApp):  # type: ignore[misc]
    """A kernel that is complete before it is forked, and before it gets key and sockets."""

    kernel_class = SandboxKernel

    def init_sockets(self) -> None:
        self.shell_socket = Channel()
        self.iopub_socket = Channel()

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
        """Take up what was made outside, the key and the sockets, and be a kernel."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # but while a cell runs
        self.session.key = key
        self.session.session = uuid.uuid4().hex
        self.session.pid = os.getpid()
        self.shell.user_ns["_dh"][:] = [Path.cwd()]
        shell, iopub = sockets
        self.shell_socket.take_up(shell)
        self.iopub_socket.take_up(iopub)
        tender = Tender(self.iopub_socket, self.session)
        streams = {name: Stream(tender, name) for name in STREAMS}
        for name, stream in streams.items():
            stream.left_out = self.kernel.left_out
            setattr(sys, name, stream)
        tender.thread.start()
        end_between_cells(self.kernel)
        wrap_handlers()
        note_forks(self.kernel)
        note_survived_signals()
        hide_from_hooks()
        self.kernel.streams = tuple(streams.values())
        self.kernel.originals = Originals(self.shell, self.kernel, streams)

    def start(self) -> None:
        self.kernel.start()
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        requests = Requests(self.shell_socket, self.kernel.take)
        requests.begin(loop)
        while not requests.has_peer_left:  # whatever a cell left behind to stop the loop
            with suppress(BaseException):  # also of a signal's handler, between cells
                loop.run_forever()

    def parse_command_line(self, argv: Any = None) -> None:
        """There is none."""

    def load_config_file(self, **kwargs: Any) -> None:
        """There is none."""

    def init_code(self) -> None:
        """Note what the shell begins with. There are no start-up files."""
        self.shell.user_ns_hidden.update(self.shell.user_ns)
        self.shell._sys_modules_keys = set(sys.modules)

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
        """Log nothing: the host knows the sockets."""

    def init_heartbeat(self) -> None:
        """The host watches the process itself."""

    def init_poller(self) -> None:
        """The pid namespace ends with its parent."""
