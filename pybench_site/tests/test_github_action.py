"""The GitHub Action: its program against an endpoint and a fake GitHub on loopback, its YAML."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from conftest import served
from leaderboard.tests.support.page_tools import find_peer
from leaderboard.tests.support.site import sandbox_service
from runner.suite.reader import load_suite
from runner.tests.support.small_suite import scripted, small_suite

ACTION = Path(__file__).resolve().parents[2] / "deploy" / "github-action"


def load_program() -> ModuleType:
    path = ACTION / "evaluate_and_comment.py"
    spec = importlib.util.spec_from_file_location("evaluate_and_comment", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


program = load_program()


class FakeGitHub(ThreadingHTTPServer):
    """Artifacts and comments of one repository."""

    daemon_threads = True

    def __init__(self) -> None:
        self.artifacts: list[tuple[str, bytes]] = []  # branch and archive, the newest first
        self.comments: list[dict[str, Any]] = []
        self.tokens: list[tuple[str, str | None]] = []
        self.status = 200
        super().__init__(("127.0.0.1", 0), FakeHandler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def run_on(branch: str) -> dict[str, Any]:
    """The run that kept an artifact; “fork:trunk” is a branch of another repository."""
    fork, _, name = branch.rpartition(":")
    return {"head_branch": name, "repository_id": 1, "head_repository_id": 2 if fork else 1}


class FakeHandler(BaseHTTPRequestHandler):
    server: FakeGitHub

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def send(self, content: Any, status: int = 200, **headers: str) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status if self.server.status == 200 else self.server.status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.tokens.append((path, self.headers.get("Authorization")))
        if path == "/repos/me/mine/actions/artifacts":
            rows = [
                {"id": n, "expired": False, "workflow_run": run_on(branch)}
                for n, (branch, _) in enumerate(self.server.artifacts)
            ]
            self.send({"artifacts": rows})
        elif path.endswith("/zip"):
            self.send(b"", 302, Location=f"{self.server.url}/store/{path.split('/')[-2]}")
        elif path.startswith("/store/"):
            self.send(self.server.artifacts[int(path.split("/")[-1])][1])
        else:
            self.send(self.server.comments)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.comments.append({"id": len(self.server.comments), **body})
        self.send({}, 201)

    def do_PATCH(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.comments[int(self.path.split("/")[-1])].update(body)
        self.send({})


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with served(FakeGitHub()) as server:
        yield server


@pytest.fixture
def environ(github: FakeGitHub, tmp_path: Path) -> dict[str, str]:
    event = {"pull_request": {"number": 5}, "repository": {"default_branch": "trunk"}}
    (tmp_path / "event.json").write_text(json.dumps(event))
    return {
        "PATH": "/usr/bin:/bin",
        "PYBENCH_VAR": str(tmp_path / "var"),
        "PYBENCH_ACTION_OUT": str(tmp_path / "out"),
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "me/mine",
        "GITHUB_TOKEN": "ghs_canary",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }


def make_results(passed: Sequence[bool | None], model: str = "m", **changes: Any) -> dict[str, Any]:
    count = sum(map(bool, passed))
    figures = {
        "category": "all", "tasks": len(passed), "attempts": len(passed), "passed": count,
        "void": list(passed).count(None), "open": 0, "rate": count / len(passed),
        "low": 0.1, "high": 0.9,
    }  # fmt: skip
    return {
        "suite": "starter", "suite_version": "1", "suite_digest": "d", "seed": 1, "model": model,
        "attempts_per_task": 1, "tasks": [f"task-{n}" for n in range(len(passed))],
        "figures": [{**figures, "category": "Text"}, figures],
        "attempts": [{"task": f"task-{n}", "passed": p} for n, p in enumerate(passed)],
        **changes,
    }  # fmt: skip


def pack(results: object, name: str = "results.json") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr(name, json.dumps(results))
    return written.getvalue()


@pytest.mark.sandbox
def test_endpoint_is_played_and_commented_with_interval_and_p(
    environ: dict[str, str], github: FakeGitHub, tmp_path: Path
) -> None:
    folder = small_suite(tmp_path).folder
    with scripted(load_suite(folder)) as server:
        played = {
            **environ,
            **sandbox_service(),
            "PYBENCH_ACTION_BASE_URL": server.base_url,
            "PYBENCH_ACTION_MODEL": "reference",
            "PYBENCH_ACTION_SUITE": str(folder),
        }
        assert program.main(played) == 0
        [first] = github.comments
        assert "**2 of 2 passed** (100.0%, 95 % interval" in first["body"]
        assert "No earlier run of the same suite and seed on `trunk`" in first["body"]
        results = json.loads((tmp_path / "out" / "results.json").read_text())
        before = json.loads(json.dumps(results))
        for attempt in before["attempts"]:
            attempt["passed"] = False
        github.artifacts = [("feature", pack(results)), ("trunk", pack(before))]
        assert program.main({**played, "PYBENCH_ACTION_OUT": str(tmp_path / "again")}) == 0
    [comment] = github.comments  # the first one was replaced
    assert "2 tasks better, 0 worse of 2, paired p = 0.25" in comment["body"]
    assert "exit-code=0" in (tmp_path / "output").read_text()
    assert "rate=1.0" in (tmp_path / "output").read_text()
    assert comment["body"] in (tmp_path / "summary.md").read_text()
    assert ("/store/1", None) in github.tokens  # the store gets no token


def test_endpoint_that_is_not_there_is_an_exit_code_and_no_comment(
    environ: dict[str, str], github: FakeGitHub, tmp_path: Path
) -> None:
    wrong = {**environ, "PYBENCH_ACTION_BASE_URL": "nonsense", "PYBENCH_ACTION_MODEL": "m"}
    assert program.main(wrong) == 2
    assert github.comments == []
    assert (tmp_path / "output").read_text() == "exit-code=2\n"


def test_paired_p_is_that_of_the_site() -> None:
    now, before = make_results([True] * 6 + [False] * 4), make_results([False] * 10)
    said = program.say_comparison(now, before, "main")
    assert "6 tasks better, 0 worse of 10, paired p = 0.0156 (a significant difference)" in said


def test_void_attempts_are_left_out_of_the_pairs_and_told() -> None:
    now, before = make_results([True, None]), make_results([False, False])
    assert "1 tasks better, 0 worse of 1" in program.say_comparison(now, before, "main")
    body = program.write_comment(now, before, "main", 3)
    assert "1 attempts are void" in body
    assert "went away" in body


@pytest.mark.parametrize("change", ["suite_digest", "seed", "tasks", "attempts_per_task"])
def test_run_on_other_tasks_is_no_baseline(
    change: str, environ: dict[str, str], github: FakeGitHub
) -> None:
    changed: dict[str, Any] = {change: 99}
    other = make_results([True], **changed)
    github.artifacts = [("trunk", pack(other)), ("trunk", pack(make_results([False])))]
    found = program.GitHub.from_environment(environ).find_baseline("trunk", make_results([True]))
    assert found == make_results([False])


def test_fork_s_branch_of_the_same_name_is_no_baseline(
    environ: dict[str, str], github: FakeGitHub
) -> None:
    github.artifacts = [("fork:trunk", pack(make_results([False])))]
    wanted = make_results([True])
    assert program.GitHub.from_environment(environ).find_baseline("trunk", wanted) is None


def test_artifact_that_is_no_figures_is_passed_over() -> None:
    for content in (b"", b"PK", pack([1]), pack({}), pack({}, "other.json"), pack("x")):
        assert program.read_archive(content) is None


def test_names_of_others_are_no_markup() -> None:
    evil = "a`</code><img src=x>`@everyone|\n# x\u202e"
    body = program.write_comment(make_results([True], model=evil), None, "main", 0)
    title = next(line for line in body.splitlines() if line.startswith("###"))
    assert title.count("`") == 6
    assert "@everyone¦ # x" in title
    assert "-->" not in program.marker_of(make_results([True], model="x --> <b>"))[:-3]


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_api_that_refuses_costs_the_comment_and_not_the_result(
    status: int, environ: dict[str, str], github: FakeGitHub, capsys: pytest.CaptureFixture[str]
) -> None:
    github.status = status
    program.report(environ, make_results([True]), 0)
    assert capsys.readouterr().out.count("::warning::") == 2
    assert "1 of 1 passed" in Path(environ["GITHUB_STEP_SUMMARY"]).read_text()


def test_steps_take_inputs_as_variables_and_never_as_shell_words() -> None:
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "image" not in step
    assert action["runs"]["using"] == "composite"


@pytest.mark.peers
def test_yaml_is_as_the_published_schema_asks(tmp_path: Path) -> None:
    check = [str(find_peer("check-jsonschema", "check-jsonschema"))]
    check += ["--builtin-schema", "vendor.github-actions"]
    broken = tmp_path / "action.yml"
    broken.write_text((ACTION / "action.yml").read_text().replace("using: composite", "using: x"))
    for path, is_right in ((ACTION / "action.yml", True), (broken, False)):
        done = subprocess.run([*check, str(path)], capture_output=True, text=True, timeout=300)
        assert (done.returncode == 0) is is_right, done.stdout
