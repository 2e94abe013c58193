"""The first page of a PDF as a picture: drawn in the real sandbox, shown in the replay."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from leaderboard.handoff import attempts, file_previews
from leaderboard.handoff.sweep import ask_safely, sweep_queue
from leaderboard.models import Artifact, Attempt, Blob, Run
from leaderboard.storage.blobs import keep_bytes
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.pdf_files import make_pdf
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    finish_run,
    make_png,
    make_run,
    make_step,
    make_suite,
    start_run,
)
from runner.contract import ChangeKind, Harvest, StoredFile
from runner.worker.tasks import draw_pages

pytestmark = pytest.mark.django_db
BROKEN = b"%PDF-1.7\n" + b"<</Type/Catalog/Pages 1 0 R>>" * 50


# A page a billion points high, and a tree of pages that holds itself.
TALL = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1000000000]>> endobj
trailer <</Root 1 0 R>>
"""
LOOP = b"""%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>> endobj
trailer <</Root 1 0 R>>
"""


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite()), 4)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    return run


@pytest.fixture
def attempt(run: Run) -> Attempt:
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key="static-page")
    return attempt


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The attempts whose pages a worker was asked for."""
    sent: list[int] = []
    monkeypatch.setattr(file_previews, "send_draw_pages", sent.append)
    return sent


def blob_of(path: str) -> Blob:
    blob = Artifact.objects.select_related("blob__preview").get(path=path).blob
    assert blob is not None
    return blob


def wait_a_while() -> None:
    Blob.objects.filter(mime="application/pdf").update(
        preview_tried_at=timezone.now() - file_previews.TRY_AGAIN - timedelta(seconds=1)
    )


def page_address(blob: Blob, name: str) -> str:
    assert blob.preview is not None
    assert blob.preview.preview is not None
    return reverse("file", args=[blob.preview.preview.sha256, f"{name}.png"])


def test_the_first_page_is_drawn_and_the_replay_shows_it(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "report.pdf", make_pdf(size=(3000, 1000)))
    assert b"A worker opens files of this kind" in client.get(attempt.get_absolute_url()).content
    draw_pages(attempt.pk)
    blob = blob_of("report.pdf")
    address = page_address(blob, "report.pdf")
    body = client.get(attempt.get_absolute_url()).content.decode()
    assert f'<img src="{address}" alt="report.pdf, drawn as a picture"' in body
    assert reverse("file", args=[blob.sha256, "report.pdf"]) in body
    served = client.get(address)
    assert served["Content-Type"] == "image/png"
    with Image.open(io.BytesIO(b"".join(served))) as image:
        assert 990 <= image.width <= 1000
        assert image.width / image.height == pytest.approx(3, rel=0.01)
        extremes: Any = image.convert("RGB").getextrema()
    assert extremes[0][0] < 60  # red, in the bars: the page is no blank sheet
    assert extremes[0][1] > 200


def test_both_versions_of_a_changed_pdf_are_shown(client: Client, attempt: Attempt) -> None:
    first, second = make_pdf("#0072b2"), make_pdf("#d55e00")
    path = "output/report.pdf"
    add_step(attempt, make_step(91, changes=[change(path, first)]))
    add_step(attempt, make_step(92, changes=[change(path, second, ChangeKind.CHANGED)]))
    draw_pages(attempt.pk)
    body = client.get(attempt.get_absolute_url()).content.decode()
    assert 'alt="report.pdf before this step"' in body
    assert 'alt="report.pdf after this step"' in body
    assert Blob.objects.filter(drawn_from__drawn_from__mime="application/pdf").count() == 2


def test_a_file_that_ends_its_reader_is_not_tried_for_ever(
    client: Client, attempt: Attempt, asked: list[int]
) -> None:
    add_file(attempt, "broken.pdf", BROKEN + bytes(33 << 20))
    add_file(attempt, "fine.pdf", make_pdf())
    draw_pages(attempt.pk)
    assert blob_of("fine.pdf").preview is not None
    ask_safely()
    assert asked == []  # it was tried a moment ago
    for _ in range(file_previews.MAX_TRIES - 1):
        wait_a_while()
        assert file_previews.attempts_missing() == [attempt.pk]
        draw_pages(attempt.pk)
    wait_a_while()
    assert file_previews.attempts_missing() == []
    assert blob_of("broken.pdf").preview_tries == file_previews.MAX_TRIES
    assert (
        b"It could not be opened: it is longer than 32 MiB"
        in client.get(attempt.get_absolute_url()).content
    )


def test_what_is_no_small_picture_is_not_kept(attempt: Attempt) -> None:
    add_file(attempt, "report.pdf", make_pdf())
    blob = blob_of("report.pdf")
    for picture in (b"\x89PNG\r\n\x1a\n<script>", make_png(size=(3000, 3000))):
        report = json.dumps({"poster": base64.b64encode(picture).decode(), "plays": "audio"})
        assert file_previews.keep_contents(blob, report.encode())
        kept = blob_of("report.pdf").preview
        assert kept is not None
        assert kept.preview is None


def test_the_picture_is_as_private_as_its_pdf(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "report.pdf", make_pdf())
    draw_pages(attempt.pk)
    address = page_address(blob_of("report.pdf"), "report.pdf")
    assert client.get(address).status_code == 200
    Run.objects.filter(pk=attempt.run_id).update(is_public=False)
    assert client.get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_lost_message_is_sent_again(attempt: Attempt, asked: list[int]) -> None:
    add_file(attempt, "report.pdf", make_pdf())
    sweep_queue()
    call_command("draw_pages")
    assert asked == [attempt.pk, attempt.pk]


@pytest.mark.parametrize("content", [TALL, LOOP, b"%PDF-", b"%PDF-1.4\n" + b"\xff" * 100_000])
def test_a_hostile_pdf_costs_neither_the_worker_nor_the_page(
    client: Client, attempt: Attempt, content: bytes
) -> None:
    add_file(attempt, "hostile.pdf", content)
    draw_pages(attempt.pk)
    blob = blob_of("hostile.pdf")
    assert blob.preview_tries == 1
    drawn = blob.preview.preview if blob.preview else None
    assert drawn is None or (drawn.height or 0) <= 2000
    assert client.get(attempt.get_absolute_url()).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_attempt_that_ends_with_a_pdf_asks_for_its_page(
    asked: list[int], tmp_path: Path
) -> None:
    content = make_pdf()
    (tmp_path / "report.pdf").write_bytes(content)
    sha256 = hashlib.sha256(content).hexdigest()
    file = StoredFile("report.pdf", len(content), sha256, tmp_path / "report.pdf")
    with_pdf, without = claim(start_run().pk, 2, "worker")
    attempts.record_result(with_pdf, judged(True, harvest=Harvest((file,))))
    attempts.record_result(without, judged(True))
    assert asked == [with_pdf.attempt_id]


def test_pages_that_an_earlier_version_drew_are_shown(client: Client, attempt: Attempt) -> None:
    """It kept the picture itself as the preview."""
    add_file(attempt, "report.pdf", make_pdf())
    page = keep_bytes(make_png(), "page.png")
    Blob.objects.filter(artifact__path="report.pdf").update(preview=page)
    address = reverse("file", args=[page.sha256, "report.pdf.png"])
    assert f'<img src="{address}"' in client.get(attempt.get_absolute_url()).content.decode()
    assert client.get(address)["Content-Type"] == "image/png"


@pytest.mark.django_db(transaction=True)
def test_a_step_that_writes_a_document_asks_for_its_preview(asked: list[int]) -> None:
    job = claim(start_run().pk, 1, "worker")[0]
    attempts.step(job, make_step(1, changes=(change("output/a.txt", b"x"),)))
    assert asked == []
    attempts.step(job, make_step(2, changes=(change("output/a.pdf", make_pdf()),)))
    assert asked == [job.attempt_id]
    draw_pages(job.attempt_id)
    assert Blob.objects.filter(mime="application/pdf", preview=None).count() == 0
