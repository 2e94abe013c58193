"""Add Poisson noise to a picture."""

from runner.checks import Case

INDEX = "99"
TITLE = "Poisson noise"
CATEGORY = "image"
OUTPUTS = ["99.png"]
NOTE = "Poisson noise is read as photon noise: its variance grows with the brightness and its mean is zero, whatever the scale. Noise that is the same everywhere fails, even when drawn from a Poisson distribution."


def check(case: Case) -> None:
    from runner.checks import edits, images

    name = "99.png"
    source, actual = edits.original(case, "99.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    found = edits.noise(actual, source)
    case.expect(
        "strength of the noise",
        1.5 <= found.deviation <= 90,
        expected="1.5 to 90 levels",
        actual=f"{found.deviation:.1f} levels",
        file=name,
    )
    case.expect(
        "mean of the noise",
        abs(found.bias) <= 0.12,
        expected="0 ± 12 % of the level",
        actual=f"{found.bias:.1%} of the level",
        file=name,
    )
    case.expect(
        "growth of the variance with the level",
        0.5 <= found.growth <= 1.5,
        expected="to the power of 1 (Poisson), ± 0.5",
        actual=f"to the power of {found.growth:.2f}",
        file=name,
    )
    case.expect(
        "values past white",
        found.wrapped <= 0.04,
        expected="clipped: 4 % of the nearly white values black at most",
        actual=f"{found.wrapped:.1%} black",
        file=name,
    )
    smooth = [images.smooth(p, 6) for p in (actual, source)]
    images.expect_alike(case, "the picture under the noise", *smooth, 15, name)


REFERENCE = {
    "cells": [
        """
import numpy as np
from PIL import Image

picture = Image.open("./data/99.jpeg")
print(picture.size, picture.mode)
""",
        """
levels = np.asarray(picture).astype(float)
noisy = np.random.default_rng(0).poisson(levels)
Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save("./output/99.png")
""",
    ],
    "answer": "I added Poisson noise (the variance of each pixel is its level) and saved ./output/99.png.",
}
WRONG = {
    "gaussian": {
        "why": "adds Gaussian noise, as strong in the dark as in the light",
        "cells": [
            """
import numpy as np
from PIL import Image

levels = np.asarray(Image.open("./data/99.jpeg")).astype(float)
noisy = levels + np.random.default_rng(1).normal(0, 12, levels.shape)
Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save("./output/99.png")
"""
        ],
        "answer": "Poisson noise has been added.",
    },
    "added-on-top": {
        "why": "adds the drawn values to the picture, which doubles its brightness",
        "cells": [
            """
import numpy as np
from PIL import Image

levels = np.asarray(Image.open("./data/99.jpeg")).astype(float)
noisy = levels + np.random.default_rng(1).poisson(levels)
Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save("./output/99.png")
"""
        ],
        "answer": "Poisson noise has been added and saved to ./output/99.png.",
    },
    "wraps-round": {
        "why": "casts to bytes without clipping, so that bright pixels turn black",
        "cells": [
            """
import numpy as np
from PIL import Image

levels = np.asarray(Image.open("./data/99.jpeg"))
Image.fromarray(np.random.default_rng(1).poisson(levels).astype(np.uint8)).save("./output/99.png")
"""
        ],
        "answer": "Poisson noise added.",
    },
}
