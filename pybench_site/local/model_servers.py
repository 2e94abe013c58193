"""Notes of the model servers on this machine, in a file for the pages."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.cli.local_servers import USUAL_PORTS, Found, find_model_servers

LOOK_EVERY_S = 15.0


def usual_ports_but(own: Iterable[int]) -> dict[str, int]:
    """The usual ports of model servers, without those that the site listens on itself."""
    return {name: port for name, port in USUAL_PORTS.items() if port not in set(own)}


def note(path: Path, found: Found) -> None:
    """Replace the file where it says something else."""
    text = json.dumps(found)
    with contextlib.suppress(OSError):
        if path.is_file() and path.read_text("utf-8") == text:
            return
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(text, "utf-8")
        draft.replace(path)


def keep_looking(path: Path, ports: Mapping[str, int], ended: threading.Event) -> None:
    """Look again and again until `ended` is set, in a thread that ends with its process."""

    def look() -> None:
        while not ended.is_set():
            note(path, find_model_servers(ports))
            ended.wait(LOOK_EVERY_S)

    threading.Thread(target=look, name="model-servers", daemon=True).start()
