"""Runs in a kernel: changes of a picture or animation that a solution saved."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

NOTE = "pybench-figure"
RASTER = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
Writer = Callable[[Path], Any]


def open_picture(path: Path) -> tuple[Any, dict[str, Any]] | None:
    """The picture and what its note is saved with; None for what is no still picture."""
    from PIL import Image

    if path.suffix.lower() not in RASTER:
        return None
    picture = Image.open(path)
    picture.load()
    return picture, note_of(picture)


def note_of(picture: Any) -> dict[str, Any]:
    from PIL.PngImagePlugin import PngInfo

    if NOTE in picture.info:
        kept = PngInfo()
        kept.add_text(NOTE, picture.info[NOTE])
        return {"pnginfo": kept}
    comment = picture.info.get("comment", b"")
    return {"comment": comment} if comment[: len(NOTE)] == NOTE.encode() else {}


def changed_pictures(path: Path) -> dict[str, Writer]:
    """A note, where there is one, stays as it was: it is the pixels that change."""
    if path.suffix.lower() == ".gif":
        return changed_animations(path)
    opened = open_picture(path)
    if opened is None:
        return {}
    picture, note = opened
    changes = {"blank-area": blank_area(picture)}
    if not note:
        changes |= {"reverse-order": mirrored(picture), "exchange-columns": halves(picture)}
    return {
        name: partial(made.save, **note)
        for name, made in changes.items()
        if made.tobytes() != picture.tobytes()
    }


def blank_area(picture: Any) -> Any:
    """White over the middle three fifths of each side."""
    made = picture.copy()
    wide, high = picture.size
    box = (wide // 5, high // 5, wide - wide // 5, high - high // 5)
    made.paste(ground_of(picture), box)
    return made


def ground_of(picture: Any) -> Any:
    white = {"L": 255, "1": 1, "P": 0, "LA": (255, 255), "RGBA": (255, 255, 255, 255)}
    return white.get(picture.mode, (255, 255, 255))


def mirrored(picture: Any) -> Any:
    from PIL import ImageOps

    return ImageOps.mirror(picture)


def halves(picture: Any) -> Any:
    from PIL import ImageChops

    return ImageChops.offset(picture, picture.size[0] // 2, 0)


def changed_animations(path: Path) -> dict[str, Writer]:
    from PIL import Image, ImageSequence

    film = Image.open(path)
    frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    pause = film.info.get("duration", 100)
    if len(frames) < 2:
        return {}
    orders = {"reverse-order": frames[::-1], "drop-row": frames[: len(frames) // 2]}
    return {
        name: partial(kept[0].save, save_all=True, append_images=kept[1:], duration=pause, loop=0)
        for name, kept in orders.items()
    }


def styled_pictures(path: Path) -> dict[str, Writer]:
    """The same pixels written again, as by another program: a note is lost."""
    if path.suffix.lower() != ".png" or (opened := open_picture(path)) is None:
        return {}
    picture, _ = opened
    picture.info.clear()
    return {"saved-again": lambda target: picture.save(target, optimize=True)}
