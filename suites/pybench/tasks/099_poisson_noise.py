# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Add Poisson noise to a picture."""

from runner.checks import Case

INDEX = "99"
TITLE = "Poisson noise"
CATEGORY = "image"
OUTPUTS = ["99.png"]
NOTE = "Poisson noise is read as photon noise: its variance grows with the brightness and its mean is zero, whatever the scale. Values drawn from one Poisson distribution everywhere and added, with or without their mean taken off, are accepted where their skewness and strength are that distribution's; noise of another kind fails."


def check(case: Case) -> None:
    from runner.checks.pictures import edits, filters, images

    name = "99.png"
    source, actual = edits.original(case, "99.jpeg"), edits.read(case, name)
    edits.require_same_size(case, actual, source, name)
    found = filters.noise(actual, source)
    case.expect(
        "strength of the noise",
        1.5 <= found.deviation <= 90,
        expected="1.5 to 90 levels",
        actual=f"{found.deviation:.1f} levels",
        file=name,
    )
    is_added = is_added_poisson(actual, source)
    case.expect(
        "mean of the noise",
        abs(found.bias) <= 0.12 or is_added,
        expected="0 ± 12 % of the level",
        actual=f"{found.bias:.1%} of the level",
        file=name,
    )
    case.expect(
        "growth of the variance with the level",
        0.5 <= found.growth <= 1.5 or is_added,
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
    weakest = weakest_part(actual, source)
    case.expect(
        "noise everywhere",
        weakest >= 0.3,
        expected="in each part three tenths as strong as in others, or more",
        actual=f"{weakest:.0%} in the weakest",
        file=name,
        message=f"A part of {name} has no noise, or hardly any.",
    )
    under = brightened(source, actual) if is_added else source
    smooth = [images.smooth(p, 6) for p in (actual, under)]
    images.expect_alike(case, "the picture under the noise", *smooth, 15, name)


def brightened(source, actual):
    """The picture with the mean of what was added to its middle levels added to all of it."""
    import numpy as np

    middle = (source > 70) & (source < 150)
    mean = float((actual.astype(float) - source)[middle].mean())
    return np.clip(source + mean, 0, 255).round().astype(np.uint8)


def weakest_part(actual, source) -> float:
    """Strength of the noise in that part of 36 in which it is weakest, as a share of most parts'.

    It is measured by the root of the level, with which Poisson noise grows, and without; the part
    counts by whichever is more.
    """
    import numpy as np

    before = source.astype(np.float32)
    added = actual - before
    middling = (before >= 16) & (before < 224)
    found = []
    for rows in np.array_split(np.arange(len(before)), 6):
        for columns in np.array_split(np.arange(before.shape[1]), 6):
            part = np.ix_(rows, columns)
            here = middling[part]
            if here.sum() >= 200:
                noise, levels = added[part][here], before[part][here]
                found.append((float((noise / np.sqrt(levels)).std()), float(noise.std())))
    if not found:
        return 1.0
    shares = np.array(found) / np.maximum(np.percentile(found, 75, axis=0), 1e-6)
    return float(shares.max(axis=1).min())


def is_added_poisson(actual, source) -> bool:
    """Noise as strong everywhere whose skewness, and mean if any, are a Poisson distribution's."""
    import numpy as np

    before = source.astype(float)
    added = (actual - before)[(before > 70) & (before < 150)]
    if len(added) < 2000:
        return False
    mean, variance = float(added.mean()), float(added.var())
    if variance < 2:
        return False
    skewness = float(np.mean((added - mean) ** 3)) / variance**1.5
    is_skewed = abs(skewness * variance**0.5 - 1) < 0.35
    return is_skewed and min(abs(mean), abs(mean - variance)) <= 0.6 + 0.05 * variance


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
