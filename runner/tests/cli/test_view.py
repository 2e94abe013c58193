"""`pybench view`: served to this machine alone, and gone when it ends."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from leaderboard.tests.support.result_files import PLOT, make_results, row_of, usual_rows

DEADLINE_S = 240.0
ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def viewing(place: Path, scratch: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command as a process, and the port that it prints."""
    scratch.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "runner", "view", str(place), "--no-browser", *more],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found, process.stderr.read() if process.stderr else ""
        yield process, int(found[1])
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=DEADLINE_S)


def ask(
    port: int, path: str, method: str = "GET", **headers: str
) -> tuple[int, bytes, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE_S)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers={"Host": f"127.0.0.1:{port}", **sent})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body, answer.headers


def test_shows_pages_refuses_the_rest_and_leaves_nothing(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "out", usual_rows())
    before = sorted(path for path in folder.rglob("*"))
    with viewing(folder, tmp_path / "scratch") as (process, port):
        status, _, headers = ask(port, "/")
        assert (status, headers["Location"]) == (302, "/runs/1/")
        status, page, headers = ask(port, "/runs/1/")
        assert status == 200
        assert b"demo-7b" in page
        assert b"sign in" not in page
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        for path in ("/runs/1/tasks/sums/?attempt=2", "/failures/", "/compare/", "/tasks/demo/"):
            assert ask(port, path)[0] == 200, path
        replay = ask(port, "/runs/1/tasks/sums/?attempt=2")[1].decode()
        assert "The total of North is 31, not 30." in replay
        file = re.search(r'/files/[0-9a-f]{64}/[^"?]+', replay)
        assert file
        assert ask(port, file[0])[1] == PLOT
        refused_by_the_door(port)
        assert is_on_loopback_alone(port)
    assert process.returncode == 0
    assert list((tmp_path / "scratch").iterdir()) == []
    assert sorted(path for path in folder.rglob("*")) == before


def refused_by_the_door(port: int) -> None:
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "", f"0.0.0.0:{port}"):
        assert ask(port, "/runs/1/", Host=host)[0] in (400, 403), host
        assert ask(port, "/static/css/base.css", Host=host)[0] in (400, 403), host
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(port, "/runs/1/", method)[0] == 403
    for path in ("/submit/", "/submissions/", "/account/tokens/", "/api/v1/runs/", "/shared/x/"):
        assert ask(port, path)[0] in (403, 404), path
    for path in ("/../../etc/passwd", "/static/../../etc/passwd", "/files/etc/passwd", "/admin/"):
        assert ask(port, path)[0] == 404, path
    assert ask(port, "/runs/1.json", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(port, f"/runs/1/?{'x' * 70_000}")[0] in (400, 414)


def is_on_loopback_alone(port: int) -> bool:
    """True if the port is listened on at 127.0.0.1 and nowhere else."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    lines += Path("/proc/net/tcp6").read_text().splitlines()[1:]
    places = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    return [place for place in places if place.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_a_killed_viewer_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "out", [row_of("sums", 1, True)])
    with viewing(folder, tmp_path / "scratch") as (process, port):
        assert ask(port, "/runs/1/")[0] == 200
        process.terminate()
        process.wait(DEADLINE_S)
        assert list((tmp_path / "scratch").iterdir()) == []
        with pytest.raises(OSError):
            ask(port, "/")


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_what_is_no_results_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "scratch").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "runner", "view", str(tmp_path / name), "--no-browser"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch")},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 2
    assert str(tmp_path / name) in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "scratch").iterdir()) == []
