"""Model servers on this machine: their usual ports are asked at a click in the submit form."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db.models import Exists, OuterRef, Q

from leaderboard.models import Attempt, Draft, Judging, Run
from leaderboard.queue import clock, preflights
from leaderboard.submissions.endpoint_policy import THIS_MACHINE, submission_policy
from runner.cli.local_servers import MAX_NAME_CHARS, USUAL_PORTS, list_models
from runner.contract import JudgingState, ProblemError, Status
from runner.endpoint.address_policy import check_url


@dataclass(frozen=True)
class LocalServer:
    """A model server on this machine, with the models that it lists."""

    name: str
    port: int
    models: tuple[str, ...] = ()
    wants_key: bool = False  # and lists none without

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@dataclass(frozen=True)
class LocalSearch:
    """Result of one look at the usual ports."""

    found: Sequence[LocalServer]
    locked: Sequence[LocalServer]  # they want a key
    silent: Sequence[LocalServer]  # nothing there lists models
    busy: Sequence[LocalServer]  # not asked: the site itself is at work there


def search_servers(own_port: int) -> LocalSearch:
    """Ask each usual port that runs can call for its models, once and at the same time.

    Some servers drop the reply under way when they get any other request, so a port where a
    run, a preflight or a judge is at work is left alone. Takes some seconds at most.
    """
    callable_ports = [LocalServer(*item) for item in USUAL_PORTS.items() if is_callable(item[1])]
    taken = ports_at_work()
    asked = [server for server in callable_ports if server.port not in taken | {own_port}]
    with ThreadPoolExecutor(max_workers=len(USUAL_PORTS)) as pool:
        lists = list(pool.map(list_models, [server.port for server in asked]))
    answered = [
        LocalServer(server.name, server.port, listed.models, listed.wants_key)
        for server, listed in zip(asked, lists, strict=True)
    ]
    return LocalSearch(
        found=[server for server in answered if server.models],
        locked=[server for server in answered if server.wants_key],
        silent=[server for server in answered if not (server.models or server.wants_key)],
        busy=[server for server in callable_ports if server.port in taken],
    )


def is_callable(port: int) -> bool:
    """True if the operator's settings let runs call this port."""
    try:
        check_url(LocalServer("", port).base_url, submission_policy())
    except ProblemError:
        return False
    return True


def ports_at_work() -> set[int]:
    """Ports of this machine that a run, a preflight, a draft's check or a judge is asking."""
    in_flight = Attempt.objects.filter(run=OuterRef("pk"), status=Status.RUNNING)
    runs = Run.objects.filter(
        Q(status__in=(Status.CHECKING, Status.QUEUED, Status.RUNNING))
        | Q(is_checking_key=True)
        | Exists(in_flight)
    )
    awaited = Draft.objects.filter(report={}, asked_at__gt=clock.now() - preflights.PATIENCE)
    judgings = Judging.objects.filter(state__in=(JudgingState.QUEUED, JudgingState.RUNNING))
    addresses = [
        *runs.values_list("entry__endpoint__base_url", flat=True).distinct(),
        *awaited.values_list("facts__base_url", flat=True),
        *judgings.values_list("judge__base_url", flat=True).distinct(),
    ]
    return {port for address in addresses if (port := local_port(str(address or "")))}


def local_port(base_url: str) -> int:
    """The port of this machine in an address that was checked; 0 for another machine's."""
    parts = urlsplit(base_url)
    is_local = parts.hostname in THIS_MACHINE
    return (parts.port or 80) if is_local else 0


def offer_of(chosen: str) -> dict[str, str]:
    """Values of the form for a found model, written "port model"; {} for anything else."""
    port, _, model = chosen.partition(" ")
    if not (port.isascii() and port.isdigit() and int(port[:6]) in USUAL_PORTS.values()):
        return {}
    if not model.isprintable() or not 0 < len(model) <= MAX_NAME_CHARS:
        return {}
    return {"base_url": LocalServer("", int(port[:6])).base_url, "model": model}
