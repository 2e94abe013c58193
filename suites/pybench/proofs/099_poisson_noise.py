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
