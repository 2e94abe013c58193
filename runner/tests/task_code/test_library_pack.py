"""The check library as a tool gets it: from memory, compiled where that is of use."""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.suite.library_pack import BOOT, LENGTH_BYTES, check_library, name_of, pack

STRAY = 'raise RuntimeError("a module that lies about is not the library\'s")'


def boot(code: str, given: bytes, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Start a Python without the project, run `code` after it has the library, and return its
    output."""
    (tmp_path / "runner").mkdir(exist_ok=True)
    (tmp_path / "runner" / "__init__.py").write_text(STRAY)
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", f"{BOOT}\n{code}"],
        input=given,
        capture_output=True,
        cwd=tmp_path,
        timeout=240,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def of_another_python() -> bytes:
    """The library as if another Python had compiled it: its code is nonsense here."""
    magic, importer, modules = marshal.loads(pack()[LENGTH_BYTES:])
    spoilt = {name: (*facts[:3], b"not code") for name, facts in modules.items()}
    body = marshal.dumps((magic[::-1], importer, spoilt))
    return len(body).to_bytes(LENGTH_BYTES, "little") + body


@pytest.mark.parametrize("make_pack", [pack, of_another_python])
def test_modules_are_imported_from_memory_and_the_job_is_left(
    make_pack: Callable[[], bytes], tmp_path: Path
) -> None:
    done = boot(
        "import sys\nfrom runner.checks import Case, values\n"
        "from runner.checks.harness.main import *\n"
        "print(values.number('1,234'), values.__file__, sys.stdin.read())",
        make_pack() + b"the job",
        tmp_path,
    )
    assert done.stdout.split(maxsplit=2) == [
        "1234.0",
        "/opt/pybench/runner/checks/values.py",
        "the job\n",
    ], done.stderr


def test_every_file_that_decides_verdicts_is_in_it() -> None:
    _, _, modules = marshal.loads(pack()[LENGTH_BYTES:])
    wanted = {name_of(path) for path in check_library()}
    assert len(wanted) > 50
    assert set(modules) == {"runner", *wanted}


def test_a_traceback_shows_the_library_s_lines(tmp_path: Path) -> None:
    words = (
        "import traceback\nfrom runner.checks import values\n"
        "try: values.same(1, 2, 'x')\nexcept TypeError: traceback.print_exc()"
    )
    done = boot(words, pack(), tmp_path)
    assert 'File "/opt/pybench/runner/checks/values.py", line' in done.stderr
    assert "return abs(found - expected) <= tolerance" in done.stderr


def test_truncated_library_is_reported(tmp_path: Path) -> None:
    done = boot("print('on')", pack()[:-10], tmp_path)
    assert done.stdout == ""
    assert "the check library is cut off" in done.stderr


JOB = {"do": "make", "data": "/nowhere", "seed": 3, "name": "t.py"}


def test_a_task_s_code_is_compiled_where_the_library_is_source(tmp_path: Path) -> None:
    """The harness runs the source when what came compiled is not for its Python."""
    source = "def make_inputs(seed, data):\n    return {'seed': seed}\n"
    job = json.dumps({**JOB, "source": source, "code": "bm9uc2Vuc2U="}).encode()
    words = "from runner.checks.harness.main import main\nmain()"
    done = boot(words, of_another_python() + job, tmp_path)
    assert json.loads(done.stdout) == {"made": {"seed": 3}}, done.stderr


def test_a_changed_file_is_packed_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = tmp_path / "runner"
    file = here / "checks" / "harness" / "importer.py"
    file.parent.mkdir(parents=True)
    (here / "__init__.py").write_text("")
    monkeypatch.setattr("runner.suite.library_pack.HERE", here)
    packs = []
    for number, text in enumerate(("one = 1", "two = 2")):
        file.write_text(text)
        seconds = 1_000_000_000 + number
        os.utime(file, (seconds, seconds))
        packs.append(pack())
    assert b"one = 1" in packs[0]
    assert b"two = 2" in packs[1]
