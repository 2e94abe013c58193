# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "few-rules": {
        "why": "a style sheet of two rules",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; max-width: 50em; margin: 0 auto } h2 { color: #335 }'\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Geoffrey Hinton</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Geoffrey Hinton</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')"
        ],
        "answer": "The site is ./output/142/index.html.",
    },
    "two-pages": {
        "why": "most of the text on a second page",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nfirst, *rest = [f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3)]\nparts = first + '<a href=\"more.html\">More</a>'\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } body { background: #10141c; color: #e8ecf3 }'\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Geoffrey Hinton</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Geoffrey Hinton</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')\nPath('output/142/more.html').write_text('<!doctype html><html><head><meta charset=\"utf-8\"><title>More</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><main>' + ''.join(rest) + '</main></body></html>')"
        ],
        "answer": "The site is ./output/142/index.html.",
    },
    "dark-sheet": {
        "why": "a dark page with a style sheet of its own",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } body { background: #10141c; color: #e8ecf3 }'\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Geoffrey Hinton</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Geoffrey Hinton</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/142/index.html.",
    },
    "white-on-gradient": {
        "why": "white headings on a gradient, text in cards",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } header { background: linear-gradient(90deg, #234, #68a); color: #fff } section { background: #f4f6fa; border-radius: 8px }'\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Geoffrey Hinton</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Geoffrey Hinton</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/142/index.html.",
    },
}
NEAR_MISSES = {
    "another-name": {
        "why": "titled and headed by another name",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nthird = len(lines) // 3 + 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in [] * k or lines[:0][k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } '\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Ada Lovelace</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Ada Lovelace</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/142/index.html.",
    },
    "first-lines-only": {
        "why": "the first lines alone",
        "cells": [
            "import pymupdf\nfrom html import escape\nfrom pathlib import Path\nPath('output/142').mkdir(parents=True, exist_ok=True)\nlines = [l.strip() for p in pymupdf.open('data/Geoffrey Hinton.pdf') for l in p.get_text().splitlines() if l.strip()]\nlines = lines[:2]\nthird = 1\nparts = ''.join(f'<section><h2>Part {k + 1}</h2>' + ''.join(f'<p>{escape(l)}</p>' for l in lines[k * third : (k + 1) * third]) + '</section>' for k in range(3))\ncss = 'body { font-family: sans-serif; margin: 0 } header { padding: 2rem } h1 { margin: 0 } h2 { margin: 1rem } section { padding: 1rem } p { margin: .2rem } footer { padding: 1rem } h3 { margin: 0 } '\nPath('output/142/style.css').write_text(css)\nPath('output/142/index.html').write_text(f'''<!doctype html><html><head><meta charset=\"utf-8\"><title>Geoffrey Hinton</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><header><h1>Geoffrey Hinton</h1></header>{parts}<footer><h3>Contact and sources</h3></footer></body></html>''')",
        ],
        "answer": "The site is ./output/142/index.html.",
    },
}
