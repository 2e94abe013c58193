"""Agents that do no work and must fail every task, as the cells and answer that they send.

All are entries of every board too. FLOORS need no library, FILE_FLOORS those of the kernels.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from runner.suite.task_file import Solution, SuiteTask

STOCK_WORDS = (
    "total average mean median sum count minimum maximum highest lowest first last result answer "
    "saved file chart image table document page yes no true false correct "
    "total: average: result: 总计 平均 最大 最小 结果 答案 已保存 正确"
)


def silent(task: SuiteTask) -> Solution:
    """Says that it is done."""
    return Solution("silent", (), "Done.")


def empty_file(task: SuiteTask) -> Solution:
    """Touches the names that the query asks for."""
    names = json.dumps(list(task.spec.outputs), ensure_ascii=False)
    cell = (
        "from pathlib import Path\n"
        'Path("output").mkdir(exist_ok=True)\n'
        f"for name in {names}:\n"
        '    (Path("output") / name).touch()'
    )
    return Solution("empty-file", (cell,), "The files have been created under ./output.")


def keyword_stuffer(task: SuiteTask) -> Solution:
    """Writes no code; its answer holds the query's words, stock words and every small number."""
    words = " ".join(dict.fromkeys(re.findall(r"\w+", task.spec.query)))
    numbers = " ".join(str(n) for n in range(201))
    return Solution("keyword-stuffer", (), f"{words} {STOCK_WORDS} {numbers}")


def confident_liar(task: SuiteTask) -> Solution:
    """Claims that the work is saved and checked; writes nothing."""
    if task.spec.outputs:
        names = ", ".join(f"./output/{name}" for name in task.spec.outputs)
        claim = f"I have saved {names} exactly as you asked and verified the contents."
    else:
        claim = "I have computed the result exactly as you asked and verified it twice: it is 42."
    return Solution("confident-liar", (), f"{claim} Everything is correct.")


FLOORS: dict[str, Callable[[SuiteTask], Solution]] = {
    "silent": silent,
    "empty-file": empty_file,
    "keyword-stuffer": keyword_stuffer,
    "confident-liar": confident_liar,
}


def junk_file(task: SuiteTask) -> Solution:
    """A valid file of the right kind under each name, with nothing of use in it."""
    cell = f"NAMES = {names_of(task)}\n{JUNK}"
    return Solution("junk-file", (cell,), "The files have been created under ./output.")


def copy_the_input(task: SuiteTask) -> Solution:
    """The input under each asked name (one of the same kind, else the first), and its own."""
    cell = f"NAMES = {names_of(task)}\n{COPY}"
    return Solution("copy-the-input", (cell,), "The files have been saved under ./output.")


def stuffer_with_junk(task: SuiteTask) -> Solution:
    """Junk files, and an answer that recites every word and number."""
    return Solution("stuffer-with-junk", junk_file(task).cells, keyword_stuffer(task).answer)


COMMON_NAMES = (
    "XL L M S XXL United States India Brazil Music Entertainment Comedy Drama Action Male Female "
    "positive negative NBC CBS Fox ABC 持有 出售 科幻 悬疑 none 没有 不存在"
)


def keyword_salad(task: SuiteTask) -> Solution:
    """Names that such questions often ask for, before and after the query's words; no numbers."""
    words = " ".join(dict.fromkeys(re.findall(r"\w+", task.spec.query)))
    return Solution("keyword-salad", (), f"{COMMON_NAMES} {words}: {COMMON_NAMES}")


def names_of(task: SuiteTask) -> str:
    return json.dumps(list(task.spec.outputs), ensure_ascii=False)


JUNK = """
import json, pickle
from pathlib import Path
import numpy as np, pandas as pd
from PIL import Image
def junk(path):
    kind, table = path.suffix.lower().lstrip("."), pd.DataFrame({"test": [1]})
    if kind in ("png", "jpg", "jpeg", "gif", "bmp", "webp", "tiff", "tif", "ico"):
        Image.new("RGB", (64, 64)).save(path)
    elif kind in ("csv", "tsv"):
        table.to_csv(path, index=False)
    elif kind in ("xlsx", "xls"):
        table.to_excel(path.with_suffix(".xlsx"), index=False)
        path.with_suffix(".xlsx").rename(path)
    elif kind == "json":
        path.write_text(json.dumps([{"test": 1}]))
    elif kind in ("pkl", "pickle", "joblib", "model", "sav"):
        path.write_bytes(pickle.dumps(None))
    elif kind == "npy":
        np.save(path, np.zeros(1))
    elif kind == "docx":
        import docx
        document = docx.Document(); document.add_paragraph("test"); document.save(path)
    elif kind == "pdf":
        import pymupdf
        pdf = pymupdf.open(); pdf.new_page().insert_text((72, 72), "test"); pdf.save(path)
    elif kind in ("wav", "flac", "ogg", "mp3", "m4a"):
        from pydub import AudioSegment
        form = {"m4a": "mp4"}.get(kind, kind)
        AudioSegment.silent(1000).export(path, format=form)
    elif kind in ("html", "htm"):
        path.write_text("<!doctype html><html><body><h1>test</h1></body></html>")
    elif kind == "svg":
        path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>')
    elif kind == "py":
        path.write_text("print('test')\\n")
    else:
        path.write_text("test\\n")
for name in NAMES:
    path = Path("output") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    junk(path)
"""

COPY = """
import shutil
from pathlib import Path
given = sorted(p for p in Path("data").iterdir() if p.is_file())
for name in NAMES:
    path = Path("output") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    like = [p for p in given if p.suffix.lower() == path.suffix.lower()] or given
    if like:
        shutil.copyfile(like[0], path)
for p in given:
    if not (Path("output") / p.name).exists():
        shutil.copyfile(p, Path("output") / p.name)
"""

FILE_FLOORS: dict[str, Callable[[SuiteTask], Solution]] = {
    "junk-file": junk_file,
    "copy-the-input": copy_the_input,
    "stuffer-with-junk": stuffer_with_junk,
    "keyword-salad": keyword_salad,
}
COPIES = "copy-the-input"  # may pass where the task says that its input is the answer
RECORDED = "recorded-answer"  # a recorded conversation's last message, without its files


def at_once(solutions: list[Solution]) -> str:
    """One cell that plays the cells of several in folders of their own: output/NAME each."""
    cells = {s.name: "\n".join(s.cells) for s in solutions}
    return f"""
import os, shutil, tempfile
from pathlib import Path
home, cells = Path.cwd(), {cells!r}
for name, code in cells.items():
    room = Path(tempfile.mkdtemp())
    (room / "output").mkdir(); (room / "data").symlink_to(home / "data")
    os.chdir(room)
    try:
        exec(code, {{}})
    except Exception as error:
        print(name, "failed:", error)
    os.chdir(home)
    shutil.move(room / "output", home / "output" / name)
"""
