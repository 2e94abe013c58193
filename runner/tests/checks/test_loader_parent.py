"""Who opens model files is forked before the check knows anything, and ends with its checker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runner.checks.model_files import loader_parent, models

pytestmark = pytest.mark.sandbox

PROGRAM = """
import json, os, sys, time
sys.path.insert(0, {root!r})
from runner.checks.model_files import loader_parent, loader_process
{main}
loader_process.main = main
secret_file = open({secret!r})
os.dup2(secret_file.fileno(), 0)
one = loader_parent.LoaderParent()
known = "what the check expects"

def run(then=lambda loader: loader.wait(30)):
    into, to = os.pipe()
    fro, out = os.pipe()
    os.write(to, b"asked")
    os.close(to)
    loader = one.start(into, out)
    os.close(into), os.close(out)
    said = os.read(fro, 100_000).decode()
    given = then(loader)
    loader.end()
    return said, given

{test}
"""
SEES = """
def main():
    opened = sorted(os.listdir("/proc/self/fd"))[:-1]  # the last is the listing's own
    targets = [os.readlink(f"/proc/self/fd/{fd}") for fd in opened]
    facts = [sys.stdin.read(), targets, "known" in vars(sys.modules["__main__"]), os.getcwd()]
    os.write(1, json.dumps(facts).encode())
    return 3
"""
LINGERS = """
def main():
    os.write(1, str(os.getpid()).encode())
    time.sleep(600)
"""
RAISES = """
def main():
    os.write(1, b"said")
    raise MemoryError
"""


def play(main: str, test: str, tmp_path: Path) -> list[str]:
    """Lines that the checker prints, one a value."""
    secret = tmp_path / "the-job"
    secret.write_text("job")
    root = str(Path(loader_parent.__file__).parents[3])
    code = PROGRAM.format(root=root, main=main, test=test, secret=str(secret))
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_loader_sees_its_question_and_nothing_of_the_check(tmp_path: Path) -> None:
    test = "for _ in range(2): print(json.dumps(run()))"
    for line in play(SEES, test, tmp_path):
        said, code = json.loads(line)
        asked, targets, knows, folder = json.loads(said)
        assert (asked, knows, folder, code) == ("asked", False, "/", 3)
        assert [t.partition(":")[0] for t in targets[:2]] == ["pipe", "pipe"]
        assert targets[2:] == ["/dev/null"]


def test_a_checker_that_gives_up_ends_the_loader(tmp_path: Path) -> None:
    test = """
def late(loader):
    try: loader.wait(0.1)
    except TimeoutError: return "late"
for _ in range(2):
    said, given = run(late)
    while os.path.exists(f"/proc/{said}"): time.sleep(0.01)
    print(given)
"""
    assert play(LINGERS, test, tmp_path) == ["late", "late"]


def test_a_loader_that_breaks_off_has_no_good_code(tmp_path: Path) -> None:
    assert play(RAISES, "print(run()[1])", tmp_path) == [str(loader_parent.LOADER_CRASHED)]


def test_no_file_is_opened_by_a_process_that_knows_the_job(tmp_path: Path) -> None:
    (tmp_path / "model.pkl").write_bytes(b"N.")
    with pytest.raises(RuntimeError, match="no loader parent was set aside"):
        models.question(tmp_path / "model.pkl", "pickle", [models.value()], 30.0)
