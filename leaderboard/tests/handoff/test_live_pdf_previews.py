"""Pages of PDF files over a live broker: a model writes one, a worker draws it, a page shows it."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import wait_until
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.slow_endpoint import slow_endpoint

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

# What a model's cell does: a document of one page, drawn by the library of its own environment.
WRITE_PDF = """
import fitz
document = fitz.open()
page = document.new_page(width=320, height=200)
page.draw_rect(fitz.Rect(20, 20, 300, 180), fill=(0.84, 0.37, 0))
document.save('output/report.pdf')
"""

LOOK = """
import re, sys
from django.test import Client
from leaderboard.models import Attempt
attempt = Attempt.objects.get(pk={attempt})
page = Client().get(attempt.get_absolute_url()).content.decode()
found = re.search(r'<img src="(/files/[^"]+)" alt="report.pdf, drawn as a picture"', page)
answer = Client().get(found[1])
print("drawn", answer.status_code, answer["Content-Type"], b"".join(answer)[:4])
"""

# Recordings hold no files: one is put beside the attempt, as a later re-execution would.
ADD_PDF = """
import io
from leaderboard.storage import attempt_rows, blobs
from leaderboard.models import Artifact, Attempt, Import
from leaderboard.tests.support.pdf_files import make_pdf
attempt = Attempt.objects.get(run=Import.objects.get().run)
files = [("report.pdf", blobs.keep_digest(make_pdf(), "report.pdf"))]
role = Artifact.Role.OUTPUT
kept = attempt_rows.kept_files(attempt.pk, attempt.tries, role, files)
Artifact.objects.bulk_create(kept)
print("attempt", attempt.pk)
"""

RECORDED = {
    "messages": [
        {"role": "system", "content": "You are given an interpreter."},
        {"role": "user", "content": "Write ./output/report.pdf."},
        {
            "role": "assistant",
            "content": "Analyse:\nI write it.\n\nAction:\n```python\nprint(1)\n```",
        },
        {"role": "assistant", "content": "Finished: it is written."},
    ],
    "index": "7",
    "user": "Write ./output/report.pdf.",
}


@pytest.fixture
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-pages-"))
    try:
        yield make_site(folder, "", redis_url, tasks=1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drawn(site: Site) -> int:
    return int(site.one("SELECT count(*) FROM leaderboard_blob WHERE preview_id IS NOT NULL"))


def test_page_is_drawn_by_a_worker_notified_through_the_broker(site: Site) -> None:
    with slow_endpoint() as (base_url, behaviour):
        behaviour.epilogue = WRITE_PDF
        run = site.start_run(base_url)
        with site.worker(), site.sweeper():
            site.wait_for_end(run)
            wait_until(lambda: drawn(site) > 0, "a page is drawn", 300)
            attempt = site.one("SELECT id FROM leaderboard_attempt")
            assert "drawn 200 image/png b'\\x89PNG'" in site.manage(
                "shell", "-c", LOOK.format(attempt=attempt)
            )


def test_a_page_of_an_imported_attempt_is_drawn_on_demand(site: Site) -> None:
    file = site.folder / "recorded.jsonl"
    file.write_text(json.dumps(RECORDED) + "\n")
    assert "1 of 1 attempts imported" in site.manage("import_trajectories", str(file))
    found = re.search(r"attempt (\d+)", site.manage("shell", "-c", ADD_PDF))
    assert found is not None
    # Asked before there is a worker, whose sweeper might be done with the page first.
    assert "1 attempts with previews to make" in site.manage("draw_pages")
    with site.worker():
        wait_until(lambda: drawn(site) > 0, "the page is drawn", 300)
    said = site.manage("shell", "-c", LOOK.format(attempt=found[1]))
    assert "drawn 200 image/png b'\\x89PNG'" in said
