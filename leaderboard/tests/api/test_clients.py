"""The API's description before linters of others, and clients that were generated from it."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.cache import cache
from django.test import Client

from leaderboard.accounts.tokens import make_token
from leaderboard.api.schema import SOMETIMES, description, operations_of
from leaderboard.scoring.standings import refresh_changed
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.page_tools import find_api_tool, find_peer, require_node
from leaderboard.tests.support.rows import (
    finish_run,
    make_board,
    make_entry,
    make_run,
    make_suite,
    set_price,
)
from pybench_site.local.install import API_TOOLS_LOCK

TIMEOUT_S = 600


@pytest.fixture
def schema_file(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(description()), "utf-8")
    return path


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def run_program(command: Sequence[object], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def check_row(row: dict[str, Any]) -> None:
    schema = {**description(), "$ref": "#/components/schemas/BoardRow"}
    jsonschema.Draft202012Validator(schema).validate(row)


@pytest.mark.django_db
def test_rows_of_every_kind_are_as_described() -> None:
    run, *_ = make_board()
    make_run(run.suite, make_entry("Unfinished"))
    finish_run(make_run(run.suite, make_entry("Whole")), 5)
    refresh_changed()
    set_price(run.entry.model_name)
    rows = Client().get("/api/v1/board/").json()["rows"]
    assert {row["group"] for row in rows} >= {"ranked", "unranked"}
    assert {row["cost_per_task"] is None for row in rows} == {True, False}
    for row in rows:
        check_row(row)
    described = set(description()["components"]["schemas"]["BoardRow"]["properties"])
    keys = {category["key"] for category in run.suite.categories}
    assert set(rows[0]) | SOMETIMES == described | keys | {
        f"{key}_{word}" for key in keys for word in ("passed", "tasks")
    }


@pytest.mark.django_db
def test_rows_with_parts_and_repeats_are_as_described() -> None:
    suite = make_suite()
    run = make_run(suite, make_entry("Several"))
    run.attempts_per_task = 2
    run.save()
    suite.tasks.filter(pk=suite.tasks.all()[0].pk).update(guessable="by its title")
    finish_run(run, 4)
    task = suite.tasks.all()[0]
    rows = Client().get(f"/board.json?category={task.category}").json()["rows"]
    for row in rows:
        check_row(row)
    assert rows


def test_row_of_another_shape_is_not_as_described() -> None:
    with pytest.raises(jsonschema.ValidationError):
        check_row({"group": "ranked", "rank": "first"})


def test_every_operation_has_a_summary_a_tag_and_problem_details() -> None:
    told = description()
    tags = {tag["name"] for tag in told["tags"]}
    assert told["servers"][0]["url"] == "/"
    for operation in operations_of(told):
        name = operation["operationId"]
        assert operation["summary"], name
        assert set(operation["tags"]) <= tags, name
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"], (name, status)
    problem = told["components"]["schemas"]["Error"]
    example = operation["responses"]["404"]["content"]["application/problem+json"]["example"]
    jsonschema.Draft202012Validator(problem).validate(example)


@pytest.mark.peers
def test_redocly_finds_nothing(schema_file: Path, tmp_path: Path) -> None:
    require_node(20, 19)
    tool = find_api_tool("@redocly/cli/bin/cli.js")
    config = API_TOOLS_LOCK / "redocly.yaml"
    lint = ["node", tool, "lint", schema_file, "--config", config, "--format", "json"]
    done = run_program(lint, tmp_path)
    totals = json.loads(done.stdout[done.stdout.index("{") :])["totals"]
    assert (totals["errors"], totals["warnings"]) == (0, 0), done.stdout
    assert done.returncode == 0


@pytest.mark.peers
def test_spectral_finds_nothing(schema_file: Path, tmp_path: Path) -> None:
    require_node(20, 17)
    tool = find_api_tool("@stoplight/spectral-cli/dist/index.js")
    rules = API_TOOLS_LOCK / "spectral.yaml"
    done = run_program(["node", tool, "lint", schema_file, "-r", rules, "-f", "json"], tmp_path)
    assert done.stdout.startswith("[]"), done.stdout
    assert done.returncode == 0, done.stderr


@pytest.mark.peers
def test_linters_find_what_is_wrong(tmp_path: Path) -> None:
    """They are asked for something: a description with a fault is refused by both."""
    require_node(20, 19)
    broken = json.loads(json.dumps(description()))
    board = broken["paths"]["/api/v1/board/"]["get"]
    board["responses"]["200"]["content"]["application/json"]["schema"] = {"$ref": "#/nowhere"}
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken), "utf-8")
    redocly = find_api_tool("@redocly/cli/bin/cli.js")
    config = API_TOOLS_LOCK / "redocly.yaml"
    assert run_program(["node", redocly, "lint", path, "--config", config], tmp_path).returncode
    spectral, rules = (
        find_api_tool("@stoplight/spectral-cli/dist/index.js"),
        API_TOOLS_LOCK / "spectral.yaml",
    )
    assert run_program(["node", spectral, "lint", path, "-r", rules], tmp_path).returncode


TYPESCRIPT = """\
import type { components } from "./schema";

type Row = components["schemas"]["BoardRow"];

export function best(rows: Row[]): string {
  const row = rows[0];
  const rate: number | null = row.ut_strict;
  const group: "ranked" | "unranked" | "scripted" | "human" = row.group;
  // @ts-expect-error a rate may be null
  const surely: number = row.ut_strict;
  // @ts-expect-error no row has this type of rank
  const rank: string = row.rank;
  return `${row.entry} ${rate} ${group} ${surely} ${rank}`;
}

export function describe(problem: components["schemas"]["Error"]): string {
  return `${problem.status} ${problem.title}: ${problem.detail}`;
}
"""


@pytest.mark.peers
def test_typescript_types_board_rows(schema_file: Path, tmp_path: Path) -> None:
    require_node(20, 17)
    generate = find_api_tool("openapi-typescript/bin/cli.js")
    done = run_program(["node", generate, schema_file, "-o", tmp_path / "schema.ts"], tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "use.ts").write_text(TYPESCRIPT, "utf-8")
    compiler = find_api_tool("typescript/bin/tsc")
    done = run_program(["node", compiler, "--noEmit", "--strict", "use.ts"], tmp_path)
    assert (done.stdout, done.returncode) == ("", 0)


PYTHON = """\
import sys

from generated import AuthenticatedClient
from generated.api.board import board_retrieve
from generated.api.runs import runs_retrieve
from generated.models import Board, BoardRow, Error


def ask(site: str, token: str) -> None:
    client = AuthenticatedClient(base_url=site, token=token)
    board = board_retrieve.sync(client=client)
    assert isinstance(board, Board), board
    row: BoardRow = board.rows[0]
    rate: float | None = row.ut_strict
    rank: int | None = row.rank
    name: str = row.entry
    chart: float | None = row["chart"]  # below 20 tasks of a category: counts alone
    passed: float | None = row["chart_passed"]
    problem = runs_retrieve.sync(client=client, run_id=99999)
    assert isinstance(problem, Error), problem
    detail: str = problem.detail
    print([name, rank, rate, chart, passed, problem.status, detail])


if __name__ == "__main__":
    ask(*sys.argv[1:])
"""


@pytest.mark.peers
@pytest.mark.django_db(transaction=True)
def test_python_client_types_and_reads_board_rows(
    schema_file: Path, tmp_path: Path, live_server: Any
) -> None:
    run, *_ = make_board()
    finish_run(make_run(run.suite, make_entry("Whole")), 5)
    refresh_changed()
    generate = find_peer("openapi-client", "openapi-python-client")
    target = tmp_path / "generated"
    made = run_program(
        [generate, "generate", "--path", schema_file, "--output-path", target, "--meta", "none"],
        tmp_path,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "Unable" not in made.stdout + made.stderr  # no operation was left out
    (tmp_path / "use.py").write_text(PYTHON, "utf-8")
    types = run_program([find_peer("openapi-client", "mypy"), "--strict", "use.py"], tmp_path)
    assert "use.py:" not in types.stdout, types.stdout  # the generated part is its maker's
    _, token = make_token(make_user(), "test")
    python = find_peer("openapi-client", "python")
    done = run_program([python, "use.py", live_server.url, token], tmp_path)
    assert done.returncode == 0, done.stderr
    name, rank, rate, chart, passed, status, detail = ast.literal_eval(done.stdout)
    assert (name, rank, rate, chart, status) == ("Whole", None, 5 / 8, None, 404)
    assert 0 < passed <= 5
    assert detail.startswith("There is nothing at this address.")
