"""Runs as a process of its own, forked by `loader_parent`: opens one hostile model file.

Its values come back as plain JSON.

The job comes on stdin: {"path", "kind", "asks"}. Before the file is opened this process has given
up what it could misuse: it can read nothing but libraries, start nothing, and hold no more memory
than the job says. A name off the list ends it at once, before anything of the file has run.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from runner.checks.model_files.carried_code import (
    CLOUDPICKLE,
    Held,
    Inert,
    may_be_named,
    stand_in,
)
from runner.checks.model_files.landlock import keep_only
from runner.checks.model_files.pickle_allowlist import is_allowed, present_name
from runner.checks.model_files.plain_values import described, plain

REPORT = 100  # the descriptor for what this process has to say
REFUSED = 97  # exit code: the file names what no model needs
MEMORY_BYTES = 3 << 30  # of address space beyond what libraries take; a bomb ends in MemoryError
LONGEST_FILE_BYTES = 256 << 20
MOST_TEXTS = 1000  # of one list of them
DEEPEST = 3  # levels of lists and dicts that are searched for a model
SYSTEM = ("/usr", "/lib", "/lib64", "/etc", "/proc/self", "/proc/cpuinfo", "/proc/meminfo")
DEVICES = ("/sys/devices/system/cpu", "/dev/null", "/dev/urandom")
STARTS = (
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
)
OUTSIDE = ("subprocess.Popen", "socket.connect", "socket.bind", "os.kill", "os.killpg")


def main() -> int:
    job = json.loads(sys.stdin.buffer.read())
    os.dup2(1, REPORT, inheritable=False)
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    file = Path(job["path"]).open("rb")  # noqa: SIM115 open until this process ends
    import joblib  # type: ignore[import-not-found]  # what every file needs is read before the doors close

    give_up_powers()
    try:
        with joblib.parallel_config(backend="sequential"):
            found = load(file, job["kind"])
            replies = [answered(found, ask) for ask in job["asks"]]
        reply({"replies": replies})
    except Exception as error:  # a hostile file may raise anything
        reply({"unreadable": f"{type(error).__name__}: {error}"[:300]})
    return 0


def give_up_powers() -> None:
    """No memory without end, no file but libraries, no process, no name off the list."""
    limit_memory()
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libraries = [sys.prefix, sys.base_prefix, sysconfig.get_path("purelib")]
    keep_only([*SYSTEM, *DEVICES, *libraries])
    sys.addaudithook(stand_guard)


def limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    wanted = pages * resource.getpagesize() + MEMORY_BYTES
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def stand_guard(event: str, arguments: tuple[Any, ...]) -> None:
    """End the process before a forbidden name is looked up or anything is started."""
    if event == "pickle.find_class":
        module, name = str(arguments[0]), str(arguments[1])
        if not is_allowed(module, name):
            refuse(f"{module}.{name}")
    elif event in STARTS or event in OUTSIDE:
        refuse(event)


def refuse(what: str) -> NoReturn:
    reply({"refused": what[:200]})
    os._exit(REFUSED)


def reply(message: dict[str, object]) -> None:
    left = json.dumps(message).encode()
    while left:
        left = left[os.write(REPORT, left) :]


def load(file: io.BufferedReader, kind: str) -> Any:
    """Load the file's contents; `kind` is "numpy" for .npy and .npz, else "pickle" (joblib's
    too)."""
    if os.fstat(file.fileno()).st_size > LONGEST_FILE_BYTES:
        raise ValueError("it is larger than 256 MiB")
    if kind == "numpy":
        import numpy

        found = numpy.load(file, allow_pickle=False)
        return dict(found) if isinstance(found, numpy.lib.npyio.NpzFile) else found
    return load_pickle(file)


def load_pickle(file: io.BufferedReader) -> Any:
    """Plain pickles and joblib's, compressed or not; joblib's reader takes them all."""
    import joblib
    from joblib import numpy_pickle

    find_class = numpy_pickle.NumpyUnpickler.find_class
    carries_code = False

    def find_safely(unpickler: Any, module: str, name: str) -> Any:
        nonlocal carries_code
        module, name = present_name(module, name)
        if module in CLOUDPICKLE:
            carries_code = True
            return stand_in(name)
        if is_distribution(module, name):
            return Inert
        if (module, name) == ("builtins", "getattr"):
            return get_listed
        if carries_code and may_be_named(module, name) and not is_allowed(module, name):
            return Inert
        return find_class(unpickler, module, name)

    numpy_pickle.NumpyUnpickler.find_class = find_safely
    return joblib.load(file)


def is_distribution(module: str, name: str) -> bool:
    """True if it is what a random search keeps of the ranges that it drew from."""
    if module.startswith("scipy.stats._"):
        return name.endswith(("_gen", "_frozen"))
    return (module, name) == ("numpy", "vectorize")


def get_listed(owner: object, name: str) -> object:
    """The two attributes that honest pickles ask for: of a time zone, and of what is inert."""
    import zoneinfo

    if owner is zoneinfo.ZoneInfo and name == "_unpickle":
        return zoneinfo.ZoneInfo._unpickle  # type: ignore[attr-defined]
    if owner is Inert or isinstance(owner, Inert):
        return Inert
    refuse(f"builtins.getattr({type(owner).__name__}, {name})")


def answered(found: Any, ask: dict[str, Any]) -> dict[str, Any]:
    """One question's reply: {"value"} or {"error", "message"}."""
    try:
        return {"value": plain(answer(found, ask))}
    except Exception as error:  # a hostile object may raise anything
        return {"error": type(error).__name__, "message": str(error)[:200]}


def answer(found: Any, ask: dict[str, Any]) -> Any:
    if ask["do"] == "describe":
        return described(found)
    if ask["do"] == "value":
        return found
    if ask["do"] == "texts":
        return list(texts_in(found))
    model = find_with(found, ask["name"], ask["at"], ask["beside"])
    if ask["do"] == "read":
        return getattr(model, ask["name"])
    return getattr(model, ask["name"])(to_rows(ask["rows"], ask["columns"]))


def find_with(found: Any, attribute: str, at: list[Any] | None, beside: str = "") -> Any:
    """The object at the keys `at`, or the first one, outermost first, that has the attribute.

    And the attribute `beside`, where one is named.
    """
    wanted = [attribute, *([beside] if beside else [])]
    for key in at or ():
        found = found[key]
    level = [found]
    for _ in range(1 if at else DEEPEST):
        for candidate in level:
            if not isinstance(candidate, dict | list | tuple | Held) and all(
                hasattr(candidate, name) for name in wanted
            ):
                return candidate
        level = [inner for outer in level for inner in items_of(outer)]
    raise AttributeError(f"nothing in the file has “{attribute}”")


def texts_in(found: Any, key: str = "", depth: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Every list of texts in dicts and lists, with its key: names of a model's columns, say."""
    if hasattr(found, "tolist") and getattr(found, "ndim", 0) == 1:
        found = found.tolist()
    is_short = isinstance(found, list | tuple) and 0 < len(found) <= MOST_TEXTS
    if is_short and all(isinstance(item, str) for item in found):
        yield key, list(found)
    if depth < DEEPEST:
        keys = [str(name) for name in found] if isinstance(found, dict) else []
        for place, inner in enumerate(items_of(found)[:MOST_TEXTS]):
            yield from texts_in(inner, keys[place] if keys else key, depth + 1)


def items_of(outer: Any) -> list[Any]:
    if isinstance(outer, dict | Held):
        return list((outer if isinstance(outer, dict) else vars(outer)).values())
    return list(outer) if isinstance(outer, list | tuple) else []


def to_rows(rows: list[Any], columns: list[str] | None) -> Any:
    """A table when columns are named, texts as they are, else an array."""
    if columns is not None:
        import pandas

        return pandas.DataFrame(rows, columns=columns)
    if rows and isinstance(rows[0], str):
        return rows
    import numpy

    return numpy.asarray(rows)
