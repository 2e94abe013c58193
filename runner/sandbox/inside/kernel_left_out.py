"""Libraries to use instead of well-known ones that the kernel environment leaves out.

PyTorch and TensorFlow alone would more than double its size; a kernel has no network to fetch
anything. Runs inside.
"""

from __future__ import annotations

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
    "matplotlib, seaborn, plotly and folium": (
        *("bokeh", "altair", "pyecharts", "holoviews", "pygal", "cartopy", "streamlit", "dash"),
    ),
    "reportlab, PyMuPDF (pymupdf) and pdfplumber": (
        *("weasyprint", "pdfkit", "fpdf", "camelot", "tabula", "pdf2image", "borb"),
    ),
    "files in ./data alone": (
        *("selenium", "playwright", "scrapy", "yfinance", "akshare", "openai", "anthropic"),
    ),
}


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
