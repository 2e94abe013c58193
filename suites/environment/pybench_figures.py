"""Keeps with a saved picture what was drawn in it, as text metadata, for the checks to read.

Lives in the kernel environment and is imported at every start of its Python, before anything is
drawn; pybench_drawn does the looking. When matplotlib or wordcloud writes a PNG or JPEG, a note
goes into the file: a PNG text chunk or a JPEG comment called "pybench-figure". The pixels stay as
they were, and nothing here may make a save fail.
"""

import sys

KEY = "pybench-figure"
MARK = "pybench-figure:"  # a JPEG has one comment without a name
PNG_BYTES = 200_000
JPEG_BYTES = 60_000  # a JPEG segment holds 65,533
CJK_FONT = "Noto Sans CJK JP"  # the family's first face in the file; it holds Chinese as well


def wrap_canvas(module):
    """matplotlib.backends.backend_agg: every PNG and JPEG of a figure goes through _print_pil."""
    canvas = module.FigureCanvasAgg

    def _print_pil(self, target, fmt, pil_kwargs, metadata=None):
        canvas.draw(self)  # colours of numbers, places and a crop are known from here on
        if fmt in ("png", "jpeg"):
            try:
                from pybench_drawn import BUDGETS, note

                # A picture kept in memory is as a rule a display: it is sent, so the note is short.
                budgets = BUDGETS[1:] if hasattr(target, "getbuffer") else BUDGETS
                text = note(self.figure, PNG_BYTES if fmt == "png" else JPEG_BYTES, budgets)
                if text and fmt == "png" and "pnginfo" not in (pil_kwargs or {}):
                    metadata = {**(metadata or {}), KEY: text}
                elif text and fmt == "jpeg":
                    pil_kwargs = {"comment": (MARK + text).encode(), **(pil_kwargs or {})}
            except Exception:  # the picture matters, not its note
                pass
        module.mpl.image.imsave(
            target,
            self.buffer_rgba(),
            format=fmt,
            origin="upper",
            dpi=self.figure.dpi,
            metadata=metadata,
            pil_kwargs=pil_kwargs,
        )

    canvas._print_pil = _print_pil


def wrap_axes(module):
    """matplotlib.axes._axes: the figures behind box plots are gone once they are drawn."""
    draw = module.Axes.bxp

    def bxp(self, bxpstats, positions=None, *args, **kwargs):
        try:
            from pybench_drawn import number, words_of

            boxes = self.__dict__.setdefault("_pybench_boxes", [])
            for place, stats in enumerate(bxpstats, 1):
                at = positions[place - 1] if positions is not None else place
                entry = {"at": number(float(at)), "label": words_of(stats.get("label", ""))}
                for name in ("whislo", "q1", "med", "q3", "whishi"):
                    entry[name] = number(float(stats[name]))
                entry["fliers"] = len(stats.get("fliers", ()))
                boxes.append(entry)
        except Exception:  # the picture matters, not its note
            pass
        return draw(self, bxpstats, positions, *args, **kwargs)

    module.Axes.bxp = bxp


def wrap_matplotlib(module):
    """Characters that the first font lacks, Chinese ones above all, are drawn with the second."""
    for chosen in (module.rcParams, module.rcParamsDefault):  # style.use("default") takes these
        chosen["font.family"] = [*chosen["font.family"], CJK_FONT]


def wrap_wordcloud(module):
    """wordcloud.wordcloud: a cloud's picture carries its words, also inside a figure."""
    draw = module.WordCloud.to_image

    def to_image(self):
        picture = draw(self)
        try:
            from pybench_drawn import cloud_facts, remember

            facts = cloud_facts(self)
            remember(picture, facts)
            sign(picture, {"v": 2, "kind": "wordcloud", "size": [*picture.size], **facts})
        except Exception:  # the picture matters, not its note
            pass
        return picture

    module.WordCloud.to_image = to_image


def sign(picture, facts):
    """Make `picture.save` put the note in; a copy of the picture is without it."""
    from pathlib import Path

    from PIL.PngImagePlugin import PngInfo
    from pybench_drawn import packed

    text, save = packed(facts), picture.save

    def save_with_note(target, format=None, **options):
        name = target if isinstance(target, str | Path) else getattr(target, "name", "")
        kind = (format or Path(str(name)).suffix.lstrip(".")).lower()
        if kind == "png" and "pnginfo" not in options:
            options["pnginfo"] = PngInfo()
            options["pnginfo"].add_text(KEY, text)
        elif kind in ("jpg", "jpeg"):
            options.setdefault("comment", (MARK + text).encode()[:JPEG_BYTES])
        return save(target, format, **options)

    picture.save = save_with_note


def wrap_numba(module):
    """numba.core.caching: compiled code is read from beside the module."""
    from pybench_numba import wrap_caching

    wrap_caching(module)


WRAPS = {
    "numba.core.caching": wrap_numba,
    "matplotlib": wrap_matplotlib,
    "matplotlib.axes._axes": wrap_axes,
    "matplotlib.backends.backend_agg": wrap_canvas,
    "wordcloud.wordcloud": wrap_wordcloud,
}


class Finder:
    """Lets the modules in WRAPS be found as ever, and wraps them once they are executed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in WRAPS:
            return None
        from importlib.machinery import PathFinder

        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            try:
                WRAPS[name](module)
            except Exception as error:  # another version than the locked one: no notes, no harm
                sys.stderr.write(f"pybench_figures: {name}: {error}\n")

        spec.loader.exec_module = exec_module
        return spec


def install():
    """Wrap the modules in WRAPS as they are imported; a second call changes nothing."""
    if not any(finder is Finder for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder)
