"""Files that are judged without a trajectory: queued, taken within bounds, never ranked."""

from __future__ import annotations

import io
import random
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.accounts.tokens import make_token
from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import AccountUse, Import, Run, Standing, Suite, Task
from leaderboard.submissions.run_actions import publish, withdraw
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.foreign_files import zipped
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.uploaded import signed_in, tarred
from leaderboard.uploads.delete import delete_old
from leaderboard.uploads.outputs import read_outputs
from runner.contract import ProblemError

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(suite: Suite) -> Task:
    found = suite.tasks.first()
    assert found is not None
    return found


def send(user: User, content: bytes, suite: str, title: str = "") -> HttpResponse:
    form = {"suite": suite, "title": title, "file": SimpleUploadedFile("mine.zip", content)}
    answer: HttpResponse = signed_in(user).post("/view/", form)  # type: ignore[assignment]
    return answer


def score(user: User, suite: Suite, files: Mapping[str, str | bytes] | bytes) -> Run:
    content = files if isinstance(files, bytes) else zipped(files)
    answer = send(user, content, suite.name)
    assert answer.status_code == 302, answer.content.decode()
    run = Run.objects.latest("pk")
    assert answer["Location"] == run.get_absolute_url()
    return run


def unpacked(run: Run, folder: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Files that a worker takes out for the run's one attempt, and reasons against others."""
    [job] = claim(run.pk, 5, "w")
    assert job.recording is not None
    assert job.recording.bring_files is not None
    assert job.endpoint.api_key == ""
    folder = folder / "inside"
    folder.mkdir()
    refused = job.recording.bring_files(folder)
    files = (path for path in folder.rglob("*") if path.is_file())
    return (
        {str(path.relative_to(folder)): path.read_bytes() for path in files},
        {each.path: each.reason for each in refused},
    )


@pytest.mark.parametrize("top", ["", "results/", "results\\"])
def test_files_wait_for_their_check_in_a_private_run(
    top: str, ada: User, suite: Suite, task: Task, tmp_path: Path
) -> None:
    run = score(ada, suite, {
        f"{top}{task.key}/output/a.csv": "a,b\n1,2\n",
        f"{top}{task.key}/output/plots/b.txt": b"\x00\xff",
        f"{top}{task.key}/answer.txt": "It is 3.",
    })  # fmt: skip
    assert (run.entry.provenance, run.is_public, run.status) == ("re-scored", False, "queued")
    assert [a.task_id for a in run.attempts.all()] == [task.pk]
    assert Client().get(run.get_absolute_url()).status_code == 404
    page = signed_in(ada).get(run.get_absolute_url()).content.decode()
    assert "checked here by the suite" in page
    assert "outputs of 1 task " in page
    assert f"/runs/{run.pk}/original/" in page
    files, refused = unpacked(run, tmp_path)
    assert files == {"a.csv": b"a,b\n1,2\n", "plots/b.txt": b"\x00\xff"}
    assert refused == {}


def test_run_is_shown_beside_and_never_ranked(ada: User, suite: Suite, task: Task) -> None:
    run = score(ada, suite, {f"{each.key}/answer.txt": "1" for each in suite.tasks.all()})
    while jobs := claim(run.pk, 50, "w"):
        for job in jobs:
            assert job.recording is not None
            assert job.recording.answer == "1"
            attempts.record_result(job, judged(True))
    publish(run.pk)
    sweep_queue()
    task.refresh_from_db()
    assert not Standing.objects.filter(run=run).exists()
    assert (task.decided, task.solved) == (0, 0)
    assert "re-scored, never ranked" in Client().get(f"/?suite={suite.name}").content.decode()
    page = Client().get(run.get_absolute_url()).content.decode()
    assert "passed</span>" in page
    assert "steps per passed task" not in page


def test_program_has_files_judged(ada: User, suite: Suite, task: Task) -> None:
    body, token = zipped({f"{task.key}/answer.txt": "1"}), make_token(ada, "t")[1]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}

    def post(query: str) -> HttpResponse:
        answer: HttpResponse = Client().post(  # type: ignore[assignment]
            f"/api/v1/uploads/score/?{query}", body, "application/zip", headers=headers
        )
        return answer

    answers = [post(f"suite={suite.name}&name=a.zip") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert Run.objects.count() == 1
    assert post("name=a.zip").status_code == 400


def archive(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for entry, content in entries:
            packed.writestr(entry, content)
    return made.getvalue()


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def test_what_does_not_fit_is_left_aside_by_name(
    ada: User, suite: Suite, task: Task, tmp_path: Path
) -> None:
    key = task.key
    with pytest.warns(UserWarning, match="Duplicate name"):
        made = archive(
            (f"{key}/output/ok.txt", b"ok"),
            (f"{key}/output/ok.txt", b"another"),
            (f"{key}/output/../../../etc/passwd", b"x"),
            (f"../{key}/output/up.txt", b"x"),
            (f"/{key}/output/root.txt", b"x"),
            (f"{key}/output/a\\b.txt", b"x"),
            (f"{key}\\output\\..\\..\\up.txt", b"x"),
            (f"{key}/output/\u202egpj.exe", b"x"),
            (f"{key}/output/" + "d/" * 30 + "deep.txt", b"x"),
            (f"{key}/output//empty.txt", b"x"),
            (link(f"{key}/output/link.txt"), b"/etc/passwd"),
            (f"{key}/notes.md", b"x"),
            (f"{key}/output", b"x"),
            ("nobody/output/a.txt", b"x"),
            (f"{key}/answer.txt", b"y" * (1 << 20) + b"y"),
            (f"__MACOSX/{key}/output/ok.txt", b"x"),
        )
    run = score(ada, suite, made)
    files, _ = unpacked(run, tmp_path)
    odd = {"a/b.txt": b"x", "\u202egpj.exe": b"x"}  # the worker's harvest refuses them by name
    assert files == {"ok.txt": b"another"} | odd
    report = Import.objects.get(run=run).report
    assert report["refused"] == 12  # but for the one that was taken, and the Macintosh's own
    page = signed_in(ada).get(run.get_absolute_url()).content.decode()
    assert "were left aside" in page
    assert "is a link: left out." in page


def test_damaged_and_clashing_files_are_named(
    ada: User, suite: Suite, task: Task, tmp_path: Path
) -> None:
    good = archive(
        (f"{task.key}/output/a.txt", b"a" * 5_000),
        (f"{task.key}/output/a.txt/b.txt", b"b"),
        (f"{task.key}/output/z.txt", random.Random(1).randbytes(5_000)),
    )
    place = zipfile.ZipFile(io.BytesIO(good)).infolist()[-1].header_offset + 200
    files, refused = unpacked(score(ada, suite, good[:place] + b"!!" + good[place + 2 :]), tmp_path)
    assert set(files) == {"a.txt"}
    assert refused == {
        "a.txt/b.txt": "clashes with another, or its name is too long",
        "z.txt": "is damaged in the archive",
    }


def test_no_more_is_unpacked_than_the_archive_says(
    ada: User, suite: Suite, task: Task, tmp_path: Path
) -> None:
    content = b"x" * 1_000_000
    made = bytearray(archive((f"{task.key}/output/a.txt", content)))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # both places of its size
        start = made.index(mark) + at
        assert struct.unpack_from("<L", made, start) == (len(content),)
        struct.pack_into("<L", made, start, 10)
    files, refused = unpacked(score(ada, suite, bytes(made)), tmp_path)
    assert files == {}
    assert refused == {"a.txt": "is damaged in the archive"}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_answer_that_lies_about_its_size_takes_no_memory(
    method: int, suite: Suite, task: Task, tmp_path: Path
) -> None:
    size = 100 << 20
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as file:
        file.writestr(f"{task.key}/answer.txt", b"\0" * size)
        file.writestr(f"{task.key}/output/a.txt", b"a")
    path = tmp_path / "mine.zip"
    path.write_bytes(packed.getvalue().replace(struct.pack("<L", size), struct.pack("<L", 10)))
    tracemalloc.start()
    try:
        outputs = read_outputs(path, "mine.zip", {task.key})
        assert not any(each.answer for each in outputs.tasks.values())
        assert outputs.aside_count == (1 if method == zipfile.ZIP_DEFLATED else 2)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def encrypted(content: bytes) -> bytes:
    """The archive with the mark of encryption at its first file."""
    made = bytearray(content)
    made[made.index(b"PK\x01\x02") + 8] |= 1
    return bytes(made)


@pytest.mark.parametrize(
    ("make_content", "words"),
    [
        (lambda: b"", "mine.zip is empty"),
        (lambda: b"no zip at all", "is no zip archive"),
        (lambda: tarred({"a/answer.txt": b"1"}), "is no zip archive"),
        (lambda: zipped({}), "has no files of a task"),
        (lambda: zipped({"other/answer.txt": "1"}), "has no files of a task"),
        (lambda: encrypted(zipped({"sum/answer.txt": "1"})), "is encrypted"),
        (lambda: zipped({"sum/output/a": b"\0" * (30 << 20)}), "times its size"),
        (lambda: zipped({f"{n}": "" for n in range(20_001)}), "more than 20,000 members"),
    ],
    ids=["empty", "text", "tar", "no-files", "no-task", "encrypted", "bomb", "crowd"],
)
def test_refused_archive_keeps_the_form(
    make_content: Callable[[], bytes], words: str, ada: User, suite: Suite
) -> None:
    answer = send(ada, make_content(), suite.name, title="My files")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert 'value="My files"' in page
    assert "Browsers do not keep a chosen file" in page
    assert not Run.objects.exists()


def test_suites_without_checks_and_full_quotas_are_refused(
    ada: User, suite: Suite, task: Task, settings: Settings
) -> None:
    made = zipped({f"{task.key}/answer.txt": "1"})
    assert "There is no suite" in send(ada, made, "nothing").content.decode()
    Suite.objects.create(name="words", version="1", title="T", digest="d", seed=0, is_recorded=True)
    assert "There is no suite" in send(ada, made, "words").content.decode()
    settings.SUBMISSIONS_PER_DAY = 1
    score(ada, suite, made)
    assert send(ada, made, suite.name).status_code == 409
    assert Client().post("/view/", {"suite": suite.name}).status_code == 302
    assert Run.objects.count() == 1


def test_archive_outlives_the_garbage_and_its_loss_is_said(
    ada: User, suite: Suite, task: Task, tmp_path: Path
) -> None:
    run = score(ada, suite, {f"{task.key}/output/a.txt": "a"})
    call_command("collect_garbage", verbosity=0)
    [job] = claim(run.pk, 1, "w")
    assert job.recording is not None
    assert job.recording.bring_files is not None
    folder = tmp_path / "inside"
    folder.mkdir()
    assert job.recording.bring_files(folder) == ()
    blob = Import.objects.get(run=run).blob
    default_storage.delete(blob.storage_name)
    with pytest.raises(ProblemError, match="missing from storage"):
        job.recording.bring_files(folder)


def test_nobody_else_sees_the_archive(ada: User, suite: Suite, task: Task) -> None:
    run = score(ada, suite, {f"{task.key}/answer.txt": "1"})
    assert signed_in(make_user("bob")).get(f"/runs/{run.pk}/original/").status_code == 404
    assert signed_in(ada).get(f"/runs/{run.pk}/original/").status_code == 200


def test_owner_deletes_judged_files_while_they_are_private(
    ada: User, suite: Suite, task: Task
) -> None:
    run = score(ada, suite, {f"{task.key}/answer.txt": "1"})
    client = signed_in(ada)

    def delete() -> str:
        return client.post(f"/runs/{run.pk}/delete/", follow=True).content.decode()

    assert f"Run {run.pk} is public or not over" in delete()
    [job] = claim(run.pk, 1, "w")
    attempts.record_result(job, judged(True))
    publish(run.pk)
    assert f"Run {run.pk} is public or not over" in delete()
    withdraw(run.pk)
    assert "The upload was deleted" in delete()
    assert not Run.objects.exists()
    assert Suite.objects.filter(pk=suite.pk).exists()
    assert not AccountUse.objects.filter(run__isnull=False).exists()


def test_sweep_deletes_judged_files_of_an_account_that_is_gone(
    ada: User, suite: Suite, task: Task
) -> None:
    run = score(ada, suite, {f"{task.key}/answer.txt": "1"})
    ada.delete()
    delete_old()
    assert Run.objects.filter(pk=run.pk).exists()  # it is not over
    [job] = claim(run.pk, 1, "w")
    attempts.record_result(job, judged(True))
    delete_old()
    assert not Run.objects.exists()
    assert Suite.objects.filter(pk=suite.pk).exists()
