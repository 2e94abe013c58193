# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "two-lines-serif": {
        "why": "two lines, serif bold, white outline, on picture",
        "cells": [
            """from PIL import Image,ImageDraw,ImageFont
im=Image.open('data/110.jpeg');ImageDraw.Draw(im).multiline_text((im.width/2,8),'Map of the Middle\\nEast Situation',fill=(230,0,0),font=ImageFont.truetype('DejaVuSerif-Bold.ttf',36),anchor='ma',align='center',stroke_width=2,stroke_fill='white');im.save('output/110.png')""",
        ],
        "answer": "Done.",
    },
    "over-the-map": {
        "why": "Pillow, over the top of the map",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
image = Image.open('data/110.jpeg').convert('RGB')
font = ImageFont.truetype('DejaVuSans-Bold.ttf', 24)
pen = ImageDraw.Draw(image)
text = 'Map of the Middle East Situation'
pen.text(((image.width - pen.textlength(text, font)) / 2, 8), text, fill='red', font=font)
image.save('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
    "band-above": {
        "why": "on a white band above the map",
        "cells": [
            """from PIL import Image, ImageDraw, ImageFont
image = Image.open('data/110.jpeg').convert('RGB')
page = Image.new('RGB', (image.width, image.height + 50), 'white')
page.paste(image, (0, 50))
ImageDraw.Draw(page).text((page.width / 2, 25), 'Map of the Middle East Situation', anchor='mm', fill=(220, 20, 20), font=ImageFont.truetype('DejaVuSerif.ttf', 26))
page.save('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
    "matplotlib": {
        "why": "matplotlib's title",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Map of the Middle East Situation', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "The title was added in red.",
    },
    "opencv": {
        "why": "OpenCV's own letters",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (0, 0, 255), 2, cv2.LINE_AA)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
}
NEAR_MISSES = {
    "blue": {
        "why": "red and blue exchanged: blue letters",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.85, (255, 0, 0), 2)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
    "word-lost": {
        "why": "the last word is cut off at the edge",
        "cells": [
            """import cv2
image = cv2.imread('data/110.jpeg')
cv2.putText(image, 'Map of the Middle East Situation', (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 255), 2)
cv2.imwrite('output/110.png', image)"""
        ],
        "answer": "./output/110.png",
    },
    "far-east": {
        "why": "another title",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Map of the Far East Situation', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "./output/110.png",
    },
    "words-turned": {
        "why": "the words in another order",
        "cells": [
            """import matplotlib.pyplot as plt
plt.imshow(plt.imread('data/110.jpeg'))
plt.axis('off')
plt.title('Situation Map of the Middle East', color='red')
plt.savefig('output/110.png', bbox_inches='tight')"""
        ],
        "answer": "./output/110.png",
    },
    "without-map": {
        "why": "the title without the map",
        "cells": [
            """import matplotlib.pyplot as plt
plt.figure(figsize=(6, 4))
plt.axis('off')
plt.title('Map of the Middle East Situation', color='red')
plt.savefig('output/110.png')"""
        ],
        "answer": "./output/110.png",
    },
}
