"""Ports of a one-machine site."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from runner.cli.local_servers import USUAL_PORTS


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


def usual_ports_but(own: Collection[int]) -> list[int]:
    """The usual ports of model servers, without those that the site listens on itself."""
    return [port for port in USUAL_PORTS.values() if port not in own]


def require_free(name: str, host: str, port: int) -> None:
    """Exits if the port, which the environment variable `name` sets, cannot be listened on."""
    if why := why_unusable(host, port):
        sys.exit(
            f"Port {port} on {host} cannot be used: {why}. "
            f"End what holds it, or choose another: {name}={port + 80} make run"
        )


def why_unusable(host: str, port: int) -> str:
    """The reason in the system's words; "" for a port that can be listened on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""
