"""Charts are judged by what was drawn, whichever library drew it; a blanked picture is no chart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from PIL import Image, PngImagePlugin
from runner.checks.charts import figures, marks, series, shown_names, unnoted
COUNTS = {"北京": 40, "上海": 100, "广州": 25}
TABLE = pd.Series(COUNTS)
rng = np.random.default_rng(3)
SAMPLE = rng.normal(10, 3, 500)
FRAME = pd.DataFrame({"g": list("ab") * 250, "v": SAMPLE, "w": SAMPLE ** 2})
BIG = np.column_stack([np.arange(9000.0), rng.normal(size=9000)])
CURVE = np.cumsum(rng.normal(size=9000))
WORDS = {"你好": 9, "world": 4}
ROUNDS = [[5.0, 3.4, 1.5, 0.6], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]]
def radar(rounds):
    axes, around = plt.subplot(projection="polar"), np.arange(5) * np.pi / 2
    for one in rounds:
        axes.plot(around, [*one, one[0]])
        axes.fill(around, [*one, one[0]], alpha=0.15)
FONT = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
def cloud():
    from wordcloud import WordCloud
    return WordCloud(font_path=FONT, random_state=1).generate_from_frequencies(WORDS)
def strip(path):
    pixels = Image.open(path).convert("RGB"); pixels.save(path)
def forge(path, colour):
    info = PngImagePlugin.PngInfo()
    info.add_text("pybench-figure", Image.open(path).text["pybench-figure"])
    picture = Image.new("RGB", Image.open(path).size, colour)
    picture.paste("black", (0, 0, 40, 40)); picture.save(path, pnginfo=info)
"""
BARS = "series.expect_bar_values(case, f, COUNTS)"
PIE = "series.expect_wedges(case, f, COUNTS)"
POINTS = "marks.expect_points(case, f, FRAME.v, FRAME.w)"
NAMES_AB = (
    "case.expect('names', [n for _, _, n in shown_names.named_lines(f)] == ['a', 'b'], "
    "message='The names are not theirs.')"
)
NOTED = "figures.require_note(case, f)"


def chart(name: str, drawing: str, measure: str, says: str = "", suffix: str = "png") -> Trial:
    file = f"{name}.{suffix}"
    return Trial(
        name,
        file,
        f"plt.close('all'); path = data / {file!r}; {drawing}\n"
        "if not path.exists(): plt.savefig(path)",
        f"(lambda f: {measure})(figures.read(case, {file!r}))",
        says,
    )


TRIALS = [
    chart("bars", "plt.bar(list(COUNTS), list(COUNTS.values()))", BARS),
    chart("bars_tight", "TABLE.plot.bar(); plt.savefig(path, bbox_inches='tight', dpi=150)", BARS),
    chart("bars_pandas_h", "TABLE.sort_values().plot.barh(title='x')", BARS, suffix="jpg"),
    chart("bars_seaborn", "sns.barplot(x=list(COUNTS), y=list(COUNTS.values()), hue=list('abc'))",
          "series.expect_bar_values(case, f, COUNTS, exact=False)"),
    chart("bars_dark", "plt.style.use('dark_background'); TABLE.plot.bar(); plt.savefig(path); "
          "plt.style.use('default')", BARS),
    chart("bars_shares", "(TABLE / TABLE.sum() * 100).plot.bar(alpha=0.5)",
          "series.expect_bar_values(case, f, COUNTS, scaled=True)"),
    chart("bars_years", "plt.bar([2019, 2020, 2022], [3, 1, 2])",
          "series.expect_bar_values(case, f, {2019: 3, 2020: 1, 2022: 2})"),
    chart("bars_stacked", "pd.DataFrame({'a': TABLE / 4, 'b': TABLE * 3 / 4})"
          ".plot.bar(stacked=True)", BARS),
    chart("dots_in_space", "plt.figure().add_subplot(projection='3d').scatter([1, 2], [3, 4])",
          "figures.require_note(case, f)", "its plot is in space"),
    chart("bars_off", "(TABLE + [0, 5, 0]).plot.bar()", BARS, "shows 105 for “上海”"),
    chart("bars_short", "TABLE[:2].plot.bar()", BARS, "shows nothing for “广州”"),
    chart("bars_more", "pd.Series({**COUNTS, 'x': 3}).plot.bar()", BARS, "shows 4 values"),
    chart("pie", "TABLE.plot.pie(autopct='%1.1f%%')", PIE),
    chart("pie_legend", "plt.pie(TABLE); plt.legend(TABLE.index)", PIE),
    chart("pie_text", "plt.pie(TABLE, labels=[f'{k} ({v})' for k, v in COUNTS.items()])", PIE),
    chart("pie_off", "plt.pie([1, 1, 1], labels=TABLE.index)", PIE, "expected 24.2%"),
    chart("pie_more", "plt.pie([40, 100, 25, 1], labels=[*COUNTS, 'x'])", PIE, "4 wedges"),
    chart("points", "plt.scatter(FRAME.v, FRAME.w)", POINTS),
    chart("points_hue", "sns.scatterplot(FRAME, x='v', y='w', hue='g')", POINTS),
    chart("points_plot", "plt.plot(FRAME.v, FRAME.w, 'o')", POINTS),
    chart("points_many", "plt.scatter(*BIG.T)", "marks.expect_points(case, f, *BIG.T)"),
    chart("points_swapped", "plt.scatter(FRAME.w, FRAME.v)", POINTS, "shows a point at"),
    chart("points_few", "plt.scatter(FRAME.v[9:], FRAME.w[9:])", POINTS, "shows 491 points"),
    chart("line_long", "plt.plot(CURVE)", "marks.expect_line(case, f, CURVE)"),
    chart("line_other", "plt.plot(CURVE[::-1])", "marks.expect_line(case, f, CURVE)", "value no."),
    chart("line_dates", "pd.Series([1, 3, 2], pd.date_range('2020-01-01', periods=3)).plot(); ",
          "marks.expect_line(case, f, [1, 3, 2])"),
    chart("title", "plt.plot([1, 2]); plt.suptitle('Sales of ２０２０')",
          "figures.expect_title_words(case, f, ['2020'])"),
    chart("title_none", "plt.plot([1, 2])", "figures.expect_title_words(case, f)", "title"),
    chart("legend", "plt.plot([1, 2], label='Umsatz'); plt.legend()",
          "figures.expect_words(case, f, ['umsatz', 'sales'], 'names the series')"),
    chart("cloud", "cloud().to_file(str(path))",
          "case.expect('words', series.cloud_words(f) == {'你好': 1, 'world': 0.4444444444})"),
    chart("cloud_jpeg", "cloud().to_image().save(path)",
          "case.expect('words', set(series.cloud_words(f)) == set(WORDS))", suffix="jpg"),
    chart("cloud_shown", "plt.imshow(cloud()); plt.axis('off')",
          "case.expect('words', set(series.cloud_words(f)) == set(WORDS))"),
    chart("own_metadata", "plt.plot([1, 2]); plt.savefig(path, metadata={'Author': 'x'})", NOTED),
    chart("subclassed", "fig = plt.figure(); fig.subplots(2, 2)[0, 0].plot([1, 2]); "
          "fig.savefig(path, transparent=True)", NOTED),
    chart("edited", "TABLE.plot.bar(); plt.savefig(path); strip(path)", NOTED, "holds no note"),
    chart("resized", "TABLE.plot.bar(); plt.savefig(path); i = Image.open(path); "
          "i.save(path, pnginfo=None); n = PngImagePlugin.PngInfo(); "
          "n.add_text('pybench-figure', i.text['pybench-figure']); "
          "i.resize((300, 300)).save(path, pnginfo=n)", NOTED, "640 × 480"),
    chart("forged", "TABLE.plot.bar(); plt.savefig(path); forge(path, 'white')", NOTED,
          "blank picture"),
    chart("forged_black", "TABLE.plot.bar(); plt.savefig(path); forge(path, 'black')", NOTED,
          "blank picture"),
    chart("again", "TABLE.plot.bar(color='C0'); plt.savefig(path); strip(path)",
          "unnoted.expect_marks(case, f, 3, 'three bars')"),
    chart("again_without_colours", "plt.plot([1, 2], 'k'); plt.savefig(path); strip(path)",
          "unnoted.expect_marks(case, f, 3, 'three bars')", "does not show three bars"),
    chart("rubbish", "n = PngImagePlugin.PngInfo(); n.add_text('pybench-figure', 'eJzz'); "
          "Image.effect_noise((300, 300), 90).save(path, pnginfo=n)", NOTED, "holds no note"),
    chart("thumbnail", "plt.figure(figsize=(0.5, 0.3)); plt.plot([1, 2]); plt.savefig(path)", NOTED,
          "nothing can be read"),
    *(chart(f"seen_{name}", drawing, measure) for name, drawing, measure in (
        ("steps", "plt.step(range(40), CURVE[:40])", "marks.expect_line(case, f, CURVE[:40])"),
        ("dotted", "plt.plot(CURVE[:60], ':', lw=1)", "marks.expect_line(case, f, CURVE[:60])"),
        ("log", "plt.plot([1, 10, 1000]); plt.yscale('log')",
         "marks.expect_line(case, f, [1, 10, 1000])"),
        ("under", "plt.plot([1, 3, 2]); plt.plot([1, 3, 2], color='red', lw=4)",
         "case.expect('both', len(f.panels[0].lines) == 2)"),
        ("tight_dpi", "TABLE.plot.pie(); plt.savefig(path, bbox_inches='tight', dpi=220)", PIE),
        ("tight_line", "plt.figure(figsize=(5, 7)); plt.plot(CURVE, label='a'); plt.legend("
         "bbox_to_anchor=(1.4, 1)); plt.savefig(path, bbox_inches='tight', dpi=140)",
         "marks.expect_line(case, f, CURVE)"),
        ("tight_aside", "plt.figure(figsize=(5, 7)); plt.plot(CURVE, 'k.-', label='a'); "
         "plt.text(9900, 0, 'in the line\\'s colour', size=20); plt.ylabel('y', size=40); "
         "plt.savefig(path, bbox_inches='tight', pad_inches=0.4, dpi=150)",
         "marks.expect_line(case, f, CURVE)"),
        ("tight_radar", "radar(ROUNDS); a = plt.gca(); a.set_theta_offset(0.7); "
         "a.set_theta_direction(-1); plt.savefig(path, bbox_inches='tight')",
         "case.expect('rounds', len(f.panels[0].lines) == 3)"),
        ("tight_equal", "plt.scatter(FRAME.v, FRAME.w); plt.gca().set_aspect(0.03); "
         "plt.savefig(path, bbox_inches='tight')", POINTS),
        ("dense_hues", "g = sns.relplot(x=np.round(FRAME.v), y=np.round(FRAME.w, -1), "
         "hue=FRAME.g); g.savefig(path)",
         "marks.expect_points(case, f, np.round(FRAME.v), np.round(FRAME.w, -1))"),
        ("mapped_points", "plt.scatter(FRAME.v, FRAME.w, c=SAMPLE > 10, cmap='viridis'); "
         "plt.colorbar()", POINTS),
        ("hollow_bars", "TABLE.plot.bar(fill=False)", BARS),
        ("hollow_points", "plt.scatter(FRAME.v, FRAME.w, facecolors='none', edgecolors='k')",
         POINTS),
    )),
    chart("legend_turned", "plt.plot([1, 2], label='a'); plt.plot([2, 1], label='b'); "
          "h, n = plt.gca().get_legend_handles_labels(); plt.legend(h[::-1], n[::-1])", NAMES_AB),
    chart("pie_moved_out", "plt.pie(TABLE, explode=[0, 0.15, 0.4], labels=TABLE.index, "
          "shadow=True, counterclock=False, startangle=40)", PIE),
    chart("pie_faint", "plt.pie([*TABLE, 9], labels=[*TABLE.index, 'x'], "
          "colors=['#fbb4ae', '#ccebc5', '#fed9a6', '#f2f2f2'])",
          "series.expect_wedges(case, f, {**COUNTS, 'x': 9})"),
    chart("bars_tenfold", "(TABLE * 10).plot.bar()",
          "series.expect_bar_values(case, f, COUNTS, scaled=True)", "expected 40"),
    chart("bars_thousands", "(TABLE / 1000).plot.bar(ylabel='thousand tonnes')",
          "series.expect_bar_values(case, f, COUNTS, scaled=True)"),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    root: Path = tmp_path_factory.mktemp("figures")
    return asyncio.run(try_out(TRIALS, SETUP, root, timeout_s=180))


def test_a_figure_is_judged_by_its_data(
    found: dict[str, Assertion], subtests: pytest.Subtests
) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
