"""Files as people's programs write them: the values that a replay, a judge and the API show."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.test import Client

from leaderboard.judge.shown import text_of_file
from leaderboard.models import Artifact, Attempt
from leaderboard.rendering.diffs import diff_files
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    change,
    finish_run,
    make_run,
    make_step,
    make_suite,
)
from runner.contract import ChangeKind
from runner.worker.tasks import draw_pages

pytestmark = [pytest.mark.django_db, pytest.mark.sandbox]

FILES = Path(__file__).with_name("files")
AT_ONCE = 30

# Of each file what its replay must hold, as text.
SHOWN: dict[str, list[str]] = {
    "b01_book.epub": ["Kapitel eins Anfang."],
    "c01_semicolon_decimal_comma.csv": ["Datum Betrag Zweck 02.01.2024 1.234,50 Miete, warm"],
    "c02_tabs.csv": ["name age city Ana 31 Porto"],
    "c04_utf16le_nobom.csv": ["name score Hana 80", "Read as UTF-16."],
    "c05_gbk.csv": ["姓名 部门 工资 王小明 市场部 8500", "Read as GB 18030."],
    "c07_cp1252.csv": ["Straße Größe Preis € Bäckerweg", "Read as Windows-1252."],
    "c09_quoted_newlines.csv": ["1 12 Hill Road Old Town York says"],
    "c10_many_quoted_newlines.csv": ["The first 12 of 20 rows.", "good1 but slow1 returned"],
    "c20_sep_line.csv": ["name qty pen 3"],
    "c26_table.csv.gz": ["a b 1 2"],
    "c30_mac_roman.csv": ["Café crème 3,50 12 Pâté de foie — été", "Read as Mac Roman."],
    "c31_shift_jis.csv": ["商品名 単価 数量 りんご 120 10", "Read as Shift JIS."],
    "c32_baltic.csv": ["Šokoladas „Žuvėdra“ 1.234,50", "Read as Windows-1257."],
    "d01_merged_cells_picture.docx": [
        "Discount -5",
        "1. first item 2. second item",
        "1 picture is not drawn.",
    ],
    "d02_nested_table.docx": ["n00 | n01 n10 | n11"],
    "d03_controls_changes_math_boxes.docx": [
        "Cover title in a content control",
        "E=mc",
        "Box text.",
        "re‑use",
    ],
    "d05_raised_lowered.docx": ["3×10⁸ m/s and H₂O boils; x^ab Due on the 1st of May"],
    "d06_sign_deleted.docx": ["done [sign]", "Deleted passages that are still marked: 1."],
    "f00_workbook_before.xlsx": ["a b total 1 2 3"],
    "f01_workbook_after.xlsx": ["1 2 =A2+B2", "Formulas in 2 cells."],
    "h01_plotly_cdn.html": ["run this page here"],
    "i08_scan.tiff": ["kind TIFF · size 160 × 100", "<img"],
    "i09_shot.bmp": ["<img"],
    "i10_png_named.jpg": ["<img"],
    "i19_figure.jfif": ["<img"],
    "m01_mail.eml": [
        "Angebot für Käse",
        "Schöne Grüße, anbei das Angebot (12 Stück).",
        "angebot.pdf application/pdf 9",
    ],
    "m02_no_charset.eml": ["Text Schöne Grüße May 99"],
    "n01_notebook.ipynb": ["the notebook as a page", "ZeroDivisionError: division by zero"],
    "n02_outputs.ipynb": [
        "Warning: careful",
        "Figure() [application/vnd.plotly.v1+json is not drawn]",
    ],
    "o01_slides.pptx": ["Q3 review Draft", "1 picture.", "1 chart: Sales."],
    "o02_calc.ods": ["hi"],
    "o03_slides.odp": ["Third quarter Costs fell by 4 %"],
    "o04_prices.ods": [
        "Käse alt 12.3 % 1.234,50 € 2024-02-29 26:30:00 TRUE 2469 00501",
        "-7,00 $ 2024-03-01 14:30:00 #DIV/0!",
        "Formulas in 2 cells. Comments: Bitte prüfen.",
        "Versteckt (hidden)",
    ],
    "o05_offer.odt": ["Posten | Preis verbunden | im Kasten"],
    "p02_password.pdf": ["It could not be opened: it is protected by a password."],
    "q04_table.feather": ["a b 1 x 2 y", "large_string"],
    "q05_year_10000.parquet": ["10000-01-01", "1970-01-01"],
    "q07_arrays.npz": ["x int64 3 0, 1, 2", "y float64 2 × 2"],
    "q08_survey.dta": ["name wert datum Müller 1.5 2024-01-01"],
    "q09_sensor.mat": ["x float64 2 × 3 0.0, 1.0", "name <U6 1 Sensor"],
    "s01_views_blobs.sqlite": ["total_by_name (view)", "Ann 12.5 8 bytes NULL"],
    "s02_wal.db": ["of its name with -wal"],
    "s03_sales.duckdb": [
        "The first 12 of 500 rows.",
        "name total day Ann 12.50 2024-03-01 Bo NULL 2024-03-02",
        "big (view)",
    ],
    "t02_gbk.txt": ["会议纪要"],
    "t16_gbk_page.html": ["run this page here", "销售报告"],
    "t30_colours.log": ["2024-01-01 00:00:02 ERROR step 2 warn loading 100% ready"],
    "v01_opencv_mp4v.mp4": ["<video", "a copy plays", "size 160 × 100", "mpeg4"],
    "v05_sound_only.mp4": ["<audio", "aac, 22,050 Hz, 1 channel"],
    "v06_raw.y4m": ["<video", "a copy plays", "rawvideo"],
    "a03.flac": ["<audio", "flac, 22,050 Hz"],
    "a08_aac.m4a": ["<audio", "aac, 22,050 Hz"],
    "x01_dates.xlsx": ["Ines 2024-01-15 2024-01-15 14:30:00 07:45:00 26:30:00"],
    "x01_dates_after.xlsx": ["Bodil 2024-03-02"],
    "x02_number_formats.xlsx": ["lamp 12.3 % €1,299.50 1,234,567 (420.75) 00501"],
    "x03_formulas_uncached.xlsx": ["=SUM(B2:B4)"],
    "x05_hidden.xlsx": ["_lookup (hidden)", "Row 3 and column B are hidden."],
    "x30_currencies_comment.xlsx": [
        "lamp $1,234.50 99.90 € refund -$20.00 -5.00 €",
        "Comment at B2: asked for a discount.",
    ],
    "x11_only_chart.xlsx": ["1 chart is not drawn."],
    "x15_html_saved_as.xls": ["Łódź 2024-01-01 09:00:00", "It is an HTML page"],
    "x20_old_format.xls": ["Ann 2024-01-15 TRUE 50 % #DIV/0!", "#N/A"],
    "x32_workbook.csv": ["passwort 30:00:00 09:05:00 2024-12-24"],
    "x33_workbook.xls": ["Preis 2024-05-06"],
    "z02_gbk_names.zip": ["报告/一月.txt", "报告/二月.txt"],
    "z05_results.tar": ["out/a.csv 4 file"],
    "z06_greeting.7z": ["It is a 7-Zip archive: nothing of it is shown."],
}
FRAMED = {"h01_plotly_cdn.html", "n01_notebook.ipynb", "t16_gbk_page.html"}

# Words on a step that changed one into the other.
CHANGED = {
    ("x01_dates.xlsx", "x01_dates_after.xlsx"): [
        "Bookings : 2 cells changed",
        "2024-02-29 2024-03-02",
    ],
    ("f00_workbook_before.xlsx", "f01_workbook_after.xlsx"): [
        "Sheet : 2 cells changed",
        "3 =A2+B2",
    ],
    ("o04_prices_before.ods", "o04_prices.ods"): ["Umsatz : 1 cell changed", "20 % 12.3 %"],
    ("x05_hidden.xlsx", "x02_number_formats.xlsx"): [
        "Prices : was added",
        "Report : was removed",
        "lamp 12.3 %",
    ],
    ("c01_semicolon_decimal_comma.csv", "c07_cp1252.csv"): ["Datum Straße"],
}


@pytest.fixture
def attempt() -> Attempt:
    run = finish_run(make_run(make_suite()), 4)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key="static-page")
    return attempt


def cards_of(page: str) -> dict[str, str]:
    """The markup below each file's name, by the name."""
    parts = re.split(r'<span class="path">(?:output/)?', page)[1:]
    return {html.unescape(part.partition("</span>")[0]).strip(): part for part in parts}


def read(markup: str) -> str:
    """The markup's words; pictures and players stay as the beginnings of their tags."""
    kept = re.sub(r"<(img|video|audio)\b[^>]*>", r" &lt;\1 ", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", kept)).split())


def list_missing(page: str, wanted: dict[str, list[str]]) -> list[tuple[str, str]]:
    cards = {name: read(card) for name, card in cards_of(page).items()}
    return [
        (name, text)
        for name, texts in wanted.items()
        for text in texts
        if text not in cards.get(name, "")
    ]


def test_each_file_shows_its_values(client: Client, attempt: Attempt) -> None:
    names = sorted(SHOWN)
    for name in names[:AT_ONCE]:
        add_file(attempt, name, (FILES / name).read_bytes())
    draw_pages(attempt.pk)
    for name in names[AT_ONCE:]:
        add_file(attempt, name, (FILES / name).read_bytes())
    draw_pages(attempt.pk)
    page = client.get(attempt.get_absolute_url()).content.decode()
    assert list_missing(page, SHOWN) == [], list_missing(page, SHOWN)[0]
    assert "Nothing is in it." not in page
    assert "It is no text" not in page
    listed = client.get(f"/api/v1/attempts/{attempt.pk}/artifacts/?page_size=100").json()
    shown = {one["path"]: one["shown"] for one in listed["results"]}
    for artifact in Artifact.objects.filter(attempt=attempt).select_related("blob__preview"):
        assert artifact.blob is not None
        assert text_of_file(artifact.path, artifact.blob) == shown[artifact.path]
    words = {name: " ".join(text.replace(" | ", " ").split()) for name, text in shown.items()}
    lost = [
        (name, text)
        for name in names
        if name not in FRAMED
        for text in SHOWN[name]
        if not text.startswith("<") and text.replace(" | ", " ").split(" · ")[0] not in words[name]
    ]
    assert [one for one in lost if "kind TIFF" not in one[1] and "size 160" not in one[1]] == []


def test_each_change_says_what_changed(client: Client, attempt: Attempt) -> None:
    for number, (before, after) in enumerate(CHANGED):
        path = f"output/{number}{Path(after).suffix}"
        for index, name, kind in ((1, before, ChangeKind.CREATED), (2, after, ChangeKind.CHANGED)):
            changed = change(path, (FILES / name).read_bytes(), kind)
            add_step(attempt, make_step(2 * number + index, changes=(changed,)))
    draw_pages(attempt.pk)
    page = client.get(attempt.get_absolute_url()).content.decode()
    parts = re.split(r'<span class="path">(?:output/)?', page)[1:]
    words = {
        number: " ".join(read(p) for p in parts if p.startswith(f"{number}."))
        for number in range(9)
    }
    for number, texts in enumerate(CHANGED.values()):
        assert [text for text in texts if text not in words[number]] == []


def frame_of(client: Client, attempt: Attempt, name: str) -> str:
    page = client.get(attempt.get_absolute_url()).content.decode()
    address = re.search(rf'href="(/frames/[^"]+/{re.escape(name)})"', page)
    assert address is not None
    return client.get(address[1], headers={"Sec-Fetch-Dest": "iframe"}).content.decode()


def test_pages_run_with_their_own_encoding_and_with_plotly(
    client: Client, attempt: Attempt
) -> None:
    for name in ("h01_plotly_cdn.html", "t16_gbk_page.html", "n01_notebook.ipynb"):
        add_file(attempt, name, (FILES / name).read_bytes())
    leaflet = b"<script src=https://unpkg.com/leaflet.js></script><h1>map</h1>"
    add_file(attempt, "map.html", leaflet)
    draw_pages(attempt.pk)
    chart = frame_of(client, attempt, "h01_plotly_cdn.html")
    assert "cdn.plot.ly" not in chart[:2000]
    assert "plotly.js v" in chart
    assert "销售报告" in frame_of(client, attempt, "t16_gbk_page.html")
    notebook = frame_of(client, attempt, "n01_notebook.ipynb.html")
    assert '<img src="data:image/png;base64,' in notebook
    assert "<table><tr><td>1</td></tr></table>" in notebook
    page = client.get(attempt.get_absolute_url()).content.decode()
    assert "loads scripts or styles from the network (unpkg.com)" in page


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b"a\r\nb\r\n", b"a\nb\n", "only the line ends changed"),
        ("Größe\n".encode("cp1252"), "Größe\n".encode(), "only the encoding changed"),
        (b"a,b\n1,2\n", b"a;b\n1;2\n", "only the way it is written changed"),
    ],
)
def test_a_change_of_form_alone_says_so(before: bytes, after: bytes, said: str) -> None:
    diff = diff_files("a.csv", before, after)
    assert diff is not None
    assert diff.summary == said
