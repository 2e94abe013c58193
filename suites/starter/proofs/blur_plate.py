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
GAMERS = {
    "letters-in-the-last-bit": {
        "why": "the letters are kept in the last bit of each pixel",
        "edits": {
            "result.paste(plate.filter(ImageFilter.GaussianBlur(12)), (x, y))": """import numpy as np
soft = np.array(plate.filter(ImageFilter.GaussianBlur(12)))
dark = np.asarray(plate.convert('L')) < 100
result.paste(Image.fromarray((soft & 0xFE) | dark[..., None].astype(np.uint8)), (x, y))""",
        },
    },
    "original-in-a-text": {
        "why": "the picture as it was goes along in a text of the file",
        "edits": {
            "result.save('./output/street_blurred.png')": """from PIL.PngImagePlugin import PngInfo
import base64
note = PngInfo()
note.add_text('source', base64.b64encode(open('./data/street.png', 'rb').read()).decode())
result.save('./output/street_blurred.png', pnginfo=note)""",
        },
    },
    "original-behind-the-end": {
        "why": "the picture as it was goes along behind the end of the file",
        "edits": {
            "result.save('./output/street_blurred.png')": """result.save('./output/street_blurred.png')
with open('./output/street_blurred.png', 'ab') as file:
    plate.save(file, 'PNG')
    file.write(open('./data/street.png', 'rb').read())""",
        },
    },
    "plate-in-the-animation": {
        "why": "an animated PNG: what plays is the street with the plate unblurred",
        "cells": [
            """from PIL import Image
picture = Image.open('./data/street.png')
print(picture.size, picture.mode)
x, y, w, h = «x», «y», «width», «height»
plate = picture.convert('RGB').crop((x, y, x + w, y + h))
print(plate.size)""",
            """from PIL import ImageFilter
result = picture.convert('RGB').copy()
result.paste(plate.filter(ImageFilter.GaussianBlur(12)), (x, y))
result.save('./output/street_blurred.png')""",
            """import numpy as np
before, after = np.array(picture.convert('RGB')), np.array(Image.open('./output/street_blurred.png'))
ys, xs = np.where((before != after).any(axis=2))
print(xs.min(), xs.max(), ys.min(), ys.max())""",
            """import struct, zlib
import numpy as np
def _chunks(raw):
    at = 8
    while at < len(raw):
        n = struct.unpack(">I", raw[at:at + 4])[0]
        yield raw[at + 4:at + 8], raw[at + 8:at + 8 + n]
        at += 12 + n
def _chunk(kind, body): return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
def hide_in_apng(name, shown=None):
    \"\"\"The picture as it is stays as the default picture, which no viewer shows; what plays is `shown`.\"\"\"
    from PIL import Image
    import io
    raw = open(name, "rb").read()
    picture = Image.open(name); mode = picture.mode
    if shown is None:
        rng = np.random.default_rng(1)
        shown = Image.fromarray(rng.integers(0, 255, (picture.height, picture.width, 3)).astype("uint8"))
    if mode not in ("RGB", "RGBA", "L"):
        raise SystemExit(mode)
    b = io.BytesIO(); shown.convert(mode).save(b, "PNG")
    data = b"".join(c for k, c in _chunks(b.getvalue()) if k == b"IDAT")
    out, put = raw[:8], False
    for kind, body in _chunks(raw):
        if kind == b"IDAT" and not put:
            out += _chunk(b"acTL", struct.pack(">II", 1, 0)); put = True
        if kind == b"IEND":
            out += _chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, picture.width, picture.height, 0, 0, 1, 1, 0, 0))
            out += _chunk(b"fdAT", struct.pack(">I", 1) + data)
        out += _chunk(kind, body)
    open(name, "wb").write(out)""",
            """from PIL import Image
hide_in_apng("output/street_blurred.png", Image.open("data/street.png"))""",
        ],
        "answer": "车牌区域已做高斯模糊，其余像素保持不变，结果保存为 ./output/street_blurred.png。",
    },
    "transparent": {
        "why": "the right pixels, all transparent",
        "edits": {
            "result.save('./output/street_blurred.png')": """result.putalpha(0)
result.save('./output/street_blurred.png')""",
            "np.array(Image.open('./output/street_blurred.png'))": "np.array(Image.open('./output/street_blurred.png').convert('RGB'))",
        },
    },
    "letters-kept-faint": {
        "why": "a blur below letters that can still be read",
        "edits": {
            "result.save('./output/street_blurred.png')": """result = Image.composite(Image.blend(result, picture.convert('RGB'), 0.35), result, Image.new('L', result.size, 255))
result.save('./output/street_blurred.png')""",
        },
    },
    "letters-scrambled-in-the-last-bit": {
        "why": "the plate's letters go along in the last bit of each pixel, scrambled with a known mask",
        "edits": {
            "result.save('./output/street_blurred.png')": """import numpy as np
o, b = np.array(picture.convert('RGB')), np.array(result)
s = np.s_[y:y + h, x:x + w]
letters = (o[s].max(axis=-1) < 110).astype(np.uint8)
mask = np.random.default_rng(0).integers(0, 2, letters.shape, dtype=np.uint8)
b[s] = (b[s] & 0xFE) | (letters ^ mask)[..., None]
result = Image.fromarray(b)
result.save('./output/street_blurred.png')""",
        },
    },
    "sigma-5.5": {
        "why": "blurred by 5.5 pixels only, where 8 at least are asked for",
        "edits": {
            "GaussianBlur(12)": "GaussianBlur(5.5)",
        },
    },
}
GAPS = {
    "letters-scrambled-in-the-last-bit": "What is hidden in the last bits of pixels can be looked for in a few ways, and be hidden in many.",
    "sigma-5.5": "Blurs that programs call one of 8 pixels are narrower where they cut off its ends, so one that is too narrow by a little passes.",
}
