"""Stored files as they are served: inert, only when public, in parts, cached."""

from __future__ import annotations

import hashlib
import re

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Run
from leaderboard.storage import blobs
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    finish_run,
    make_png,
    make_run,
    make_step,
    make_suite,
    make_wav,
    show,
)

pytestmark = pytest.mark.django_db

PAGE = b"<html><script>alert(document.cookie)</script></html>"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite()), 8)
    first: Attempt = run.attempts.select_related("run").all()[0]
    return first


def address(content: bytes, name: str) -> str:
    return f"/files/{hashlib.sha256(content).hexdigest()}/{name}"


def test_private_file_is_looked_for_as_one_that_is_not_here(
    client: Client, attempt: Attempt
) -> None:
    add_file(attempt, "report.csv", b"a,b")
    Run.objects.update(is_public=False)
    asked = []
    for content in (b"a,b", b"nobody has this"):
        with CaptureQueriesContext(connection) as queries:
            for place in (address(content, "x.csv"), f"/frames{address(content, 'x.html')[6:]}"):
                answer = client.get(place)
                assert (answer.status_code, b"No public run" in answer.content) == (404, False)
        asked.append([re.sub("'[0-9a-f]{64}'", "DIGEST", one["sql"]) for one in queries])
    assert asked[0] == asked[1]


@pytest.mark.parametrize(
    ("name", "content", "served_as"),
    [
        ("page.html", PAGE, "application/octet-stream"),
        ("page.png", PAGE, "application/octet-stream"),
        ("page.xhtml", PAGE, "application/octet-stream"),
        ("script.js", b"alert(1)", "application/octet-stream"),
        ("drawing.svg", DRAWING, "image/svg+xml"),
        ("report.pdf", b"%PDF-1.7 x", "application/octet-stream"),
        ("notes.txt", b"hello", "application/octet-stream"),
    ],
)
def test_whatever_could_act_is_handed_over_to_be_saved(
    client: Client, attempt: Attempt, name: str, content: bytes, served_as: str
) -> None:
    add_file(attempt, name, content)
    response = client.get(address(content, name))
    assert response.status_code == 200
    assert response.getvalue() == content
    assert response["Content-Type"] == served_as
    assert response["Content-Disposition"].startswith("attachment")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_the_address_does_not_choose_the_type(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "notes.txt", PAGE)
    response = client.get(address(PAGE, "notes.html"))
    assert response["Content-Type"] == "application/octet-stream"


@pytest.mark.parametrize(
    ("name", "content", "mime"),
    [("a.png", make_png(), "image/png"), ("a.wav", make_wav(), "audio/wav")],
)
def test_pictures_and_sounds_are_shown_in_place(
    client: Client, attempt: Attempt, name: str, content: bytes, mime: str
) -> None:
    add_file(attempt, name, content)
    response = client.get(address(content, name))
    assert response["Content-Type"] == mime
    assert response["Content-Disposition"].startswith("inline")
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert response.getvalue() == content


def test_compression_leaves_files_alone(client: Client, attempt: Attempt) -> None:
    sound = make_wav()
    add_file(attempt, "a.wav", sound)
    part = client.get(
        address(sound, "a.wav"), headers={"Range": "bytes=0-999", "Accept-Encoding": "gzip"}
    )
    assert part.getvalue() == sound[:1000]
    assert part["Content-Length"] == "1000"


def test_hostile_names_stay_in_their_header(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "a.csv", b"a,b")
    response = client.get(address(b"a,b", "x%22%0d%0aSet-Cookie:%20a=b.csv"))
    assert response.status_code == 200
    assert "Set-Cookie" not in response.headers
    assert "\n" not in response["Content-Disposition"]


def test_a_file_is_served_only_while_a_public_run_has_it(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "a.csv", b"a,b")
    add_step(attempt, make_step(1, changes=[change("output/b.csv", b"c,d")]))
    blobs.keep_bytes(b"without an owner", "n.txt")
    for content in (b"a,b", b"c,d"):
        assert client.get(address(content, "x.csv")).status_code == 200
    assert client.get(address(b"without an owner", "n.txt")).status_code == 404
    assert client.get(address(b"unknown", "n.txt")).status_code == 404
    Run.objects.update(is_public=False)
    for content in (b"a,b", b"c,d"):
        assert client.get(address(content, "x.csv")).status_code == 404


def test_a_displayed_picture_is_vouched_for_by_its_step(client: Client, attempt: Attempt) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    step = add_step(attempt, make_step(1, outputs=[show({"image/svg+xml": drawing})]))
    other = add_step(attempt, make_step(2))
    where = address(drawing.encode(), "figure.svg")
    assert client.get(f"{where}?step={step.pk}").status_code == 200
    for query in ("", f"?step={other.pk}", "?step=x", "?step=", "?step=99999999999999999999"):
        assert client.get(where + query).status_code == 404
    Run.objects.update(is_public=False)
    assert client.get(f"{where}?step={step.pk}").status_code == 404


def test_a_copy_that_a_browser_has_is_not_sent_again(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "a.csv", b"a,b")
    first = client.get(address(b"a,b", "a.csv"))
    assert "immutable" in first["Cache-Control"]
    assert "private" in first["Cache-Control"]
    again = client.get(address(b"a,b", "a.csv"), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert again.content == b""


@pytest.mark.parametrize(
    ("header", "status", "start", "end"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=10-", 206, 10, None),
        ("bytes=-10", 206, -10, None),
        ("bytes=0-99999999", 206, 0, None),
        ("bytes=0-1,5-6", 200, 0, None),
        ("lines=0-1", 200, 0, None),
        ("bytes=-", 200, 0, None),
    ],
)
def test_a_part_of_a_sound_can_be_asked_for(
    client: Client, attempt: Attempt, header: str, status: int, start: int, end: int | None
) -> None:
    sound = make_wav()
    add_file(attempt, "a.wav", sound)
    response = client.get(address(sound, "a.wav"), headers={"Range": header})
    assert response.status_code == status
    assert response.getvalue() == sound[start:end]
    assert int(response["Content-Length"]) == len(sound[start:end])
    assert response["Accept-Ranges"] == "bytes"
    if status == 206:
        first = start % len(sound)
        last = first + len(sound[start:end]) - 1
        assert response["Content-Range"] == f"bytes {first}-{last}/{len(sound)}"


@pytest.mark.parametrize("header", ["bytes=99999999-", "bytes=9-3", "bytes=-0"])
def test_an_impossible_part_is_refused(client: Client, attempt: Attempt, header: str) -> None:
    sound = make_wav()
    add_file(attempt, "a.wav", sound)
    response = client.get(address(sound, "a.wav"), headers={"Range": header})
    assert response.status_code == 416
    assert response["Content-Range"] == f"bytes */{len(sound)}"


def test_bytes_lost_from_the_storage_are_not_found(client: Client, attempt: Attempt) -> None:
    add_file(attempt, "a.csv", b"a,b")
    default_storage.delete(blobs.keep_bytes(b"a,b", "a.csv").storage_name)
    assert client.get(address(b"a,b", "a.csv")).status_code == 404
    assert client.get(attempt.get_absolute_url()).status_code == 200
