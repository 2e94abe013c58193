"""Puts back what a cell replaced and later cells need. Runs inside.

A cell may set attributes of the shell, of the kernel and of modules to anything. A replacement that
works is kept, such as a stream that collects what is printed; what cannot work is put back.
"""

from __future__ import annotations

import builtins
import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

MODULES = (builtins, sys, os, signal, threading, time, json)
PARTS = ("events", "display_trap", "builtin_trap", "displayhook", "display_pub")  # of the shell
STREAMS = ("stdout", "stderr")
PLAIN = (type(None), bool, int, float, str)  # values that change as cells run; streams do, too
# Methods by which a cell is run: replaced on the shell or the kernel, they are not kept.
RUNNING = frozenset(
    {"run_cell", "run_cell_async", "_run_cell", "run_ast_nodes", "run_code", "transform_cell"}
    | {"do_execute", "execute_request", "shell_main", "dispatch_shell", "set_parent"}
    | {"showtraceback", "_showtraceback", "can_run_cells"}
)


class Originals:
    """The shell, the kernel and some modules as they were before the first cell."""

    def __init__(self, shell: Any, kernel: Any, streams: Mapping[str, Any]) -> None:
        self.namespace = shell.user_ns
        self.streams = streams
        parts = [getattr(shell, name) for name in PARTS]
        self.objects = (shell, kernel, kernel.session, *parts, *streams.values())
        held = [vars(module) for module in MODULES]
        for one in self.objects:
            held += [vars(one), getattr(one, "_trait_values", {})]
        self.values = [
            (place, {k: v for k, v in place.items() if not isinstance(v, (*PLAIN, io.TextIOBase))})
            for place in held
        ]
        self.methods = {
            (type(one), name): getattr(type(one), name)
            for one in (shell, kernel)
            for name in RUNNING
            if hasattr(type(one), name)
        }

    def are_methods_kept(self) -> bool:
        """False if a cell replaced a method of a class by which cells are run."""
        return all(getattr(of, name, None) is was for (of, name), was in self.methods.items())

    def put_back(self) -> None:
        for place, values in self.values:
            for name, value in values.items():
                now = place.get(name)
                if now is not value and is_broken(now, value):
                    place[name] = value
        for one in self.objects:
            for name in [name for name in vars(one) if self.is_shadowed(one, name)]:
                del vars(one)[name]
        if not isinstance(self.namespace.get("__builtins__"), ModuleType | dict):
            self.namespace["__builtins__"] = builtins
        for name, stream in self.streams.items():
            if not is_open(getattr(sys, name, None)):
                setattr(sys, name, stream)

    def is_shadowed(self, one: Any, name: str) -> bool:
        """True if an attribute hides a method of the class that has to be there."""
        if not callable(getattr(type(one), name, None)):
            return False
        return name in RUNNING or not callable(vars(one)[name])


def is_broken(now: Any, value: Any) -> bool:
    return not callable(now) if callable(value) else type(now) is not type(value)


def is_open(stream: Any) -> bool:
    """True for a stream that takes text, of whatever class."""
    try:
        stream.flush()
        return callable(stream.write) and not getattr(stream, "closed", False)
    except Exception:
        return False
