"""Contents of a matplotlib figure as JSON that checks can read: axes, series, titles, labels.

    {"v": 3, "size": [640, 480], "suptitle": "", "axes": [{"title": …, "bars": […], …}]}

The figure is noted as it is drawn, cropped as it is saved (bbox_inches="tight"): a plot's box is
in shares of the saved picture. What would be too much is left out or sampled; a note never grows
beyond its limit.
"""

import base64
import json
import time
import zlib

BUDGETS = (20_000, 2_000, 200)  # numbers a figure, tried until the note is short enough
SERIES_NUMBERS = 4_000  # of one series; a longer one is sampled evenly
CPU_S = 1.0  # of the thread, not of the clock: a busy machine changes no note
MAX_AXES, MAX_ARTISTS, MAX_TEXT, MAX_WORDS = 24, 80, 200, 300
MAX_CLOUD_WORDS = 1_000

clouds = {}  # CRC-32 of a word cloud's pixels -> its words and font; the last few


class Budget:
    """Numbers that may still be noted, and the deadline."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.until = time.thread_time() + CPU_S

    @property
    def spent(self):
        return self.numbers <= 0 or time.thread_time() > self.until

    def take(self, values):
        """`values` as finite JSON numbers (None for the rest), sampled evenly when too many."""
        import numpy as np

        values = np.ravel(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan))
        room = max(1, min(SERIES_NUMBERS, self.numbers))
        if len(values) > room:
            values = values[np.linspace(0, len(values) - 1, room).astype(int)]
        self.numbers -= len(values)
        return [number(v) for v in values.tolist()]


def number(value):
    """Ten digits are plenty; JSON knows no NaN."""
    return float(f"{value:.10g}") if value == value and abs(value) != float("inf") else None


def words_of(text):
    """Text of a label, cut at the limit."""
    return str(text)[:MAX_TEXT]


def colour_of(value):
    """ "#rrggbb", or "#rrggbbaa" where one sees through it."""
    from matplotlib.colors import to_hex

    try:
        text = to_hex(value, keep_alpha=True)
    except (ValueError, TypeError):
        return ""
    return text[:7] if text.endswith("ff") else text


def label_of(artist):
    """The artist's label, "" when it has none of its own."""
    label = words_of(artist.get_label() or "")
    return "" if label.startswith("_") else label


def figure_facts(figure, numbers):
    """Describe what `figure` shows by at most `numbers` numbers."""
    budget = Budget(numbers)
    width, height = figure.canvas.get_width_height()
    facts = {"v": 3, "kind": "matplotlib", "size": [int(width), int(height)], "axes": []}
    title = getattr(figure, "_suptitle", None)
    facts["suptitle"] = words_of(title.get_text()) if title else ""
    facts["texts"] = [words_of(t.get_text()) for t in figure.texts[:MAX_ARTISTS] if t is not title]
    if figure.legends:
        facts["legend"] = legend_words(figure.legends[0])
    for axes in figure.get_axes()[:MAX_AXES]:
        if axes.get_visible() and not budget.spent:
            facts["axes"].append(axes_facts(axes, budget))
    facts["drawn"] = printed_of(figure)
    facts["cut"] = budget.spent
    return facts


def printed_of(figure):
    """Words that are drawn: [group, text, left, top, width, height, size, angle, font], in groups.

    Places are shares of the picture from its upper left corner, sizes pixels, angles degrees.
    """
    from matplotlib.font_manager import findfont

    width, height = figure.canvas.get_width_height()
    found = []
    for group, texts in text_groups(figure):
        for text in [t for t in texts if t.get_visible() and t.get_text().strip()][:MAX_ARTISTS]:
            box = text.get_window_extent()
            if not (box.width and box.height) or len(found) >= MAX_WORDS:
                continue
            place = (box.x0 / width, 1 - box.y1 / height, box.width / width, box.height / height)
            found.append(
                [
                    group,
                    words_of(text.get_text()),
                    *(round(float(share), 5) for share in place),
                    number(text.get_fontsize() * figure.dpi / 72),
                    number(text.get_rotation()),
                    findfont(text.get_fontproperties()),
                ]
            )
    return found


def text_groups(figure):
    """Each group's name and texts: ticks of an axis, labels, texts and legend of a plot."""
    yield "figure", [*figure.texts, *(t for one in figure.legends for t in one.get_texts())]
    for n, axes in enumerate(axes for axes in figure.get_axes()[:MAX_AXES] if axes.get_visible()):
        for name in axes._axis_names[:2] if axes.axison else ():
            axis = getattr(axes, f"{name}axis")
            ticks = axis._update_ticks() if axis.get_visible() else []
            yield f"{name} ticks {n}", [t for tick in ticks for t in (tick.label1, tick.label2)]
        labels = [axes.xaxis.label, axes.yaxis.label] if axes.axison else []
        yield f"labels {n}", [*labels, axes.title, axes._left_title, axes._right_title]
        yield f"texts {n}", axes.texts
        if axes.get_legend():
            yield f"legend {n}", axes.get_legend().get_texts()


def legend_words(legend):
    """Words of a legend, in order."""
    return [words_of(t.get_text()) for t in legend.get_texts()[:MAX_ARTISTS]]


def axes_facts(axes, budget):
    """Facts of one pair of axes: titles, scales and all marks."""
    facts = {
        "title": " ".join(
            words_of(axes.get_title(loc=place))
            for place in ("left", "center", "right")
            if axes.get_title(loc=place)
        ),
        "kind": axes.name,
        "box": box_of(axes),
        "face": colour_of(axes.get_facecolor()),
        "colorbar": axes.get_label() == "<colorbar>",
    }
    if axes.name == "polar":
        facts["turn"] = [number(axes.get_theta_offset()), number(axes.get_theta_direction())]
    for name in axes._axis_names[:3]:
        facts[name] = axis_facts(axes, name, budget)
    legend = axes.get_legend()
    if legend:
        facts["legend"] = legend_words(legend)
        facts["legend_title"] = words_of(legend.get_title().get_text())
    facts["boxes"] = list(getattr(axes, "_pybench_boxes", []))[:MAX_ARTISTS]
    for name, look in LOOKS.items():
        if not budget.spent:
            try:
                found = look(axes, budget)
            except Exception:  # an artist of a library's own making
                found = []
            if found:
                facts[name] = found
    return facts


def box_of(axes):
    """Left, bottom, width and height of a plot, as shares of the picture."""
    width, height = axes.figure.canvas.get_width_height()
    left, bottom, wide, high = axes.bbox.bounds
    return [number(v) for v in (left / width, bottom / height, wide / width, high / height)]


def axis_facts(axes, name, budget):
    """Facts of the x or y axis: label, limits, scale and ticks."""
    axis = getattr(axes, f"{name}axis")
    low, high = getattr(axes, f"get_{name}lim")()
    converter = axis.get_converter() if hasattr(axis, "get_converter") else axis.converter
    facts = {
        "label": words_of(axis.get_label_text()),
        "scale": axis.get_scale(),
        "from": number(low),
        "to": number(high),
        "shown": bool(axis.get_visible() and axes.axison),
        "units": units_of(axes, converter),
        "ticks": [],
        "words": [],
    }
    for tick in axis._update_ticks()[:MAX_ARTISTS]:
        facts["ticks"].append(number(float(tick.get_loc())))
        text = tick.label1.get_text() or tick.label2.get_text()
        facts["words"].append(words_of(text))
        budget.numbers -= 1
    return facts


def units_of(axes, converter):
    """The name of an axis' converter, with the frequency of pandas' periods ("W-SUN")."""
    name = type(converter).__name__ if converter is not None else ""
    frequency = getattr(axes, "freq", None) if "Period" in name else None
    return f"{name} {getattr(frequency, 'freqstr', frequency) or ''}".strip()


def lines_of(axes, budget):
    """Lines with their points, colours and labels."""
    found = []
    for line in axes.lines[:MAX_ARTISTS]:
        if not line.get_visible() or budget.spent:
            continue
        x = line.get_xdata(orig=False)
        entry = {
            "label": label_of(line),
            "colour": colour_of(line.get_color()),
            "style": str(line.get_linestyle()),
            "marker": str(line.get_marker()),
            "n": len(x),
            "x": budget.take(x),
            "y": budget.take(line.get_ydata(orig=False)),
        }
        given = named(line.get_xdata(orig=True))
        if given:
            entry["names"] = given
        found.append(entry)
    return found


def named(values):
    """The places of a line that were given as dates or words, as text."""
    if (
        len(values) > SERIES_NUMBERS
        or getattr(getattr(values, "dtype", None), "kind", "O") in "iuf"
    ):
        return []
    if all(isinstance(v, int | float) for v in values):
        return []
    return [words_of(v)[:40] for v in values]


def bars_of(axes, budget):
    """One entry a bar container; loose rectangles (a histogram drawn by hand) come last."""
    from matplotlib.container import BarContainer
    from matplotlib.patches import Rectangle

    found, seen = [], set()
    for container in [c for c in axes.containers if isinstance(c, BarContainer)][:MAX_ARTISTS]:
        patches = [p for p in container.patches if p.get_visible()]
        seen.update(id(p) for p in container.patches)
        orientation = container.orientation or "vertical"
        found.append(bar_entry(patches, label_of(container), orientation, budget))
    loose = [p for p in axes.patches if type(p) is Rectangle and id(p) not in seen]
    if loose:
        found.append(bar_entry(loose, "", "loose", budget))
    return [entry for entry in found if entry["n"]]


def bar_entry(patches, label, orientation, budget):
    """Bars of one series: places, sizes, colours and labels."""
    colours = [colour_of(p.get_facecolor()) for p in patches[:SERIES_NUMBERS]]
    return {
        "label": label,
        "orientation": orientation,
        "n": len(patches),
        "x": budget.take([p.get_x() for p in patches]),
        "y": budget.take([p.get_y() for p in patches]),
        "width": budget.take([p.get_width() for p in patches]),
        "height": budget.take([p.get_height() for p in patches]),
        "colours": colours[:1] if len(set(colours)) == 1 else colours,
    }


def wedges_of(axes, budget):
    """Wedges of pies, with fraction, label, colour, first angle (in degrees) and middle."""
    from matplotlib.patches import Wedge

    wedges = [p for p in axes.patches if isinstance(p, Wedge) and p.get_visible()]
    budget.numbers -= len(wedges)
    return [
        {
            "label": label_of(wedge),
            "fraction": number((wedge.theta2 - wedge.theta1) / 360),
            "colour": colour_of(wedge.get_facecolor()),
            "from": number(wedge.theta1),
            "at": [number(float(v)) for v in wedge.center],
        }
        for wedge in wedges[: MAX_ARTISTS * 4]
    ]


def points_of(axes, budget):
    """Scatter points, with the values behind their colours, and the colours of the first ones."""
    import numpy as np
    from matplotlib.collections import PathCollection

    found = []
    for points in [c for c in axes.collections if isinstance(c, PathCollection)][:MAX_ARTISTS]:
        places = points.get_offsets()
        if budget.spent or not len(places):
            continue
        faces = points.get_facecolor()
        room = max(1, min(len(places), SERIES_NUMBERS, budget.numbers))
        kept = np.linspace(0, len(places) - 1, room).astype(int)[:50]  # as Budget.take chooses
        colours = [colour_of(faces[n % len(faces)]) for n in kept] if len(faces) else []
        found.append(
            {
                "label": label_of(points),
                "n": len(places),
                "x": budget.take(places[:, 0]),
                "y": budget.take(places[:, 1]),
                "values": [] if points.get_array() is None else budget.take(points.get_array()),
                "colours": colours[:1] if len(set(colours)) == 1 else colours,
            }
        )
    return found


def areas_of(axes, budget):
    """Filled areas between lines (stacked areas, densities, violins): their outlines."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Polygon

    polygons = [c for c in axes.collections if isinstance(c, PolyCollection)]
    outlines = [(c, c.get_paths()[0].vertices) for c in polygons if c.get_paths()]
    outlines += [(p, p.get_xy()) for p in axes.patches if isinstance(p, Polygon)]
    return [
        {
            "label": label_of(artist),
            "x": budget.take(outline[:, 0]),
            "y": budget.take(outline[:, 1]),
        }
        for artist, outline in outlines[:MAX_ARTISTS]
        if not budget.spent
    ]


def grids_of(axes, budget):
    """Pictures and heat maps: their shape, and their values where they are few."""
    import numpy as np
    from matplotlib.collections import QuadMesh

    meshes = [c for c in axes.collections if isinstance(c, QuadMesh)]
    found = []
    for artist in [*axes.images, *meshes][:MAX_ARTISTS]:
        values = artist.get_array()
        if values is None:
            continue
        entry = {"shape": [int(n) for n in values.shape], "values": []}
        if values.ndim <= 2 and values.size:
            plain = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
            entry["least"], entry["most"] = number(np.nanmin(plain)), number(np.nanmax(plain))
            if values.size <= SERIES_NUMBERS:
                entry["values"] = budget.take(values)
        elif values.dtype == np.uint8:
            entry |= clouds.get(zlib.crc32(np.ascontiguousarray(values).data), {})
        found.append(entry)
    return found


def texts_of(axes, budget):
    """Texts inside the axes, with their places."""
    budget.numbers -= len(axes.texts)
    return [
        {"text": words_of(t.get_text()), "x": number(float(x)), "y": number(float(y))}
        for t in axes.texts[: MAX_ARTISTS * 6]
        for x, y in [t.get_unitless_position()]
        if t.get_text() and t.get_visible()
    ]


LOOKS = {
    "lines": lines_of,
    "bars": bars_of,
    "wedges": wedges_of,
    "points": points_of,
    "areas": areas_of,
    "grids": grids_of,
    "texts": texts_of,
}


def packed(facts):
    """`facts` as one line of ASCII."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 3)).decode()


def note(figure, limit, budgets=BUDGETS):
    """The note on `figure`, "" when there can be none within `limit` characters."""
    for numbers in budgets:
        text = packed(figure_facts(figure, numbers))
        if len(text) <= limit:
            return text
    return ""


def cloud_facts(cloud):
    """The font of a WordCloud, and its words, the heaviest first.

    Each is [word, weight from 0 to 1, size, left, top, 1 if it is turned], in pixels of its
    picture. Characters that its font lacks are noted as they are drawn: as empty boxes.
    """
    words = [
        [
            str(item[0][0])[:60],
            number(float(item[0][1])),
            *(number(side * cloud.scale) for side in (item[1], item[2][1], item[2][0])),
            int(item[3] is not None),
        ]
        for item in cloud.layout_[:MAX_CLOUD_WORDS]
    ]
    lacking = lacking_in(cloud.font_path, "".join(word for word, *_ in words))
    words = [[word.translate(lacking), *rest] for word, *rest in words]
    return {"font": words_of(cloud.font_path), "words": words}


def lacking_in(font_path, text):
    """{character: "□"} of those characters of `text` that the font draws like an unassigned one."""
    from PIL import ImageFont

    try:
        font = ImageFont.truetype(font_path, 16)
        unknown = bytes(font.getmask("\U0010fffe"))
        return {
            ord(char): "□"
            for char in sorted(set(text))[:2_000]
            if not char.isspace() and bytes(font.getmask(char)) == unknown
        }
    except (OSError, ValueError):  # a font that only the cloud can open
        return {}


def remember(picture, facts):
    """A cloud's picture may be shown inside a figure: its facts are found by its pixels."""
    clouds[zlib.crc32(picture.tobytes())] = facts
    while len(clouds) > 8:
        del clouds[next(iter(clouds))]
