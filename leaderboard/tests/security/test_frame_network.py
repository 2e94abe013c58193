"""A model's page in its frame reaches no address, by WebRTC and preconnects neither."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright._impl._errors import TargetClosedError
from playwright.sync_api import Page

from conftest import wait_until
from leaderboard.tests.support.rows import add_file, finish_run, make_run, make_suite
from leaderboard.views import html_frames

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STUN = """<script>
const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:UDP_PORT' }] });
peer.createDataChannel('out');
peer.createOffer().then((offer) => peer.setLocalDescription(offer));
</script>"""
PAGES = {
    "webrtc": STUN,
    "webrtc in a frame of the page's own": f'<iframe srcdoc="{STUN}"></iframe>',
    "webrtc in a frame that a script made": "<script>const own = document.createElement('iframe');"
    "own.srcdoc = `STUN`; document.body.append(own);</script>".replace(
        "STUN", STUN.replace("</script>", "<\\/script>")
    ),
    "preconnect": '<link rel="preconnect" href="http://127.0.0.1:TCP_PORT/">',
    "preconnect by a script": "<script>document.head.append(Object.assign("
    "document.createElement('link'), { rel: 'preconnect', href: 'http://127.0.0.1:TCP_PORT/' }))"
    "</script>",
    "prefetch": '<link rel="prefetch" href="http://127.0.0.1:TCP_PORT/data">',
    "speculation": '<script type="speculationrules">{"prefetch": [{"source": "list",'
    '"urls": ["http://127.0.0.1:TCP_PORT/data"]}]}</script>',
    "refresh": '<meta http-equiv="refresh" content="0; url=http://127.0.0.1:TCP_PORT/data">',
    "transport": "<script>new WebTransport('https://127.0.0.1:UDP_PORT/')</script>",
}  # fmt: skip

OPEN = """box => {
  for (let up = box; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
}"""


@dataclass
class Beacon:
    """Listens for datagrams and connections on loopback; nothing may arrive."""

    udp: socket.socket
    tcp: socket.socket
    arrived: list[str] = field(default_factory=list)

    def ports(self, page: str) -> bytes:
        udp, tcp = self.udp.getsockname()[1], self.tcp.getsockname()[1]
        return page.replace("UDP_PORT", str(udp)).replace("TCP_PORT", str(tcp)).encode()

    def hear(self) -> None:
        while True:
            try:
                self.udp.recvfrom(2000)
            except OSError:
                return
            self.arrived.append("datagram")

    def accept(self) -> None:
        while True:
            try:
                connection, _ = self.tcp.accept()
            except OSError:
                return
            connection.close()
            self.arrived.append("connection")


@pytest.fixture
def beacon() -> Iterator[Beacon]:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.create_server(("127.0.0.1", 0)) as tcp,
    ):
        udp.bind(("127.0.0.1", 0))
        made = Beacon(udp, tcp)
        threads = [threading.Thread(target=work, daemon=True) for work in (made.hear, made.accept)]
        for thread in threads:
            thread.start()
        yield made
        for listener in (udp, tcp):
            listener.shutdown(socket.SHUT_RDWR) if listener is tcp else listener.close()


def load(page: Page, live_server: Any, content: bytes) -> None:
    """Run `content` as the page of an attempt, the way a reader does."""
    run = finish_run(make_run(make_suite()), 3)
    attempt = run.attempts.earliest("pk")
    add_file(attempt, "index.html", content)
    page.goto(live_server.url + attempt.get_absolute_url())
    fold = page.locator("#outputs [data-frame]").first
    fold.evaluate(OPEN)
    note = fold.locator("p.note").inner_text()
    assert "not WebRTC and preconnect" in note  # what remains elsewhere, before the click
    page.wait_for_timeout(300)
    assert [frame.url for frame in page.frames[1:]] in ([], [""], ["about:blank"])
    with contextlib.suppress(TargetClosedError):  # Chromium 156 may end a page for trying
        fold.locator("a").click()
        page.wait_for_timeout(1500)


@pytest.mark.parametrize("kind", PAGES)
def test_page_in_its_frame_reaches_no_address(
    page: Page, live_server: Any, beacon: Beacon, kind: str
) -> None:
    load(page, live_server, beacon.ports(PAGES[kind]))
    assert beacon.arrived == []


@pytest.mark.parametrize("kind", ["webrtc", "webrtc in a frame of the page's own"])
def test_listener_hears_a_page_whose_frame_allows_it(
    page: Page, live_server: Any, beacon: Beacon, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Without our header the same page is heard: the tests above can fail."""
    harden = html_frames.harden

    def without_header(response: Any) -> Any:
        hardened = harden(response)
        del hardened["Connection-Allowlist"]
        return hardened

    monkeypatch.setattr(html_frames, "harden", without_header)
    load(page, live_server, beacon.ports(PAGES[kind]))
    wait_until(lambda: bool(beacon.arrived), "a datagram")
