"""Targets of the guarded client's connections: names, addresses, TLS; nothing leaves loopback."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from runner.contract import ProblemError
from runner.endpoint.guarded_transport import AddressPolicy, TooSlow, guarded_client
from runner.tests.support.wire import (
    CHUNKED,
    HELLO,
    HTTP,
    NAME,
    PUBLIC,
    Names,
    Wire,
    deaf,
    get,
    local,
    refused,
    repeats,
    sends,
    serving,
)

BAD_ANSWERS = {
    "loopback": ["127.0.0.1"],
    "loopback, IPv6": ["::1"],
    "any": ["0.0.0.0"],
    "any, IPv6": ["::"],
    "private": ["10.0.0.5"],
    "private, last": [PUBLIC, "192.168.0.1"],
    "private, first": ["172.16.9.9", PUBLIC],
    "private, hidden among many": [*(f"1.1.1.{n}" for n in range(1, 200)), "10.0.0.1"],
    "metadata": ["169.254.169.254"],
    "metadata, IPv6": ["fd00:ec2::254"],
    "metadata, in the carrier's range": ["100.100.100.200"],
    "metadata, on a public number": ["168.63.129.16"],
    "carrier-grade NAT": ["100.64.0.1"],
    "mapped loopback": ["::ffff:127.0.0.1"],
    "mapped metadata": ["::ffff:a9fe:a9fe"],
    "NAT64 loopback": ["64:ff9b::7f00:1"],
    "NAT64 of our own network": ["64:ff9b:1::a00:1"],
    "6to4 loopback": ["2002:7f00:1::"],
    "Teredo": ["2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "ISATAP": ["2606:4700::5efe:a00:1"],
    "multicast": ["224.0.0.251"],
    "broadcast": ["255.255.255.255"],
    "link-local with a zone": ["fe80::1%lo"],
    "unique local": ["fc00::1"],
    "documentation": ["203.0.113.7"],
}


async def test_one_bad_answer_refuses_the_name_and_nothing_is_called(
    subtests: pytest.Subtests,
) -> None:
    for name, answers in BAD_ANSWERS.items():
        with subtests.test(name):
            wire, names = Wire(9), Names(answers)
            code = await refused(f"https://{NAME}/v1", AddressPolicy(), resolve=names, network=wire)
            assert code == "address_not_public"
            assert wire.called == []
            assert names.asked == [NAME]


async def test_the_refusal_says_nothing_of_where_a_name_leads() -> None:
    with pytest.raises(ProblemError) as caught:
        await get(f"https://{NAME}/v1", resolve=Names(["10.11.12.13"]), network=Wire(9))
    assert "10.11" not in caught.value.problem.sentence


async def test_a_url_that_was_never_checked_is_refused_at_the_door(
    subtests: pytest.Subtests,
) -> None:
    for url, code in [
        ("https://127.0.0.1/v1", "address_not_public"),
        ("https://[::1]/v1", "address_not_public"),
        ("https://[::ffff:127.0.0.1]/v1", "address_not_public"),
        ("https://169.254.169.254/latest", "address_not_public"),
        ("https://127.0.0.1:22/", "url_port"),
        (f"https://{NAME}:6379/", "url_port"),
        (f"https://{NAME}:80/", "url_port"),
        (f"http://{NAME}/v1", "url_scheme"),
        (f"ftp://{NAME}/v1", "url_scheme"),
        (f"ws://{NAME}/v1", "url_scheme"),
        (f"wss://{NAME}/v1", "url_scheme"),
        ("unix:///var/run/docker.sock", "url_scheme"),
    ]:
        with subtests.test(url=url, code=code):
            wire = Wire(9)
            assert (
                await refused(url, AddressPolicy(), resolve=Names([PUBLIC]), network=wire) == code
            )
            assert wire.called == []


async def test_what_the_system_resolves_to_loopback_is_refused(subtests: pytest.Subtests) -> None:
    for host in ["2130706433", "0x7f000001", "0x7f.1", "127.1", "localhost"]:
        with subtests.test(host=host):
            async with serving(sends(HELLO)) as server:
                policy = AddressPolicy(ports=frozenset({server.port}), is_http_allowed=True)
                assert (
                    await refused(f"http://{host}:{server.port}/", policy) == "address_not_public"
                )
                assert server.heads == []


async def test_the_checked_address_is_called_and_the_name_is_kept() -> None:
    async with serving(sends(HELLO)) as server:
        wire, names = Wire(server.port), Names(["8.8.8.8"])
        await get(f"http://{NAME}:8080/v1", resolve=names, network=wire)
    assert wire.called == ["8.8.8.8"]
    assert f"host: {NAME}:8080\r\n" in server.heads[0].lower()


async def test_rebound_name_is_resolved_once_and_refused_next_time() -> None:
    async with serving(sends(HELLO, then_closes=True)) as server:
        wire, names = Wire(server.port), Names([PUBLIC], ["127.0.0.1"])
        async with guarded_client(HTTP, resolve=names, network=wire) as client:
            await client.get(f"http://{NAME}:8080/v1")
            assert (names.asked, wire.called) == ([NAME], [PUBLIC])
            with pytest.raises(ProblemError, match="not on the public internet"):
                await client.get(f"http://{NAME}:8080/v1")
    assert wire.called == [PUBLIC]
    assert len(server.heads) == 1


async def test_the_next_address_is_tried_when_one_is_dead() -> None:
    async with serving(sends(HELLO)) as server:
        wire = Wire(server.port, dead=["8.8.8.8"])
        await get(f"http://{NAME}/v1", resolve=Names(["8.8.8.8", PUBLIC]), network=wire)
    assert wire.called == ["8.8.8.8", PUBLIC]


async def test_many_dead_addresses_are_not_all_tried() -> None:
    many = [f"8.8.8.{n}" for n in range(100)]
    wire = Wire(9, dead=many)
    with pytest.raises(httpx2.ConnectError):
        await get(f"http://{NAME}/v1", resolve=Names(many), network=wire)
    assert wire.called == many[:4]


@pytest.mark.parametrize("answers", [[], None])
async def test_a_name_without_address_is_a_connect_error(answers: list[str] | None) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return answers

    with pytest.raises(httpx2.ConnectError, match=NAME):
        await get(f"https://{NAME}/v1", resolve=resolve, network=Wire(9))


async def test_a_resolver_that_hangs_is_a_connect_time_out() -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return [PUBLIC]

    async with guarded_client(HTTP, 0.2, resolve=resolve, network=Wire(9)) as client:
        with pytest.raises(httpx2.ConnectTimeout):
            await client.get(f"https://{NAME}/v1")


async def test_an_allow_listed_name_may_lead_to_this_machine_alone() -> None:
    async with serving(sends(HELLO)) as server:
        policy = AddressPolicy(loopback=frozenset({("localhost", server.port)}))
        response = await get(f"http://localhost:{server.port}/v1", policy)
        assert response.status_code == 200
        for answer in ("10.0.0.1", PUBLIC, "169.254.169.254"):
            url = f"http://localhost:{server.port}/v1"
            code = await refused(url, policy, resolve=Names(["127.0.0.1", answer]))
            assert code == "address_not_public"


async def test_another_name_for_the_allow_listed_address_is_refused() -> None:
    async with serving(sends(HELLO)) as server:
        policy = local(server, ports=frozenset({server.port}), is_http_allowed=True)
        url = f"http://{NAME}:{server.port}/"
        assert await refused(url, policy, resolve=Names(["127.0.0.1"])) == "address_not_public"
        assert server.heads == []


async def test_unix_sockets_are_refused() -> None:
    async with guarded_client(AddressPolicy()) as client:
        transport: Any = client._transport
        with pytest.raises(ProblemError):
            await transport._pool._network_backend.connect_unix_socket("/run/docker.sock")


@pytest.fixture(scope="module")
def tls_pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's TLS context for NAME, and a client's that trusts nothing but it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path_factory.mktemp("tls") / "server.pem"
    pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cafile=str(pem))


async def test_tls_checks_the_name_although_an_address_is_called(
    tls_pair: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    async with serving(sends(HELLO), tls_pair[0]) as server:
        outside: dict[str, Any] = {"network": Wire(server.port), "tls": tls_pair[1]}
        response = await get(
            f"https://{NAME}/v1", AddressPolicy(), resolve=Names([PUBLIC]), **outside
        )
        assert response.status_code == 200
        with pytest.raises(httpx2.ConnectError, match="certificate"):
            await get(
                "https://other.host.com/v1", AddressPolicy(), resolve=Names([PUBLIC]), **outside
            )
    assert len(server.heads) == 1


async def test_an_unknown_certificate_is_refused(
    tls_pair: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    async with serving(sends(HELLO), tls_pair[0]) as server:
        with pytest.raises(httpx2.ConnectError, match="certificate"):
            await get(f"https://{NAME}/v1", resolve=Names([PUBLIC]), network=Wire(server.port))


async def test_a_server_that_never_answers_the_tls_hello_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("runner.endpoint.guarded_transport.CONNECT_S", 0.3)
    forever = httpx2.Timeout(None)
    async with deaf() as port:
        outside: dict[str, Any] = {"resolve": Names([PUBLIC]), "network": Wire(port)}
        async with guarded_client(AddressPolicy(), forever, **outside) as client:
            with pytest.raises(httpx2.ConnectTimeout):
                await client.get(f"https://{NAME}/v1")


async def test_a_server_that_never_reads_the_request_is_left() -> None:
    async with deaf() as port:
        policy = AddressPolicy(loopback=frozenset({("127.0.0.1", port)}), response_s=0.5)
        async with guarded_client(policy, httpx2.Timeout(None)) as client:
            with pytest.raises(TooSlow):
                await client.post(f"http://127.0.0.1:{port}/v1", content=b"a" * (32 << 20))


async def test_an_endless_body_over_tls_is_cut_too(
    tls_pair: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    play = repeats(CHUNKED, b"1000\r\n" + b"a" * 4096 + b"\r\n")
    async with serving(play, tls_pair[0]) as server:
        outside: dict[str, Any] = {"network": Wire(server.port), "tls": tls_pair[1]}
        code = await refused(
            f"https://{NAME}/v1",
            AddressPolicy(response_bytes=1 << 20),
            resolve=Names([PUBLIC]),
            **outside,
        )
    assert code == "endpoint_too_large"
