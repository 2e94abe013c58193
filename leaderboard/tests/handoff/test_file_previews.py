"""Documents, databases, archives and videos: opened in the real sandbox, shown in the replay."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from leaderboard.handoff import file_previews
from leaderboard.models import Artifact, Attempt, Blob, Run
from leaderboard.rendering.file_contents import ContentPart, FileContents, read_contents, understand
from leaderboard.rendering.kinds import OTHER
from leaderboard.tests.support.rows import add_file, finish_run, make_png, make_run, make_suite
from runner.worker.tasks import draw_pages

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

ROOT = Path(__file__).resolve().parents[3]
KERNEL_ENV = Path(os.environ.get("PYBENCH_KERNEL_ENV", ROOT / "var" / "kernel-env"))

# The libraries that models use make the files; the site's own environment has none of them.
MAKE = """
import cv2, docx, numpy, openpyxl, pandas, pptx
book = openpyxl.Workbook()
book.active.title = "Totals"
book.active.append(["month", "sum"])
for n in range(30):
    book.active.append([f"m{n}", n * 1.5])
book.create_sheet("Späte <b>Zahlen").append(["only", "here"])
book.create_sheet("Empty")
book.save("book.xlsx")
document = docx.Document()
document.add_heading("Minutes of the meeting")
document.add_paragraph("We met <script>alert(1)</script> and left.")
table = document.add_table(2, 2)
table.cell(0, 0).text, table.cell(1, 1).text = "who", "Ada"
document.add_paragraph("After the table.")
document.save("minutes.docx")
pandas.DataFrame({"city": ["Oslo", "Rome"], "n": [1, 2]}).to_parquet("cities.parquet")
talk = pptx.Presentation()
for said in ("Hello", "World"):
    talk.slides.add_slide(talk.slide_layouts[5]).shapes.title.text = said
talk.save("talk.pptx")
film = cv2.VideoWriter("film.mp4", cv2.VideoWriter_fourcc(*"mp4v"), 10, (320, 200))
for n in range(25):
    frame = numpy.zeros((200, 320, 3), numpy.uint8)
    if n > 3:
        frame[50:150, 10 * n : 10 * n + 60] = (0, 128, 255)
    film.write(frame)
film.release()
"""

SLIDE = (
    '<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">{}</p:sld>'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    python = KERNEL_ENV / "bin" / "python"
    subprocess.run([python, "-c", MAKE], cwd=folder, check=True, timeout=300, capture_output=True)
    return folder


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite()), 4)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key="static-page")
    return attempt


def pack(parts: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def make_pptx(slides: list[str], slide_markup: str = "") -> bytes:
    listed = "".join(f'<p:sldId id="{300 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    related = "".join(
        f'<Relationship Id="r{n}" Target="slides/slide{n}.xml"/>' for n in range(len(slides))
    )
    parts: dict[str, str | bytes] = {
        "ppt/presentation.xml": (
            '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
            f'xmlns:r="{OFFICE}"><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>'
        ),
        "ppt/_rels/presentation.xml.rels": f"<Relationships>{related}</Relationships>",
    }
    for n, said in enumerate(slides):
        body = SLIDE.format(f"<a:p><a:r><a:t>{said}</a:t></a:r></a:p>")
        parts[f"ppt/slides/slide{n}.xml"] = slide_markup or body
    return pack(parts)


def make_sqlite(folder: Path, *statements: str) -> bytes:
    path = folder / "made.sqlite"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    return path.read_bytes()


def contents_of(attempt: Attempt, name: str, content: bytes) -> FileContents | None:
    """Contents of the file that are kept after a worker has opened it."""
    add_file(attempt, name, content)
    draw_pages(attempt.pk)
    blob = Artifact.objects.get(path=name).blob
    assert blob is not None
    assert blob.preview_tries == 1
    if blob.preview is None:
        return None
    return read_contents(Path(blob_path(blob.preview)).read_bytes())


def blob_path(blob: Blob) -> str:
    from django.core.files.storage import default_storage

    return default_storage.path(blob.storage_name)


def page_of(client: Client, attempt: Attempt) -> str:
    answer = client.get(attempt.get_absolute_url())
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_sheet_of_a_workbook_is_shown(client: Client, attempt: Attempt, made: Path) -> None:
    contents = contents_of(attempt, "book.xlsx", (made / "book.xlsx").read_bytes())
    assert contents is not None
    assert [part.title for part in contents.parts] == ["Totals", "Späte <b>Zahlen", "Empty"]
    first = contents.parts[0]
    assert (first.header, first.rows[1]) == (("month", "sum"), ("m1", "1.5"))
    assert (len(first.rows), first.notes) == (30, "The first 12 of 30 rows.")
    body = page_of(client, attempt)
    assert "Späte &lt;b&gt;Zahlen" in body
    assert '<th scope="col">only</th>' in body


def test_a_document_is_shown_as_its_text_and_tables(
    client: Client, attempt: Attempt, made: Path
) -> None:
    contents = contents_of(attempt, "minutes.docx", (made / "minutes.docx").read_bytes())
    assert contents is not None
    before, table, after = contents.parts
    assert before.text.startswith("Minutes of the meeting\nWe met <script>")
    assert (table.header, table.rows) == (("who", ""), (("", "Ada"),))
    assert after.text == "After the table."
    body = page_of(client, attempt)
    assert "We met &lt;script&gt;alert(1)&lt;/script&gt; and left." in body


def test_parquet_and_slides_are_shown(client: Client, attempt: Attempt, made: Path) -> None:
    contents = contents_of(attempt, "cities.parquet", (made / "cities.parquet").read_bytes())
    assert contents is not None
    rows, columns = contents.parts
    assert (rows.header, rows.rows) == (("city", "n"), (("Oslo", "1"), ("Rome", "2")))
    assert columns.rows[1] == ("n", "int64")
    assert contents.facts == (("rows", "2"), ("columns", "2"))
    slides = contents_of(attempt, "talk.pptx", (made / "talk.pptx").read_bytes())
    assert slides is not None
    assert [(part.title, part.text) for part in slides.parts] == [
        ("Slide 1", "Hello"),
        ("Slide 2", "World"),
    ]
    assert "Slide 2" in page_of(client, attempt)


def test_a_video_has_a_poster_that_is_as_private_as_itself(
    client: Client, attempt: Attempt, made: Path
) -> None:
    contents = contents_of(attempt, "film.mp4", (made / "film.mp4").read_bytes())
    assert contents is not None
    assert contents.facts == (
        ("length", "2.5 s"),
        ("size", "320 × 200"),
        ("frames per second", "10"),
        ("video", "mpeg4"),
    )
    address = f"/files/{contents.poster}/film.mp4.png"
    assert f'poster="{address}"' in page_of(client, attempt)
    assert client.get(address)["Content-Type"] == "image/png"
    film = Artifact.objects.get(path="film.mp4").blob
    assert film is not None
    assert client.get(f"/files/{film.pk}/film.mp4")["Content-Type"] == "video/mp4"
    Run.objects.filter(pk=attempt.run_id).update(is_public=False)
    assert client.get(address).status_code == 404
    assert client.get(f"/files/{film.preview_id}/contents.json").status_code == 404


def test_the_tables_of_a_database_are_shown(attempt: Attempt, tmp_path: Path) -> None:
    content = make_sqlite(
        tmp_path,
        "CREATE TABLE orders (id INTEGER, who TEXT)",
        "INSERT INTO orders VALUES (1, 'Ada'), (2, NULL)",
        'CREATE TABLE "odd ""name""" (x BLOB)',
        'INSERT INTO "odd ""name""" VALUES (x\'0102\')',
        "CREATE VIRTUAL TABLE words USING fts5(said)",
        "CREATE VIEW bomb AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
        "SELECT count(*) FROM n",
    )
    contents = contents_of(attempt, "shop.sqlite", content)
    assert contents is not None
    parts = {part.title: part for part in contents.parts}
    assert parts["orders"].rows == (("1", "Ada"), ("2", "NULL"))
    assert parts['odd "name"'].rows == (("2 bytes",),)
    assert parts["words"].note == "A virtual table: its rows are not read."
    assert parts["bomb (view)"].note == "It cannot be read: interrupted."


def test_an_archive_is_listed_and_never_unpacked(client: Client, attempt: Attempt) -> None:
    inner = pack({"bomb": b"\0" * (64 << 20)})
    names: dict[str, str | bytes] = {
        "a\u202etxt.exe": "x",
        "../../etc/passwd": "x",
        "<img src=x>": "x",
        "in.zip": inner,
    }
    content = pack({**names, **{f"m{n:04}": "" for n in range(100)}})
    contents = contents_of(attempt, "all.zip", content)
    assert contents is not None
    assert contents.facts[0] == ("members", "104")
    assert contents.parts[0].notes == "The first 60 of 104 rows."
    assert len(contents.parts[0].shown) == 60
    body = page_of(client, attempt)
    assert "\u202e" not in body
    assert "<img src=x>" not in body
    assert "../../etc/passwd" in body


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'
SECRET = '<!DOCTYPE x [<!ENTITY s SYSTEM "file:///etc/passwd">]>'
NOISE = random.Random(7).randbytes(5_000)
SAID = "<a:p><a:r><a:t>{}</a:t></a:r></a:p>"


def with_many_sheets() -> bytes:
    sheet = '<sheet xmlns="" name="s{0}" sheetId="{0}" r:id="rId1"/>'
    return pack({"xl/workbook.xml": "".join(sheet.format(n) for n in range(1, 100_001))})


# Made when their test runs: some take hundreds of megabytes on the way.
HOSTILE_FILES: dict[str, Callable[[], bytes]] = {
    "laughs.pptx": lambda: make_pptx(["x"], BILLION + SLIDE.format(SAID.format("&l9;"))),
    "secret.pptx": lambda: make_pptx(["x"], SECRET + SLIDE.format(SAID.format("&s;"))),
    "deep.docx": lambda: pack({"[Content_Types].xml": BILLION + "<x>&l9;</x>"}),
    "bomb.docx": lambda: pack({"x": b"\0" * (300 << 20)}),
    "bomb.xlsx": lambda: pack({"xl/workbook.xml": b" " * (200 << 20)}),
    "many.xlsx": with_many_sheets,
    "up.pptx": lambda: make_pptx(["x"]).replace(b"slide0", b"../../"),
    "noise.sqlite": lambda: b"SQLite format 3\0" + NOISE,
    "noise.parquet": lambda: b"PAR1" + NOISE,
    "noise.zip": lambda: b"PK\x03\x04" + NOISE,
    "noise.xls": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE,
    "noise.mp4": lambda: b"\0\0\0\x18ftypmp42" + NOISE,
    "noise.webm": lambda: b"\x1a\x45\xdf\xa3" + NOISE,
}


@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_a_hostile_file_costs_neither_the_worker_nor_the_page(
    client: Client, attempt: Attempt, name: str
) -> None:
    contents = contents_of(attempt, name, HOSTILE_FILES[name]())
    body = page_of(client, attempt)
    assert "root:" not in body
    assert "ha" * 20 not in body
    assert contents is None or len(contents.parts) <= 20
    assert name in body


def test_a_hundred_thousand_members_are_counted_not_listed(attempt: Attempt) -> None:
    contents = contents_of(attempt, "many.zip", pack({f"{n}": "" for n in range(100_000)}))
    assert contents is not None
    assert contents.facts[0] == ("members", "100,000")
    assert contents.parts[0].notes == "The first 60 of 100,000 rows."


def test_parquet_that_declares_too_much_is_not_believed(attempt: Attempt, made: Path) -> None:
    content = (made / "cities.parquet").read_bytes()
    for place in range(len(content) - 400, len(content) - 8, 40):
        broken = bytearray(content)
        broken[place : place + 6] = b"\xff\xff\xff\xff\xff\x0f"
        name = f"c{place}.parquet"
        add_file(attempt, name, bytes(broken))
    draw_pages(attempt.pk)
    opened = Blob.objects.filter(mime="application/vnd.apache.parquet")
    assert set(opened.values_list("preview_tries", flat=True)) == {1}


def test_broken_pages_of_a_database_leave_its_other_tables(
    attempt: Attempt, tmp_path: Path
) -> None:
    statements = ["CREATE TABLE fine (x)", "INSERT INTO fine VALUES (7)", "CREATE TABLE bad (y)"]
    content = bytearray(make_sqlite(tmp_path, *statements, "INSERT INTO bad VALUES ('gone')"))
    size = int.from_bytes(content[16:18], "big")
    content[2 * size : 3 * size] = b"\xff" * size
    contents = contents_of(attempt, "half.sqlite", bytes(content))
    assert contents is not None
    bad, fine = contents.parts
    assert bad.note.startswith("It cannot be read")
    assert fine.rows == (("7",),)


@pytest.mark.parametrize(
    "report",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"parts": {}}',
        b'{"parts": [1]}',
        b'{"parts": [{"rows": [[{}]]}]}',
        b'{"poster": "%%%"}',
        b'{"poster": 7}',
        b'{"facts": [["a", 1]]}',
    ],
)
def test_a_report_in_another_shape_is_refused(report: bytes) -> None:
    assert understand(report) is None


def test_what_is_kept_of_a_report_is_bounded() -> None:
    part = {"title": "t" * 999, "text": "x" * 99_999, "header": ["h"] * 99, "rows": [["c" * 999]]}
    understood = understand(json.dumps({"parts": [part] * 99, "note": "n" * 999}).encode())
    assert understood is not None
    contents, _ = understood
    assert len(contents.parts) == 20
    assert len(contents.parts[0].text) == 10_000
    assert len(contents.parts[0].header) == 20
    assert contents.parts[0].rows == (("c" * 300,),)
    assert len(contents.note) == 300


def test_a_poster_that_is_no_picture_is_left_out(attempt: Attempt) -> None:
    add_file(attempt, "film.mp4", b"\0\0\0\x18ftypmp42")
    blob = Artifact.objects.select_related("blob").get(path="film.mp4").blob
    assert blob is not None
    for bad in (b"<svg onload=alert(1)>", make_png(size=(3000, 3000))):
        report = json.dumps({"poster": base64.b64encode(bad).decode(), "note": "n"}).encode()
        assert file_previews.keep_contents(blob, report)
        blob.refresh_from_db()
        assert blob.preview is not None
        contents = read_contents(Path(blob_path(blob.preview)).read_bytes())
        assert contents == FileContents(note="n")


def test_files_of_an_earlier_version_get_their_kind(attempt: Attempt, made: Path) -> None:
    add_file(attempt, "talk.pptx", (made / "talk.pptx").read_bytes())
    Blob.objects.filter(artifact__path="talk.pptx").update(mime=OTHER)
    assert file_previews.missing_of(attempt.pk) == []
    call_command("draw_pages", verbosity=0)
    draw_pages(attempt.pk)
    blob = Artifact.objects.get(path="talk.pptx").blob
    assert blob is not None
    assert blob.preview is not None
    contents = read_contents(Path(blob_path(blob.preview)).read_bytes())
    assert contents is not None
    assert contents.parts[0] == ContentPart("Slide 1", text="Hello")


def test_a_page_of_large_workbooks_keeps_to_its_budget(client: Client, attempt: Attempt) -> None:
    part = {"title": "s", "header": ["h"] * 12, "rows": [["cell"] * 12] * 16}
    report = json.dumps({"parts": [part] * 20}).encode()
    for n in range(30):
        add_file(attempt, f"b{n}.xlsx", pack({"x": str(n)}))
    for blob in Blob.objects.filter(artifact__path__endswith=".xlsx"):
        assert file_previews.keep_contents(blob, report)
    body = page_of(client, attempt)
    assert 1 <= " ".join(body.split()).count("<summary>s </summary>") <= 60
    assert "The page has enough: download the file to see it." in body
