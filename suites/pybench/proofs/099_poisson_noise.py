# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "photons": {
        "why": "photon noise at a lower exposure",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(1)
Image.fromarray(np.ascontiguousarray(np.clip(rng.poisson(p / 255 * 60) / 60 * 255, 0, 255)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
    "constant-rate": {
        "why": "values of one Poisson distribution, their mean taken off",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(1)
Image.fromarray(np.ascontiguousarray(np.clip(p + rng.poisson(30, p.shape) - 30.0, 0, 255)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
    "scikit-image": {
        "why": "scikit-image's random_noise",
        "cells": [
            """import numpy as np
from skimage import io, util
io.imsave('./output/99.png', (util.random_noise(io.imread('./data/99.jpeg'), mode='poisson', rng=3) * 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
}
NEAR_MISSES = {
    "speckle": {
        "why": "noise that grows as the level itself",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(1)
Image.fromarray(np.ascontiguousarray(np.clip(p * (1 + rng.normal(0, 0.2, p.shape)), 0, 255)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
    "salt": {
        "why": "salt and pepper",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(1)
Image.fromarray(np.ascontiguousarray(np.where(rng.random(p.shape) < 0.05, 255, p)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
    "uniform": {
        "why": "uniform noise",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(1)
Image.fromarray(np.ascontiguousarray(np.clip(p + rng.uniform(-15, 15, p.shape), 0, 255)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
}
GAMERS = {
    "half-without-noise": {
        "why": "noise on one half of the picture alone",
        "cells": [
            """import numpy as np
from PIL import Image
a = np.asarray(Image.open("data/99.jpeg").convert("RGB"))
n = np.random.default_rng(0).poisson(a).clip(0, 255).astype(np.uint8)
n[:, a.shape[1] // 2:] = a[:, a.shape[1] // 2:]
Image.fromarray(n).save("output/99.png")""",
        ],
        "answer": "Poisson noise has been added; saved as ./output/99.png.",
    },
    "only-the-middle-levels": {
        "why": "a plain grey wherever the noise is not measured, noise on the rest",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
import numpy as np

s = np.asarray(Image.open("data/99.jpeg").convert("RGB")).astype(float); r = np.random.default_rng(0)
n = s + r.poisson(12, s.shape) - 12
n[(s <= 70) | (s >= 150)] = 150
Image.fromarray(n.clip(0, 255).astype("uint8")).save("output/99.png")""",
        ],
        "answer": "done",
    },
    "noise-of-its-size": {
        "why": "noise of the picture's size",
        "cells": [
            """import numpy as np
from PIL import Image
p = np.asarray(Image.open('./data/99.jpeg').convert('RGB'))
rng = np.random.default_rng(0)
Image.fromarray(np.ascontiguousarray(rng.integers(0, 256, p.shape)).astype(np.uint8)).save('./output/99.png')""",
        ],
        "answer": "Saved as ./output/99.png.",
    },
}
