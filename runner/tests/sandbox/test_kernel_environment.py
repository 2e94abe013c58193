"""Promises to a model's code: every library imports, works offline, and knows Chinese."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from runner.contract import CellStatus, Limits
from runner.sandbox.base import Session
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host import commands
from runner.sandbox.host.commands import NAMES
from runner.sandbox.host.kernel_env import (
    RECIPE,
    KernelEnvironment,
    find_kernel_environment,
    recipe_files,
)
from runner.sandbox.sandboxd.kernel_pool import read_mark
from runner.tests.support.sessions import show

pytestmark = pytest.mark.sandbox

# What each line of requirements.in is imported as, where that is not its name in small letters.
IMPORTED_AS = {
    "ipython": "IPython",
    "matplotlib-inline": "matplotlib_inline",
    "pyzmq": "zmq",
    "scikit-learn": "sklearn",
    "opencv-python-headless": "cv2",
    "Pillow": "PIL.Image",
    "scikit-image": "skimage.io",
    "imageio-ffmpeg": "imageio_ffmpeg",
    "ffmpeg-python": "ffmpeg",
    "pyzbar": "pyzbar.pyzbar",
    "moviepy": "moviepy.editor",
    "beautifulsoup4": "bs4",
    "python-docx": "docx",
    "python-pptx": "pptx",
    "xgboost-cpu": "xgboost",
    "odfpy": "odf",
    "tomli-w": "tomli_w",
    "PyMuPDF": "pymupdf",
    "PyPDF2": "PyPDF2",
    "vaderSentiment": "vaderSentiment.vaderSentiment",
}
FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"  # docs/writing-a-task.md names it

OFFLINE = {
    "words": "import nltk\nfrom nltk.corpus import stopwords\n"
    "assert nltk.word_tokenize('It is Mr. Smith. Hello.')[2] == 'Mr.'\n"
    "assert 'the' in stopwords.words('english') and '的' in stopwords.words('chinese')",
    "graph": "import graphviz\ng = graphviz.Digraph(); g.edge('甲', '乙')\n"
    "g.render('output/g', format='png')",
    "qr": "import qrcode\nfrom pyzbar.pyzbar import decode\n"
    "qrcode.make('hello').save('output/q.png')\nfrom PIL import Image\n"
    "assert decode(Image.open('output/q.png'))[0].data == b'hello'",
    "ocr": "import pytesseract\nfrom PIL import Image, ImageDraw, ImageFont\n"
    "i = Image.new('L', (600, 100), 255)\n"
    f"ImageDraw.Draw(i).text((10, 10), '你好世界 hello', font=ImageFont.truetype('{FONT}', 48))\n"
    "text = pytesseract.image_to_string(i, lang='chi_sim+eng')\n"
    "assert '世界' in text and 'hello' in text, text",
    "video": "import moviepy.editor as m, numpy as np\n"
    "c = m.VideoClip(lambda t: np.full((64, 64, 3), int(t * 200), 'uint8'), duration=1)\n"
    "c.write_videofile('output/a.mp4', fps=5, logger=None)\n"
    "v = m.VideoFileClip('output/a.mp4').resize(0.5); v.write_gif('output/a.gif', logger=None)\n"
    "assert list(v.size) == [32, 32] and v.fps == 5",
    "sound": "import librosa, numpy as np, soundfile\n"
    "soundfile.write('a.wav', np.sin(np.arange(22050) / 8), 22050)\n"
    "y, rate = librosa.load('a.wav')\nfrom pydub import AudioSegment\n"
    "AudioSegment.from_wav('a.wav').export('output/a.mp3')\n"
    "assert librosa.feature.mfcc(y=y, sr=rate).shape[0] == 20",
    "tables": "import duckdb, polars as pl\nt = pl.DataFrame({'省': ['京', '沪'], 'n': [1, 2]})\n"
    "t.write_parquet('a.parquet')\n"
    "assert duckdb.sql(\"select sum(n) from 'a.parquet'\").fetchone() == (3,)\n"
    "t.to_pandas().to_excel('output/a.xlsx')\nassert pl.read_excel('output/a.xlsx').height == 2",
    "open document": "import pandas as pd\nt = pd.DataFrame({'省': ['京', '沪'], 'n': [1, 2.5]})\n"
    "t.to_excel('output/a.ods', index=False)\n"
    "assert pd.read_excel('output/a.ods').equals(t)",
    "trees": "import numpy as np, lightgbm, xgboost\nx = np.arange(400.0).reshape(-1, 1)\n"
    "y = (x[:, 0] > 200).astype(int)\n"
    "for kind in (lightgbm.LGBMClassifier(verbose=-1), xgboost.XGBClassifier()):\n"
    "    assert (kind.fit(x, y).predict(x) == y).mean() > 0.95",
    "map": "import geopandas as gpd, folium\nfrom shapely.geometry import Point\n"
    "g = gpd.GeoDataFrame({'城市': ['北京']}, geometry=[Point(116.4, 39.9)], crs='EPSG:4326')\n"
    "g.to_file('output/a.geojson')\nassert gpd.read_file('output/a.geojson')['城市'][0] == '北京'\n"
    "assert g.to_crs('EPSG:3857').geometry[0].x > 1e7\n"
    "folium.Map([39.9, 116.4]).save('output/m.html')",
    "plan": "import pulp\np = pulp.LpProblem('p', pulp.LpMaximize)\n"
    "x, y = pulp.LpVariable('x', 0, 3), pulp.LpVariable('y', 0, cat='Integer')\n"
    "p += x + 2 * y\np += x + y <= 4.5\np.solve(pulp.PULP_CBC_CMD(msg=False))\n"
    "assert (x.value(), y.value()) == (0.5, 4)",
    "slides": "from pptx import Presentation\np = Presentation()\n"
    "s = p.slides.add_slide(p.slide_layouts[0])\ns.shapes.title.text = '标题'\n"
    "p.save('output/a.pptx')\n"
    "assert Presentation('output/a.pptx').slides[0].shapes.title.text == '标题'",
    "settings": "import toml, tomli_w, tomllib\n"
    "assert tomllib.loads(tomli_w.dumps({'a': [1]})) == toml.loads('a = [1]')",
    "feeling": "from snownlp import SnowNLP\nassert SnowNLP('这个东西真的很赞').sentiments > 0.8",
    "convert": "from pdf2docx import Converter\nimport pymupdf, docx\np = pymupdf.open()\n"
    "p.new_page().insert_text((72, 72), 'hello world'); p.save('a.pdf')\n"
    "c = Converter('a.pdf'); c.convert('output/a.docx'); c.close()\n"
    "assert any('hello world' in p.text for p in docx.Document('output/a.docx').paragraphs)",
}

CHINESE = {
    "matplotlib": "import matplotlib.pyplot as plt\nplt.figure(figsize=(3, 2))\n"
    "plt.title('销售额'); plt.plot([1, 2], label='北京'); plt.legend()\n"
    "plt.savefig('output/a.png')",
    "seaborn": "import pandas as pd, seaborn as sns\nsns.set_theme()\n"
    "import matplotlib.pyplot as plt\nplt.rcParams['font.sans-serif'] = ['Noto Sans CJK JP']\n"
    "d = pd.DataFrame({'城市': ['北京', '上海'], '销售额': [1, 2]})\n"
    "sns.barplot(d, x='城市', y='销售额')\n"
    "plt.savefig('output/a.png')",
    "pillow": f"from PIL import Image, ImageDraw, ImageFont\nf = ImageFont.truetype('{FONT}', 40)\n"
    "a, b = f.getmask('龙'), f.getmask('虎')\nassert bytes(a) != bytes(b) and max(bytes(a)) > 200",
    "wordcloud": f"from wordcloud import WordCloud\nfrom collections import Counter\n"
    f"w = WordCloud(font_path='{FONT}').generate_from_frequencies(Counter(['你好', '世界']))\n"
    "w.to_file('output/a.png')\nassert {i[0][0] for i in w.layout_} == {'你好', '世界'}",
}


def libraries() -> list[str]:
    lines = (RECIPE / "requirements.in").read_text("utf-8").splitlines()
    names = (re.match(r"[\w.-]+", line) for line in lines)
    return [name[0] for name in names if name]


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    sandbox = open_sandbox()
    opened = await sandbox.open(inputs, Limits())
    yield opened
    await opened.close()
    await sandbox.close()


async def test_every_library_imports(session: Session) -> None:
    for name in libraries():
        module = IMPORTED_AS.get(name, name.lower())
        result = await session.run(f"import {module}", 120)
        assert result.status is CellStatus.OK, f"{name}: {show(result)}"


@pytest.mark.parametrize("name", OFFLINE)
async def test_it_works_without_a_network(name: str, session: Session) -> None:
    result = await session.run(OFFLINE[name], 120)
    assert result.status is CellStatus.OK, show(result)


@pytest.mark.parametrize("name", CHINESE)
async def test_chinese_text_is_drawn(name: str, session: Session) -> None:
    """No glyph is missing: matplotlib would warn of it."""
    result = await session.run(
        "import warnings; warnings.simplefilter('error')\n" + CHINESE[name], 120
    )
    assert result.status is CellStatus.OK, show(result)


async def test_commands_are_those_of_the_list_whatever_the_host_has(session: Session) -> None:
    """Neither on the path nor in any of the usual folders is there another."""
    folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/games"]
    code = f"import os\nfor d in {folders}:\n    if os.path.isdir(d): print(*os.listdir(d))"
    seen = set(show(await session.run(code, 60)).split())
    python = (find_kernel_environment().folder / "bin" / "python").resolve().name
    assert seen <= {*NAMES, "python3", python}
    assert seen >= {"bash", "ls", "grep", "sed", "awk", "tar", "gzip", "ffmpeg", "tesseract", "dot"}
    others = [name for name in ("git", "gcc", "node", "java", "curl", "make") if shutil.which(name)]
    gone = await session.run(f"import shutil; print([n for n in {others} if shutil.which(n)])", 60)
    assert show(gone) == "[]\n"


SHELL = {
    "echo hi | sed s/h/H/ | tr i I": "HI",
    "for i in 1 2; do echo $i; done | paste -sd+": "1+2",
    "printf 'b 2\\na 1\\n' | sort | awk '{print $2}' | xargs": "1 2",
    "mkdir d; date > d/f; tar czf d.tgz d; gzip -t d.tgz && find . -name 'd.*'": "./d.tgz",
    "python -c 'print(6 * 7)'; python3 -c 'print(6 * 7)'": "42\n42",
    "perl -e 'print 6 * 7'": "42",
    "echo 'digraph { a -> b }' | dot -Tplain | grep -c '^node'": "2",
    "fc-list :lang=zh | wc -l | xargs test 0 -lt && echo fonts": "fonts",
    "ffmpeg -v error -f lavfi -i sine=d=1 a.wav && ffprobe -v error -show_entries format=duration "
    "-of csv=p=0 a.wav": "1.000000",
}


@pytest.mark.parametrize("line", SHELL)
async def test_a_shell_line_does_what_it_does_everywhere(line: str, session: Session) -> None:
    result = await session.run(f"%%bash\n{line}", 60)
    assert result.status is CellStatus.OK, show(result)
    assert show(result).strip().endswith(SHELL[line])


def test_commands_are_copied_anew_when_the_host_has_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs, environment = tmp_path / "programs", tmp_path / "env"
    programs.mkdir()
    (environment / "bin").mkdir(parents=True)
    monkeypatch.setattr(commands, "SEARCHED", str(programs))
    for name in ("ls", "git"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    first = commands.show_commands(environment)
    assert [path.name for path in first.iterdir()] == ["ls"]
    assert commands.show_commands(environment) == first
    (programs / "ls").write_text("#!/bin/sh\necho another\n")
    second = commands.show_commands(environment)
    assert "another" in (second / "ls").read_text()
    assert "another" not in (first / "ls").read_text()  # which sandboxes may still have
    env = KernelEnvironment(environment, environment, "3.11.2")
    assert env.commands == second
    mark = read_mark(env)
    (programs / "ffmpeg").write_text("#!/bin/sh\n")
    (programs / "ffmpeg").chmod(0o755)
    third = commands.show_commands(environment)
    assert {path.name for path in third.iterdir()} == {"ls", "ffmpeg"}
    assert {path.name for path in (environment / "share").iterdir()} == {
        "commands", second.name, third.name,
    }  # fmt: skip
    assert read_mark(env) != mark


def test_versions_that_decide_results_are_told() -> None:
    told = commands.describe_programs()
    assert re.fullmatch(r"ffmpeg \d\S*, tesseract \d\S*, graphviz \d\S*, fonts [0-9a-f]{12}", told)


def test_the_digest_covers_our_own_modules_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {path.name for path in recipe_files()}
    assert names >= {"requirements.txt", "nltk-data.txt", "pybench_figures.py", "pybench_drawn.py"}
    copy = tmp_path / "environment"
    shutil.copytree(RECIPE, copy)
    monkeypatch.setattr(
        "runner.sandbox.host.kernel_env.recipe_files.__defaults__", (copy,), raising=False
    )
    env = KernelEnvironment(tmp_path, tmp_path, "3.11.2")
    before = env.digest()
    (copy / "pybench_drawn.py").write_text("# another")
    assert env.digest() != before


def test_a_python_without_drawing_pays_nothing_for_the_notes() -> None:
    """Only the finder is there at the start, none of what it may need."""
    python = find_kernel_environment().folder / "bin" / "python"
    code = "import sys; print('pybench_figures' in sys.modules, 'pybench_drawn' in sys.modules)"
    done = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
