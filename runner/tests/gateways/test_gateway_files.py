"""What a hostile kernel may tell of its files: it gets no further than by writing them.

The other end is a server of ours that says what it likes (`fake`).
"""

from __future__ import annotations

import base64
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from runner.contract import ChangeKind, Harvest, Limits
from runner.sandbox.base import KernelLost
from runner.sandbox.gateway import channel, folder
from runner.sandbox.gateway.address import Address
from runner.sandbox.gateway.rest import Gateway
from runner.sandbox.gateway.session import GatewaySession
from runner.sandbox.harvest import FILE_BYTES, FILES
from runner.tests.gateways.fake import (
    TOKEN,
    Answer,
    FakeGateway,
    Line,
    folder_of,
    helpful,
    job_of,
    row,
)

LINK, FOLDER, PIPE = 0o120777, 0o040755, 0o010644


@asynccontextmanager
async def begun(answer: Answer, inputs: Path, **gateway: Any) -> AsyncIterator[GatewaySession]:
    """A session after its first cell, whose helper answers so."""
    async with FakeGateway(answer=answer, **gateway) as fake:
        session = GatewaySession(Gateway(Address(fake.url, TOKEN)), inputs, Limits())
        try:
            await session.run("1", 10)
            yield session
        finally:
            await session.close()


async def harvest(answer: Answer, place: Path, wanted: tuple[str, ...] = ()) -> Harvest:
    """Into a folder beside which nothing may appear."""
    dest = place / "only" / "taken"
    async with begun(answer, place / "inputs") as session:
        taken = await session.harvest(dest, wanted)
    assert list(place.iterdir()) == [place / "only"]
    assert list((place / "only").iterdir()) == [dest]
    return taken


def refusals(harvest: Harvest) -> dict[str, str]:
    return {refused.path: refused.reason for refused in harvest.refused}


async def test_files_arrive_with_our_own_digest(tmp_path: Path) -> None:
    content = os.urandom(5 << 20)
    taken = await harvest(folder_of({"a.txt": b"abc", "sub/b.bin": content}), tmp_path)
    assert [(f.path, f.size_bytes) for f in taken.files] == [("a.txt", 3), ("sub/b.bin", 5 << 20)]
    assert taken.files[1].location.read_bytes() == content
    assert taken.files[0].sha256 == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


@pytest.mark.parametrize(
    "name",
    [
        "../beside",
        "/etc/cron.d/x",
        "a/../../beside",
        "a//b",
        "",
        ".",
        "..",
        "a/",
        "nul\0byte",
        "new\nline",
        "..\\up",
        "\ud800",
        "bad\udcff",
        "\u202egpj.exe",
        "n" * 240,
        "/".join("d" * 12),
        "n" * 5_000,
    ],
)
async def test_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    taken = await harvest(folder_of({"good": b"x"}, [row(name, 3)]), tmp_path)
    assert [stored.path for stored in taken.files] == ["good"]
    (reason,) = refusals(taken).values()
    assert reason in ("has a name that cannot be stored", "lies too deep")
    str(taken).encode()  # fit for a page


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"mode": LINK}, "is a symbolic link"),
        ({"mode": PIPE}, "is no regular file"),
        ({"mode": FOLDER}, "cannot be listed"),
        ({"links": 2}, "is a hard link: it has another name elsewhere"),
        ({"links": 0}, "is a hard link: it has another name elsewhere"),
        ({"size": FILE_BYTES + 1}, f"is too large: {FILE_BYTES + 1} bytes"),
        ({"size": -1}, "cannot be opened"),
        ({"size": 1.5}, "cannot be opened"),
        ({"size": True}, "cannot be opened"),
        ({"size": "3"}, "cannot be opened"),
        ({"size": 10**40}, "cannot be opened"),
        ({"mode": None}, "cannot be opened"),
        ({"inode": [1]}, "cannot be opened"),
    ],
)
async def test_what_is_told_of_a_file_is_judged(
    told: dict[str, object], reason: str, tmp_path: Path
) -> None:
    taken = await harvest(folder_of({}, [row("odd", **told)]), tmp_path)
    assert (taken.files, refusals(taken)) == ((), {"odd": reason})


@pytest.mark.parametrize(
    "rows",
    [
        [[], ["a"], [1] * 7, "a", None, {"path": "a"}, row(7), row(None), row(["a"])],
        "abc",
        {"a": 1},
        7,
    ],
)
async def test_a_listing_that_is_none_is_an_empty_harvest(rows: object, tmp_path: Path) -> None:
    def answer(job: dict[str, Any]) -> object:
        return {"state": "whole", "rows": rows} if job["do"] == "look" else helpful(job)

    taken = await harvest(answer, tmp_path)
    assert taken.files == ()
    none = "cannot be listed: the kernel's listing makes no sense"
    assert refusals(taken) == ({} if isinstance(rows, list) else {"output": none})


@pytest.mark.parametrize(
    "said",
    ["nonsense", "[]", "null", "[" * 50_000 + "]" * 50_000, '{"error": {"a": 1}}', '{"error": ""}'],
)
async def test_an_answer_that_is_none_is_an_empty_harvest(said: str, tmp_path: Path) -> None:
    def answer(job: dict[str, Any]) -> object:
        return said if job["do"] == "look" else helpful(job)

    async with begun(answer, tmp_path) as session:
        taken = await session.harvest(tmp_path / "taken", ["wanted.csv"])
    assert taken.files == ()
    assert refusals(taken)["output"].startswith("cannot be listed: ")


async def test_a_file_told_twice_or_in_the_way_of_another_is_taken_once(tmp_path: Path) -> None:
    rows = [row("a", 1), row("a", 1), row("a/b", 1), row("c/d", 1), row("c", 1)]

    def answer(job: dict[str, Any]) -> object:
        if job["do"] == "look":
            return {"state": "whole", "rows": rows}
        return {"data": "eA=="} if job["do"] == "read" else helpful(job)

    taken = await harvest(answer, tmp_path)
    assert sorted(stored.path for stored in taken.files) == ["a", "c/d"]
    assert sorted(refusals(taken)) == ["a/b", "c"]


@pytest.mark.parametrize(
    ("data", "arrived"),
    [
        ("", b""),
        (base64.b64encode(b"abc").decode(), b"abcabcabca"),  # ten bytes were told
        (base64.b64encode(b"x" * 11).decode(), None),
        ("!!!!", None),
        ("YWJj\u00e9", None),
        (7, None),
        (None, None),
        (["YWJj"], None),
    ],
)
async def test_contents_are_what_arrived_and_never_more_than_told(
    data: object, arrived: bytes | None, tmp_path: Path
) -> None:
    def answer(job: dict[str, Any]) -> object:
        if job["do"] != "read":
            return folder_of({}, [row("file", 10)])(job)
        if data == base64.b64encode(b"abc").decode() and job["size"] < 3:
            return {"data": base64.b64encode(b"abc"[: job["size"]]).decode()}
        return {"data": data}

    taken = await harvest(answer, tmp_path)
    if arrived is None:
        assert taken.files == ()
        assert "makes no sense" in refusals(taken)["file"]
    else:
        assert [stored.location.read_bytes() for stored in taken.files] == [arrived]


async def test_what_is_fetched_in_all_is_bounded(tmp_path: Path) -> None:
    """Though nothing of it can be stored: each file would lie inside another file."""
    asked = 0

    def answer(job: dict[str, Any]) -> object:
        nonlocal asked
        if job["do"] == "look":
            inside = [row(f"a/{n}", FILE_BYTES) for n in range(1000)]
            return {"state": "whole", "rows": [row("a", 1), *inside]}
        if job["do"] == "read":
            asked += 1
            return {"data": "eA=="} if job["size"] == 1 else {"data": ""}
        return helpful(job)

    taken = await harvest(answer, tmp_path)
    assert [stored.path for stored in taken.files] == ["a"]
    assert asked <= 5


async def test_no_more_files_are_taken_than_anywhere_else(tmp_path: Path) -> None:
    rows = [row(f"{number:05}") for number in range(6_000)]
    taken = await harvest(folder_of({}, rows), tmp_path)
    assert len(taken.files) == FILES
    assert len(taken.refused) == 200


async def test_a_kernel_that_hands_over_drop_by_drop_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "HARVEST_TIMEOUT_S", 1.0)

    def answer(job: dict[str, Any]) -> object:
        if job["do"] == "read":
            return {"data": "eA=="}
        return folder_of({}, [row("first", 1 << 20), row("second", 1)])(job)

    taken = await harvest(answer, tmp_path)
    assert taken.files == ()
    assert set(refusals(taken)) == {"first", "second"}
    assert all("was not handed over within" in reason for reason in refusals(taken).values())


async def test_a_kernel_that_does_not_answer_its_helper_is_lost_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent(FakeGateway):
        async def react(self, line: Line, header: dict[str, Any], content: dict[str, Any]) -> None:
            if job_of(content).get("do") != "look":
                await super().react(line, header, content)

    async with Silent() as fake:
        session = GatewaySession(Gateway(Address(fake.url, TOKEN)), tmp_path, Limits())
        await session.run("1", 10)
        with monkeypatch.context() as hurry:
            hurry.setattr(channel, "ASK_TIMEOUT_S", 0.5)
            hurry.setattr(channel.Channel, "grace_s", 0.5)
            assert await session.changes() == ()
            taken = await session.harvest(tmp_path / "taken", ["a.csv"])
        again = await session.run("1", 10)
        await session.close()
    assert refusals(taken) == {"a.csv": "is lost: its kernel died before it was handed over"}
    assert again.status.value == "ok"
    assert fake.asked.count("POST /api/kernels") == 2


async def test_changes_are_judged_as_harvests_are(tmp_path: Path) -> None:
    rows = [row("../beside", 3), row("link", 3, mode=LINK), row("a/b", -1), row("\ud800", 1)]
    files = {"note.txt": b"one", "large": bytes(3 << 20)}
    async with begun(folder_of(files, rows), tmp_path) as session:
        first = await session.changes()
        files["note.txt"] = b"three"
        second = await session.changes()
        del files["large"]
        third = await session.changes()
    assert [(c.path, c.kind, c.content) for c in first] == [
        ("large", ChangeKind.CREATED, None),
        ("note.txt", ChangeKind.CREATED, b"one"),
    ]
    assert [(c.path, c.kind, c.content) for c in second] == [
        ("note.txt", ChangeKind.CHANGED, b"three")
    ]
    assert [(c.path, c.kind) for c in third] == [("large", ChangeKind.DELETED)]


async def test_a_listing_cut_short_reports_no_deletions(tmp_path: Path) -> None:
    told: dict[str, object] = {"state": "whole", "rows": [row("a"), row("b")]}

    def answer(job: dict[str, Any]) -> object:
        return told if job["do"] == "look" else helpful(job)

    async with begun(answer, tmp_path) as session:
        assert len(await session.changes()) == 2
        told = {"state": "cut", "rows": [row("a")]}
        assert await session.changes() == ()
        told = {"state": "missing"}
        assert [change.kind for change in await session.changes()] == [ChangeKind.DELETED] * 2


@pytest.mark.parametrize("work", [None, 7, "", "relative/folder", ["/a"]])
async def test_a_kernel_without_a_folder_is_void(work: object, tmp_path: Path) -> None:
    def answer(job: dict[str, Any]) -> object:
        return {"work": work} if job["do"] == "open" else helpful(job)

    with pytest.raises(KernelLost, match="names no folder"):
        async with begun(answer, tmp_path):
            pass


async def test_inputs_go_over_in_pieces_and_in_order(tmp_path: Path) -> None:
    content = os.urandom((4 << 20) + 5)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "big").write_bytes(content)
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to("/etc/passwd")
    got: dict[str, bytes] = {}
    jobs: list[str] = []

    def answer(job: dict[str, Any]) -> object:
        jobs.append(job["do"])
        if job["do"] == "put":
            got[job["path"]] = got.get(job["path"], b"") + base64.b64decode(job["data"])
        return helpful(job)

    async with begun(answer, tmp_path):
        pass
    assert got == {"empty": b"", "sub/big": content}
    assert jobs == ["open", "put", "put", "put", "put", "seal"]


async def test_a_gateway_that_goes_during_the_harvest_is_not_the_models_doing(
    tmp_path: Path,
) -> None:
    class Going(FakeGateway):
        async def react(self, line: Line, header: dict[str, Any], content: dict[str, Any]) -> None:
            if job_of(content).get("do") == "look":
                line.writer.close()
            await super().react(line, header, content)

    async with Going() as fake:
        session = GatewaySession(Gateway(Address(fake.url, TOKEN)), tmp_path, Limits())
        await session.run("1", 10)
        with pytest.raises(KernelLost, match="cut the connection"):
            await session.harvest(tmp_path / "taken")
        await session.close()
