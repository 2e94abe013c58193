"""Badge, citation, picture and card of public runs: escaped, and silent about private ones."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from leaderboard.models import Entry, Run, Suite
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring import standings
from leaderboard.sharing.bibtex import escape_latex
from leaderboard.sharing.svg_text import fit, width_of
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import end_judged, finish_run, make_entry, make_run, make_suite
from runner.contract import Status

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</title><script>alert(1)</script>"&\u202e\x0b\\input{x} 100%_#$ ' + "w" * 120
RIGHT_TO_LEFT = "نموذج <b>عربي</b> \u202eabc"


@pytest.fixture
def run() -> Run:
    run = finish_run(make_run(make_suite(), make_entry("Foo 70B", organisation="Foo")), 5)
    standings.refresh(run.suite)
    return run


def get(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def paths_of(run: Run) -> list[str]:
    return [f"/runs/{run.pk}/badge.svg", f"/runs/{run.pk}/cite.bib"]


def rename(run: Run, name: str) -> None:
    Entry.objects.filter(pk=run.entry_id).update(name=name)
    Suite.objects.filter(pk=run.suite_id).update(title=name[:200])


def test_badge_says_suite_rate_and_rank(run: Run) -> None:
    answer = Client().get(f"/runs/{run.pk}/badge.svg")
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    picture = ElementTree.fromstring(answer.content)
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert words == ["PyBench · Starter suite v1", "5 of 8 tasks"]
    title = picture.findtext(f"{SVG}title") or ""
    assert title.startswith("Foo 70B on PyBench Starter suite v1: 5 of 8 tasks passed")
    assert "95 %" not in title
    assert "rank" not in title


def test_badge_of_an_unfinished_run_has_no_rate(run: Run) -> None:
    other = finish_run(make_run(run.suite, make_entry("Void")), 3, void=2)
    words = get(f"/runs/{other.pk}/badge.svg")
    assert "8 of 8 attempts" in words
    assert "rank" not in words


def test_badge_of_a_run_under_way_says_how_far_it_is(run: Run) -> None:
    going = make_run(run.suite, make_entry("Going"))
    Run.objects.filter(pk=going.pk).update(status=Status.RUNNING)
    for attempt in going.attempts.select_related("task")[:3]:
        end_judged(attempt, passed=True)
    assert "3 of 8 attempts" in get(f"/runs/{going.pk}/badge.svg")


@pytest.mark.parametrize("name", [HOSTILE, RIGHT_TO_LEFT, "\u202e", "通义千问" * 30])
def test_hostile_names_break_no_picture_and_no_card(run: Run, name: str) -> None:
    rename(run, name)
    for path in (f"/runs/{run.pk}/badge.svg", "/charts/pass-rates.svg"):
        content = Client().get(path).content
        picture = ElementTree.fromstring(content)  # well-formed
        assert {element.tag for element in picture.iter()} <= {
            f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "g", "text", "circle")
        }
        assert "\u202e" not in content.decode()
        assert picture.get("direction") == "ltr"
    page = get(run.get_absolute_url())
    assert "<script>alert" not in page
    assert not re.search(r'<meta property="og:[^>]*\u202e', page)
    [title] = re.findall(r'<meta property="og:title" content="([^"]*)">', page)
    assert "<" not in title


@pytest.mark.parametrize("name", [HOSTILE, '"><img src=x onerror=alert(1)>', "a'b & <b>"])
def test_copied_embed_code_is_the_link_and_the_picture_alone(run: Run, name: str) -> None:
    """The button copies the text of the block; a name in it is no markup elsewhere."""
    rename(run, name)
    blocks = re.findall(r"<pre tabindex=.0.>(.*?)</pre>", get(run.get_absolute_url()), re.DOTALL)
    codes = [code for code in map(unescape, blocks) if code.startswith("<a ")]
    assert len(codes) == 2
    for code in codes:
        link = ElementTree.fromstring(seal(code))
        assert (link.tag, [child.tag for child in link]) == ("a", ["img"])
        assert set(link.keys()) == {"href"}
        assert set(link[0].keys()) <= {"src", "alt", "width"}
    words = ElementTree.fromstring(seal(codes[0]))[0].get("alt") or ""
    assert words.startswith(" ".join(strip_invisible(name).split())[:20])


def seal(code: str) -> str:
    """HTML whose one empty element is closed, as XML."""
    return re.sub(r"></a>$", "/></a>", code)


def test_badge_is_as_wide_as_its_words(run: Run) -> None:
    rename(run, "通" * 200)
    wide = ElementTree.fromstring(Client().get(f"/runs/{run.pk}/badge.svg").content)
    assert 100 < float(wide.get("width") or 0) < 450
    assert fit("x" * 500, 11, 100).endswith("…")
    assert width_of(fit("通" * 500, 11, 100), 11) <= 100
    assert fit("short", 11, 100) == "short"


def test_citation_has_run_row_and_paper(run: Run) -> None:
    text = get(f"/runs/{run.pk}/cite.bib")
    assert re.findall(r"@misc\{([^,]+),", text) == [
        f"pybench-run-{run.pk}",
        f"pybench-row-{run.pk}",
        "zhang2024pybench",
    ]
    assert f"\\url{{http://testserver/runs/{run.pk}/}}" in text
    assert (
        f"\\url{{http://testserver/?suite=starter@1&season=1&as_of={timezone.now().date()}}}"
        in text
    )
    assert "5 of 8 tasks passed" in text
    assert "year = {2026}" in text
    assert "eprint = {2407.16732}" in text


def test_citation_without_a_rank_has_no_row(run: Run) -> None:
    other = finish_run(make_run(run.suite, make_entry("Void")), 3, void=2)
    assert "pybench-row" not in get(f"/runs/{other.pk}/cite.bib")


def test_names_are_no_commands_in_bibtex(run: Run) -> None:
    rename(run, HOSTILE)
    text = get(f"/runs/{run.pk}/cite.bib")
    assert "\\input" not in text
    assert "\\textbackslash{}input\\{x\\} 100\\%\\_\\#\\$" in text
    bare = text.replace("\\{", "").replace("\\}", "")
    assert bare.count("{") == bare.count("}")
    assert escape_latex("a\n\tb}") == "a b\\}"


def test_picture_of_the_board_names_suite_date_and_address(run: Run) -> None:
    finish_run(make_run(run.suite, make_entry("Bar")), 7)
    finish_run(make_run(run.suite, make_entry("silent", is_scripted=True)), 0)
    standings.refresh(run.suite)
    picture = get("/charts/pass-rates.svg")
    words = [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert words[0] == "Starter suite v1: tasks passed"
    assert re.match(r"2 of the board's models, \d{4}-\d\d-\d\d$", words[1])
    assert "<circle" not in picture  # no axis, on which a count would be read as a rate
    assert words[2:] == [
        "Bar",
        "7 of 8",
        "Foo 70B",
        "5 of 8",
        "PyBench, http://testserver/?suite=starter@1",
    ]


def test_picture_of_an_empty_board_says_so() -> None:
    make_suite()
    assert "No run has a rate yet." in get("/charts/pass-rates.svg")


def test_private_and_withdrawn_runs_have_no_badge_even_for_their_owner(run: Run) -> None:
    owner = User.objects.create_user("ada")
    hidden = finish_run(make_run(run.suite, make_entry("Hidden"), is_public=False), 3)
    Entry.objects.filter(pk__in=[hidden.entry_id, run.entry_id]).update(owner=owner)
    withdraw(run.pk)
    client = Client()
    client.force_login(owner)
    for path in (*paths_of(hidden), *paths_of(run), "/runs/999/badge.svg", "/runs/999/cite.bib"):
        assert client.get(path).status_code == 404
    page = client.get(hidden.get_absolute_url()).content.decode()
    assert "Cite and share" not in page


def test_unchanged_badge_is_not_sent_again(run: Run) -> None:
    for path in (*paths_of(run), "/charts/pass-rates.svg"):
        first = Client().get(path)
        assert "max-age=300" in first["Cache-Control"]
        again = Client().get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    Run.objects.filter(pk=run.pk).update(is_public=False)
    assert Client().get(paths_of(run)[0]).status_code == 404


def test_run_page_has_everything_to_copy(run: Run) -> None:
    page = get(run.get_absolute_url())
    assert "Cite and share" in page
    badge = (
        f"[![PyBench](http://testserver/runs/{run.pk}/badge.svg)](http://testserver/runs/{run.pk}/)"
    )
    assert badge in page
    assert f"@misc{{pybench-run-{run.pk}," in page
    assert "&lt;img src=&quot;" in page or '&lt;img src="http' in page


@pytest.mark.parametrize("path", ["/", "/changes/", "/about/method/", "/compare/", "/failures/"])
def test_every_page_has_one_card(run: Run, path: str) -> None:
    page = get(path)
    for name in ("og:title", "og:description", "og:url", "og:site_name"):
        assert page.count(f'property="{name}"') == 1
    assert f'<meta property="og:url" content="http://testserver{path}">' in page


def test_card_of_run_and_entry_tells_the_result(run: Run) -> None:
    for path in (run.get_absolute_url(), f"/models/{run.entry.slug}/"):
        page = get(path)
        assert '<meta property="og:title" content="Foo 70B">' in page
        [words] = re.findall(r'<meta property="og:description" content="([^"]*)">', page)
        assert "5 of 8 tasks passed" in words
        assert "rank" not in words  # of 8 tasks


def test_badge_of_enough_tasks_has_rank_and_interval() -> None:
    run = finish_run(make_run(make_suite(tasks=24), make_entry("Foo 70B")), 12)
    standings.refresh(run.suite)
    badge, picture = get(f"/runs/{run.pk}/badge.svg"), get("/charts/pass-rates.svg")
    assert "50.0 % · rank 1" in badge
    assert "50.0 % of 24 tasks passed (95 % interval 31.4 to 68.6), rank 1" in badge
    assert "1 of the board&#x27;s models, with 95 % intervals, " in picture


def test_unknown_host_gets_no_card_address(settings: Any, run: Run) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    answer = Client().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert "evil.example" not in answer.content.decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_copy_button_copies_what_stands_beside_it(
    page: Page, watch: Watch, live_server: Any, run: Run
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_server.url}{run.get_absolute_url()}")
    page.get_by_text("Cite and share").click()
    page.get_by_role("button", name="copy the BibTeX").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"@misc{{pybench-run-{run.pk},")
    assert watch.refusals == []
