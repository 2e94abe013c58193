"""A model's text as markup: bounded, complete, and without a way to act."""

from __future__ import annotations

import re

import pytest

from leaderboard.rendering.ansi import show_ansi
from leaderboard.rendering.highlighting import show_python
from leaderboard.rendering.html_tables import show_table
from leaderboard.rendering.markdown import show_markdown
from leaderboard.rendering.outputs import STREAM_LIMIT_CHARS, describe
from leaderboard.rendering.previews import HEAD_BYTES, MAX_COLUMNS, MAX_ROWS, Kind, preview
from leaderboard.rendering.text import show_plain, title_page
from leaderboard.rendering.tracebacks import fold_traceback
from leaderboard.tests.support.rows import TABLE_HTML, TRACEBACK

TAG = re.compile(r"<[^>]*>")
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    '<a href="javascript:alert(1)">x</a>',
    "<iframe src=//evil.example></iframe>",
    '<p style="position:fixed;inset:0">x</p>',
    "<style>body{display:none}</style>",
    '<form action="/logout"><button>x</button></form>',
    "<base href=//evil.example>",
    '<math><mtext><table><mglyph><style><img src=x onerror="alert(1)">',
    '<div data-commandlinker-command="x" id="main" name="top">x</div>',
    "</pre></div><script src=//evil.example/x.js></script>",
]
ACTIVE = re.compile(
    r"<\s*/?\s*(script|img|svg|iframe|form|style|base|object|embed|link|meta|button|math)\b"
    r"|\son\w+\s*=|javascript:|style\s*=|\sid\s*=|\sdata-",
    re.IGNORECASE,
)


def text_of(markup: str) -> str:
    return TAG.sub("", markup)


def active_tags(markup: str) -> list[str]:
    """Tags that could act, load or restyle; escaped text has no tags."""
    return [tag for tag in TAG.findall(markup) if ACTIVE.search(tag)]


def test_no_renderer_lets_markup_through(subtests: pytest.Subtests) -> None:
    for text in HOSTILE:
        with subtests.test(text=text):
            table = show_table(f"<table><tr><td>{text}</td></tr></table>") or ""
            for markup in (
                show_plain(text),
                show_ansi(f"\x1b[31m{text}\x1b[0m"),
                show_python(text),
                show_markdown(text),
                show_markdown(f"`{text}`\n\n> {text}\n\n| a |\n|---|\n| {text} |"),
                table,
            ):
                assert active_tags(markup) == []


def test_markdown_keeps_absolute_links_only(subtests: pytest.Subtests) -> None:
    for link in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "&#106;avascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "/admin/logout/",
        "\\\\evil.example/x",
        "//evil.example/x",
        "vbscript:x",
    ]:
        with subtests.test(link=link):
            assert "href" not in show_markdown(f"[x]({link})")


def test_markdown_marks_foreign_links_and_loads_no_picture() -> None:
    markup = show_markdown("[x](https://a.example/) ![p](https://a.example/p.png)")
    assert 'href="https://a.example/"' in markup
    assert "nofollow" in markup
    assert "<img" not in markup


def test_markdown_keeps_the_lines_of_an_answer() -> None:
    markup = show_markdown("Maximum drawdown: 18.39 %\nPeak: 2025-03-19\nTrough: 2025-05-16")
    assert markup.count("<br") == 2


def test_markdown_renders_prose_tables_and_chinese() -> None:
    markup = show_markdown("**粗体** and `code`\n\n| 季度 | 金额 |\n|---|---|\n| Q1 | 12 |")
    assert "<strong>粗体</strong>" in markup
    assert "<code>code</code>" in markup
    assert "<td>Q1</td>" in markup


def test_headings_of_prose_go_below_those_of_the_page_in_order() -> None:
    markup = show_markdown("### A\n\n# B\n\n###### C\n\n## D")
    assert "<h3>A</h3>\n<h3>B</h3>\n<h4>C</h4>\n<h4>D</h4>" in markup


def test_heads_of_a_table_say_what_they_are_of() -> None:
    table = show_table(
        "<table><thead><tr><th scope=x></th><th colspan='2'>a scope=\"row\"></th></tr></thead>"
        "<tbody><tr><th>0</th><td>1</td><td>2</td></tr></tbody></table>"
    )
    assert table is not None
    assert '<th scope="col"></th><th colspan="2" scope="col">a scope="row"&gt;</th>' in table
    assert '<tr><th scope="row">0</th><td>1</td>' in table


def test_titles_fit_and_name_the_site_once(subtests: pytest.Subtests) -> None:
    for name, title in [
        ("Board", "Board · PyBench"),
        ("PyBench", "PyBench"),
        ("A &amp; B &lt;c&gt;", "A &amp; B &lt;c&gt; · PyBench"),
        (f"{'t' * 90} · Foo 70B", f"{'t' * 49}… · Foo 70B · PyBench"),
        ("&amp;" * 99, f"{'&amp;' * 59}… · PyBench"),
    ]:
        with subtests.test(name=name, title=title):
            assert title_page(name) == title


def test_colours_become_classes_and_the_text_stays() -> None:
    markup = show_ansi("\x1b[1;31mKeyError\x1b[0m: \x1b[38;5;28mself\x1b[39m \x1b[48;2;255;0;0mx")
    assert '<span class="a-b a-f1">KeyError</span>' in markup
    assert text_of(markup) == "KeyError: self x"
    assert "a-g" in markup


def test_other_terminal_sequences_vanish(subtests: pytest.Subtests) -> None:
    for sequence in [
        "\x1b]0;evil title\x07",
        "\x1b]8;;javascript:alert(1)\x1b\\",
        "\x1b[2J",
        "\x1b[?1049h",
        "\x1b[10;10H",
        "\x1bP$q\x1b\\",
        "\x9b31m",
        "\x1b(B",
        "\x1b7",
    ]:
        with subtests.test(sequence=sequence):
            assert text_of(show_ansi(f"before{sequence}after")) == "beforeafter"


def test_a_lone_escape_is_spelled_out_and_swallows_nothing() -> None:
    assert text_of(show_ansi("before\x1bafter")) == "beforeU+001Bafter"


def test_an_unfinished_title_hides_no_output() -> None:
    assert "evidence" in text_of(show_ansi("\x1b]0;" + "x" * 50 + "\nevidence"))


def test_a_progress_bar_shows_its_last_state() -> None:
    assert show_ansi("10%\r50%\r100%\ndone\r\n") == "100%\ndone\n"


def test_line_ends_of_a_browsers_form_are_line_ends() -> None:
    assert show_plain("one\r\ntwo\r") == 'one\ntwo<span class="ctl">U+000D</span>'


def test_characters_that_hide_or_reorder_are_spelled_out(subtests: pytest.Subtests) -> None:
    for character in ["\x00", "\u202e", "\u2066", "\x08", "\ufeff", "\udc80"]:
        with subtests.test(character=character):
            name = f"U+{ord(character):04X}"
            assert name in show_plain(f"a{character}b")
            assert name in show_ansi(f"a{character}b")
            assert name in show_python(f"a = '{character}'")
            assert character not in show_markdown(f"a{character}b")
            assert character not in (show_table(f"<table><td>a{character}b</table>") or "")


def test_code_is_highlighted_line_by_line() -> None:
    markup = show_python('import os\nx = """a\nb"""  # 注释')
    assert markup.count('<span class="l">') == 3
    assert '<span class="p-kn">import</span>' in markup
    assert all(line.count("<span") == line.count("</span>") for line in markup.split("\n"))
    assert text_of(markup).replace("&quot;", '"') == 'import os\nx = """a\nb"""  # 注释'


def test_a_data_frame_keeps_rows_and_loses_its_style() -> None:
    markup = show_table(TABLE_HTML) or ""
    assert markup.count("<tr>") == 5
    assert "12,480.50" in markup
    assert "vertical-align" not in markup
    assert "class" not in markup


def test_tables_are_bounded() -> None:
    assert show_table("<table>" + "<tr><td>x" * 20_000) is None
    assert show_table("<p>no table</p>") is None
    spans = show_table('<table><tr><td colspan="9999">a</td><td rowspan="2">b</td></tr></table>')
    assert spans is not None
    assert "9999" not in spans
    assert 'rowspan="2"' in spans


def test_elements_that_no_table_needs_are_taken_out_before_it_is_parsed() -> None:
    cell = '<td class="a > b" colspan=2 rowspan="3" x><span a=1><b c="d">x</b></span></td>'
    markup = show_table(f'<div q="<p>"><table border="1"><tr {"a " * 9}>{cell}</table></div>')
    assert markup is not None
    assert '<td colspan="2" rowspan="3"><b>x</b></td>' in markup
    assert "border" not in markup
    assert "span" not in text_of(markup)
    assert show_table("<table><tr><td>" + "<b>x" * 600) is None


def test_deeply_nested_html_ends() -> None:
    markup = show_table("<table><tr><td>" + "<div>" * 10_000 + "x") or ""
    assert "<div" not in markup
    assert ">" not in text_of(show_markdown(">" * 5000 + " x"))


def test_a_traceback_folds_library_frames_and_keeps_the_cell() -> None:
    parts = fold_traceback(TRACEBACK)
    shown = "\n".join(part.text for part in parts if not part.frames)
    assert "totals" in shown
    assert "site-packages" not in shown
    assert sum(part.frames for part in parts) == 3
    assert any("direct cause" in part.text for part in parts if part.frames)


def test_a_text_that_is_no_traceback_is_shown_whole() -> None:
    assert [part.text for part in fold_traceback("SyntaxError: eh\nlook")] == [
        "SyntaxError: eh\nlook"
    ]


def test_a_long_stream_shows_both_ends_and_says_what_is_missing() -> None:
    block = describe(
        {"kind": "stdout", "text": "a" * STREAM_LIMIT_CHARS + "end", "cut_chars": 7}, address
    )
    assert block.text.missing_chars == 3
    assert block.tail.endswith("end")
    assert block.cut_chars == 7


def test_a_bundle_shows_its_best_form() -> None:
    stored = describe(bundle({"image/png": {"blob": "ab" * 32}, "text/plain": "<Figure>"}), address)
    assert stored.picture == f"/{'ab' * 32}.image/png"
    assert not stored.text.text
    frame = describe(bundle({"text/html": TABLE_HTML, "text/plain": "Q1 12"}), address)
    assert frame.table
    assert not frame.source
    widget = describe(bundle({"text/html": "<script>x</script>", "text/plain": "Widget"}), address)
    assert widget.table is None
    assert widget.text.text == "Widget"
    assert widget.source == "<script>x</script>"
    drawing = describe(bundle({"image/svg+xml": "<svg onload='x'/>"}), address)
    assert drawing.picture.startswith("data:image/svg+xml;base64,")
    assert not describe(bundle({"image/png": '" onerror="x'}), address).picture


def bundle(data: dict[str, object]) -> dict[str, object]:
    return {"kind": "display", "text": "", "data": data}


def address(sha256: str, mime: str) -> str:
    return f"/{sha256}.{mime}"


def test_a_table_file_shows_its_head() -> None:
    rows = "a,b\n" + "1,2\n" * 40
    seen = preview("x.csv", "text/csv", len(rows), rows.encode())
    assert seen.kind is Kind.TABLE
    assert seen.header == ("a", "b")
    assert len(seen.rows) == MAX_ROWS
    assert seen.note == f"The first {MAX_ROWS} of 40 rows."


def test_a_wide_or_torn_table_stays_bounded() -> None:
    wide = ("\t".join("abcdefghijklmnopqrst") + "\n").encode()
    seen = preview("x.tsv", "text/tab-separated-values", len(wide), wide)
    assert len(seen.header) == MAX_COLUMNS
    torn = b"a,b\n" + b"1,2\n" * 3 + b"9"
    assert preview("x.csv", "text/csv", 10**9, torn).rows[-1] == ("1", "2")


def test_each_file_has_its_preview(subtests: pytest.Subtests) -> None:
    for name, mime, head, kind in [
        ("a.png", "image/png", b"\x89PNG", Kind.IMAGE),
        ("a.svg", "image/svg+xml", b"<svg/>", Kind.IMAGE),
        ("a.png", "application/octet-stream", b"<script>", Kind.TEXT),
        ("a.png", "application/octet-stream", b"\x89PNG\0", Kind.BINARY),
        ("a.wav", "audio/wav", b"RIFF", Kind.AUDIO),
        ("a.pdf", "application/pdf", b"%PDF", Kind.BINARY),
        ("a.html", "text/plain", b"<h1>x</h1>", Kind.TEXT),
        ("a.md", "text/plain", "# 标题".encode(), Kind.MARKDOWN),
        ("a.bin", "application/octet-stream", b"\x00\x01", Kind.BINARY),
        ("a.txt", "text/plain", b"\xff\xfea\x00", Kind.TEXT),
        ("a.xlsx", "application/vnd.ms-excel", b"PK", Kind.BINARY),
    ]:
        with subtests.test(name=name, mime=mime, head=head, kind=kind):
            assert preview(name, mime, len(head), head).kind is kind


def test_text_under_the_name_of_another_kind_is_shown(subtests: pytest.Subtests) -> None:
    other = "application/octet-stream"
    for name, head, text, note in [
        ("a.ts", b"const x = 1;", "const x = 1;", ""),
        ("a.xlsx", b"a,b\n1,2", "a,b\n1,2", "It is text, whatever “.xlsx” says."),
        ("a.mp4", b"<html>gone", "<html>gone", "It is text, whatever “.mp4” says."),
        ("a.txt", b"one\rtwo", "one\ntwo", ""),
        ("a.rar", b"Rar!\x1a\0", "", "It is a RAR archive: nothing of it is shown."),
        (
            "a.png",
            b"\x89PNG\0",
            "",
            "Its bytes are not those of a whole .png file: nothing of it is shown.",
        ),
    ]:
        with subtests.test(name=name):
            seen = preview(name, other, len(head), head)
            assert (seen.text, seen.note) == (text, note)


def test_an_empty_file_and_a_huge_text_say_so() -> None:
    assert preview("a.txt", "text/plain", 0).kind is Kind.EMPTY
    seen = preview("a.txt", "text/plain", 10**9, b"x\n" * (HEAD_BYTES // 2))
    assert seen.note == "The beginning of the file."
    assert len(seen.text) < HEAD_BYTES
