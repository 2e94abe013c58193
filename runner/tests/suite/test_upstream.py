"""A checkout is read as it is: what is sound is imported, what is not is reported line by line."""

from __future__ import annotations

import hashlib
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from runner.contract import ProblemError
from runner.suite import upstream
from runner.suite.material import read_material
from runner.suite.reader import ROOT, load_suite
from runner.tests.support.upstream_checkout import entry, write_checkout


def known(name: str, content: bytes) -> dict[str, Any]:
    return {name: {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}}


def test_a_sound_checkout_is_imported_whole_and_again(tmp_path: Path) -> None:
    folder = write_checkout(
        tmp_path / "up", [entry(), entry("3", "见 ./data/b.txt", ["data/b.txt", "b.txt"])],
        {"a.csv": b"n\n1\n", "b.txt": "甲".encode()},
    )  # fmt: skip
    for _ in range(2):
        material, checkout = upstream.import_checkout(folder, tmp_path / "root")
        assert checkout.faults == []
        assert material == read_material("pybench", tmp_path / "root")
    assert material.source == {"folder": "up"}
    assert [task.query for task in material.tasks.values()] == ["Count.", "见 ./data/b.txt"]
    (file,) = material.tasks["3"].inputs
    assert material.path(file).read_bytes() == "甲".encode()


STATES: list[tuple[str, bytes | None, str]] = [
    ("present", b"the published bytes", ""),
    ("changed", b"the published bytes, and more", "not what was published"),
    ("truncated", b"the publ", "8 of 19 bytes"),
    ("empty", b"", ""),
    ("absent", None, ""),
    ("absent", b"version https://git-lfs.github.com/spec/v1\noid x", "LFS pointer"),
]


@pytest.mark.parametrize(("state", "content", "why"), STATES)
def test_each_file_is_compared_with_what_was_published(
    state: str, content: bytes | None, why: str, tmp_path: Path
) -> None:
    files = {"b.csv": b"x"} if content is None else {"a.csv": content}
    folder = write_checkout(tmp_path, [entry()], files)
    checkout = upstream.read_checkout(folder, known("a.csv", b"the published bytes"))
    found = checkout.states["2"]["a.csv"]
    assert (found.state, why in found.why) == (state, True)
    assert bool(checkout.tasks["2"].missing) is (state not in upstream.GOOD)
    assert checkout.count() == {state: 1}
    assert bool(checkout.lines()) is (state != "present")


REFUSED: list[tuple[object, str]] = [
    ("text", "entry 2: it is no object but str"),
    (entry(index=None), "entry 2: `index` is no number: 'None'"),
    (entry(index=True), "entry 2: `index` is no number"),
    (entry(index="../1"), "entry 2: `index` is no number"),
    (entry("2", "Again."), "entry 2: index 2 is already that of entry 1"),
    (entry("9", 7), "entry 2: index 9: `user` holds no query"),
    (entry("9", "x" * 200_001), "entry 2: index 9: `user` is longer"),
    (entry("9", paths="./data/a.csv"), "entry 2: index 9: `file_paths` is no list"),
    (entry("9", paths=[1]), "entry 2: index 9: `file_paths` is no list"),
    (entry("9", paths=["a.csv"] * 51), "entry 2: index 9: `file_paths` names more than 50"),
    (entry("9", paths=["/etc/passwd"]), "entry 2: index 9: '/etc/passwd' is no plain name"),
    (entry("9", paths=["./data/../../a"]), "entry 2: index 9: '../../a' is no plain name"),
    (entry("9", paths=["./data/.env"]), "entry 2: index 9: '.env' is no plain name"),
    (entry("9", paths=["./config.yaml/../x"]), "entry 2: index 9: 'config.yaml/../x' is no plain"),
]


@pytest.mark.parametrize(("bad", "says"), REFUSED)
def test_a_bad_entry_is_refused_and_the_others_are_taken(
    bad: object, says: str, tmp_path: Path
) -> None:
    folder = write_checkout(tmp_path, [entry(), bad, entry("4")])
    checkout = upstream.read_checkout(folder)
    assert list(checkout.tasks) == ["2", "4"]
    (fault,) = checkout.faults
    assert fault.startswith(says)


BROKEN: list[tuple[object, str, str]] = [
    (b'[{"index": "2"', "broken_checkout", "not valid JSON"),
    ('[{"index": "2", "user": "\u00e9"}]'.encode("latin-1"), "broken_checkout", "UTF-8 at byte 25"),
    ({"index": "2"}, "broken_checkout", "no list of tasks"),
    ([], "empty_checkout", "holds no task"),
    ([entry(user="")], "empty_checkout", "entry 1: index 2: `user` holds no query"),
    (b"[" * 100_000, "broken_checkout", "not valid JSON"),
]


@pytest.mark.parametrize(("entries", "code", "says"), BROKEN)
def test_a_broken_list_changes_nothing(
    entries: object, code: str, says: str, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    before, _ = upstream.import_checkout(write_checkout(tmp_path / "good", [entry()]), root)
    with pytest.raises(ProblemError) as caught:
        upstream.import_checkout(write_checkout(tmp_path / "bad", entries), root)
    assert caught.value.problem.code == code
    assert says in str(caught.value)
    assert read_material("pybench", root) == before


def test_a_folder_that_is_no_checkout_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="is not a PyBench checkout"):
        upstream.read_checkout(tmp_path)


def test_nothing_outside_the_data_folder_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "config.yaml"
    secret.write_text("key: do-not-read")
    folder = write_checkout(tmp_path / "up", [entry(), entry("3", paths=["b.csv"])])
    (folder / "data" / "b.csv").symlink_to(secret)
    checkout = upstream.read_checkout(folder)
    assert checkout.states["3"]["b.csv"].state == "refused"
    assert [path.name for path in checkout.files.values()] == ["a.csv"]


def test_a_list_that_is_a_link_out_of_the_checkout_is_refused(tmp_path: Path) -> None:
    folder = write_checkout(tmp_path / "up", [entry()])
    target = tmp_path / "elsewhere.json"
    (folder / upstream.TASK_LIST).rename(target)
    (folder / upstream.TASK_LIST).symlink_to(target)
    with pytest.raises(ProblemError, match="a link out of the checkout"):
        upstream.read_checkout(folder)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    folder = write_checkout(tmp_path, [entry()])
    os.truncate(folder / "data" / "a.csv", upstream.MOST_FILE_BYTES + 1)  # sparse
    found = upstream.read_checkout(folder).states["2"]["a.csv"]
    assert (found.state, "1024 MiB" in found.why) == ("refused", True)


@pytest.mark.upstream
def test_the_published_files_are_known_by_their_digests() -> None:
    folder = upstream.find_recorded()
    if folder is None:
        pytest.skip("no upstream checkout: set PYBENCH_UPSTREAM to its folder")
    checkout = upstream.read_checkout(folder)
    assert checkout.faults == []
    assert len(checkout.tasks) == 143
    states = {one.state for states in checkout.states.values() for one in states.values()}
    assert states <= {"present", "absent"}


def read_categories() -> dict[str, str]:
    """{index: category} of the 143 tasks."""
    facts = tomllib.loads((ROOT / "pybench" / "categories.toml").read_text("utf-8"))
    pairs = [(str(index), key) for key, indexes in facts["tasks"].items() for index in indexes]
    assert len(dict(pairs)) == len(pairs)  # none is in two
    return dict(pairs)


def test_every_task_of_the_suite_is_in_the_category_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks are read on empty material: their categories are our own literals."""
    monkeypatch.setenv("PYBENCH_MATERIAL", str(tmp_path / "root"))
    upstream.import_checkout(write_checkout(tmp_path / "up", [entry("1")]), tmp_path / "root")
    by_index = read_categories()
    suite = load_suite("pybench")
    for task in (*suite.tasks, *suite.unavailable):
        assert task.material
        assert task.spec.category == by_index[task.material.index], task.spec.key


def test_the_category_map_has_the_papers_counts() -> None:
    by_index = read_categories()
    counts = {category: list(by_index.values()).count(category) for category in by_index.values()}
    assert counts == {"chart": 62, "text": 23, "image": 48, "maths": 6, "software": 4}
    assert len(by_index) == 143
