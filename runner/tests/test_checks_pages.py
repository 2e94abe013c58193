"""Web pages opened by a check: their time is ours, their faults are theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks import pages
from runner.checks.case import Case, Stop

pytestmark = pytest.mark.browser

COUNTER = """<!doctype html><title>t</title><p id="n">0</p><script>
let n = 0; const p = document.getElementById('n');
setInterval(() => { n += 1; p.textContent = n; }, 100);
addEventListener('keydown', e => { document.body.dataset.key = e.key; });
addEventListener('mousedown', () => { document.body.dataset.hit = 'yes'; });
window.drawn = [Math.random(), Date.now(), performance.now()];
</script>"""


def case_with(folder: Path, **files: str) -> Case:
    (folder / "output" / "1").mkdir(parents=True)
    for name, text in files.items():
        (folder / "output" / "1" / f"{name}.html").write_text(text)
    return Case(folder, folder / "output")


def test_a_pages_time_and_chance_are_the_same_in_every_visit(tmp_path: Path) -> None:
    case = case_with(tmp_path, index=COUNTER)
    seen = []
    for _ in range(2):
        with pages.opened(case, "1/index.html") as page:
            before = int(page.evaluate("n"))
            page.advance(1000)
            page.press(" ")
            page.click(50, 50)
            facts = page.evaluate(
                "[n, document.body.dataset.key, document.body.dataset.hit, drawn]"
            )
            assert facts[0] - before == 10
            assert facts[1:3] == [" ", "yes"]
            seen.append(facts)
            page.show(case.output / "1" / "index.html")
            assert page.evaluate("n") == before
    assert seen[0] == seen[1]


def test_a_pages_errors_and_missing_files_are_its_own_fault(tmp_path: Path) -> None:
    broken = (
        "<script>setTimeout(() => lost(), 50); oops()</script><img src='no.png'>"
        "<script src='https://cdn.example/x.js'></script>"
    )
    case = case_with(tmp_path, index=broken)
    with pages.opened(case, "1/index.html") as page:
        page.advance(100)
        pages.expect_healthy(case, page, "1/index.html")
        assert page.missing == ["no.png"]
        assert page.outside == ["https://cdn.example/x.js"]
    said = " ".join(str(a["message"]) for a in case.assertions)
    assert "oops is not defined" in said
    assert "lost is not defined" in " ".join(page.errors)
    assert "no.png" in said


def test_a_page_that_never_ends_fails_and_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "ANSWER_TIMEOUT_S", 8.0)
    case = case_with(tmp_path, index="<script>setTimeout(() => { for (;;); }, 500)</script>")
    with pytest.raises(Stop), pages.opened(case, "1/index.html") as page:
        page.advance(1000)
    assert "stopped the browser" in str(case.assertions[-1]["message"])


def test_a_folder_without_a_page_ends_the_check(tmp_path: Path) -> None:
    case = case_with(tmp_path)
    with pytest.raises(Stop):
        pages.html_files(case, "1")
    with pytest.raises(Stop):
        pages.html_files(case, "2")


@pytest.mark.parametrize(
    ("page", "holds"),
    [
        ("<script src='game.js?v=2'></script><script src=\"a%20b.js\"></script>", True),
        ("<!-- <script src='gone.js'></script> --><script>'<script src=x.js>'</script>", True),
        ("<script src='https://cdn.example/x.js'></script><script src='//c.example/y'>", True),
        ("<script src='data:text/javascript,1'></script><script>1</script>", True),
        ("<script src='game.js'></script><SCRIPT SRC=gone.js></SCRIPT>", False),
        (f"<script src='{'x' * 5000}.js'></script>", False),
        ("<script src='a&#0;b.js'></script>", False),
    ],
)
def test_a_page_without_one_of_its_scripts_is_told_before_it_is_opened(
    page: str, holds: bool, tmp_path: Path
) -> None:
    case = case_with(tmp_path, index=page)
    for name in ("game.js", "a b.js"):
        (case.output / "1" / name).write_text("1")
    if holds:
        pages.demand_scripts(case, "1/index.html")
    else:
        with pytest.raises(Stop):
            pages.demand_scripts(case, "1/index.html")
    assert case.assertions[-1]["passed"] is holds
