"""Model servers that `make run` found on this machine, as the pages offer them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from leaderboard.submissions.endpoint_policy import submission_policy
from pybench_site.production_checks import is_for_strangers
from runner.contract import ProblemError
from runner.endpoint.address_policy import check_url

MAX_FILE_BYTES = 1 << 20


@dataclass(frozen=True)
class LocalServer:
    """A model server on this machine, with the models that it lists."""

    name: str
    port: int
    models: tuple[str, ...]

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def is_callable(self) -> bool:
        """True if the operator's settings let runs call it."""
        try:
            check_url(self.base_url, submission_policy())
        except ProblemError:
            return False
        return True


def is_for_this_machine() -> bool:
    """True if the site answers to this machine's own names alone."""
    return not is_for_strangers(settings.ALLOWED_HOSTS)


def list_servers() -> list[LocalServer]:
    """The servers that can be evaluated; none on a site that others can use."""
    if not settings.MODEL_SERVERS or not is_for_this_machine():
        return []
    try:
        with Path(settings.MODEL_SERVERS).open("rb") as file:
            found = json.loads(file.read(MAX_FILE_BYTES))
        servers = [LocalServer(str(s["name"]), int(s["port"]), tuple(s["models"])) for s in found]
    except (OSError, ValueError, TypeError, KeyError):
        return []
    return [server for server in servers if server.models and server.is_callable]


def find_model(port: str, model: str) -> dict[str, str]:
    """Initial values of the form for a model that is offered here; {} for any other."""
    for server in list_servers():
        if str(server.port) == port and model in server.models:
            return {"base_url": server.base_url, "model": model, "name": model[:120]}
    return {}
