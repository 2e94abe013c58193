# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "with-profile": {
        "why": "saved with a profile of colours, a resolution and a few words",
        "edits": {
            "result.save('./output/street_blurred.png')": """from PIL import ImageCms
from PIL.PngImagePlugin import PngInfo
note = PngInfo()
note.add_text('Software', 'Pillow')
note.add_itxt('Description', '车牌已模糊')
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
result.save('./output/street_blurred.png', pnginfo=note, icc_profile=profile, dpi=(144, 144))""",
        },
    },
    "opencv": {
        "why": "blurs the whole picture with OpenCV and takes the rectangle from it",
        "cells": [
            """
import cv2
picture = cv2.imread('./data/street.png')
blurred = cv2.GaussianBlur(picture, (0, 0), 10)
x, y, w, h = «x», «y», «width», «height»
picture[y:y+h, x:x+w] = blurred[y:y+h, x:x+w]
cv2.imwrite('./output/street_blurred.png', picture)
"""
        ],
    },
    "scipy": {
        "why": "with scipy, the widest blur allowed, mirrored at the edges",
        "cells": [
            """
import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter
a = np.array(Image.open('./data/street.png').convert('RGB'))
box = np.s_[«y»:«y»+«height», «x»:«x»+«width»]
a[box] = np.round(gaussian_filter(a[box].astype(float), (16, 16, 0), mode='mirror')).astype('uint8')
Image.fromarray(a).save('./output/street_blurred.png')
"""
        ],
    },
    "least-blur": {
        "why": "the least blur allowed, from the whole picture",
        "edits": {
            "result.paste(plate.filter(ImageFilter.GaussianBlur(12)), (x, y))": "result.paste(picture.convert('RGB').filter(ImageFilter.GaussianBlur(8)).crop((x, y, x + w, y + h)), (x, y))"
        },
        "answer": "Done: only the plate's rectangle was blurred.",
    },
    "padded": {
        "why": "with the surroundings as a margin of three deviations",
        "edits": {
            "plate = picture.convert('RGB').crop((x, y, x + w, y + h))": "m = 40\nwide = picture.convert('RGB').crop((max(0, x - m), max(0, y - m), x + w + m, y + h + m))\nplate = picture.convert('RGB').crop((x, y, x + w, y + h))",
            "plate.filter(ImageFilter.GaussianBlur(12))": "wide.filter(ImageFilter.GaussianBlur(9)).crop((min(m, x), min(m, y), min(m, x) + w, min(m, y) + h))",
        },
    },
    "skimage": {
        "why": "with scikit-image, edges continued",
        "cells": [
            """
import numpy as np
from skimage import filters, io, util
a = io.imread('data/street.png')[..., :3].copy()
box = (slice(«y», «y» + «height»), slice(«x», «x» + «width»))
a[box] = util.img_as_ubyte(filters.gaussian(a[box], sigma=14, mode='nearest', channel_axis=-1))
io.imsave('output/street_blurred.png', a, check_contrast=False)
"""
        ],
        "answer": "已完成模糊处理。",
    },
}
NEAR_MISSES = {
    "mosaic": {
        "why": "a mosaic instead of a blur",
        "edits": {
            "plate.filter(ImageFilter.GaussianBlur(12))": "plate.resize((w // 16, h // 16), Image.BOX).resize((w, h), Image.NEAREST)"
        },
    },
    "off-by-ten": {
        "why": "the rectangle ten pixels too far to the right",
        "edits": {
            "plate = picture.convert('RGB').crop((x, y, x + w, y + h))": "x += 10\nplate = picture.convert('RGB').crop((x, y, x + w, y + h))"
        },
    },
    "sides-exchanged": {
        "why": "takes the width for the height",
        "edits": {
            "x, y, w, h = «x», «y», «width», «height»": "x, y, w, h = «x», «y», «height», «width»"
        },
    },
    "channels-exchanged": {
        "why": "red and blue exchanged within the rectangle",
        "edits": {
            "plate.filter(ImageFilter.GaussianBlur(12))": "Image.merge('RGB', plate.filter(ImageFilter.GaussianBlur(12)).split()[::-1])"
        },
    },
    "half-the-plate": {
        "why": "blurs the left half alone",
        "edits": {
            "plate = picture.convert('RGB').crop": "w //= 2\nplate = picture.convert('RGB').crop"
        },
    },
    "saved-as-jpeg": {
        "why": "a JPEG under the name of a PNG",
        "edits": {
            "result.save('./output/street_blurred.png')": "result.save('./output/street_blurred.png', format='JPEG')"
        },
    },
    "one-column-wide": {
        "why": "a rectangle one pixel too wide and high",
        "edits": {
            "x, y, w, h = «x», «y», «width», «height»": "x, y, w, h = «x», «y», «width» + 1, «height» + 1"
        },
    },
    "grey": {
        "why": "the plate in grey",
        "edits": {
            "plate.filter(ImageFilter.GaussianBlur(12))": "plate.filter(ImageFilter.GaussianBlur(12)).convert('L').convert('RGB')"
        },
    },
    "only-across": {
        "why": "blurred from side to side by two pixels alone",
        "edits": {
            "plate.filter(ImageFilter.GaussianBlur(12))": "plate.filter(ImageFilter.BoxBlur((2, 0)))"
        },
    },
}
