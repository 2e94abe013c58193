"""Which gateways are refused before anything runs, and what is said: settings, then answers."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest

from runner.contract import Limits
from runner.sandbox.base import KernelLost, SandboxUnavailable
from runner.sandbox.gateway import rest
from runner.sandbox.gateway.address import Address, read_address
from runner.sandbox.gateway.rest import Gateway
from runner.sandbox.gateway.sandbox import find_gateway
from runner.sandbox.gateway.session import GatewaySession
from runner.tests.gateways.fake import KERNEL_ID, TOKEN, FakeGateway, Rest, http

SPECS = "GET /api/kernelspecs"
CREATE = "POST /api/kernels"
CHANNELS = f"GET /api/kernels/{KERNEL_ID}/channels"


@pytest.fixture(autouse=True)
def known_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYBENCH_GATEWAY_KERNEL", raising=False)
    monkeypatch.setenv("PYBENCH_GATEWAY_TOKEN", TOKEN)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", "needs to know where the gateway is"),
        ("gateway.example.org", "no http or https address"),
        ("ftp://gateway.example.org", "no http or https address"),
        ("http://", "no http or https address"),
        ("http://[::1", "no http or https address"),
        ("http://gateway:99999", "no http or https address"),
        ("http://gateway/a b", "no http or https address"),
        ("http://gateway/?token=x", "no http or https address"),
        ("https://me:hunter2@gateway.example.org", "holds a user or a password"),
    ],
)
def test_an_address_that_is_none_is_refused(
    url: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_URL", url)
    with pytest.raises(SandboxUnavailable, match=says) as caught:
        read_address()
    assert "PYBENCH_GATEWAY_" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_token_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_URL", "https://gateway.example.org")
    monkeypatch.setenv("PYBENCH_GATEWAY_TOKEN", "one\r\nX-Other: two")
    with pytest.raises(SandboxUnavailable, match="no header can carry"):
        read_address()


def test_a_sound_address_is_taken_with_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_URL", " https://gateway.example.org:8443/jupyter/ ")
    address = read_address()
    assert address == Address("https://gateway.example.org:8443/jupyter", TOKEN, "python3")
    assert address.websocket_url == "wss://gateway.example.org:8443/jupyter"
    assert TOKEN not in repr(address)


async def find(monkeypatch: pytest.MonkeyPatch, url: str) -> str:
    """Why no gateway is found there; the version of one that is."""
    monkeypatch.setenv("PYBENCH_GATEWAY_URL", url)
    try:
        return (await asyncio.to_thread(find_gateway))[1]
    except SandboxUnavailable as error:
        return str(error)


async def drip(writer: asyncio.StreamWriter) -> None:
    """An answer that never ends, a byte at a time."""
    writer.write(b"HTTP/1.1 200 x\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


async def pour(writer: asyncio.StreamWriter) -> None:
    """An answer that never ends, as fast as it is taken."""
    writer.write(b"HTTP/1.1 200 x\r\n\r\n")
    while True:
        writer.write(b"[" * (1 << 16))
        await writer.drain()


async def drip_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 x\r\n")
    while True:
        writer.write(b"A: b\r\n")
        await writer.drain()
        await asyncio.sleep(0.01)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


ODD_ANSWERS: list[tuple[str, Rest, str]] = [
    ("another site", http(200, b"<html>hello</html>"), "speaks no Jupyter protocol"),
    ("another interface", http(200, {"kernels": []}), "is no Jupyter gateway"),
    ("a list", http(200, [1, 2]), "is no Jupyter gateway"),
    ("specs that are none", http(200, {"kernelspecs": [1]}), "is no Jupyter gateway"),
    ("nothing", http(204, b""), "answered 204"),
    ("deep", http(200, b"[" * 100_000 + b"]" * 100_000), "speaks no Jupyter protocol"),
    ("wide", http(200, b"[" + b"[]," * 300_000 + b"0]"), "speaks no Jupyter protocol"),
    ("large", http(200, b'"' + b"a" * (2 << 20) + b'"'), "speaks no Jupyter protocol"),
    ("endless", pour, "cannot be reached: more than 8,388,608 bytes"),
    ("slow", drip, "did not answer within"),
    ("slow to begin", drip_headers, "did not answer within|cannot be reached"),
    ("no HTTP", b"\x00\xff SSH-2.0\r\n\r\n", "cannot be reached"),
    ("zipped", http(200, b"x", "Content-Encoding: gzip\r\n"), "cannot be reached: compressed"),
    ("hung up", hang_up, "cannot be reached"),
    ("401", http(401, {"message": ""}), r"refuses us \(401\). Set PYBENCH_GATEWAY_TOKEN"),
    ("403", http(403, {"message": ""}), r"refuses us \(403\). Set PYBENCH_GATEWAY_TOKEN"),
    ("500", http(500, {"message": "out\x07of\nroom"}), "answered 500"),
    ("other kernels", http(200, {"kernelspecs": {"r": 1, "go": 2}}), "“python3”; it has: go, r"),
    ("no kernels", http(200, {"kernelspecs": {}}), "it has: none"),
]


@pytest.mark.parametrize(
    ("answer", "says"), [pytest.param(*told, id=name) for name, *told in ODD_ANSWERS]
)
async def test_an_odd_answer_is_a_sentence(
    answer: Rest, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if answer in (drip, drip_headers):
        monkeypatch.setattr(rest, "ANSWER_TIMEOUT_S", 2.0)
    async with FakeGateway(rest={SPECS: answer}) as fake:
        said = await find(monkeypatch, fake.url)
    assert re.search(says, said), said
    assert fake.url in said
    assert TOKEN not in said
    assert fake.tokens == {f"token {TOKEN}"}


async def test_a_redirect_is_not_followed_and_nobody_is_told_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with FakeGateway() as other:
        moved = http(302, b"", f"Location: {other.url}/api/kernelspecs\r\n")
        async with FakeGateway(rest={SPECS: moved}) as fake:
            said = await find(monkeypatch, fake.url)
    assert "redirects (302), which is not followed" in said
    assert other.asked == []


async def test_nobody_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeGateway() as fake:
        url = fake.url
    assert "cannot be reached" in await find(monkeypatch, url)


@pytest.mark.parametrize(
    ("told", "version"),
    [
        ({"version": "2.21.1"}, "2.21.1"),
        ({"version": "2", "gateway_version": "3.2.0"}, "3.2.0"),
        ({"version": ["2"]}, "unknown"),
        ({"version": "<b>1</b>" + "9" * 100}, "b1b" + "9" * 32),
        ([], "unknown"),
    ],
)
async def test_the_version_is_read_or_unknown(
    told: object, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeGateway(rest={"GET /api": http(200, told)}) as fake:
        assert await find(monkeypatch, fake.url) == version


async def start(fake: FakeGateway, inputs: Path) -> str:
    """Why a session there has no kernel."""
    session = GatewaySession(Gateway(Address(fake.url, TOKEN)), inputs, Limits())
    try:
        with pytest.raises(KernelLost) as caught:
            await session.run("1", 10)
    finally:
        await session.close()
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param(http(201, {"id": 7}), "started no kernel", id="number"),
        pytest.param(http(201, {"id": "../../api/shutdown"}), "started no kernel", id="path"),
        pytest.param(http(201, {"id": "a" * 5000}), "started no kernel", id="long"),
        pytest.param(http(201, ["id"]), "started no kernel", id="list"),
        pytest.param(http(201, b""), "started no kernel", id="nothing"),
        pytest.param(http(403, {"message": "Resource Limit"}), "403 .*: Resource Limit", id="full"),
        pytest.param(http(500, b"no json"), "answered 500", id="broken"),
        pytest.param(hang_up, "cannot be reached", id="gone"),
    ],
)
async def test_a_kernel_that_is_not_made_is_void(answer: Rest, says: str, tmp_path: Path) -> None:
    async with FakeGateway(rest={CREATE: answer}) as fake:
        said = await start(fake, tmp_path)
    assert re.search(says, said), said
    assert [asked for asked in fake.asked if not asked.startswith("POST")] == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(http(404, {"message": "no such kernel"}), id="404"),
        pytest.param(http(403, b""), id="403"),
        pytest.param(http(200, b"hello"), id="no websocket"),
        pytest.param(b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n", id="half a handshake"),
        pytest.param(b"\xff" * 100_000, id="noise"),
        pytest.param(hang_up, id="hung up"),
    ],
)
async def test_a_kernel_that_cannot_be_spoken_to_is_void_and_deleted(
    answer: Rest, tmp_path: Path
) -> None:
    async with FakeGateway(rest={CHANNELS: answer}) as fake:
        said = await start(fake, tmp_path)
    assert "gave no connection to its kernel" in said
    assert fake.asked[-1] == f"DELETE /api/kernels/{KERNEL_ID}"


async def test_a_websocket_that_redirects_is_not_followed(tmp_path: Path) -> None:
    async with FakeGateway() as other:
        moved = http(302, b"", f"Location: {other.url.replace('http', 'ws')}/\r\n")
        async with FakeGateway(rest={CHANNELS: moved}) as fake:
            said = await start(fake, tmp_path)
    assert "gave no connection to its kernel" in said
    assert other.asked == []


async def test_the_token_is_sent_and_never_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with FakeGateway() as fake:
            session = GatewaySession(Gateway(Address(fake.url, TOKEN)), tmp_path, Limits())
            await session.run("1", 10)
            await session.close()
    assert fake.tokens == {f"token {TOKEN}"}
    assert len(caplog.records) > 10
    assert TOKEN not in caplog.text
    assert TOKEN not in json.dumps([str(vars(record)) for record in caplog.records])
