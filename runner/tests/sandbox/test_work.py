"""Honest work in the sandbox: what a task may need must not be in the wall's way."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from runner.contract import CellResult, CellStatus, Limits, OutputKind
from runner.sandbox.base import Sandbox, Session, ToolJob

pytestmark = pytest.mark.sandbox

CSV = "city,amount\n北京,3\n上海,4\n北京,5\n"


@dataclass(frozen=True)
class Work:
    name: str
    code: str
    shows: str
    files: tuple[str, ...] = ()


WORK = [
    Work(
        "pandas",
        "import pandas as pd\ndf = pd.read_csv('data/a.csv')\n"
        "t = df.groupby('city').amount.sum()\nt.to_csv('output/t.csv')\n"
        "df.to_excel('output/t.xlsx'); df.to_parquet('output/t.parquet')\nt",
        r"北京 +8",
        ("t.csv", "t.parquet", "t.xlsx"),
    ),
    Work(
        "sklearn-two-jobs",
        "from sklearn.ensemble import RandomForestClassifier as F\nimport numpy as np\n"
        "X = np.random.default_rng(0).normal(size=(200, 3)); y = X[:, 0] > 0\n"
        "print(F(n_estimators=20, n_jobs=2, random_state=0).fit(X, y).score(X, y) > 0.9)",
        r"^True",
    ),
    Work(
        "multiprocessing",
        "import multiprocessing as m\nimport math\n"
        "with m.Pool(2) as p: print(p.map(math.factorial, [3, 4, 5]))",
        r"\[6, 24, 120\]",
    ),
    Work(
        "threads",
        "from concurrent.futures import ThreadPoolExecutor as T\n"
        "with T(8) as t: print(sum(t.map(len, ['ab'] * 50)))",
        r"^100",
    ),
    Work(
        "subprocess-and-shell",
        "import subprocess, sys\n"
        "print(subprocess.run([sys.executable, '-c', 'print(6*7)'], capture_output=True).stdout)\n"
        "!echo from-the-shell | tr a-z A-Z",
        r"(?s)b'42\\n'.*FROM-THE-SHELL",
    ),
    Work(
        "sqlite",
        "import sqlite3\nc = sqlite3.connect('output/x.sqlite')\n"
        "c.execute('create table t (n)'); c.executemany('insert into t values (?)', [(1,), (2,)])\n"
        "c.commit(); print(c.execute('select sum(n) from t').fetchone())",
        r"\(3,\)",
        ("x.sqlite",),
    ),
    Work(
        "ffmpeg",
        "import subprocess, soundfile, numpy as np\n"
        "soundfile.write('tone.wav', np.sin(np.arange(8000) / 8), 8000)\n"
        "command = ['ffmpeg', '-v', 'error', '-i', 'tone.wav', 'output/tone.mp3']\n"
        "subprocess.run(command, check=True)",
        r"",
        ("tone.mp3",),
    ),
    Work(
        "opencv-and-pillow",
        "import cv2, numpy as np\nfrom PIL import Image\n"
        "cv2.imwrite('output/a.png', np.full((20, 30, 3), 200, np.uint8))\n"
        "i = Image.open('output/a.png'); i.resize((60, 40)).save('output/b.webp'); print(i.size)",
        r"\(30, 20\)",
        ("a.png", "b.webp"),
    ),
    Work(
        "documents",
        "import docx, fitz\nd = docx.Document(); d.add_paragraph('你好'); d.save('output/a.docx')\n"
        "p = fitz.open(); p.new_page().insert_text((72, 72), 'hello'); p.save('output/a.pdf')\n"
        "print(docx.Document('output/a.docx').paragraphs[0].text,"
        " fitz.open('output/a.pdf')[0].get_text())",
        r"你好 hello",
        ("a.docx", "a.pdf"),
    ),
    Work(
        "pip",
        "!pip install numpy\n!pip install no-such-package-here",
        r"(?s)already satisfied: numpy in /opt/env.*No matching distribution found",
    ),
    Work("await", "import asyncio\nawait asyncio.sleep(0.01)\nprint('awaited')", r"awaited"),
    Work("timeit", "%timeit -n 10 -r 2 sum(range(10))", r"per loop"),
]


@pytest.fixture
def inputs(inputs: Path) -> Path:
    (inputs / "a.csv").write_text(CSV)
    return inputs


def show(result: CellResult) -> str:
    return "".join(output.text for output in result.outputs)


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.name)
async def test_work_is_done(work: Work, session: Session, tmp_path: Path) -> None:
    result = await session.run(work.code, 60)
    harvest = await session.harvest(tmp_path / "taken")
    assert result.status is CellStatus.OK, show(result)
    assert re.search(work.shows, show(result)), show(result)
    assert tuple(stored.path for stored in harvest.files) == work.files
    assert all(stored.size_bytes for stored in harvest.files)
    assert harvest.refused == ()


async def test_a_figure_with_a_chinese_title_is_shown_and_saved(
    session: Session, tmp_path: Path
) -> None:
    """No glyph is missing: matplotlib would warn of it on stderr."""
    code = (
        "import matplotlib.pyplot as plt\n"
        "plt.rcParams['font.sans-serif'] = ['Noto Sans CJK JP', 'Noto Sans CJK SC']\n"
        "plt.figure(figsize=(3, 2)); plt.plot([1, 2]); plt.title('销售额')\n"
        "plt.savefig('output/chart.png')\nplt.show()"
    )
    result = await session.run(code, 60)
    changes = await session.changes()
    kinds = [output.kind for output in result.outputs]
    assert kinds == [OutputKind.DISPLAY], show(result)
    picture = base64.b64decode(result.outputs[0].data["image/png"])
    assert picture.startswith(b"\x89PNG")
    assert [(change.path, change.kind.value) for change in changes] == [
        ("output/chart.png", "created")
    ]
    content = changes[0].content
    assert content is not None
    assert content.startswith(b"\x89PNG")


async def test_variables_last_and_an_error_shows_its_traceback_in_colour(session: Session) -> None:
    await session.run("x = {'a': 1}", 60)
    result = await session.run("print('before'); x['b']", 60)
    assert result.status is CellStatus.ERROR
    printed, error = result.outputs
    assert printed.text == "before\n"
    assert (error.error_name, error.error_value) == ("KeyError", "'b'")
    assert "\x1b[" in error.text
    assert "x[" in error.text.replace("\x1b[33m", "")


async def test_streams_and_displays_come_in_order(session: Session) -> None:
    code = (
        "import sys\nprint('one'); display('two'); print('three'); sys.stdout.flush()\n"
        "print('four', file=sys.stderr); 'five'"
    )
    result = await session.run(code, 60)
    shown = [(output.kind.value, output.text.strip("'\n")) for output in result.outputs]
    assert shown == [
        ("stdout", "one"),
        ("display", "two"),
        ("stdout", "three"),
        ("stderr", "four"),
        ("result", "five"),
    ]


async def test_a_tool_reads_its_binds_and_leaves_its_files_to_us(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    code, writable = tmp_path / "code", tmp_path / "writable"
    code.mkdir(mode=0o700)
    writable.mkdir()
    (code / "main.py").write_text(
        "import os, sys, pandas\nfrom pathlib import Path\n"
        "Path('made.csv').write_text(sys.stdin.read()); Path('given.txt').write_text('changed')\n"
        "os.symlink('/etc/passwd', 'link'); print(sorted(os.listdir('.')))\n"
        "print('complaint', file=sys.stderr); sys.exit(3)\n"
    )
    (code / "main.py").chmod(0o600)
    (writable / "given.txt").write_text("given")
    argv = ["python", "-I", "-c", "exec(open('/opt/pybench/code/main.py').read())"]
    job = ToolJob(argv, {code: "/opt/pybench/code"}, writable, "数据".encode(), 60)
    result = await sandbox.run_tool(job)
    assert result.returncode == 3
    assert result.stdout.decode() == "['given.txt', 'link', 'made.csv']\n"
    assert result.stderr == "complaint\n"
    assert 0.01 < result.cpu_s < 60
    left = {path.name: path.read_text() for path in writable.iterdir()}
    assert left == {"made.csv": "数据", "given.txt": "changed"}


async def test_a_tool_inherits_its_three_streams_only(sandbox: Sandbox) -> None:
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    result = await sandbox.run_tool(ToolJob(["python", "-c", code]))
    assert result.stdout == b"['0', '1', '2', '3']\n"  # 3 is the listing's own


async def test_a_tool_out_of_time_is_ended_with_its_children(sandbox: Sandbox) -> None:
    code = "import subprocess, time; subprocess.Popen(['sleep', '99']); time.sleep(99)"
    result = await sandbox.run_tool(ToolJob(["python", "-c", code], timeout_s=0.5))
    assert result.returncode is None


async def test_a_tool_s_report_is_bounded(sandbox: Sandbox) -> None:
    code = (
        "import sys\nfor n in range(20): sys.stdout.write('x' * (1 << 20))\n"
        "for n in range(20): sys.stderr.write('y' * (1 << 20))\nsys.stderr.write('the end')"
    )
    result = await sandbox.run_tool(ToolJob(["python", "-c", code]))
    assert result.returncode == 0
    assert len(result.stdout) == 4 << 20
    assert result.stderr.endswith("the end")
    assert len(result.stderr) == 4_000


async def test_a_tool_is_held_to_its_limits(sandbox: Sandbox) -> None:
    code = "hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))"
    limits = Limits(memory_bytes=256 << 20)
    result = await sandbox.run_tool(ToolJob(["python", "-c", code], limits=limits))
    assert result.returncode not in (0, None)


async def test_the_environment_is_told(sandbox: Sandbox) -> None:
    facts = sandbox.environment()
    assert facts["sandbox"] == "zygote"
    assert "seccomp" in facts["layers"]
    assert facts["memory"].startswith(("cgroup v", "watchdog"))
    assert re.fullmatch(r"[0-9a-f]{64}", facts["kernel_environment"])
    assert re.fullmatch(r"\d+\.\d+.*", facts["bubblewrap"])
