"""A photo turned grey."""

from pathlib import Path

from runner.checks import Case

TITLE = "A grey photo"
CATEGORY = "other"
QUERY = (
    "Turn ./data/photo.png into a greyscale picture of the same size and save it as "
    "./output/grey.png."
)
INPUTS = ["photo.png"]
OUTPUTS = ["grey.png"]


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    from PIL import Image

    picture = Image.new("RGB", (48, 32))
    picture.putdata([(x * 5, y * 7, (x * y) % 256) for y in range(32) for x in range(48)])
    picture.save(data / "photo.png")
    return {}


def check(case: Case) -> None:
    from PIL import Image

    name = "grey.png"
    path = case.require_file(name)
    try:
        with Image.open(path) as made:
            made.load()
    except Exception:
        case.fail("a picture", "grey.png is no picture that can be opened.", name)
    wanted = Image.open(case.data / "photo.png").convert("L")
    case.equal("size", "{} × {}".format(*made.size), "{} × {}".format(*wanted.size), name)
    bands = made.convert("RGB").getextrema() and [b.tobytes() for b in made.convert("RGB").split()]
    case.expect(
        "grey",
        bands[0] == bands[1] == bands[2],
        "no colour",
        "colours" if bands[0] != bands[1] else "no colour",
        name,
    )
    case.expect(
        "same picture",
        made.size == wanted.size and made.convert("L").tobytes() == wanted.tobytes(),
        "the photo's brightness",
        "another picture",
        name,
    )


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
