"""Health of a suite itself: its proof, its unavailable tasks, and the published figures."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.models import Suite
from leaderboard.suites.health import (
    MutationScore,
    SolutionTally,
    read_health,
    ship,
    store_shipped,
)
from leaderboard.suites.install import install
from leaderboard.suites.published_table import PublishedRate, read_published
from leaderboard.tests.support.site import write_suite
from runner.contract import ProblemError
from runner.proof.command import read_made
from runner.suite.reader import SuiteTask, load_suite
from runner.tests.support.upstream_checkout import entry, write_checkout

pytestmark = pytest.mark.django_db


def get(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def suite(tmp_path: Path, settings: Settings) -> Suite:
    """Three tasks, of which the last cannot be played; with notes on published tests."""
    settings.SUITES = tmp_path / "suites"
    write_suite(settings.SUITES, tasks=3)
    notes = {"1": {"verdict": "too_lenient", "issues": ["file_name"], "passes": ["silent"]}}
    (settings.SUITES / "lines" / "upstream_audit.json").write_text(json.dumps(notes))
    folder = load_suite("lines", settings.SUITES)
    numbered = [keyed(t, f"00{n}-{t.spec.key}") for n, t in enumerate(folder.tasks, 1)]
    lost = replace(numbered[2], unavailable="The imported checkout does not have a.csv.")
    return install(replace(folder, tasks=tuple(numbered[:2]), unavailable=(lost,))).suite


def keyed(task: SuiteTask, key: str) -> SuiteTask:
    return replace(task, spec=replace(task.spec, key=key))


def facts(suite: Suite) -> dict[str, Any]:
    """As prove_suite writes them: the first task holds, the second is passed by a silent agent."""
    proofs = []
    for key, silent in (("001-lines-1", False), ("002-lines-2", True)):
        played = [("reference", "reference", True), ("short", "wrong", False)]
        proofs.append(
            {
                "task": key,
                "category": "text",
                "strength": "content",
                "holds": not silent,
                "faults": [],
                "played": [
                    {
                        "name": name,
                        "kind": kind,
                        "passed": passed,
                        "sentence": f"{name} said <b>",
                        "answer": "the secret answer",
                    }
                    for name, kind, passed in (*played, ("silent", "floor", silent))
                ],
            }
        )
    return {"suite": suite.name, "digest": suite.digest, "seconds": 2.5, "proofs": proofs}


def store(tmp_path: Path, content: object) -> str:
    file, said = tmp_path / "proof.json", io.StringIO()
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    call_command("store_proof", str(file), stdout=said)
    return said.getvalue()


def test_a_proof_is_shown_task_by_task_beside_the_published_tests(
    suite: Suite, client: Client, tmp_path: Path
) -> None:
    assert store(tmp_path, facts(suite)) == "lines v1: 2 proofs stored\n"
    page = get(client, "/suites/lines/health/")
    assert "1 of 3" in page
    assert "silent: silent said &lt;b&gt;" in page
    assert "too lenient" in page
    assert "The imported checkout does not have a.csv." in page
    assert "the secret answer" not in page
    data = client.get("/suites/lines/health.json").json()
    assert data["is_current"] is True
    assert [task["holds"] for task in data["tasks"]] == [True, False, None]
    silent = data["tasks"][0]["played"][2]
    assert (silent["passed"], silent["passes_upstream"]) == (False, True)
    assert data["asked_published_tests"] is False
    assert "from our notes on them" in page
    assert read_health(suite).tallies == [
        SolutionTally("reference solutions", 2, 2, 1, 0),
        SolutionTally("wrong solutions", 2, 0, 0, 0),
        SolutionTally("silent", 2, 1, 1, 1),
    ]


def test_what_the_proof_asked_of_the_published_tests_goes_before_notes(
    suite: Suite, client: Client, tmp_path: Path
) -> None:
    told = facts(suite)
    for one, passes in zip(told["proofs"][0]["played"], (True, True, False), strict=True):
        one["passes_published"] = passes
    store(tmp_path, told)
    page = " ".join(get(client, "/suites/lines/health/").split())
    assert "run on the same outputs" in page
    assert "passed by reference 1/1, wrong 1/1, no work 0/1" in page
    assert "silent: silent said &lt;b&gt; The published test fails it." in page
    data = client.get("/suites/lines/health.json").json()
    assert data["asked_published_tests"] is True
    assert [p["passes_upstream"] for p in data["tasks"][0]["played"]] == [True, True, False]
    assert read_health(suite).tallies == [
        SolutionTally("reference solutions", 2, 2, 1, 1),
        SolutionTally("wrong solutions", 2, 0, 1, 1),
        SolutionTally("silent", 2, 1, 1, 0),
    ]


def test_a_foreign_title_has_its_english_one_beside_it(suite: Suite, client: Client) -> None:
    suite.tasks.filter(pk=suite.tasks.earliest("position").pk).update(english="Count the lines")
    assert "Count the lines" in get(client, "/suites/lines/health/")


def test_a_suite_without_a_proof_says_how_to_make_one(suite: Suite, client: Client) -> None:
    page = get(client, "/suites/lines/health/")
    assert "No proof of this suite is stored yet." in page
    assert "Not known yet: the checks of this suite" in page
    assert "manage.py prove_installed lines" in page


def test_a_proof_of_an_earlier_state_is_said_to_be_one(
    suite: Suite, client: Client, tmp_path: Path
) -> None:
    store(tmp_path, facts(suite))
    Suite.objects.filter(pk=suite.pk).update(digest="f" * 64)
    assert "The stored proof is of an earlier state" in get(client, "/suites/lines/health/")


def varied_facts(suite: Suite) -> dict[str, Any]:
    """As a proof has them that also plays styles and mutants; two seeds of one task."""
    told = facts(suite)
    proof = told["proofs"][0]
    more = [("a", "style", True), ("b", "near miss", False)]
    more += [("swap-labels", "mutant", True), ("drop-row", "mutant", False)]
    proof["played"] += [
        {
            "name": n,
            "kind": k,
            "passed": p,
            "sentence": f"{n} said",
            "answer": "",
            "may_pass": False,
        }
        for n, k, p in more
    ]
    proof |= {"left_out": {"shift-date": "No <dates>."}}
    other = {**proof, "seed": 5, "holds": False, "faults": ["a fault"]}
    other["played"] = [{**one, "passed": None, "sentence": "void"} for one in proof["played"][:1]]
    return {**told, "version": "1", "made_on": "2026-11-22", "seeds": 2, "proofs": [proof, other]}


def test_styles_and_mutants_are_shown_with_their_reasons(
    suite: Suite, client: Client, tmp_path: Path
) -> None:
    store(tmp_path, varied_facts(suite))
    page = " ".join(get(client, "/suites/lines/health/").split())
    assert "<b>shift-date</b> is not tried: No &lt;dates&gt;." in page
    assert '1 of 2<span class="sub">passes: swap-labels</span>' in page
    assert "2026-11-22, 2 seeds" in page
    assert "seed 5: a fault · seed 5: reference reference: void" in page
    data = client.get("/suites/lines/health.json").json()
    assert (data["mutants"], data["mutants_refused"], data["made_on"]) == (2, 1, "2026-11-22")
    first = data["tasks"][0]
    assert (first["holds"], first["mutants"]) == (False, 2)
    assert read_health(suite).tasks[0].mutation == MutationScore(2, 1)


def test_a_proof_that_ships_is_stored_with_its_suite_once(suite: Suite, tmp_path: Path) -> None:
    told = {**varied_facts(suite), "version": suite.version}
    ship(tmp_path, told)
    assert "the secret answer" not in (tmp_path / "proof.json").read_text()
    assert store_shipped(suite, tmp_path) is not None
    assert read_health(suite).made_on == "2026-11-22"
    assert store_shipped(suite, tmp_path) is None  # a newer proof is never replaced by it


def test_the_proof_of_an_imported_suite_ships_without_sentences(
    suite: Suite, tmp_path: Path
) -> None:
    """A sentence quotes what the task asks for, and an imported task is not ours to ship."""
    told = {**varied_facts(suite), "version": suite.version}
    assert played_sentences(ship(tmp_path, told)) - {""}
    assert played_sentences(ship(tmp_path, told, is_imported=True)) == {""}


def played_sentences(path: Path) -> set[str]:
    shipped = json.loads(path.read_text("utf-8"))
    return {one["sentence"] for proof in shipped["proofs"] for one in proof["played"]}


def test_a_task_whose_proof_was_kept_has_the_date_of_its_making(
    suite: Suite, client: Client, tmp_path: Path
) -> None:
    """A proof that ships is gone on with: its rows stand for all their seeds, in short."""
    told = facts(suite)
    rows = {"rests_on": "0a" * 32, "stand_in": "", "degenerate": ""}
    second = told["proofs"][1] | rows | {"seed": 4, "made_on": "2026-11-24"}
    first = told["proofs"][0] | rows
    seeds = [{**first, "seed": n, "made_on": f"2026-11-2{n}"} for n in (3, 2)]
    whole = {"version": "1", "made_on": "2026-11-24", "seeds": 2}
    ship(tmp_path, told | whole | {"proofs": [*seeds, second]})
    grounds = {first["task"]: "0a" * 32, second["task"]: "0b" * 32}
    made, _ = read_made(tmp_path / "proof.json", grounds, [4, 5])
    assert list(made) == [(first["task"], 4), (first["task"], 5)]
    kept = made[first["task"], 4]
    assert (kept.seeds, kept.made_on, kept.holds) == (2, "2026-11-22", True)
    assert list(read_made(tmp_path / "proof.json", grounds, [4, 5, 6])[0]) == list(made)
    assert list(read_made(tmp_path / "proof.json", grounds, [4])[0]) == [(first["task"], 4)]
    # Written again, beside one that was made anew.
    ship(tmp_path, told | whole | {"proofs": [asdict(kept) | {"holds": True}, second]})
    assert store_shipped(suite, tmp_path) is not None
    page = " ".join(get(client, "/suites/lines/health/").split())
    assert "1 of 3 proofs were made before, the first on 2026-11-22, and kept" in page
    data = client.get("/suites/lines/health.json").json()
    assert [t["made_on"] for t in data["tasks"]] == ["2026-11-22", "2026-11-24", ""]
    assert data["made_on"] == "2026-11-24"


def test_a_shipped_proof_of_another_state_is_left_alone(suite: Suite, tmp_path: Path) -> None:
    assert store_shipped(suite, tmp_path) is None
    ship(tmp_path, {**varied_facts(suite), "version": suite.version, "digest": "0" * 64})
    assert store_shipped(suite, tmp_path) is None
    assert read_health(suite).proved == 0


BAD: list[tuple[object, str]] = [
    ("{", "not valid JSON"),
    ([], "is not installed here"),
    ({"suite": "lines"}, "holds no proof"),
    ({"suite": "lines", "digest": "0" * 64, "proofs": []}, "digest 000000000000"),
    ({"suite": "none", "proofs": []}, "is not installed here"),
]


@pytest.mark.parametrize(("content", "says"), BAD)
def test_what_is_no_proof_of_the_suite_is_refused(
    content: object, says: str, suite: Suite, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=says):
        store(tmp_path, content)
    assert read_health(suite).proved == 0


def test_the_denominator_is_written_wherever_a_score_is(suite: Suite, client: Client) -> None:
    for address in ("/?suite=lines", "/tasks/lines/", "/suites/lines/health/"):
        page = " ".join(get(client, address).split())
        assert "<b>2 tasks that can be played here</b>; 1 more are" in page, address


def test_the_published_table_is_flagged_and_kept_apart(client: Client) -> None:
    published = read_published()
    assert len(published.rows) == 22
    assert (published.disagreeing, published.impossible_judges) == (8, 15)
    named = {row.model: row for row in published.rows if row.size == "70B"}
    assert named["Llama3-Instruct"].passed == 71
    assert "71 of 143" in named["Llama3-Instruct"].flags[0]
    page = get(client, "/published/")
    assert page.count(">quoted</span>") + page.count("· quoted</span>") == 22
    assert "70.1 % does not correspond to a whole number of 48 image tasks." in page
    assert "Llama3-Instruct" not in get(client, "/")


@pytest.mark.parametrize(
    ("rate", "tasks", "is_possible"),
    [(58.0, 62, True), (73.0, 48, True), (70.1, 48, False), (100.0, 6, True), (4.17, 48, True)],
)
def test_a_rate_must_be_a_number_of_tasks(rate: float, tasks: int, is_possible: bool) -> None:
    assert PublishedRate("x", rate, tasks).is_possible is is_possible


def test_a_checkout_is_imported_and_installed(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one task's file of all, that task is counted and the others are listed."""
    monkeypatch.setenv("PYBENCH_MATERIAL", str(tmp_path / "material"))
    files = {"yearly_deaths_by_clinic.csv": b"year,clinic\n" + b"1841,1\n" * 60}
    paths = ["./data/yearly_deaths_by_clinic.csv"]
    checkout = write_checkout(tmp_path / "up", [entry("2", "Go.", paths), entry("x")], files)
    for what in ("installed", "is up to date"):
        said = io.StringIO()
        call_command("import_pybench", "--from", str(checkout), stdout=said)
        assert "refused: entry 2: `index` is no number: 'x'" in said.getvalue()
        assert f"pybench v1 {what}: 1 tasks can be played" in said.getvalue()
    suite = Suite.objects.get(name="pybench")
    assert [task.key for task in suite.tasks.all()] == ["002-clinic-deaths"]
    assert all(task["reason"] for task in suite.unavailable)


def test_a_wrong_folder_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_MATERIAL", str(tmp_path / "material"))
    with pytest.raises(CommandError, match="not a PyBench checkout"):
        call_command("import_pybench", "--from", str(tmp_path))
    with pytest.raises(CommandError, match="not a PyBench checkout"):
        call_command("import_pybench", "--from", "https://github.com/Mercury7353/PyBench")
    with pytest.raises(CommandError, match="give --from PATH"):
        call_command("import_pybench", "--from", "")
    with pytest.raises(ProblemError, match="imported once from"):
        load_suite("pybench")
    assert not Suite.objects.filter(name="pybench").exists()
