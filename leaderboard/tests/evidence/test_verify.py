"""`pybench verify`: equal, different, forged and hostile bundles, each in plain words."""

from __future__ import annotations

import base64
import io
import json
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.evidence.keys import list_keys
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Entry, Run
from leaderboard.submissions.run_actions import publish
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.played import play_recorded
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)
from runner.cli.exit_codes import BAD_INPUT, BROKEN, DIFFERENT, DONE, GONE, INCOMPLETE
from runner.cli.main import main
from runner.evidence.chain import canonical, digest_of
from runner.evidence.envelope import make_key, sign
from runner.run_figures import wilson
from runner.tests.support.small_suite import STRICTER, write_small
from runner.verify import bundle as bundle_limits
from runner.verify import fetching

pytestmark = pytest.mark.django_db

Files = dict[str, bytes]


def download(run: Run) -> Files:
    if not run.is_public:
        publish(run.pk)
    sweep_queue()
    content = Client().get(f"/runs/{run.pk}/bundle.zip").getvalue()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(files: Files, path: Path) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return str(path)


def key() -> str:
    return list_keys()[0].public


def signed_anew(
    files: Files, change: Callable[[dict[str, Any]], object], secret: str, opening: bytes = b"{"
) -> Files:
    """The bundle with a changed statement, as whoever has the secret would sign it."""
    statement = json.loads(base64.b64decode(json.loads(files["manifest.json"])["payload"]))
    change(statement)
    envelope = sign(opening + json.dumps(statement).encode()[1:], make_key(secret))
    return {**files, "manifest.json": json.dumps(envelope).encode()}


def flip_verdict(files: Files, secret: str) -> Files:
    """The one verdict of a run made a failure, with every digest and figure that rests on it."""
    name = next(name for name in files if name.startswith("verdicts/"))
    verdict = json.loads(files[name])
    verdict |= {"passed": False, "sentence": "Failed: the file has another sum."}
    files = {**files, name: canonical(verdict)}

    def fit(statement: dict[str, Any]) -> None:
        claim = statement["predicate"]
        one, sha256 = claim["attempts"][0], digest_of(files[name])
        next(each for each in statement["subject"] if each["name"] == name)["digest"] = {
            "sha256": sha256
        }
        one |= {"passed": False, "verdict_sha256": sha256}
        low, high = wilson(0.0, 1)
        for row in claim["figures"].values():
            row |= {"passed": 0, "failed": 1, "rate": 0.0, "low": low, "high": high}
            row["turns"] = claim["limits"]["max_turns"]
        row = [one["task"], one["number"], one["outcome"], False, sha256]
        claim["state"] |= {"outcomes": "f", "verdicts_sha256": digest_of(canonical([row]))}

    return signed_anew(files, fit, secret)


@pytest.mark.sandbox
class TestScores:
    @pytest.fixture
    def files(self, tmp_path: Path, settings: Settings) -> Files:
        settings.SUITES = write_small(tmp_path / "suites").parent
        return download(play_recorded(tmp_path))

    def test_stored_outputs_are_judged_again_and_found_equal_or_different(
        self, files: Files, tmp_path: Path, settings: Settings, capsys: Any
    ) -> None:
        path = pack(files, tmp_path / "b.zip")
        options = [path, "--key", key(), "--suites", str(settings.SUITES)]
        assert main(["verify", *options]) == DONE
        assert "Equal: run" in capsys.readouterr().out
        assert main(["verify", path, "--suites", str(settings.SUITES)]) == INCOMPLETE
        assert "signature: NOT CHECKED (give --site or --key)" in capsys.readouterr().out

        forged = flip_verdict(files, settings.EVIDENCE_KEYS[0])
        options[0] = pack(forged, tmp_path / "forged.zip")
        assert main(["verify", *options, "--quick"]) == DONE  # nothing in it contradicts itself
        assert "no output was judged again (--quick)" in capsys.readouterr().out
        assert main(["verify", *options]) == DIFFERENT
        said = capsys.readouterr().out
        assert "double: failed in the manifest, passed here" in said
        assert "rate of the whole run: the manifest has 0, computed is 1" in said
        (Path(settings.SUITES) / "small" / "tasks" / "double.py").write_text(STRICTER)
        assert main(["verify", path, *options[1:], "--json"]) == INCOMPLETE
        found = json.loads(capsys.readouterr().out)
        assert found["not_judged"] == {"double": "this checkout has another version of its check"}


@pytest.fixture
def files(db: None) -> Files:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 6)
    tell_failure(run.attempts.order_by("-task__position")[0])
    return download(run)


def test_a_bundle_is_whole_as_archive_and_as_folder(
    files: Files, tmp_path: Path, capsys: Any
) -> None:
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    for source in (tmp_path, tmp_path / "manifest.json", pack(files, tmp_path / "b.zip")):
        assert main(["verify", str(source), "--key", key(), "--quick"]) == DONE, source
    name = next(name for name in files if name.startswith("files/"))
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to(os.devnull)
    assert main(["verify", str(tmp_path), "--key", key(), "--quick"]) == BAD_INPUT
    assert "is not a plain file" in capsys.readouterr().err


def test_any_changed_byte_of_a_file_is_found(files: Files, tmp_path: Path, capsys: Any) -> None:
    for name, content in files.items():
        if name != "manifest.json":
            at = len(content) // 2
            changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
            path = pack({**files, name: changed}, tmp_path / "b.zip")
            assert main(["verify", path, "--key", key(), "--quick"]) == BROKEN, name
            assert f"{name} is not the file that was signed" in capsys.readouterr().err


def change_payload(files: Files) -> Files:
    envelope = json.loads(files["manifest.json"])
    payload = base64.b64decode(envelope["payload"]).replace(b'"passed":6', b'"passed":8')
    envelope["payload"] = base64.b64encode(payload).decode()
    return {**files, "manifest.json": json.dumps(envelope).encode()}


def with_format(statement: dict[str, Any]) -> None:
    statement["predicate"]["format"] = 2


def with_path(statement: dict[str, Any]) -> None:
    attempt = next(one for one in statement["predicate"]["attempts"] if one["outputs"])
    attempt["outputs"][0]["path"] = "../../../etc/cron.d/x"


def with_verdict(statement: dict[str, Any]) -> None:
    attempts = statement["predicate"]["attempts"]
    next(one for one in attempts if one["verdict_sha256"])["passed"] ^= True


def without_attempts(statement: dict[str, Any]) -> None:
    statement["predicate"]["attempts"] = statement["subject"] = []


def with_entry_of_another_run(statement: dict[str, Any]) -> None:
    statement["predicate"]["state"]["verdicts_sha256"] = "0" * 64


def with_figures(statement: dict[str, Any]) -> None:
    statement["predicate"]["figures"][""]["rate"] = 0.99


def with_number(statement: dict[str, Any]) -> None:
    statement["predicate"]["attempts"][0]["turns"] = 10**400


def with_controls(statement: dict[str, Any]) -> None:
    statement["predicate"]["suite"]["version"] = "1\x1b[2J\ud800"


Forge = Callable[[Files, str], Files]
FORGED: dict[str, tuple[Forge, int, str]] = {
    "one byte of the payload": (
        lambda files, secret: change_payload(files),
        BROKEN, "The signature does not match: the manifest was changed",
    ),
    "another site": (
        lambda files, secret: signed_anew(files, lambda _: None, "their secret"),
        BROKEN, "none of these keys: it is of another site, or forged",
    ),
    "a newer version": (
        lambda files, secret: signed_anew(files, with_format, secret),
        BAD_INPUT, "has format 2; this version reads up to 1. Update this checkout",
    ),
    "a path that leaves its folder": (
        lambda files, secret: signed_anew(files, with_path, secret),
        BAD_INPUT, "a path leaves its folder ('../../../etc/cron.d/x')",
    ),
    "another figure": (
        lambda files, secret: signed_anew(files, with_figures, secret),
        DIFFERENT, "rate of the whole run: the manifest has 0.99, computed is 0.75",
    ),
    "a verdict that its file does not have": (
        lambda files, secret: signed_anew(files, with_verdict, secret),
        BROKEN, "is not the one that the manifest has",
    ),
    "figures of attempts that it does not list": (
        lambda files, secret: signed_anew(
            {"manifest.json": files["manifest.json"]}, without_attempts, secret
        ),
        DIFFERENT, "attempts of the whole run: the manifest has 8, computed is 0",
    ),
    "another entry of the ledger": (
        lambda files, secret: signed_anew(files, with_entry_of_another_run, secret),
        DIFFERENT, "verdicts_sha256: the ledger's entry does not have what the attempts give",
    ),
    "a fact twice": (
        lambda files, secret: signed_anew(files, lambda s: s, secret, b'{"_type":1,'),
        BAD_INPUT, "names a fact twice",
    ),
    "no subjects": (
        lambda files, secret: signed_anew(files, lambda s: s.update(subject=[]), secret),
        BROKEN, "The subjects of the manifest are not the files of its attempts",
    ),
    "no files": (
        lambda files, secret: {"manifest.json": files["manifest.json"]},
        BAD_INPUT, "files of the manifest are not beside it, the first: trajectories/",
    ),
    "no manifest": (
        lambda files, secret: {k: v for k, v in files.items() if k != "manifest.json"},
        BAD_INPUT, "has no manifest.json",
    ),
    "no JSON": (
        lambda files, secret: {**files, "manifest.json": b"[" * 90},
        BAD_INPUT, "manifest.json is not JSON",
    ),
    "many small parts": (
        lambda files, secret: {**files, "manifest.json": b"[" + b"{}," * 90 + b"{}]"},
        BAD_INPUT, "manifest.json is not a DSSE envelope",
    ),
    "much in all": (
        lambda files, secret: {**files, "verdicts/x-1.json": b" " * (9 << 20)},
        BAD_INPUT, "The archive unpacks to more than",
    ),
    "no envelope": (
        lambda files, secret: {**files, "manifest.json": b"[1]"},
        BAD_INPUT, "It is not a DSSE envelope",
    ),
    "odd types": (
        lambda files, secret: signed_anew(files, lambda s: s.update(predicate=[1]), secret),
        BAD_INPUT, "The manifest is malformed: a fact is missing or of the wrong type",
    ),
    "a number that no float holds": (
        lambda files, secret: signed_anew(files, with_number, secret),
        BAD_INPUT, "has a number of more than 63 bits",
    ),
    "controls of a terminal": (
        lambda files, secret: signed_anew(files, with_controls, secret),
        BAD_INPUT, r"1\x1b[2J\ud800' cannot be printed",
    ),
    "a name that leaves the archive": (
        lambda files, secret: {**files, "../../evil.py": b"x"},
        BAD_INPUT, "has an entry '../../evil.py', which no bundle has",
    ),
    "a file of another run": (
        lambda files, secret: {**files, f"files/{'0' * 64}": b"x"},
        BROKEN, "The bundle has 1 files that are not signed, the first: files/000",
    ),
    "a bomb": (
        lambda files, secret: {**files, "manifest.json": b" " * (3 << 20)},
        BAD_INPUT, "manifest.json is larger than 2 MB",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_or_hostile_bundle_is_refused_in_plain_words(
    name: str,
    files: Files,
    tmp_path: Path,
    settings: Settings,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bundle_limits, "MAX_ENVELOPE_BYTES", 2 << 20)
    monkeypatch.setattr(bundle_limits, "MAX_ENVELOPE_PARTS", 90)
    monkeypatch.setattr(bundle_limits, "MAX_ARCHIVE_BYTES", 8 << 20)
    forge, code, words = FORGED[name]
    path = pack(forge(files, settings.EVIDENCE_KEYS[0]), tmp_path / "b.zip")
    assert main(["verify", path, "--key", key(), "--quick"]) == code
    said = capsys.readouterr()
    assert words in said.out + said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize("is_wide", [False, True])
@pytest.mark.parametrize(
    ("entries", "name"), [(50_001, b""), (2_000_000, b""), (400, b"a" * 60_000)]
)
def test_archives_directory_is_bounded_before_an_entry_is_made(
    entries: int, name: bytes, is_wide: bool, tmp_path: Path, capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Also one whose place and size stand in the wide record of large archives."""
    entry = struct.pack("<4s24xH16x", b"PK\x01\x02", len(name)) + name
    size, most = entries * len(entry), (1 << 16) - 1
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, most, most, size, 0, 0)
    if is_wide:
        counts = (entries, entries, size, 0)
        end = (
            struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, *counts)
            + struct.pack("<4sIQI", b"PK\x06\x07", 0, size, 1)
            + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, most, most, 2**32 - 1, 2**32 - 1, 0)
        )
    path = tmp_path / "b.zip"
    path.write_bytes(entry * entries + end)
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *_: pytest.fail("an entry was made"))
    assert main(["verify", str(path), "--key", "a" * 64, "--quick"]) == BAD_INPUT
    said = capsys.readouterr()
    assert "The archive has more than 50,000 entries" in said.out + said.err


def test_other_sources_that_cannot_be_are_refused(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "text").write_text("hello")
    link = zipfile.ZipInfo("manifest.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "link", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    encrypted = bytearray(Path(pack({"manifest.json": b"{}"}, tmp_path / "encrypted")).read_bytes())
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "encrypted").write_bytes(encrypted)
    with zipfile.ZipFile(tmp_path / "damaged", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("manifest.json", "{}" * 4000)
    damaged = bytearray((tmp_path / "damaged").read_bytes())
    damaged[60:80] = bytes([0xFF] * 20)
    (tmp_path / "damaged").write_bytes(damaged)
    for source, words in {
        str(tmp_path / "absent"): "There is no file",
        str(tmp_path / "damaged"): "manifest.json cannot be unpacked",
        str(tmp_path / "link"): "manifest.json is a link or encrypted",
        str(tmp_path / "encrypted"): "manifest.json is a link or encrypted",
        str(tmp_path / "text"): "is neither a zip file nor a manifest.json",
        "http://board.example.org/runs/1/": "must begin with https://",
        "https://board.example.org/about/": "is not that of a run",
        "file:///etc/passwd": "is not that of a run",
        "https://[/runs/1/": "cannot be read",
    }.items():
        assert main(["verify", source]) == BAD_INPUT
        assert words in capsys.readouterr().err
    assert main(["verify", "http://127.0.0.1:9/runs/1/"]) in (BAD_INPUT, GONE)


@pytest.mark.django_db(transaction=True)
def test_a_run_is_verified_by_its_address_and_a_withdrawn_key_is_named(
    live_server: Any,
    settings: Settings,
    capsys: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = finish_run(make_run(make_suite(), make_entry("Foo")), 6)
    sweep_queue()
    address = f"{live_server.url}/runs/{run.pk}/"
    assert main(["verify", address, "--quick"]) == DONE
    assert "Equal: run" in capsys.readouterr().out
    assert main(["verify", f"{live_server.url}/runs/{run.pk + 1}/manifest.json"]) == BAD_INPUT
    assert "has no evidence for this run" in capsys.readouterr().err
    assert main(["verify", address, "--report"]) == BAD_INPUT  # before anything is judged
    assert "PYBENCH_TOKEN is not set" in capsys.readouterr().err
    other = pack(download(run), tmp_path / "b.zip")
    monkeypatch.setattr(
        fetching, "download", lambda http, path, file: file.write(Path(other).read_bytes())
    )
    assert main(["verify", address.replace(f"/{run.pk}/", "/9999/"), "--quick"]) == BROKEN
    assert f"sent the evidence of run {run.pk} for run 9999" in capsys.readouterr().err
    settings.EVIDENCE_WITHDRAWN = [f"{key()}@2026-11-20"]
    assert main(["verify", address, "--quick"]) == BROKEN
    assert "which was withdrawn on 2026-11-20" in capsys.readouterr().err


@pytest.mark.django_db(transaction=True)
def test_a_private_run_is_verified_by_its_owners_token_alone(
    live_server: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, other = map(make_user, ("owner", "other"))
    run = finish_run(make_run(make_suite(), make_entry("Foo"), is_public=False), 6)
    Entry.objects.update(owner=owner)
    sweep_queue()
    address = f"{live_server.url}/runs/{run.pk}/"
    words = ["verify", address, "--quick", "--private"]
    assert main(words) == BAD_INPUT
    assert "PYBENCH_TOKEN is not set" in capsys.readouterr().err

    def verify_as(user: Any) -> int:
        monkeypatch.setenv("PYBENCH_TOKEN", Caller(user).headers_sent["Authorization"].split()[1])
        return main(words)

    assert [verify_as(user) for user in (owner, other)] == [DONE, BAD_INPUT]
    assert "add --private" in capsys.readouterr().err
    monkeypatch.setenv("PYBENCH_TOKEN", "pyb_wrong")
    assert main(words) == BAD_INPUT
    assert "does not take this API token" in capsys.readouterr().err
    assert main(["verify", address, "--quick"]) == BAD_INPUT  # without --private no token is sent
    assert main(["verify", "bundle.zip", "--private"]) == BAD_INPUT
    assert "no address of one is given" in capsys.readouterr().err
