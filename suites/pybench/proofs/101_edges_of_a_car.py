# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "canny-on-the-photograph": {
        "why": "Canny's edges in red over the photograph",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/101.jpeg')
e = cv2.Canny(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), 80, 180)
p[cv2.dilate(e, np.ones((2, 2))) > 0] = (0, 0, 255)
cv2.imwrite('./output/101.png', p)""",
        ],
        "answer": "Saved as ./output/101.png.",
    },
    "sobel": {
        "why": "Sobel's gradient, inverted",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/101.jpeg')
g = cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (3, 3), 0)
cv2.imwrite('./output/101.png', 255 - np.clip(np.hypot(cv2.Sobel(g, 5, 1, 0), cv2.Sobel(g, 5, 0, 1)), 0, 255).astype(np.uint8))""",
        ],
        "answer": "Saved as ./output/101.png.",
    },
}
NEAR_MISSES = {
    "box-on-car": {
        "why": "rectangle round the truck only",
        "cells": [
            """import cv2
im=cv2.imread('data/101.jpeg');cv2.rectangle(im,(175,110),(325,205),(0,255,0),2);cv2.imwrite('output/101.png',im)""",
        ],
        "answer": "Done.",
    },
    "mirrored": {
        "why": "the edges mirrored",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/101.jpeg')
cv2.imwrite('./output/101.png', cv2.flip(cv2.Canny(p, 80, 180), 1))""",
        ],
        "answer": "Saved as ./output/101.png.",
    },
    "upside-down": {
        "why": "the edges upside down",
        "cells": [
            """import cv2
import numpy as np
p = cv2.imread('./data/101.jpeg')
cv2.imwrite('./output/101.png', cv2.flip(cv2.Canny(p, 80, 180), 0))""",
        ],
        "answer": "Saved as ./output/101.png.",
    },
}
