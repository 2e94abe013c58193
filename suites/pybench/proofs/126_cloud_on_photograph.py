# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "words-in-the-animal-on-its-photograph": {
        "why": "words fill the animal, and the photograph stays around it",
        "cells": [
            """
import re, numpy as np, pandas as pd, matplotlib.pyplot as plt
from collections import Counter
from wordcloud import WordCloud, STOPWORDS, ImageColorGenerator
from PIL import Image, ImageDraw
FP='/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'
import cv2,pymupdf
t=''.join(p.get_text() for p in pymupdf.open('./data/llama2.pdf'))
stop=STOPWORDS|{'et','al','figure','table','will','may','also','b','e','g'}
c=Counter(w for w in re.findall('[a-z]{3,}',t.lower()) if w not in stop)
img=cv2.imread('./data/126.jpeg');h,w=img.shape[:2];sm=cv2.resize(img,(w//3,h//3))
m=np.zeros(sm.shape[:2],np.uint8);cv2.grabCut(sm,m,(int(w*.15)//3,int(h*.15)//3,int(w*.7)//3,int(h*.85)//3),np.zeros((1,65)),np.zeros((1,65)),4,cv2.GC_INIT_WITH_RECT)
fg=cv2.resize(((m==1)|(m==3)).astype(np.uint8),(w,h),interpolation=cv2.INTER_NEAREST)
rgb=cv2.cvtColor(img,cv2.COLOR_BGR2RGB);print(fg.mean())
wc=WordCloud(mask=np.where(fg>0,0,255).astype(np.uint8),background_color='white',max_words=500,colormap='inferno',contour_width=2,contour_color='black',random_state=9).generate_from_frequencies(c).to_array()
o=np.where(fg[...,None]>0,wc,rgb);Image.fromarray(o.astype(np.uint8)).save('./output/126.png')
"""
        ],
        "answer": "已提取前景（羊驼）和背景，前景区域内绘制词云，词越大表示出现次数越多；背景保留原图。文件：./output/126.png",
    },
    "around-the-animal": {
        "why": "GrabCut; the words around the animal, on the photograph",
        "cells": [
            """import cv2
import fitz
import numpy as np
from PIL import Image
from wordcloud import WordCloud, STOPWORDS
image = cv2.imread('data/126.jpeg')
h, w = image.shape[:2]
mask = np.zeros((h, w), np.uint8)
cv2.grabCut(image, mask, (int(w * .15), int(h * .12), int(w * .7), int(h * .87)), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_RECT)
front = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD))
cv2.imwrite('output/126_foreground.png', np.dstack([image, front.astype(np.uint8) * 255]))
text = ' '.join(page.get_text() for page in fitz.open('data/llama2.pdf'))
cloud = WordCloud(random_state=1, mode='RGBA', background_color=None, mask=np.where(front, 255, 0).astype(np.uint8), stopwords=STOPWORDS | {'et', 'al'}, colormap='Dark2').generate(text)
photo = Image.open('data/126.jpeg').convert('RGBA')
photo.alpha_composite(cloud.to_image())
photo.convert('RGB').save('output/126.png')"""
        ],
        "answer": "已提取前景与背景并在背景上绘制词云：./output/126.png",
    },
    "over-the-animal": {
        "why": "the words in the animal's shape, over the photograph, at half size",
        "cells": [
            """import re
from collections import Counter
import cv2
import numpy as np
import pdfplumber
from PIL import Image
from wordcloud import WordCloud, STOPWORDS
photo = Image.open('data/126.jpeg').convert('RGB').resize((488, 650))
bgr = cv2.cvtColor(np.array(photo), cv2.COLOR_RGB2BGR)
mask = np.zeros(bgr.shape[:2], np.uint8)
cv2.grabCut(bgr, mask, (70, 75, 350, 570), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_RECT)
front = (mask == 1) | (mask == 3)
with pdfplumber.open('data/llama2.pdf') as pdf:
    text = ' '.join((p.extract_text() or '') for p in pdf.pages[:40])
counts = Counter(w for w in re.findall('[a-z]{3,}', text.lower()) if w not in STOPWORDS)
wc = WordCloud(random_state=1, mask=np.where(front, 0, 255).astype(np.uint8), background_color=None, mode='RGBA', colormap='cool').generate_from_frequencies(counts)
photo = photo.convert('RGBA')
photo.paste(wc.to_image(), (0, 0), wc.to_image())
photo.convert('RGB').save('output/126.png')"""
        ],
        "answer": "./output/126.png",
    },
    "by-matplotlib": {
        "why": "words behind the animal by matplotlib, which lies over them",
        "cells": [
            """import cv2
import matplotlib.pyplot as plt
import numpy as np
from pypdf import PdfReader
from wordcloud import WordCloud
image = cv2.cvtColor(cv2.imread('data/126.jpeg'), cv2.COLOR_BGR2RGB)
h, w = image.shape[:2]
mask = np.zeros((h, w), np.uint8)
cv2.grabCut(image, mask, (150, 150, 675, 1140), np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_RECT)
front = (mask % 2 == 1)
text = ' '.join(p.extract_text() for p in PdfReader('data/llama2.pdf').pages[:30])
cloud = WordCloud(random_state=1, width=w, height=h, background_color=None, mode='RGBA', colormap='tab10', mask=(front * 255).astype(np.uint8)).generate(text).to_array()
plt.figure(figsize=(7.5, 10))
plt.imshow(image)
plt.imshow(cloud)
plt.axis('off')
plt.savefig('output/126.png', bbox_inches='tight', pad_inches=0)"""
        ],
        "answer": "词云已保存。",
    },
}
NEAR_MISSES = {
    "on-white": {
        "why": "the cloud on white, without the photograph",
        "cells": [
            """import fitz
from wordcloud import WordCloud
text = ' '.join(page.get_text() for page in fitz.open('data/llama2.pdf'))
WordCloud(random_state=1, width=975, height=1300, background_color='white').generate(text).to_file('output/126.png')"""
        ],
        "answer": "./output/126.png",
    },
    "one-size": {
        "why": "every word has one size",
        "cells": [
            """import fitz
import numpy as np
from PIL import Image
from wordcloud import WordCloud
text = ' '.join(page.get_text() for page in fitz.open('data/llama2.pdf'))
counts = WordCloud().process_text(text)
best = sorted(counts, key=counts.get)[::-1][:100]
cloud = WordCloud(random_state=1, width=975, height=1300, mode='RGBA', background_color=None, max_font_size=40, colormap='Dark2').generate_from_frequencies({w: 1 for w in best})
import matplotlib.pyplot as plt
plt.figure(figsize=(7.5, 10))
plt.imshow(Image.open('data/126.jpeg'))
plt.imshow(cloud.to_array())
plt.axis('off')
plt.savefig('output/126.png', bbox_inches='tight', pad_inches=0)"""
        ],
        "answer": "./output/126.png",
    },
    "sizes-reversed": {
        "why": "the rarest of a hundred words largest",
        "cells": [
            """import fitz
from PIL import Image
from wordcloud import WordCloud
text = ' '.join(page.get_text() for page in fitz.open('data/llama2.pdf'))
counts = sorted(WordCloud().process_text(text).items(), key=lambda i: -i[1])[:100]
turned = {w: c for (w, _), (_, c) in zip(counts, counts[::-1])}
cloud = WordCloud(random_state=1, width=975, height=1300, mode='RGBA', background_color=None, colormap='Dark2').generate_from_frequencies(turned)
import matplotlib.pyplot as plt
plt.figure(figsize=(7.5, 10))
plt.imshow(Image.open('data/126.jpeg'))
plt.imshow(cloud.to_array())
plt.axis('off')
plt.savefig('output/126.png', bbox_inches='tight', pad_inches=0)"""
        ],
        "answer": "./output/126.png",
    },
    "photograph-alone": {
        "why": "the photograph without a word",
        "cells": [
            """from PIL import Image
Image.open('data/126.jpeg').save('output/126.png')"""
        ],
        "answer": "./output/126.png",
    },
}
