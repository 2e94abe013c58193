"""Libraries to use instead of well-known ones that the kernel environment leaves out.

PyTorch and TensorFlow alone would more than double its size; a kernel has no network to fetch
anything. Runs inside.
"""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

INSTEAD = {
    "xgboost, lightgbm and scikit-learn": (
        *("torch", "torchvision", "torchaudio", "tensorflow", "keras", "jax", "paddle", "mxnet"),
        *("catboost", "fastai", "lightning", "pytorch_lightning", "onnx"),
    ),
    "nltk, jieba and scikit-learn's text features": (
        *("transformers", "sentence_transformers", "spacy", "gensim", "fasttext", "textblob"),
        *("stanza", "hanlp", "datasets", "tokenizers"),
    ),
    "opencv (cv2), scikit-image and pytesseract": (
        *("ultralytics", "easyocr", "paddleocr", "dlib", "face_recognition", "mediapipe", "rembg"),
    ),
    "librosa, soundfile and pydub": ("whisper", "essentia", "madmom", "pyaudio", "sounddevice"),
    "statsmodels": ("prophet", "pmdarima", "pymc", "arviz"),
    "pulp and scipy.optimize": ("ortools", "cvxpy", "gurobipy", "pyomo", "cplex"),
    "polars, duckdb and pandas": ("pyspark", "dask", "modin", "vaex", "ray", "sqlalchemy"),
    "numpy, pandas and scipy.io": ("xarray", "h5py", "netCDF4", "zarr", "tables", "pytables"),
    "matplotlib, seaborn, plotly and folium": (
        *("bokeh", "altair", "pyecharts", "holoviews", "pygal", "cartopy", "streamlit", "dash"),
    ),
    "reportlab, PyMuPDF (pymupdf) and pdfplumber": (
        *("weasyprint", "pdfkit", "fpdf", "camelot", "tabula", "pdf2image", "borb"),
    ),
    "unittest and doctest": ("pytest", "nose", "hypothesis"),
    "matplotlib's savefig for pictures and plotly's write_html for pages": ("kaleido", "orca"),
    "zipfile and lxml for EPUB": ("ebooklib",),
    "tqdm's own bars (from tqdm import tqdm) and print()": ("ipywidgets",),
    "cells that can await (await main() in place of asyncio.run(main()))": ("nest_asyncio",),
    "files in ./data alone": (
        *("selenium", "playwright", "scrapy", "yfinance", "akshare", "openai", "anthropic"),
    ),
}


MOST_ERROR_CHARS = 2_000
# How libraries name one in an error: pandas, plotly and others.
NEEDED = re.compile(
    r"(?:dependency '|`import |\binstall (?:-{1,2}\w+ )*|\brequires? the |\bupdate jupyter and )"
    r"(?P<name>[a-z]\w{1,40})",
    re.IGNORECASE,
)


class Notes:
    """The last of the finders of modules: notes the left-out ones that a cell itself asks for.

    A cell may catch the error, or ask for a module's specification, and print nothing of it.
    """

    def __init__(self) -> None:
        self.sentences: dict[str, str] = {}  # by what is there instead

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        instead = describe_instead(name)
        if instead and is_asked_by_cell():
            self.sentences.setdefault(instead, f"No module named '{name}'{instead}")

    def leave_out(self, text: str) -> None:
        """Forget what `text` says, which the cell shows."""
        for instead in [instead for instead in self.sentences if instead in text]:
            del self.sentences[instead]

    def note_error(self, text: str) -> None:
        """Note what an error asks to be installed, but for what it names itself."""
        for needed in NEEDED.finditer(text[:MOST_ERROR_CHARS]):
            name = needed["name"].lower()
            if instead := describe_instead(name):
                self.sentences.setdefault(instead, f"No module named '{name}'{instead}")
        self.leave_out(text)


def is_asked_by_cell() -> bool:
    """True if the import under way is in a cell's own code, and not in a library's."""
    frame: Any = sys._getframe(2)
    while frame and str(frame.f_globals.get("__name__")).startswith(("importlib", __name__)):
        frame = frame.f_back
    return bool(frame) and frame.f_globals.get("__name__") == "__main__"


def name_alternatives() -> Notes:
    """Have the error of a failed import name them: also one that a cell catches and prints."""
    notes: Any = Notes()
    sys.meta_path.append(notes)
    bootstrap: Any = importlib._bootstrap
    load = bootstrap._find_and_load_unlocked

    def find_and_load(name: str, import_: Any) -> Any:
        try:
            return load(name, import_)
        except ModuleNotFoundError as error:
            if error.name == name:
                error.msg += describe_instead(name)
                error.args = (error.msg,)
            raise

    # Python leaves frames of this file out of the tracebacks of failed imports.
    code = find_and_load.__code__.replace(co_filename=load.__code__.co_filename)
    find_and_load.__code__ = code
    bootstrap._find_and_load_unlocked = find_and_load
    return notes  # type: ignore[no-any-return]


def describe_instead(name: str) -> str:
    """The rest of “No module named …” for the module `name`; "" for one that nobody knows.

    >>> describe_instead("torch.nn")
    '. It is not installed, and there is no network; there are xgboost, lightgbm and scikit-learn.'
    """
    top = name.partition(".")[0]
    for instead, names in INSTEAD.items():
        if top in names:
            return f". It is not installed, and there is no network; there are {instead}."
    return ""
