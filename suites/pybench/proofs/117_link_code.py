# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "small-modules": {
        "why": "another size and correction",
        "cells": [
            """import qrcode
code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_H, box_size=5, border=5)
code.add_data('https://www.modelbest.cn/')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
    "opencv": {
        "why": "OpenCV's encoder",
        "cells": [
            """import cv2
p = cv2.QRCodeEncoder.create().encode('https://www.modelbest.cn')
p = cv2.copyMakeBorder(cv2.resize(p, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
cv2.imwrite('output/117.png', p)""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
}
NEAR_MISSES = {
    "other-site": {
        "why": "another site's name",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=8, border=4)
code.add_data('https://www.modelbest.com')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
    "words": {
        "why": "words instead of a link",
        "cells": [
            """import qrcode
code = qrcode.QRCode(box_size=8, border=4)
code.add_data('ModelBest home page')
code.make(fit=True)
code.make_image().save('output/117.png')""",
        ],
        "answer": "Saved as ./output/117.png.",
    },
}
LEFT_OUT = {
    "reverse-order": "a code in a mirror is read as the same",
}
