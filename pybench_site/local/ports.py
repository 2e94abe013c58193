"""Ports of a one-machine site: the chosen ones, or the next free ones if others hold the usual."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from runner.cli.local_servers import USUAL_PORTS

MOST_TRIES = 100


@dataclass(frozen=True)
class Ports:
    """The ports of the site and of its scripted endpoints."""

    site: int = 8000
    scripted: int = 8001

    @classmethod
    def named(cls, environ: Mapping[str, str] = os.environ) -> Ports:
        """The ports that the environment names, else the usual ones."""
        site = int(environ.get("PYBENCH_PORT", cls.site))
        return cls(site, int(environ.get("PYBENCH_SCRIPTED_PORT", cls.scripted)))


def choose_ports(host: str, environ: Mapping[str, str] = os.environ) -> tuple[Ports, list[str]]:
    """The ports to use, and a sentence for each that is not the usual one.

    Exits if a port that the environment names cannot be used.
    """
    sentences: list[str] = []
    chosen: list[int] = []
    usual = Ports()
    for name, at, port in (
        ("PYBENCH_PORT", host, usual.site),
        ("PYBENCH_SCRIPTED_PORT", "127.0.0.1", usual.scripted),
    ):
        if name in environ:
            chosen.append(require_free(name, at, int(environ[name])))
            continue
        found = find_free(at, port, chosen)
        chosen.append(found)
        if found != port:
            sentences.append(f"port {port} on {at} is in use; {name}={found} is used instead")
    return Ports(*chosen), sentences


def usual_ports_but(own: Collection[int]) -> list[int]:
    """The usual ports of model servers, without those that the site listens on itself."""
    return [port for port in USUAL_PORTS.values() if port not in own]


def find_free(host: str, port: int, taken: Collection[int]) -> int:
    """The first free port from `port` on; beyond it no usual port of a model server."""
    for candidate in range(port, port + MOST_TRIES):
        is_left_alone = candidate != port and candidate in USUAL_PORTS.values()
        if candidate not in taken and not is_left_alone and not why_unusable(host, candidate):
            return candidate
    return require_free("PYBENCH_PORT", host, port)


def require_free(name: str, host: str, port: int) -> int:
    if why := why_unusable(host, port):
        sys.exit(
            f"Port {port} on {host} cannot be used: {why}. "
            f"End what holds it, or choose another: {name}={port + 80} make run"
        )
    return port


def why_unusable(host: str, port: int) -> str:
    """The reason in the system's words; "" for a port that can be listened on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""
