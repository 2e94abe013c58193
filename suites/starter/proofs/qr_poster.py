# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "opencv": {
        "why": "encoded by OpenCV, with a wider quiet zone",
        "cells": [
            """
import cv2, numpy as np
poster = cv2.imread('data/poster.png')
code = cv2.QRCodeEncoder.create().encode('«link»')
code = (code > 127).astype(np.uint8) * 255
ys, xs = np.where(code == 0)
code = code[ys.min():ys.max()+1, xs.min():xs.max()+1]
n = code.shape[0]
k = «side» // (n + 10)
square = np.full((«side», «side»), 255, np.uint8)
at = («side» - n * k) // 2
square[at:at+n*k, at:at+n*k] = np.kron(code, np.ones((k, k), np.uint8))
h, w = poster.shape[:2]
y, x = h - «margin» - «side», w - «margin» - «side»
poster[y:y+«side», x:x+«side»] = square[..., None]
cv2.imwrite('output/poster_qr.png', poster)
"""
        ],
        "answer": "QR code added.",
    },
    "whole-modules": {
        "why": "another correction level, modules of whole pixels centred in the square",
        "edits": {
            "error_correction=qrcode.constants.ERROR_CORRECT_M": "error_correction=qrcode.constants.ERROR_CORRECT_L",
            "square = square.resize((«side», «side»), Image.NEAREST)": """k = «side» // (code.modules_count + 8)
code.box_size, code.border = k, 0
inner = code.make_image().convert('RGB')
square = Image.new('RGB', («side», «side»), 'white')
square.paste(inner, ((«side» - inner.width) // 2, («side» - inner.height) // 2))""",
        },
    },
    "smooth": {"why": "resized smoothly", "edits": {"Image.NEAREST": "Image.LANCZOS"}},
    "high-correction": {
        "why": "the highest correction",
        "edits": {"ERROR_CORRECT_M": "ERROR_CORRECT_Q", "box_size=10": "box_size=4"},
        "answer": "Finished; the code scans well.",
    },
}
NEAR_MISSES = {
    "double-margin": {
        "why": "twice the margin",
        "edits": {"poster.width - «margin»": "poster.width - 2 * «margin»"},
    },
    "smaller": {
        "why": "a square of ten pixels less",
        "edits": {
            "square.resize((«side», «side»), Image.NEAREST)": "square.resize((«side» - 10, «side» - 10), Image.NEAREST)",
            "poster.paste(square, (x, y))": "poster.paste(square, (x + 10, y + 10))",
        },
    },
    "inverted": {
        "why": "white on black",
        "edits": {
            "fill_color='black', back_color='white'": "fill_color='white', back_color='black'"
        },
    },
    "a-blank-less": {
        "why": "a text with a slash more",
        "edits": {"link = '«link»'": "link = '«link»' + '/'"},
    },
    "without-scheme": {
        "why": "the address without https",
        "edits": {"link = '«link»'": "link = '«link»'.split('://')[-1]"},
    },
    "poster-repainted": {
        "why": "the poster a little brighter",
        "edits": {
            "convert('RGB')\nprint(poster.size)": "convert('RGB').point(lambda v: min(255, v + 2))\nprint(poster.size)"
        },
    },
    "coloured": {"why": "a blue code", "edits": {"fill_color='black'": "fill_color='#3355ff'"}},
    "one-off": {
        "why": "one pixel too far left",
        "edits": {
            "x = poster.width - «margin» - «side»": "x = poster.width - «margin» - «side» - 1"
        },
    },
    "trailing-blank": {
        "why": "a blank after the text",
        "edits": {"link = '«link»'": "link = '«link»' + ' '"},
    },
    "narrow-zone": {"why": "a quiet zone of one module", "edits": {"border=4": "border=1"}},
    "grey-poster": {
        "why": "the poster in grey",
        "edits": {
            "convert('RGB')\nprint(poster.size)": "convert('L').convert('RGB')\nprint(poster.size)"
        },
    },
}
