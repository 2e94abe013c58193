"""Warms up before the fork everything that first cells do for the first time.

Libraries load parts of themselves, compile patterns and fill caches when they are first used; a
kernel whose parent has done that need not. Everything here works on made-up values in memory and
leaves nothing to see: no setting, no figure, no name. Runs inside, in the zygote.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Sequence


def read_and_count_a_table() -> None:
    import pandas as pd

    lines = [f"{n},{n % 7 / 2},2020-01-{n % 28 + 1:02},kind {n % 3}" for n in range(40)]
    table = pd.read_csv(io.StringIO("\n".join(["a,b,day,kind", *lines])))
    table["day"] = pd.to_datetime(table["day"])
    means = table.groupby("kind")["a"].agg(["mean", "sum", "count"])
    table.merge(means, left_on="kind", right_index=True).sort_values("a").to_csv(io.StringIO())
    table.pivot_table(index="b", columns="kind", values="a")
    table.set_index("day").resample("ME")["a"].sum()
    table.isna().sum()
    table.fillna(0).drop_duplicates()
    table["kind"].str.upper().value_counts()
    table.corr(numeric_only=True)


def show_a_table() -> None:
    import pandas as pd

    table = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [0.5, None]})
    table.info(buf=io.StringIO())
    repr(table.describe())
    repr(table.dtypes)
    table.to_html()


def write_a_workbook() -> None:
    import pandas as pd

    workbook = io.BytesIO()
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_excel(workbook)
    pd.read_excel(io.BytesIO(workbook.getvalue()))


def draw_figures() -> None:
    import matplotlib.font_manager
    import matplotlib.pyplot as plt
    import seaborn

    figure, (left, right) = plt.subplots(1, 2, figsize=(4, 3))
    left.plot([1, 2, 3], [3, 4, 5], label="line")
    left.set_title("Title")
    left.set_xlabel("words")
    left.legend()
    left.grid(True)
    right.bar(["a", "b"], [1, 2])
    right.tick_params(axis="x", rotation=45)
    figure.tight_layout()
    figure.savefig(io.BytesIO(), format="png")
    plt.figure()
    plt.pie([1, 2], labels=["a", "b"], autopct="%d%%")
    plt.hist([1, 2, 2, 3])
    plt.scatter([1], [2])
    seaborn.heatmap([[1, 2], [3, 4]])
    plt.close("all")
    matplotlib.font_manager._get_font.cache_clear()  # fonts hold files, which no child keeps


def tell_an_error() -> None:
    from IPython.core.ultratb import AutoFormattedTB

    program = compile("def divide():\n    return 1 / 0\n\ndivide()", "<rehearsal>", "exec")
    try:
        exec(program, {})
    except ZeroDivisionError:
        AutoFormattedTB(mode="Context").structured_traceback(*sys.exc_info())


def learn_from_a_table() -> None:
    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    inputs, labels = np.arange(40.0).reshape(20, 2), np.arange(20) % 2
    known, unknown, wanted, _ = train_test_split(inputs, labels, random_state=0)
    LinearRegression().fit(known, wanted).predict(unknown)
    LogisticRegression().fit(StandardScaler().fit_transform(known), wanted)
    KMeans(2, n_init=1, random_state=0).fit(inputs)


def turn_a_picture() -> None:
    from PIL import Image, ImageDraw, ImageFilter

    picture = Image.new("RGB", (20, 20))
    ImageDraw.Draw(picture).line([0, 0, 5, 5])
    for kind in ("PNG", "JPEG"):
        saved = io.BytesIO()
        picture.rotate(90).filter(ImageFilter.BLUR).save(saved, kind)
        Image.open(io.BytesIO(saved.getvalue())).load()


ACTS: Sequence[Callable[[], None]] = (
    read_and_count_a_table,
    show_a_table,
    write_a_workbook,
    draw_figures,
    tell_an_error,
    learn_from_a_table,
    turn_a_picture,
)


def rehearse() -> list[str]:
    """Do it all; the names of what failed, which costs kernels time and nothing else."""
    failed: list[str] = []
    for act in ACTS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                act()
        except Exception as error:  # libraries may raise anything, and any may be missing
            failed.append(f"{act.__name__} ({type(error).__name__}: {error})")
    return failed
