"""Files that want to be judged kindly: only the content of what was asked for decides."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runner.contract import Verdict
from runner.sandbox.base import Sandbox
from runner.task_code.inputs import Instance
from runner.task_code.verdict import check
from runner.tests.support.small_suite import small_suite

pytestmark = pytest.mark.sandbox

TASK = '''
"""A task whose check reads what was left."""

from runner.checks import Case

TITLE = "Judged"
CATEGORY = "maths"
QUERY = "Save 42 to ./output/result.txt."
INPUTS = []
OUTPUTS = ["result.txt"]
REFERENCE = {{"cells": [], "answer": ""}}
WRONG = {{"a": {{"cells": [], "answer": ""}}, "b": {{"cells": [], "answer": ""}}}}


def make_inputs(seed, data):
    return {{}}


def check(case):
    {body}
    case.equal("result", case.require_file("result.txt").read_text(), "42", "result.txt")
'''
FORGED = (
    "import json, os\n"
    "for event in ({'assertion': {'name': 'result', 'passed': True}}, {'done': 1}):\n"
    "    for fd in range(256):\n"
    "        try: os.write(fd, (json.dumps(event) + chr(10)).encode())\n"
    "        except OSError: pass\n"
    "os._exit(0)\n"
)


class Forger:
    """Opened, it reports a pass and ends the process that opened it."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return exec, (FORGED,)


@dataclass(frozen=True)
class Plot:
    """`files` are left beside a wrong result, and `body` is how the check comes across them."""

    name: str
    files: dict[str, bytes] | Callable[[], dict[str, bytes]]  # made when they are wanted
    body: str
    says: str = "Failed: result.txt: result: expected 42, found 41."


# Files that are small and grow when they are read: what they cost is theirs to answer for.

ENTITIES = b'<!ENTITY a "ha">' + b"".join(
    b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 10) for letter in range(98, 107)
)
BOOK = {
    "[Content_Types].xml": b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    b'content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.'
    b'openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "_rels/.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    b'relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument'
    b'/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/'
    b'package/2006/relationships"><Relationship Id="b" Type="http://schemas.openxmlformats.org/'
    b'officeDocument/2006/relationships/worksheet" Target="s.xml"/></Relationships>',
    "xl/workbook.xml": b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
    b'main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    b'<sheet name="s" sheetId="1" r:id="b"/></sheets></workbook>',
}


def archive(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return stream.getvalue()


def sheet_of(rows: bytes, before: bytes = b"") -> bytes:
    """A workbook with these rows, and `before` them a declaration of entities."""
    start = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    sheet = b"%s%s<sheetData>%s</sheetData></worksheet>" % (before, start, rows)
    return archive({**BOOK, "xl/s.xml": sheet})


def text_chunk() -> bytes:
    """A picture of one pixel with a comment of 300 MB."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check_sum = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check_sum)

    comment = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(300 << 20), 1))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + comment + chunk(b"IDAT", zlib.compress(b"\0\0"))


READ_TABLE = 'from runner.checks.data import tables\n    tables.read(case, "{name}")'


def bomb(name: str, kind: str, make: Callable[[], bytes], body: str = "") -> Plot:
    says = f"Failed: {name} could not be read as {kind}"
    return Plot(name, lambda: {name: make()}, body or READ_TABLE.format(name=name), says)


MODULES = (
    "numpy",
    "pandas",
    "json",
    "case",
    "runner",
    "sitecustomize",
    "usercustomize",
    "conftest",
)
PLANTER = f"""
def add(a, b): return a + b
for folder in ("/work", "/tmp", ".", "/", "/opt/pybench"):
    try: open(folder + "/this.py", "w").write({FORGED!r})
    except OSError: pass
"""
PLANTED = {f"{name}.py": FORGED.encode() for name in MODULES}
PLOTS = [
    Plot("planted-modules", PLANTED, "import json, numpy, pandas"),
    Plot(
        "planted-package",
        {"runner/__init__.py": FORGED.encode()},
        "import runner.checks.data.tables",
    ),
    Plot("planted-path", {"x.pth": b"import os; os._exit(0)\n"}, "import site"),
    Plot(
        "configuration",
        {"pytest.ini": b"[pytest]", "setup.cfg": b"", ".netrc": b"", "matplotlibrc": b"backend: x"},
        "import matplotlib",
    ),
    Plot("claimed-verdict", {"verdict.json": b'{"passed": true}', "done": b'{"done": 1}'}, "pass"),
    Plot(
        "pickle-in-the-check",
        {"model.pkl": pickle.dumps(Forger())},
        'import pickle\n    with case.reading("model.pkl", "a model") as path:\n'
        '        pickle.loads(path.read_bytes())',
        "Failed: model.pkl could not be read as a model (PermissionError: no pickle is opened here",
    ),
    Plot(
        "pickle-by-pandas",
        {"frame.pkl": pickle.dumps(Forger())},
        'import pandas\n    with case.reading("frame.pkl", "a table") as path:\n'
        "        pandas.read_pickle(path)",
        "Failed: frame.pkl could not be read as a table (PermissionError: no pickle is opened here",
    ),
    Plot(
        "pickle-as-a-model",
        {"model.pkl": pickle.dumps(Forger())},
        "from runner.checks.model_files import models\n"
        '    models.ask(case, "model.pkl", [models.describe()])',
        "Failed: model.pkl asks for builtins.exec when it is opened, which no model needs.",
    ),
    Plot(
        "module-that-plants-a-module",
        {"m.py": PLANTER.encode()},
        "from runner.checks.programs import modules\n"
        "    modules.call_all(case, 'm.py', [modules.Call('add', (1, 2))])\n"
        "    import this",
    ),
    Plot(
        "game-that-plants-a-module",
        {"m.py": PLANTER.encode()},
        "from runner.checks.programs import games\n"
        "    games.play(case, 'm.py', [])\n    import this",
    ),
    Plot(
        "game-that-kills-its-judge",
        {"m.py": b"import os\nfor pid in range(1, 400):\n    for number in (9, 19):\n"
         b"        try: pid == os.getpid() or os.kill(pid, number)\n        except OSError: pass"},
        "from runner.checks.programs import games\n    games.play(case, 'm.py', [])",
    ),
    Plot(
        "writable-import-path",
        {},
        "import os, sys\n    places = [os.getcwd(), *sys.path]\n"
        "    case.equal('places', [p for p in places if not p or os.access(p, os.W_OK)], [])",
    ),
    bomb(
        "entities.xlsx",
        "xlsx",
        lambda: sheet_of(b"<row><c><v>&j;</v></c></row>", b"<!DOCTYPE x [%s]>" % ENTITIES),
    ),
    bomb("bomb.docx", "Word document", lambda: archive({"word/document.xml": bytes(300 << 20)}),
         'from runner.checks.text import documents\n    documents.text(case, "bomb.docx")'),
    bomb("deep.json", "json", lambda: b"[" * 3_000_000),
    bomb("number.json", "json", lambda: b'[{"a": ' + b"9" * 5_000_000 + b"}]"),
    bomb("nul.csv", "csv", lambda: b'a,b\n"' + bytes(8 << 20)),
    Plot(
        "wide-table",
        {"wide.csv": b"," * (8 << 20) + b"\n1\n" * 1000},
        READ_TABLE.format(name="wide.csv"),
    ),
    bomb("text.png", "a PNG picture", text_chunk,
         'from runner.checks.pictures import images\n    images.read(case, "text.png", "PNG")'),
    bomb("long.wav", "a WAV sound", lambda: b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\1\0\xff\xff"
         + b"\xff" * 10 + b"\x10\0data\xff\xff\xff\xff",
         'from runner.checks.media import audio\n    audio.read(case, "long.wav", "WAV")'),
    Plot(
        "deep-page",
        {"deep.html": b"<div><b><i>" * 500},
        'from runner.checks.text import documents\n    documents.text(case, "deep.html")',
        "Failed: ",
    ),
    Plot("huge-text", {"long.txt": b"x" * (8 << 20)}, "case.answer = 'x' * (1 << 20)"),
]  # fmt: skip


async def judge(sandbox: Sandbox, plot: Plot, root: Path) -> Verdict:
    suite = small_suite(root, judged=TASK.format(body=plot.body))
    task = suite.task("judged")
    (root / "data").mkdir()
    instance = Instance(root / "data", "", {}, (), 1)
    outputs = root / "outputs"
    files = plot.files if isinstance(plot.files, dict) else plot.files()
    for name, content in {**files, "result.txt": b"41"}.items():
        (outputs / name).parent.mkdir(parents=True, exist_ok=True)
        (outputs / name).write_bytes(content)
    return await check(sandbox, suite, task, instance, outputs, "")


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.name)
async def test_nothing_but_the_content_decides(
    plot: Plot, sandbox: Sandbox, tmp_path: Path
) -> None:
    verdict = await judge(sandbox, plot, tmp_path)
    assert not verdict.passed
    assert verdict.sentence.startswith(plot.says), verdict.sentence
