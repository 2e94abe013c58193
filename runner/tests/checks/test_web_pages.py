"""Web pages opened by a check: their time is ours, their faults are theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks.case import Case, HostFault, Stop
from runner.checks.programs import browser, web_pages

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
        with web_pages.opened(case, "1/index.html") as page:
            before = page.number("n")
            page.advance(1000)
            page.press(" ")
            page.click(50, 50)
            facts = page.facts(
                "({n, key: document.body.dataset.key, hit: document.body.dataset.hit, drawn})"
            )
            assert facts["n"] - before == 10
            assert (facts["key"], facts["hit"]) == (" ", "yes")
            seen.append(facts)
            page.show(case.output / "1" / "index.html")
            assert page.number("n") == before
    assert seen[0] == seen[1]


def test_a_pages_errors_and_missing_files_are_its_own_fault(tmp_path: Path) -> None:
    broken = (
        "<script>setTimeout(() => lost(), 50); oops()</script><img src='no.png'>"
        "<script src='https://cdn.example/x.js'></script>"
    )
    case = case_with(tmp_path, index=broken)
    with web_pages.opened(case, "1/index.html") as page:
        page.advance(100)
        web_pages.expect_healthy(case, page, "1/index.html")
        assert page.missing == ["no.png"]
    said = " ".join(str(a["message"]) for a in case.assertions)
    assert "oops is not defined" in said
    assert "lost is not defined" in " ".join(page.errors)
    assert "no.png" in said


def test_a_page_that_never_ends_fails_and_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "ANSWER_TIMEOUT_S", 8.0)
    case = case_with(tmp_path, index="<script>setTimeout(() => { for (;;); }, 500)</script>")
    with pytest.raises(Stop), web_pages.opened(case, "1/index.html") as page:
        page.advance(1000)
    assert "stopped the browser" in str(case.assertions[-1]["message"])


def test_a_page_that_crashes_is_its_own_fault(tmp_path: Path) -> None:
    case = case_with(tmp_path, index="<p>fine at first</p>")
    with pytest.raises(Stop), web_pages.opened(case, "1/index.html") as page:
        page.ask("Page.crash")
    said = str(case.assertions[-1]["message"])
    assert said == "1/index.html stopped the browser: the page crashed."


def unsteady(folder: Path, chromium: str, good: int) -> Path:
    """A browser that ends at once in each of its first starts and works from number `good` on."""
    count = folder / "count"
    program = folder / "browser"
    program.write_text(
        f"""#!/bin/sh
echo start >> {count}
[ $(wc -l < {count}) -lt {good} ] && kill -SEGV $$
exec {chromium} "$@"
"""
    )
    program.chmod(0o755)
    return program


def test_a_browser_that_does_not_start_is_not_the_pages_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = case_with(tmp_path, index=COUNTER)
    chromium = browser.find_chromium()
    program = unsteady(tmp_path, chromium, good=browser.MOST_STARTS)
    monkeypatch.setattr(browser, "CHROMIUM", (str(program),))
    with web_pages.opened(case, "1/index.html") as page:
        assert page.evaluate("document.title") == "t"
    (tmp_path / "count").unlink()
    unsteady(tmp_path, chromium, good=browser.MOST_STARTS + 1)
    with (
        pytest.raises(HostFault, match="did not start in 3 attempts"),
        web_pages.opened(case, "1/index.html"),
    ):
        pass
    assert [a["passed"] for a in case.assertions if a["name"] != "file exists"] == []


@pytest.mark.parametrize("ends", [1, 2])
def test_a_browser_that_ends_while_it_loads_gets_a_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: int
) -> None:
    case = case_with(tmp_path, index=COUNTER)
    left = [ends]
    show = browser.Page.show

    def ending(page: browser.Page, path: Path) -> None:
        if left[0]:
            left[0] -= 1
            page.process.kill()
        show(page, path)

    monkeypatch.setattr(browser.Page, "show", ending)
    if ends == 1:
        with web_pages.opened(case, "1/index.html") as page:
            assert page.evaluate("document.title") == "t"
        assert all(a["passed"] for a in case.assertions)
    else:
        with pytest.raises(Stop), web_pages.opened(case, "1/index.html"):
            pass
        assert "Chromium has ended" in str(case.assertions[-1]["message"])


def test_a_folder_without_a_page_ends_the_check(tmp_path: Path) -> None:
    case = case_with(tmp_path)
    with pytest.raises(Stop):
        web_pages.html_files(case, "1")
    with pytest.raises(Stop):
        web_pages.html_files(case, "2")


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
def test_page_that_lacks_a_script_is_reported_before_opening(
    page: str, holds: bool, tmp_path: Path
) -> None:
    case = case_with(tmp_path, index=page)
    for name in ("game.js", "a b.js"):
        (case.output / "1" / name).write_text("1")
    if holds:
        web_pages.demand_scripts(case, "1/index.html")
    else:
        with pytest.raises(Stop):
            web_pages.demand_scripts(case, "1/index.html")
    assert case.assertions[-1]["passed"] is holds
