"""A backup of a busy site is restored elsewhere: same board, same rows, same bytes."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from leaderboard.tests.support.backups import (
    EVIDENCE_KEY,
    FIELD_KEY,
    SIGNING_KEY,
    busy,
    look,
    make_environment,
)
from leaderboard.tests.support.s3_server import s3_server
from leaderboard.tests.support.site import Site, migrate

OTHER_FIELD_KEY = "b3RoZXItb3RoZXItb3RoZXItb3RoZXItb3RoZXItMTI="


@dataclass
class Twins:
    """A site with work on it, and an empty one of the same kind."""

    old: Site
    new: Site


def of_s3(address: str, bucket: str) -> dict[str, str]:
    return {
        "PYBENCH_S3_BUCKET": bucket,
        "PYBENCH_S3_ENDPOINT": address,
        "PYBENCH_S3_REGION": "us-east-1",
        "PYBENCH_S3_KEY_ID": "id",
        "PYBENCH_S3_SECRET": "secret",
    }


@pytest.fixture(
    params=["sqlite and folders", pytest.param("postgresql and buckets", marks=pytest.mark.peers)]
)
def twins(
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> Iterator[Twins]:
    sites = []
    with contextlib.ExitStack() as stack:
        served = request.param == "postgresql and buckets"
        address = stack.enter_context(s3_server("old", "new")) if served else ""
        for name in ("old", "new"):
            (tmp_path / name).mkdir()
            url = request.getfixturevalue("new_postgres_database")() if served else ""
            bucket = of_s3(address, name) if served else {}
            sites.append(Site(tmp_path / name, make_environment(tmp_path / name, url, **bucket)))
        migrate(sites[0])
        yield Twins(*sites)


@pytest.mark.services
def test_backup_under_load_restores_an_identical_board(twins: Twins, tmp_path: Path) -> None:
    old, new, folder = twins.old, twins.new, tmp_path / "backup"
    with busy(old, tmp_path / "busy"):
        old.manage("backup", str(folder))
    old.manage("sweep")
    old.manage("recompute")
    said = old.manage("backup", str(folder))  # the second copies what is new
    assert SIGNING_KEY not in said
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["rows"]["leaderboard_attempt"] >= 4
    assert len(list(folder.glob("database-*"))) == 1
    assert old.manage("verify", "--backup", str(folder)) == "no faults found\n"
    assert_holds_no_key(folder)

    said = new.manage("restore", str(folder))
    assert "Field key" not in said
    assert look(new) == look(old)
    assert new.manage("verify").endswith("no faults found\n")
    counts = "SELECT count(*) FROM leaderboard_"
    for table in ("attempt", "step", "blob", "artifact", "verdict"):
        assert new.one(counts + table) == old.one(counts + table)


@pytest.mark.services
def test_backup_taken_while_attempts_end_is_whole(twins: Twins, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    with busy(twins.old, tmp_path / "busy"):
        twins.old.manage("backup", str(folder))
    other = {"PYBENCH_FIELD_KEYS": OTHER_FIELD_KEY, "PYBENCH_SECRET_KEY": "another"}
    elsewhere = twins.new.with_environment(**other)
    said = elsewhere.manage("restore", str(folder))
    manifest = json.loads((folder / "manifest.json").read_text())
    assert f"Field key {manifest['field_keys'][0]} is not among" in said
    assert f"The signing key is not {manifest['signing_key']}" in said
    assert twins.new.manage("verify").endswith("no faults found\n")


def assert_holds_no_key(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for secret in (FIELD_KEY, SIGNING_KEY, EVIDENCE_KEY, "sk-secret"):
                assert secret.encode() not in content, path


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site on SQLite and a complete backup of it, in a folder that no test changes."""
    home = tmp_path_factory.mktemp("backed up")
    (home / "old").mkdir()
    site = Site(home / "old", make_environment(home / "old", ""))
    migrate(site)
    with busy(site, home / "busy"):
        pass
    site.manage("backup", str(home / "backup"))
    return home


@pytest.fixture
def backup(backed_up: Path, tmp_path: Path) -> Path:
    """Copies of the site and of its backup, of which this is the folder."""
    for name in ("old", "backup"):
        shutil.copytree(backed_up / name, tmp_path / name)
    return tmp_path / "backup"


def restore_into(var: Path, folder: Path, **environment: str) -> str:
    """Run a restore that is refused and return its message."""
    var.mkdir(exist_ok=True)
    return Site(var, make_environment(var, "", **environment)).refused("restore", str(folder))


def change_manifest(folder: Path, **facts: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **facts}))


def test_unfit_backups_are_refused_with_their_reason(backup: Path, tmp_path: Path) -> None:
    """Each is refused before anything is written: the same site takes the sound backup at last."""
    new = tmp_path / "new"
    manifest = (backup / "manifest.json").read_text()
    assert "nowhere cannot be opened" in restore_into(new, tmp_path / "nowhere")

    some = next(path for path in (backup / "files").rglob("*") if path.is_file())
    content = some.read_bytes()
    some.write_bytes(b"x" * len(content))
    assert f"file {some.name} is damaged" in restore_into(new, backup)
    some.unlink()
    assert f"file {some.name} is missing" in restore_into(new, backup)
    some.write_bytes(content)

    change_manifest(backup, engine="postgresql")
    assert "The backup is of postgresql; this site uses sqlite" in restore_into(new, backup)
    (backup / "manifest.json").write_text(manifest)
    change_manifest(backup, migrations=["9999_from_the_future"])
    assert "newer version: it has 9999_from_the_future" in restore_into(new, backup)
    change_manifest(backup, migrations=[], dump="../../etc/passwd")
    assert "damaged: it names files elsewhere" in restore_into(new, backup)
    (backup / "manifest.json").write_text("{")
    assert "cannot be read" in restore_into(new, backup)
    (backup / "manifest.json").write_text(manifest)
    dump = next(backup.glob("database-*"))
    whole = dump.read_bytes()
    dump.write_bytes(whole[:-4096])
    assert f"{dump.name} is damaged" in restore_into(new, backup)
    dump.write_bytes(whole)

    Site(new, make_environment(new, "")).manage("restore", str(backup))
    assert "not empty, and a restore overwrites nothing" in restore_into(new, backup)


def test_interrupted_backup_leaves_the_earlier_one_valid(backup: Path, tmp_path: Path) -> None:
    """A file that cannot be read ends the second backup; the first one still restores."""
    old = Site(tmp_path / "old", make_environment(tmp_path / "old", ""))
    with busy(old, tmp_path / "busier"):
        pass
    held = {path.name for path in (backup / "files").rglob("*")}
    new = [p for p in (tmp_path / "old" / "files").rglob("*") if p.is_file() and p.name not in held]
    new[0].unlink()
    with pytest.raises(AssertionError, match=f"cannot be backed up, the first: {new[0].name}"):
        old.manage("backup", str(backup))
    assert old.manage("verify", "--backup", str(backup)) == "no faults found\n"
    (tmp_path / "new").mkdir()
    Site(tmp_path / "new", make_environment(tmp_path / "new", "")).manage("restore", str(backup))


def test_backup_is_readable_by_its_owner_alone(backup: Path) -> None:
    for path in (backup, *backup.glob("database-*")):
        assert path.stat().st_mode & 0o077 == 0
