"""Hostile archives at each address that takes a file, sent to a web process of a site at work."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.uploaded import chat_line
from leaderboard.tests.support.web_process import peak_bytes, web
from leaderboard.trajectories.export import FORMATS
from leaderboard.uploads.reading import MAX_STEPS

pytestmark = pytest.mark.services

MOST_WEB_BYTES = 400 << 20
LARGEST = 256 << 20  # that a site takes
HANG_S = 20.0
PAGES = ("/healthz", "/", "/runs/1/", "/about/method/", "/view/")
KEY = "lines-1"
CENTRAL = b"PK\x01\x02"
ACCOUNT = """
import json
from django.contrib.auth.models import User
from django.test import Client
from leaderboard.accounts.tokens import make_token
from leaderboard.disputes.dispute import make_dispute
from leaderboard.handoff import attempts
from leaderboard.models import Suite
from leaderboard.submissions.run_actions import start
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import register_entry

ada, client = User.objects.create_user("ada"), Client()
client.force_login(ada)
run = start(register_entry("Model", api_key="sk-secret"), Suite.objects.get())
[job] = claim(run.pk, 1, "w")
attempts.record_result(job, judged(False))
made = make_dispute(ada, run.attempts.get(), 0, "It is right.")
token = make_token(ada, "t")[1]
session, others = client.cookies["sessionid"].value, []
for number in range(8):
    other, client = User.objects.create_user(f"other{number}"), Client()
    client.force_login(other)
    others.append([make_token(other, "t")[1], client.cookies["sessionid"].value])
print(json.dumps([token, session, str(made.pk), run.attempts.get().pk, others]))
"""


def crowd(entries: int) -> bytes:
    """A zip whose directory has so many entries, each of the least size."""
    entry = CENTRAL + bytes(42)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 65_535, 65_535, len(entry) * entries, 0, 0)
    return b"PK\x03\x04" + bytes(26) + entry * entries + end


def nested() -> bytes:
    content = zipped({f"{KEY}/answer.txt": "1"})
    for _ in range(20):
        content = zipped({f"{KEY}/inner.zip": content})
    return content


def overlapping() -> bytes:
    """A thousand entries of one member that unpacks to 60 MiB."""
    made = zipped({"000.jsonl": b" " * (60 << 20)})
    entry = made[made.index(CENTRAL) : made.rindex(b"PK\x05\x06")]
    many = b"".join(entry.replace(b"000.jsonl", b"%03d.jsonl" % n) for n in range(1_000))
    return made.replace(entry, many)


def with_field(at: int, value: int, size: str = "<I") -> bytes:
    """A small archive with another number in its first directory entry."""
    made = bytearray(zipped({f"{KEY}/answer.txt": "1" * 999}))
    struct.pack_into(size, made, made.index(CENTRAL) + at, value)
    return bytes(made)


def zip64() -> bytes:
    """A directory that gives offset and sizes in zip64 fields: beyond the end of the file."""
    made = zipped({f"{KEY}/answer.txt": "1"})
    start = made.index(CENTRAL)
    entry = bytearray(made[start : made.rindex(b"PK\x05\x06")])
    struct.pack_into("<2I", entry, 20, 0xFFFFFFFF, 0xFFFFFFFF)
    struct.pack_into("<H", entry, 30, 28)
    struct.pack_into("<I", entry, 42, 0xFFFFFFFF)
    field = struct.pack("<2H3Q", 1, 24, 1 << 62, 1 << 62, 1 << 62)
    return made[:start] + bytes(entry) + field + made[made.rindex(b"PK\x05\x06") :]


def link() -> bytes:
    return with_field(38, 0o120777 << 16)


def full_of(content: bytes) -> bytes:
    """A zip of the largest size, with one stored file."""
    with tempfile.TemporaryFile() as made:
        with zipfile.ZipFile(made, "w") as archive, archive.open("a.jsonl", "w") as file:
            for _ in range((LARGEST - (1 << 20)) // len(content)):
                file.write(content)
        made.seek(0)
        return made.read()


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "120 MiB of directory": lambda: crowd(2_700_000),
    "256 MiB of directory": lambda: crowd((LARGEST - 1_000) // 46),
    "256 MiB of one file": lambda: full_of(bytes(1 << 20)),
    "20,001 entries": lambda: crowd(20_001),
    "nested": nested,
    "overlapping": overlapping,
    "a size of 4 GiB": lambda: with_field(24, 0xFFFFFFF0),
    "a size of 0": lambda: with_field(24, 0),
    "an offset outside": lambda: with_field(42, 0xFFFFFF00),
    "zip64": zip64,
    "encrypted": lambda: with_field(8, 1, "<H"),
    "a name twice": lambda: zipped({"notes": "1", "notez": "2"}).replace(b"notez", b"notes"),
    "absolute and upward names": lambda: zipped({f"/{KEY}/answer.txt": "1", f"../{KEY}/a": "2"}),
    "a link": link,
    "a bomb": lambda: zipped({f"{KEY}/output/a": bytes(60 << 20)}),
    "no directory": lambda: zipped({f"{KEY}/answer.txt": "1" * 900})[:-30],
}


DOORS = ("page", "page, to be judged", "uploads/", "uploads/score/")


@dataclass(frozen=True)
class World:
    """A site at work, with an account that sends files."""

    site: Site
    address: str
    web_pid: int
    token: str
    session: str
    dispute: str  # its id
    attempt: int  # its id
    others: list[tuple[str, str]]  # tokens and sessions of other accounts

    def of_other(self, number: int) -> World:
        token, session = self.others[number]
        return replace(self, token=token, session=session)

    def send(self, door: str, content: bytes, has_key: bool) -> tuple[int, str]:
        """Status and body of the answer."""
        if door.startswith("page"):
            return self.send_form("lines" if "judged" in door else None, content)
        query = "?suite=lines&name=a.zip" if "score" in door else "?name=a.zip"
        place = f"{self.dispute}/file/" if door == "disputes/" else ""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/zip"}
        if has_key:
            headers["Idempotency-Key"] = os.urandom(8).hex()
        return self.post(f"/api/v1/{door}{place}{query}", content, headers)

    def send_form(self, suite: str | None, content: bytes) -> tuple[int, str]:
        secret = "a" * 32  # CSRF: the cookie and the field agree
        fields = {"csrfmiddlewaretoken": secret} | ({"suite": suite} if suite else {})
        line = '--b\r\nContent-Disposition: form-data; name="%s"'
        parts = [line % name + f"\r\n\r\n{value}\r\n" for name, value in fields.items()]
        parts.append(line % 'file"; filename="a.zip' + "\r\n\r\n")
        headers = {
            "Content-Type": "multipart/form-data; boundary=b",
            "Cookie": f"csrftoken={secret}; sessionid={self.session}",
        }
        return self.post("/view/", "".join(parts).encode() + content + b"\r\n--b--\r\n", headers)

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        asked = urllib.request.Request(self.address + path, body, headers)
        return self.ask(asked, 300)

    def get(self, path: str) -> tuple[int, str]:
        return self.ask(urllib.request.Request(self.address + path), HANG_S)

    def ask(self, asked: urllib.request.Request, timeout_s: float) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(asked, timeout=timeout_s) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def peak_bytes(self) -> int:
        return peak_bytes(self.web_pid)


@pytest.fixture(scope="module")
def world(redis_url: str) -> Iterator[World]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pb-doors-")))
        unlimited = "leaderboard.tests.support.unlimited_settings"
        site = make_site(folder, "", redis_url, 1).with_environment(
            DJANGO_SETTINGS_MODULE=unlimited
        )
        facts = json.loads(site.manage("shell", "-c", ACCOUNT).splitlines()[-1])
        address, process = stack.enter_context(web(site))
        yield World(site, address, process.pid, *facts)


def archives() -> Iterator[ParameterSet]:
    """All of them; of the large, which take a minute each to be sent to all, those drawn."""
    for name in ARCHIVES:
        drawn = pytest.mark.one_of("large archives", name) if "MiB of" in name else ()
        yield pytest.param(name, marks=drawn)


@pytest.fixture(scope="module", params=archives())
def archive(request: pytest.FixtureRequest) -> bytes:
    return ARCHIVES[request.param]()


@pytest.mark.parametrize(
    ("door", "has_key"),
    [*((door, False) for door in DOORS), ("uploads/", True), ("uploads/score/", True)],
)
def test_archive_is_refused_and_counted_beside_other_peoples_writes(
    world: World, archive: bytes, door: str, has_key: bool
) -> None:
    counted = "SELECT count(*) FROM leaderboard_accountuse WHERE kind = 'upload'"
    before = world.site.one(counted)
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(world.send, door, archive, has_key)
        while not sent.done():
            assert world.site.takes_writes()
    status, body = sent.result()
    assert status == 422, body
    if door.startswith("page"):
        assert "Browsers do not keep a chosen file" in body
    else:
        assert json.loads(body)["code"] == "upload_refused"
    assert world.site.one(counted) == before + 1
    assert world.peak_bytes() < MOST_WEB_BYTES


def test_large_upload_of_wide_characters_is_taken_within_the_memory(world: World) -> None:
    """Text that takes four bytes a character, once it is read."""
    line = chat_line("0", query="Sum \U0001f600").encode()
    lines = b"\n".join(
        line.replace(b'"index": "0"', b'"index": "%d"' % number).replace(
            b'"content": "1"',
            b'"content": "%s%s"' % ("\U0001f600".encode(), os.urandom(60_000).hex().encode()),
        )
        for number in range(1_900)
    )
    status, body = world.send("uploads/", lines, has_key=True)
    assert status == 201, body
    assert json.loads(body)["attempts"] == 1_900
    assert world.peak_bytes() < MOST_WEB_BYTES


def test_large_attempts_are_read_within_the_memory(world: World) -> None:
    """Two of 60 MB, stored and opened at the same time at every address that reads all of them."""
    lines = (long_attempt(number) for number in range(2))
    status, body = world.send("uploads/", b"\n".join(lines), has_key=False)
    assert status == 201, body
    headers = {"Authorization": f"Bearer {world.token}", "Cookie": f"sessionid={world.session}"}

    def get(path: str) -> tuple[int, str]:
        return world.ask(urllib.request.Request(world.address + path, headers=headers), 300)

    run = json.loads(body)["id"]
    attempts = json.loads(get(f"/api/v1/attempts/?run={run}")[1])["results"]
    for door in ("", "attempt.json", *(f"export/{form.key}" for form in FORMATS), "steps/9.json"):
        with ThreadPoolExecutor(4) as pool:
            pages = [one["address"] + door for one in attempts]
            assert {status for status, _ in pool.map(get, pages)} == {200}, door
    with ThreadPoolExecutor(4) as pool:
        first = f"/api/v1/attempts/{attempts[0]['id']}/steps/?page_size=50&page="
        answers = [*pool.map(get, [f"{first}{page}" for page in (1, 1, 1, 1)])]
    assert "steps/9.json has it alone" in answers[0][1]
    assert get(f"/runs/{run}/export/chat")[0] == 200
    assert world.peak_bytes() < MOST_WEB_BYTES


def test_attempts_of_most_steps_are_read_within_the_memory(world: World) -> None:
    """The smallest steps, of which most are taken: as objects they are larger than as text."""
    lines = [many_steps(number, MAX_STEPS - 1) for number in range(4)]
    status, body = world.send("uploads/", b"\n".join([*lines, many_steps(4, 24_000)]), False)
    assert status == 201, body
    run, told = json.loads(body)["id"], json.loads(body)
    assert (told["attempts"], told["refused"]) == (4, 1)
    headers = {"Authorization": f"Bearer {world.token}", "Cookie": f"sessionid={world.session}"}

    def get(path: str) -> int:
        return world.ask(urllib.request.Request(world.address + path, headers=headers), 300)[0]

    with ThreadPoolExecutor(4) as pool:
        pages = [f"/runs/{run}/tasks/{number}/attempt.json" for number in range(4)]
        assert {*pool.map(get, pages)} == {200}
    assert world.peak_bytes() < MOST_WEB_BYTES


def many_steps(number: int, steps: int) -> bytes:
    step = [
        {"role": "assistant", "content": "```python\n1\n```"},
        {"role": "user", "content": "1"},
    ]
    messages = [{"role": "user", "content": f"Sum {number}"}, *(step * steps)]
    messages.append({"role": "assistant", "content": "Finished."})
    return json.dumps({"messages": messages, "index": str(number)}).encode()


def long_attempt(number: int) -> bytes:
    """A line of 60 MB: of steps of which half a window is more than one page reads."""
    text = os.urandom(500_000).hex()
    step = [
        {"role": "assistant", "content": f"I look.\n```python\n# {text}\n```"},
        {"role": "user", "content": "1"},
    ]
    messages = [{"role": "user", "content": f"Sum {number}"}, *(step * 60)]
    messages.append({"role": "assistant", "content": "Finished."})
    return json.dumps({"messages": messages, "index": str(number)}).encode()


def test_file_of_a_dispute_is_kept_unopened(world: World, archive: bytes) -> None:
    """One of each dispute, of 4 MiB at most."""
    status, _ = world.send("disputes/", archive[: 4 << 20], has_key=False)
    assert status in (201, 409)
    assert world.peak_bytes() < MOST_WEB_BYTES


def slow_to_read(seed: int) -> bytes:
    """An archive of lines that take seconds to be read, of which none is an attempt."""
    lines = "\n".join(
        chat_line(f"{seed}-{n}").replace("assistant", "nobody") for n in range(20_000)
    )
    return zipped({f"{number}.jsonl": lines for number in range(8)})


def small(door: str, number: int) -> bytes:
    if door.startswith("page, to") or "score" in door:
        return zipped({f"{KEY}/answer.txt": str(number)})
    return chat_line(f"{door} {number}").encode()


@pytest.mark.parametrize("door", DOORS)
def test_small_uploads_and_other_writes_are_taken_beside_the_slowest(
    world: World, door: str
) -> None:
    """Two accounts send them all the time; five others send one at the same time."""
    is_over, writer = threading.Event(), world.of_other(7)
    headers = {"Authorization": f"Bearer {writer.token}", "Content-Type": "application/json"}
    dispute = {"attempt": world.attempt, "words": "It is right."}
    run = {"suite": "lines", "base_url": "https://api.somewhere.net/v1", "model": door}

    contents = [slow_to_read(number) for number in (0, 1)]

    def send_slow(number: int) -> list[int]:
        content, statuses = contents[number], []
        while not is_over.is_set():
            statuses.append(world.of_other(number).send("uploads/", content, False)[0])
        return statuses

    with ThreadPoolExecutor(7) as pool:
        slow = [pool.submit(send_slow, number) for number in (0, 1)]
        try:
            time.sleep(1.0)
            quick = [
                pool.submit(world.of_other(n).send, door, small(door, n), False)
                for n in range(2, 7)
            ]
            for path, facts in (("disputes/", dispute), ("runs/", {**run, "name": door})):
                answer = writer.post(f"/api/v1/{path}", json.dumps(facts).encode(), headers)
                assert answer[0] in (201, 202, 409), answer  # one dispute of an account
            for path in PAGES:
                assert world.get(path)[0] == 200, path
            for one in quick:
                status, body = one.result()
                assert status == (200 if "page" in door else 201), body
        finally:
            is_over.set()
    assert {status for one in slow for status in one.result()} == {422}
