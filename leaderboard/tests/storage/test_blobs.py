"""Stored bytes: once per content, typed from a fixed list, whole even after a killed writer."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image

from leaderboard.models import Blob
from leaderboard.rendering.kinds import OFFICE
from leaderboard.storage import blobs

pytestmark = pytest.mark.django_db


def png(size: tuple[int, int] = (3, 2)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "red").save(buffer, "PNG")
    return buffer.getvalue()


def stored_bytes(blob: Blob) -> bytes:
    with default_storage.open(blob.storage_name) as file:
        return bytes(file.read())


def test_bytes_lie_under_their_hash_and_come_back() -> None:
    blob = blobs.keep_bytes(b"a,b\n1,2\n", "a.csv")
    assert blob.sha256 == hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    assert blob.storage_name == f"blobs/{blob.sha256[:2]}/{blob.sha256}"
    assert stored_bytes(blob) == b"a,b\n1,2\n"


def test_the_same_bytes_are_kept_once() -> None:
    first, second = blobs.keep_bytes(b"x", "a.txt"), blobs.keep_bytes(b"x", "b.csv")
    assert first == second
    assert Blob.objects.count() == 1
    assert len(default_storage.listdir(f"blobs/{first.sha256[:2]}")[1]) == 1


def test_a_file_is_named_by_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "big.bin"
    path.write_bytes(b"\0" * 3_000_000)
    blob = Blob.objects.get(pk=blobs.keep_file_digest(path, "big.bin"))
    assert blob.sha256 == hashlib.sha256(b"\0" * 3_000_000).hexdigest()
    assert blob.size_bytes == 3_000_000


def test_half_a_file_of_a_killed_writer_is_written_anew() -> None:
    sha256 = hashlib.sha256(b"whole").hexdigest()
    default_storage.save(f"blobs/{sha256[:2]}/{sha256}", ContentFile(b"who"))
    assert stored_bytes(blobs.keep_bytes(b"whole", "a.txt")) == b"whole"


def test_bytes_gone_from_the_storage_are_written_again() -> None:
    blob = blobs.keep_bytes(b"again", "a.txt")
    default_storage.delete(blob.storage_name)
    blobs.keep_bytes(b"again", "a.txt")
    assert stored_bytes(blob) == b"again"


def test_an_image_has_its_size() -> None:
    blob = blobs.keep_bytes(png(), "chart.PNG")
    assert (blob.mime, blob.width, blob.height) == ("image/png", 3, 2)


@pytest.mark.parametrize(
    ("name", "content", "mime"),
    [
        ("a.png", b"<script>alert(1)</script>", "application/octet-stream"),
        ("a.jpg", png(), "image/png"),  # whatever its name says
        ("a.png", png()[:40], "application/octet-stream"),
        ("page.html", b"<script>alert(1)</script>", "text/plain"),
        ("run.js", b"alert(1)", "text/plain"),
        ("a.csv", b"a,b", "text/csv"),
        ("a.json", b"{}", "application/json"),
        ("a.svg", b"<svg/>", "image/svg+xml"),
        ("a.pdf", b"%PDF-1.7", "application/pdf"),
        ("a.pdf", b"<html>", "application/octet-stream"),
        ("a.wav", b"RIFF\0\0\0\0WAVE", "audio/wav"),
        ("a.wav", b"RIFF\0\0\0\0AVI ", "video/x-msvideo"),
        ("a.mp3", b"\xff\xfb\x90\x00", "audio/mpeg"),
        ("a.xlsx", b"PK\x03\x04", f"{OFFICE}.spreadsheetml.sheet"),
        ("a.exe", b"MZ", "application/octet-stream"),
        ("noextension", b"text", "application/octet-stream"),
        ("noextension", png(), "image/png"),
        ("shop.data", b"SQLite format 3\0", "application/vnd.sqlite3"),
        ("table.csv.gz", b"\x1f\x8b\x08", "application/gzip"),
        ("page.xls", b"<table>", "application/vnd.ms-excel"),
        ("song.m4a", b"\0\0\0\x20ftypM4A ", "audio/mp4"),
        ("deck.txt", b"PK\x03\x04", "text/plain"),
    ],
)
def test_types_come_from_a_fixed_list(name: str, content: bytes, mime: str) -> None:
    assert blobs.keep_bytes(content, name).mime == mime


def test_an_image_of_too_many_pixels_is_not_shown_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs, "MAX_PIXELS", 5)
    blob = blobs.keep_bytes(png(), "huge.png")
    assert (blob.mime, blob.width) == ("image/x-large", 3)
