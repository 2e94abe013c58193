"""Runs inside the sandbox: an IPython kernel on sockets that were made outside.

Standard library and the kernel environment only.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

# What tasks import as a rule: there already in a kernel that was made ahead.
LIBRARIES = (
    *("numpy", "pandas", "scipy.stats", "scipy.optimize", "scipy.signal", "scipy.ndimage"),
    *("matplotlib.pyplot", "matplotlib.backends.backend_agg", "seaborn"),
    *("matplotlib_inline.backend_inline", "mpl_toolkits.mplot3d"),
    *("sklearn.linear_model", "sklearn.ensemble", "sklearn.preprocessing", "sklearn.cluster"),
    *("sklearn.model_selection", "sklearn.metrics", "sklearn.decomposition", "sklearn.svm"),
    *("sklearn.feature_extraction.text", "sklearn.pipeline", "sklearn.neighbors"),
    *("PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "PIL.PngImagePlugin", "PIL.JpegImagePlugin"),
    *("cv2", "openpyxl", "lxml.etree", "bs4", "soundfile"),
    *("csv", "sqlite3", "decimal", "asyncio", "multiprocessing.pool", "concurrent.futures.thread"),
)
FOLDERS = ("HOME", "MPLCONFIGDIR", "IPYTHONDIR")  # named in the environment
OWN_PACKAGE = "runner"
OWN_PLACE = "/proc/"  # of the archive that this runs from


def run(app: Any, key: bytes, sockets: Sequence[int]) -> None:
    """Be a kernel to the host at the other ends of the sockets of shell and iopub."""
    app.listen(key, sockets)
    sys.argv[:] = ["ipykernel"]
    app.start()


class OwnTraces:
    """The interpreter's traces of the project, to be removed before a cell can look.

    A zygote finds it before it forks: to look through all modules, or to release what is found,
    is to copy the memory that it lies in.
    """

    def __init__(self) -> None:
        self.modules = [name for name in sys.modules if name.partition(".")[0] == OWN_PACKAGE]
        self.places = [path for path in sys.path_importer_cache if path.startswith(OWN_PLACE)]
        self.kept: list[Any] = []

    def remove(self) -> None:
        self.kept += [sys.modules.pop(name) for name in self.modules]
        self.kept += [sys.path_importer_cache.pop(path) for path in self.places]
        sys.path[:] = [path for path in sys.path if not path.startswith(OWN_PLACE)]


def make_folders() -> None:
    for name in FOLDERS:
        os.makedirs(os.environ[name], exist_ok=True)  # noqa: PTH103 (pathlib is not loaded yet)


def import_all(names: tuple[str, ...]) -> list[str]:
    """Import what is there; the names of what is not."""
    missing: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            try:
                importlib.import_module(name)
            except ImportError:
                missing.append(name)
    return missing


def leave_debugger_out() -> None:
    """A tenth of a second of imports. To be called before anything of ipykernel is imported."""
    sys.modules.setdefault("debugpy", None)  # type: ignore[arg-type]


def make_app() -> Any:
    """A kernel with its shell, without a thread or a socket: it can be forked."""
    leave_debugger_out()
    from runner.sandbox.inside import kernel_overrides

    return kernel_overrides.make_app()
