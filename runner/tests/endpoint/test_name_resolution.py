"""Names that resolve slowly delay only themselves, and are reported as what they are."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpcore2
import pytest

from runner.contract import EndpointSpec, ProblemError
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.errors import of_connection
from runner.endpoint.guarded_transport import GuardedTransport, PinnedBackend
from runner.endpoint.http import open_http
from runner.endpoint.name_resolution import THREADS, Resolver


class SlowNames:
    """A name service that never answers for names with "slow" in them until it is released."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.asked: list[str] = []

    def __call__(self, host: str, port: int, **_: Any) -> list[Any]:
        self.asked.append(host)
        if "slow" in host:
            self.let_go.wait(60)
            raise socket.gaierror(-3, "Temporary failure in name resolution")
        if "none" in host:
            raise socket.gaierror(-2, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]


@pytest.fixture
def names() -> Iterator[SlowNames]:
    made = SlowNames()
    yield made
    made.let_go.set()


class Reached(httpcore2.AsyncNetworkBackend):
    async def connect_tcp(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        raise httpcore2.ConnectError("reached the connect")


def backend(resolver: Resolver) -> PinnedBackend:
    return PinnedBackend(AddressPolicy(), resolver.resolve, Reached())


async def test_slow_names_delay_no_other_name(names: SlowNames) -> None:
    net = backend(Resolver(names))
    slow = [
        asyncio.create_task(net.connect_tcp(f"slow.attacker{i}.com", 443))
        for i in range(THREADS - 1)
    ]
    await asyncio.sleep(0.1)
    for task in slow:
        task.cancel()
    assert all(await asyncio.gather(*slow, return_exceptions=True))
    with pytest.raises(httpcore2.ConnectError, match="reached the connect"):
        await net.connect_tcp("fast.honest.com", 443)  # their threads are still there


async def test_one_name_is_looked_up_once_for_all_who_ask(names: SlowNames) -> None:
    resolver = Resolver(names)
    asks = [asyncio.create_task(resolver.resolve("slow.a.com", 443)) for _ in range(50)]
    async with asyncio.timeout(180):
        while not names.asked:  # noqa: ASYNC110 (a thread's doing)
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)  # for those that should not come to come
    assert names.asked == ["slow.a.com"]
    names.let_go.set()
    answers = await asyncio.gather(*asks, return_exceptions=True)
    assert len(answers) == 50
    assert all(isinstance(answer, socket.gaierror) for answer in answers)


async def test_abandoned_look_up_is_blamed_on_the_name_service(names: SlowNames) -> None:
    net = backend(Resolver(names))
    with pytest.raises(ProblemError) as caught:
        await net.connect_tcp("slow.attacker.com", 443, timeout=0.1)
    assert caught.value.problem.code == "endpoint_unresolved"
    assert "did not resolve slow.attacker.com within 0.1 s" in caught.value.problem.what
    spec = EndpointSpec("https://slow.attacker.com/v1", "m")
    assert of_connection(caught.value, spec).problem == caught.value.problem


async def test_unknown_name_is_reported_as_before(names: SlowNames) -> None:
    transport = GuardedTransport(
        AddressPolicy(), resolve=Resolver(names).resolve, network=Reached()
    )
    spec = EndpointSpec("https://none.example.com/v1", "m")
    async with open_http(transport) as http:
        with pytest.raises(Exception) as caught:  # the client's own kind
            await http.get(spec.base_url)
    assert "its name cannot be resolved" in of_connection(caught.value, spec).problem.what


async def test_hosts_file_is_read() -> None:
    assert set(await Resolver().resolve("localhost", 80)) <= {"127.0.0.1", "::1"}


def test_loop_that_is_closed_meanwhile_breaks_nothing(names: SlowNames) -> None:
    resolver = Resolver(names)

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await resolver.resolve("slow.a.com", 443)

    asyncio.run(give_up())
    names.let_go.set()
    resolver.threads.shutdown()
    assert not resolver.under_way
