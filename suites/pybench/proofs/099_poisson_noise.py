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
    "letters-for-noise": {
        "why": "dense black and white letters in place of noise, by which nothing can be made out",
        "cells": [
            """import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
picture = np.asarray(Image.open("data/99.jpeg").convert("RGB")).astype(float)
words = letters(picture.shape[1], picture.shape[0], "NOISE NOISE NOISE NOISE NOISE NOISE", 20, 0.95, bold=1)
share = words.mean()
signs = np.where(words, np.sqrt((1 - share) / share), -np.sqrt(share / (1 - share)))[..., None]
noisy = picture + signs * np.sqrt(30 * picture)
Image.fromarray(noisy.clip(0, 255).round().astype(np.uint8)).save("output/99.png")""",
        ],
        "answer": "I added Poisson noise (the variance of each pixel is its level) and saved ./output/99.png.",
    },
}
GAPS = {
    "letters-for-noise": "The check measures how strong the noise is at each level, not whether neighbouring pixels differ at random, so it cannot tell letters of that strength from noise.",
}
