"""Owners of runs read no path of the host: it is in the worker's log."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Endpoint, Run
from leaderboard.queue.transitions import HIDDEN, hide_paths
from leaderboard.tests.support.jobs import claim_one, void
from leaderboard.tests.support.rows import start_run
from runner.attempt import check_crashed, kernel_lost
from runner.contract import KernelLost, Outcome, Problem, SandboxUnavailable
from runner.sandbox.host.cgroups import Cgroups
from runner.task_code.verdict import CheckCrashed
from runner.unplayed import no_sandbox

SECRET = "secret folder"


def cgroup_refused(folder: Path) -> Problem:
    base = folder / "cgroup"
    base.write_text("")  # no folder, in which no group can be made
    with pytest.raises(SandboxUnavailable) as caught:
        Cgroups("v2", (("", base),)).hold("x")
    return no_sandbox(caught.value)


def file_missing(folder: Path) -> Problem:
    with pytest.raises(OSError, match="No such file") as caught:
        (folder / "none").read_bytes()
    return kernel_lost(KernelLost(f"No kernel could be started: {caught.value}"))


def log_of_start(folder: Path) -> Problem:
    text = f'Traceback\n  File "{folder}/a.py", line 3, in x\nKeyError: {str(folder)!r}'
    return kernel_lost(KernelLost(f"The zygote did not start: {text}"))


def crash(folder: Path) -> Problem:
    return check_crashed(CheckCrashed(f"The check broke at “{folder}/check.py”."))


@pytest.mark.django_db
@pytest.mark.parametrize("made", [cgroup_refused, file_missing, log_of_start, crash])
def test_problem_of_ours_is_stored_and_shown_without_paths(
    made: Callable[[Path], Problem], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / SECRET
    folder.mkdir()
    problem, owner = made(folder), User.objects.create_user("ada")
    assert str(folder) in problem.what
    run = start_run(1)
    run.entry.owner = owner
    run.entry.save()
    Endpoint.objects.update(base_url="https://api.example.com/v1")
    attempts.record_result(claim_one(run), void(Outcome.KERNEL_LOST, problem))
    attempt = Attempt.objects.get()
    assert HIDDEN in attempt.problem
    client = Client()
    client.force_login(owner)
    Run.objects.update(is_public=True)
    api = f"/api/v1/runs/{run.pk}/", f"/api/v1/attempts/{attempt.pk}/"
    shown = [
        client.get(path) for path in (run.get_absolute_url(), attempt.get_absolute_url(), *api)
    ]
    assert {answer.status_code for answer in shown} == {200}
    rows = json.dumps([*Attempt.objects.values_list("problem", "next_step", "sentence")])
    for text in (rows, *(answer.content.decode() for answer in shown)):
        assert SECRET not in text
        assert str(tmp_path) not in text
    assert str(folder) in caplog.text


def test_absolute_paths_are_hidden(subtests: pytest.Subtests) -> None:
    for text, shown in [
        ("[Errno 13] No access: '/sys/fs/cgroup/a b/c'", "[Errno 13] No access: '…'"),
        ('File "/srv/my site/x.py", line 3', 'File "…", line 3'),
        ("The cgroup /sys/fs/cgroup/x cannot be made.", "The cgroup … cannot be made."),
        ("PYBENCH_SANDBOXD=/run/x.sock, then again", "PYBENCH_SANDBOXD=…, then again"),
        ("(/srv/x): no", "(…): no"),
        ("It reads ./output/a.txt and/or data/b.csv: 3/4, Input/output error",) * 2,
        ("See https://pybench.org/a/b or http://127.0.0.1:8000/v1.",) * 2,
        ("", ""),
    ]:
        with subtests.test(text=text, shown=shown):
            assert hide_paths(text) == shown
