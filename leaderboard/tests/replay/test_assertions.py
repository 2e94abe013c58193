"""Contents of a replay next to its steps: changes inside files, frames, tags, downloads, walks."""

from __future__ import annotations

import io
import json
import re
import zipfile
from urllib.parse import urlencode

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.failures.tagging import conclude
from leaderboard.models import Attempt, Run
from leaderboard.tests.support.replay_pages import attempt_at, get, step_of
from leaderboard.tests.support.rows import (
    TASKS,
    add_file,
    add_step,
    change,
    finish_run,
    make_run,
    make_step,
    make_suite,
    make_wav,
    tell_failure,
)
from runner.contract import ChangeKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite()), 4)


@pytest.fixture
def failed(run: Run) -> Attempt:
    return tell_failure(attempt_at(run, "quarterly-sales"))


def test_a_changed_file_shows_what_changed_inside(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    old = "".join(f"Q{i},{i * 10}\n" for i in range(13))
    new = old.replace("Q5,50", "Q5,<55>").replace("Q9,90\n", "")
    add_step(attempt, make_step(1, changes=[change("output/t.csv", old.encode())]))
    rewritten = change("output/t.csv", new.encode(), ChangeKind.CHANGED)
    add_step(attempt, make_step(2, changes=[rewritten]))
    second = step_of(get(client, attempt), 2)
    assert "1 cell changed, 1 row removed" in second
    assert '<td class="is-changed"><del>50</del> &lt;55&gt;</td>' in second
    assert "<td>Q9</td>" in second
    assert "unchanged rows" in second


def test_sounds_stand_beside_each_other(client: Client, run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    add_step(attempt, make_step(1, changes=[change("output/a.wav", make_wav())]))
    longer = change("output/a.wav", make_wav(0.4), ChangeKind.CHANGED)
    add_step(attempt, make_step(2, changes=[longer]))
    assert step_of(get(client, attempt), 2).count("<audio controls") == 2


def test_a_page_is_run_in_a_frame_that_reaches_nothing(client: Client, failed: Attempt) -> None:
    add_file(failed, "index.html", b"<script>parent.document</script>")
    page = get(client, failed)
    found = re.search(r'<a href="(/frames/[0-9a-f]{64}/index\.html)" target="(frame-\d+)"', page)
    assert found is not None
    assert f'<iframe name="{found[2]}" sandbox="allow-scripts"' in page
    assert "&lt;script&gt;parent.document" in page
    assert client.get(found[1]).status_code == 403  # not as a page of its own
    framed = client.get(found[1], headers={"Sec-Fetch-Dest": "iframe"})
    assert framed.content == b"<script>parent.document</script>"
    policy = framed["Content-Security-Policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'")
    assert "allow-same-origin" not in policy
    assert "connect-src 'none'" in policy
    assert framed["X-Frame-Options"] == "SAMEORIGIN"
    run = failed.run
    Run.objects.filter(pk=run.pk).update(is_public=False)
    hidden = client.get(found[1], headers={"Sec-Fetch-Dest": "iframe"})
    assert hidden.status_code == 404


def test_only_html_is_framed(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    address = re.search(r'"/files/([0-9a-f]{64}/quarters\.csv)"', page)
    assert address is not None
    framed = client.get(f"/frames/{address[1]}", headers={"Sec-Fetch-Dest": "iframe"})
    assert framed.status_code == 404
    assert "<iframe" not in page


def test_tags_stand_under_the_verdict_and_lead_to_the_failures(
    client: Client, failed: Attempt
) -> None:
    conclude(failed.pk)
    verdict = get(client, failed).partition('class="ribbon"')[0]
    assert 'class="tag is-primary" href="/failures/?tag=format&amp;state=not-passed"' in verdict


def test_an_attempt_is_downloaded_in_each_format(client: Client, failed: Attempt) -> None:
    page = get(client, failed)
    for form in ("pybench", "chat", "notebook"):
        address = f"/runs/{failed.run_id}/tasks/quarterly-sales/export/{form}"
        assert f'href="{address}"' in page
        answer = client.get(address)
        assert answer["Content-Disposition"].startswith("attachment; filename=")
        assert json.loads(answer.content)
    raw = client.get(f"/runs/{failed.run_id}/tasks/quarterly-sales/attempt.json").json()
    assert [step["index"] for step in raw["steps"]] == [1, 2, 3, 4, 5, 6]
    assert raw["verdict"]["assertions"][1]["actual"] == "5"
    assert {file["path"] for file in raw["files"]} == {"sales.csv", "quarters.csv", "plot.png"}
    assert client.get(f"/runs/{failed.run_id}/tasks/quarterly-sales/export/pdf").status_code == 404


def test_a_whole_run_is_downloaded(client: Client, failed: Attempt) -> None:
    answer = client.get(f"/runs/{failed.run_id}/export/pybench")
    lines = b"".join(answer.streaming_content).splitlines()  # type: ignore[attr-defined]
    assert [json.loads(line)["index"] for line in lines] == [key for key, *_ in TASKS]
    answer = client.get(f"/runs/{failed.run_id}/export/notebook")
    archive = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(io.BytesIO(archive)) as notebooks:
        assert notebooks.testzip() is None
        assert len(notebooks.namelist()) == len(TASKS)
        assert json.loads(notebooks.read("quarterly-sales.ipynb"))["nbformat"] == 4


def test_a_private_attempt_is_downloaded_by_nobody_else(client: Client, failed: Attempt) -> None:
    Run.objects.filter(pk=failed.run_id).update(is_public=False)
    base = f"/runs/{failed.run_id}"
    for address in (
        f"{base}/tasks/quarterly-sales/attempt.json",
        f"{base}/tasks/quarterly-sales/export/notebook",
        f"{base}/export/pybench",
    ):
        assert client.get(address).status_code == 404


def test_n_and_p_walk_through_what_was_found(client: Client, run: Run) -> None:
    other = finish_run(make_run(run.suite), 7)
    failed = "?" + urlencode({"in": "state=failed"})
    page = get(client, attempt_at(run, "static-page"), failed)
    assert f'data-previous="/runs/{run.pk}/tasks/shortest-route/{failed}"' in page
    assert "data-next=" not in page
    assert '<span class="faint num">5 / 5</span>' in page
    assert 'href="/failures/?state=failed"' in page
    page = get(client, attempt_at(other, "static-page"), failed)
    assert f'data-next="/runs/{run.pk}/tasks/rotate-photo/{failed}"' in page
    assert "data-previous=" not in page
    page = get(client, attempt_at(run, "quarterly-sales"), failed)
    assert "not among 5" in page


@pytest.mark.parametrize("carried", ["all", "tag=gone", "%", "=&=", "in=in", "q=%22", "x" * 3000])
def test_a_strange_walk_is_harmless(client: Client, failed: Attempt, carried: str) -> None:
    get(client, failed, "?" + urlencode({"in": carried}))


def test_a_replay_takes_few_queries_wherever_one_comes_from(
    client: Client, failed: Attempt
) -> None:
    client.force_login(get_user_model().objects.create_user("reader"))
    for query, most in (("?in=all", 22), ("", 18)):
        with CaptureQueriesContext(connection) as queries:
            get(client, failed, query)
        assert len(queries) <= most
