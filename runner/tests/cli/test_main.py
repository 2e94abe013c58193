"""The command line against real endpoints: what it keeps, refuses, repeats and says."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.cli.main import main
from runner.pybench_jsonl import OURS
from runner.suite import upstream
from runner.suite.reader import load_suite
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import Answer, misbehaving, said
from runner.tests.support.small_suite import scripted, small_suite
from runner.tests.support.upstream_checkout import entry, write_checkout

KEY = "sk-secret-0123456789"
DEADLINE_S = 180.0


@pytest.fixture(autouse=True)
def own_var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("SOME_KEY", KEY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small suite's folder."""
    return small_suite(tmp_path).folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def words(
    folder: Path, base_url: str, out: Path, model: str = "reference", *more: str
) -> list[str]:
    return [
        *("--suite", str(folder), "--base-url", base_url, "--model", model, "--out", str(out)),
        *more,
    ]


def evaluate(folder: Path, out: Path, model: str = "reference", *more: str) -> int:
    with scripted(load_suite(folder)) as server:
        return main(words(folder, server.base_url, out, model, *more))


def rows(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "trajectories.jsonl").read_text().splitlines()]


def results(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "results.json").read_text())
    return found


@pytest.mark.sandbox
def test_evaluates_and_keeps_everything(
    folder: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = tmp_path / "figures" / "a.json"
    assert evaluate(folder, out, "reference", "--attempts", "2", "--json", str(figures)) == 0
    printed = capsys.readouterr()
    assert "4/4" in printed.out
    assert "%" not in printed.out.replace("95 % interval", "")  # two tasks: counts alone
    assert "4 passed, 0 failed, 0 did not count" in printed.err
    assert json.loads(figures.read_text()) == results(out)
    overall = results(out)["figures"][-1]
    assert (overall["tasks"], overall["attempts"], overall["passed"]) == (2, 4, 4)
    assert [f["category"] for f in results(out)["figures"]] == ["Maths", "Text", "all"]
    assert [f["rate"] for f in results(out)["figures"]] == [None, None, 1.0]
    assert (out / "outputs" / "double" / "attempt-2" / "double.txt").read_text() == "42"


@pytest.mark.sandbox
def test_trajectories_are_pybench_jsonl(folder: Path, out: Path) -> None:
    evaluate(folder, out, "reference", "--tasks", "double", "--format", "tools")
    (row,) = rows(out)
    assert set(row) == {
        "messages", "index", "category1", "category2", "category3", "user", "file_paths",
        "attachments", OURS,
    }  # fmt: skip
    assert [m["role"] for m in row["messages"]] == [
        "system", "user", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert all(isinstance(m["content"], str) for m in row["messages"])
    assert "```python\nn = int(" in row["messages"][2]["content"]
    assert row["messages"][3]["content"] == "double: 42"
    assert row["file_paths"] == ["./data/number.txt"]
    ours = row[OURS]
    assert (ours["outcome"], ours["passed"], ours["answer"]) == ("finished", True, "It is 42.")
    assert ours["verdict"]["assertions"]
    assert [f["path"] for f in ours["outputs"]] == ["double.txt"]
    assert [s["status"] for s in ours["steps"]] == ["ok", "answer"]


@pytest.mark.sandbox
def test_a_second_command_plays_only_what_is_missing(folder: Path, out: Path) -> None:
    evaluate(folder, out, "reference", "--tasks", "double")
    before = rows(out)
    with (out / "trajectories.jsonl").open("a") as file:
        file.write('{"messages": [{"role": "sys')
    assert evaluate(folder, out) == 0
    assert rows(out)[0] == before[0]
    assert [row["index"] for row in rows(out)] == ["double", "greet"]


@pytest.mark.sandbox
def test_void_attempts_are_repeated(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = endpoint_server.status(400, "no such parameter")
    more = ("--concurrency", "1")
    with misbehaving(said("Done."), busy) as server:
        assert main(words(folder, server.base_url, out, "m", *more)) == 1
    assert "1 attempts did not count" in capsys.readouterr().err
    assert [row[OURS]["outcome"] for row in rows(out)] == ["finished", "endpoint_failed"]
    assert results(out)["figures"][-1]["is_complete"] is False
    with misbehaving(said("Done.")) as server:
        assert main(words(folder, server.base_url, out, "m", *more)) == 0
        assert len(server.bodies) == 1
    assert [row[OURS]["outcome"] for row in rows(out)] == ["finished", "finished"]


@pytest.mark.sandbox
def test_the_key_is_sent_and_written_nowhere(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with misbehaving(said(f"Your key is {KEY}.")) as server:
        more = ("--api-key-env", "SOME_KEY")
        main(words(folder, server.base_url, out, "m", *more))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    written = "".join(path.read_text() for path in out.rglob("*") if path.is_file())
    assert KEY not in written + "".join(capsys.readouterr())


BROKEN_ENDPOINTS: list[tuple[Answer, str]] = [
    (endpoint_server.status(401, "who are you"), "asks for an API key (401)"),
    (endpoint_server.status(404, "no model m"), "does not know the model “m” (404)"),
    (endpoint_server.raw(200, "text/html", b"<html>"), "web page instead of JSON"),
    (endpoint_server.status(400, "temperature must be 1"), "temperature must be 1"),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("answer", "sentence"), BROKEN_ENDPOINTS)
def test_an_endpoint_that_never_replies_ends_the_command(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], answer: Answer, sentence: str
) -> None:
    with misbehaving(answer) as server:
        more = ("--concurrency", "1", "--attempts", "5")
        assert main(words(folder, server.base_url, out, "m", *more)) == 2
        assert len(server.bodies) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: ")
    assert sentence in last
    # What was wrong may have been the model's name: the folder is free for another.
    assert evaluate(folder, out) == 0


@pytest.mark.sandbox
def test_gives_up_on_an_endpoint_that_stopped_working(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with misbehaving(said("Done."), endpoint_server.status(401, "expired")) as server:
        more = ("--concurrency", "1", "--attempts", "5")
        command = words(folder, server.base_url, out, "m", *more)
        assert main(command) == 1
        assert len(server.bodies) == 1 + 3
    printed = capsys.readouterr()
    assert "1/10" not in printed.out
    assert "0/10" in printed.out
    assert "401" in printed.err.splitlines()[-2]
    assert printed.err.splitlines()[-1].endswith(".venv/bin/pybench " + " ".join(command))


UNANSWERING: list[tuple[Answer, str]] = [
    (endpoint_server.silence, "did not finish a reply within 1 s"),
    (endpoint_server.dripping, "did not finish a reply within 1 s"),
    (endpoint_server.status(500, "a bug"), "(500)"),
    (
        endpoint_server.stream(b'data: {"choices": []}\n\n', b"data: [DONE]\n\n"),
        "no choices",
    ),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("answer", "sentence"), UNANSWERING)
def test_endpoint_that_takes_requests_and_never_replies_leaves_void_attempts(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], answer: Answer, sentence: str
) -> None:
    with misbehaving(answer) as server:
        more = ("--concurrency", "1", "--reply-timeout", "1")
        command = words(folder, server.base_url, out, "m", *more)
        assert main(command) == 1
    printed = capsys.readouterr()
    assert "0/2" in printed.out
    assert "Not comparable, limits of its own: reply timeout 1 (suite: 900)." in printed.out
    assert sentence in printed.err
    assert ("With --reply-timeout" in printed.err) == ("within 1 s" in sentence)
    assert printed.err.splitlines()[-1].endswith(".venv/bin/pybench " + " ".join(command))
    reasons = ["reply timeout 1 (suite: 900)", "no attempt has a verdict"]
    assert results(out)["why_not_comparable"] == reasons
    assert evaluate(folder, out) == 0  # void attempts bind to no limits
    assert results(out)["comparable"] is True


@pytest.mark.sandbox
def test_endpoint_that_takes_one_request_at_a_time_is_named(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.evaluation.AGAIN_AFTER_S", (0.01,) * 3)
    monkeypatch.setattr("runner.endpoint.client.EndpointClient.wait_s", lambda *of: 0.01)
    cut_short = endpoint_server.stream(endpoint_server.chunk({"content": "a"}), ends=False)
    newest: list[object] = []

    def interrupting(handler: endpoint_server.Handler) -> None:
        newest.append(handler)
        time.sleep(0.2)
        is_newest = newest[-1] is handler
        (said("Done.") if is_newest else cut_short)(handler)

    with misbehaving(interrupting) as server:
        more = ("--concurrency", "4", "--attempts", "4")
        assert main(words(folder, server.base_url, out, "m", *more)) == 0
    assert capsys.readouterr().err.count("so one request at a time is sent") == 1


@pytest.mark.sandbox
def test_void_attempts_are_told_with_their_reason(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An account that ran dry: after a reply, and before any."""
    dry = endpoint_server.status(402, "You have 0 credits left")
    reason = "The endpoint's account has no quota left (402): You have 0 credits left."
    with misbehaving(said("Done."), dry) as server:
        assert main(words(folder, server.base_url, out, "m", "--concurrency", "1")) == 1
    assert f"Attempts that did not count:\n  1 × {reason}" in capsys.readouterr().err
    assert results(out)["comparable"] is True
    with misbehaving(dry) as server:
        assert main(words(folder, server.base_url, out.with_name("dry"), "m")) == 2
    assert reason in capsys.readouterr().err
    found = results(out.with_name("dry"))
    assert (found["comparable"], found["why_not_comparable"]) == (
        False,
        ["no attempt has a verdict"],
    )


GONE = endpoint_server.status(503, "no worker is up", {"Retry-After": "999"})


@pytest.mark.sandbox
def test_endpoint_that_comes_back_costs_no_attempt(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.evaluation.AGAIN_AFTER_S", (0.01,) * 3)
    with misbehaving(said("Done."), *[GONE] * 4, said("Done.")) as server:
        more = ("--concurrency", "1", "--attempts", "2")
        assert main(words(folder, server.base_url, out, "m", *more)) == 0
    assert [row[OURS]["outcome"] for row in rows(out)] == ["finished"] * 4
    assert "(503)" in capsys.readouterr().err


@pytest.mark.sandbox
def test_endpoint_that_stays_away_ends_with_the_resume_command(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.evaluation.AGAIN_AFTER_S", (0.01,) * 3)
    more = ("--concurrency", "1", "--attempts", "2")
    with misbehaving(said("Done."), GONE) as server:
        command = words(folder, server.base_url, out, "m", *more)
        assert main(command) == 3
        assert len(server.bodies) == 1 + 3 * (1 + 3)
    printed = capsys.readouterr()
    assert "0/4" in printed.out
    last = printed.err.splitlines()[-1]
    assert last.endswith(".venv/bin/pybench " + " ".join(command))
    with misbehaving(said("Done.")) as server:
        assert main(words(folder, server.base_url, out, "m", *more)) == 0
        assert len(server.bodies) == 3


@pytest.mark.sandbox
def test_attempt_whose_every_try_the_endpoint_breaks_off_is_void_after_a_few(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply of each try says that the endpoint is there: not that the attempt will end."""
    monkeypatch.setattr("runner.cli.evaluation.AGAIN_AFTER_S", (0.01,) * 3)
    monkeypatch.setattr("runner.endpoint.client.EndpointClient.wait_s", lambda *of: 0.01)
    begun = said("```python\nprint(1)\n```")
    broken_off = endpoint_server.stream(endpoint_server.chunk({"content": "a"}))

    def breaking_off(handler: endpoint_server.Handler) -> None:
        is_first = len(server.bodies[-1]["messages"]) == 2
        (begun if is_first else broken_off)(handler)

    with misbehaving(breaking_off) as server:
        more = ("--concurrency", "1", "--attempts", "1")
        assert main(words(folder, server.base_url, out, "m", *more)) == 1
    assert [row[OURS]["outcome"] for row in rows(out)] == ["endpoint_failed"] * 2
    assert len(server.bodies) == 2 * (1 + 3) * (1 + 3)
    assert "2 attempts did not count" in capsys.readouterr().err


@pytest.mark.sandbox
def test_a_failure_of_our_own_is_void_and_repeated(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("an internal mistake")

    with monkeypatch.context() as patch:
        patch.setattr("runner.attempt.verify", fail)
        assert evaluate(folder, out) == 1
    said = capsys.readouterr().err
    assert "an internal mistake" in said
    assert "2 attempts did not count" in said
    assert evaluate(folder, out) == 0


def test_a_task_without_its_inputs_is_refused_by_name(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYBENCH_MATERIAL", str(tmp_path / "root"))
    upstream.import_checkout(write_checkout(tmp_path / "up", [entry("1")]), tmp_path / "root")
    key = next(task.spec.key for task in load_suite("pybench").unavailable)
    where = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--out", str(out))
    assert main(["--suite", "pybench", "--tasks", key, *where]) == 2
    said = capsys.readouterr().err
    assert f"cannot be played here. {key}: " in said
    assert "Leave them out." in said
    assert not out.exists()


Words = Sequence[str]
BAD_WORDS: list[tuple[Words, str]] = [
    (("--suite", "big"), "There is no suite “big”. Suites found here: pybench, starter."),
    (("--tasks", "halve"), "has no task “halve”. Its tasks are double, greet"),
    (("--base-url", "localhost:8000"), "The base URL is not an http or https address."),
    (("--base-url", "http://127.0.0.1:99999/v1"), "The base URL is not an http or https address."),
    (("--api-key-env", "NO_SUCH_VARIABLE"), "NO_SUCH_VARIABLE is not set."),
    (("--out", "/proc/out"), "The folder /proc/out cannot be written"),
]


@pytest.mark.parametrize(("changed", "sentence"), BAD_WORDS)
def test_bad_input_gives_one_sentence(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str], changed: Words, sentence: str
) -> None:
    assert main([*words(folder, "http://127.0.0.1:1/v1", out), *changed]) == 2
    said = capsys.readouterr().err.strip()
    assert sentence in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "changed", [("--attempts", "0"), ("--format", "xml"), ("--extra-body", "[]"), ("--top-p", "x")]
)
def test_bad_options_are_refused(folder: Path, out: Path, changed: Words) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words(folder, "http://127.0.0.1:1/v1", out), *changed])
    assert caught.value.code == 2


OTHER = [
    (("--model", "silent"), "another model (reference, now silent)"),
    (("--seed", "8"), "another seed (7, now 8)"),
    (("--format", "tools"), "another action format (fenced, now tools)"),
    (("--temperature", "0"), "another sampling"),
    (("--limit-turns", "2"), "another limits"),
]


@pytest.mark.sandbox
def test_limits_of_its_own_are_named_with_the_results(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(folder, out, "reference", "--tasks", "greet") == 0
    assert "Not comparable" not in capsys.readouterr().out
    assert (results(out)["comparable"], results(out)["why_not_comparable"]) == (True, [])
    limits = ("--attempt-timeout", "300", "--reply-timeout", "3600", "--limit-turns", "5")
    assert evaluate(folder, out.with_name("own"), "reference", "--tasks", "greet", *limits) == 0
    said = capsys.readouterr().out
    own = out.with_name("own")
    for facts in (results(own), json.loads((own / "evaluation.json").read_text())):
        assert facts["comparable"] is False
        assert "reply timeout 3600 (suite: 900)" in facts["why_not_comparable"]
    for words in ("attempt timeout 300 (suite: ", "reply timeout 3600 (suite: 900)", "max turns 5"):
        assert words in said


@pytest.mark.sandbox
def test_two_evaluations_do_not_mix(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(folder, out, "reference", "--tasks", "greet") == 0
    for changed, sentence in OTHER:
        assert evaluate(folder, out, "reference", *changed) == 2
        assert sentence in capsys.readouterr().err
    task = folder / "tasks" / "greet.py"
    task.write_text(task.read_text() + "# changed\n")
    assert evaluate(folder, out) == 2
    assert "another version of the suite" in capsys.readouterr().err


def test_a_folder_of_somebody_else_is_left_alone(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out.mkdir()
    (out / "trajectories.jsonl").write_text('{"messages": []}\n')
    assert main(words(folder, "http://127.0.0.1:1/v1", out)) == 2
    assert "did not write" in capsys.readouterr().err
    assert (out / "trajectories.jsonl").read_text() == '{"messages": []}\n'


@pytest.mark.sandbox
def test_ctrl_c_ends_cleanly_and_the_next_command_goes_on(folder: Path, out: Path) -> None:
    hang = said("```python\nimport time; time.sleep(600)\n```")
    with misbehaving(said("Done."), hang) as server:
        more = ("--concurrency", "1", "--attempts", "2")
        command = [sys.executable, "-m", "runner", *words(folder, server.base_url, out, "m", *more)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: len(server.bodies) >= 2)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=DEADLINE_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    assert process.returncode == 130, err
    assert "Interrupted: 3 attempts were not played; the same command again" in err
    assert "Traceback" not in err
    assert [row["index"] for row in rows(out)] == ["double"]
    assert results(out)["figures"][-1]["open"] == 3
    with misbehaving(said("Done.")) as server:
        assert main(words(folder, server.base_url, out, "m", "--attempts", "2")) == 0
        assert len(server.bodies) == 3


def test_a_folder_in_use_is_refused(
    folder: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out.mkdir()
    with (out / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(words(folder, "http://127.0.0.1:1/v1", out)) == 2
    assert "Another evaluation is writing" in capsys.readouterr().err


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.05)


def test_needs_no_django() -> None:
    code = (
        "import sys; from importlib import import_module; from runner.cli.main import COMMANDS; "
        "[import_module(path.rpartition('.')[0]) for path in COMMANDS.values()]; "
        "sys.exit('django' in sys.modules)"
    )
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, "-c", code], env=environment, timeout=240, check=False)
    assert done.returncode == 0
