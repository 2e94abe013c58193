# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "cards": {
        "why": "sections as cards in a grid, a mark behind vegetarian dishes, colours under the pointer",
        "edits": {
            "tr.veg {{ color": "body {{ max-width: none }} body > section {{ display: inline-block; vertical-align: top; width: 45% }} nav {{ position: sticky; top: 0; background: #fff; display: flex; gap: 1em }} tr.veg td:first-child::after {{ content: ' (V)' }} td:first-child::before {{ content: '• ' }} tr:hover td {{ background: #ffd; padding-left: 6px }}\ntr.veg {{ color"
        },
    },
    "dressed": {
        "why": "head and body of tables, links in a list, a header and a footer, single quotes",
        "edits": {
            "f'<tr><th>Dish</th><th>Price</th></tr>\\n{rows}\\n</table>": 'f\'<thead><tr><th scope="col">Dish</th><th scope="col">Price</th></tr></thead>\\n<tbody>\\n{rows}\\n</tbody></table>',
            "<nav>\n{links}\n</nav>\n{sections}\n</body>": "<nav aria-label='Menu'><ul>\n{links}\n</ul></nav>\n<main>\n{sections}\n</main>\n<footer>Bon appétit!</footer>\n</body>",
            """f'<a href="#{escape(c["slug"])}">{escape(c["name"])}</a>'""": """f'<li><a href="#{escape(c["slug"])}">{escape(c["name"])}</a></li>'""",
            "tr.veg {{ color: #2e7d32; }}": ":root {{ --green: #e8f5e9; }}\n.veg {{ background-color: var(--green); }}\nnav ul {{ list-style: none; display: flex; gap: 1rem; }}",
        },
    },
    "beautiful-soup": {
        "why": "built as a tree by Beautiful Soup",
        "cells": [
            """
import json
from bs4 import BeautifulSoup
menu = json.load(open('data/menu.json', encoding='utf-8'))
soup = BeautifulSoup('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title></title><style></style></head><body><h1></h1><nav></nav></body></html>', 'html.parser')
soup.title.string = soup.h1.string = menu['restaurant']
soup.style.string = 'body{font-family:sans-serif} th,td{padding:4px 12px;text-align:left} tr.veg td{background:#dff0d8}'
def tag(name, text=None, **attrs):
    t = soup.new_tag(name, attrs=attrs)
    if text is not None:
        t.string = text
    return t
for c in menu['categories']:
    soup.nav.append(tag('a', c['name'], href='#' + c['slug']))
    soup.nav.append(' ')
    s = tag('section', id=c['slug'])
    s.append(tag('h2', c['name']))
    t = tag('table')
    head = tag('tr')
    head.extend([tag('th', 'Dish'), tag('th', 'Price')])
    t.append(head)
    for d in sorted(filter(lambda d: d['available'], c['dishes']), key=lambda d: d['price_cents']):
        r = tag('tr', **({'class': 'veg'} if d['vegetarian'] else {}))
        e, z = divmod(d['price_cents'], 100)
        r.extend([tag('td', d['name']), tag('td', f'€{e}.{z:02d}')])
        t.append(r)
    s.append(t)
    soup.body.append(s)
open('output/menu.html', 'w', encoding='utf-8').write(str(soup))
"""
        ],
        "answer": "Your menu page is ready: `output/menu.html`.",
    },
    "price-entity": {
        "why": "writes the euro sign as an entity",
        "edits": {"<td>€{": "<td>&euro;{"},
    },
    "two-classes": {
        "why": "a second class on each row, links divided by strokes",
        "edits": {
            """' class="veg"' if dish['vegetarian'] else ''""": """' class="dish veg"' if dish['vegetarian'] else ' class="dish"'""",
            "links = '\\n'.join(": "links = ' | '.join(",
        },
    },
    "caption": {
        "why": "the dishes' names in table heads of rows",
        "edits": {'<td>{escape(dish["name"])}</td>': '<th scope="row">{escape(dish["name"])}</th>'},
    },
    "attribute-selector": {
        "why": "a selector by attribute, a colour by its name",
        "edits": {
            "tr.veg {{ color: #2e7d32; }}": 'tr[class~="veg"] td {{ background-color: honeydew; }}'
        },
    },
    "upper-case-sheet": {
        "why": "style in capitals, prices in a span",
        "edits": {
            "tr.veg {{ color: #2e7d32; }}": "TR.veg TD {{ COLOR: DarkGreen }}",
            '<td>€{dish["price_cents"] / 100:.2f}</td>': '<td><span>€{dish["price_cents"] / 100:.2f}</span></td>',
        },
    },
    "end-tags-left-out": {
        "why": "rows without optional end tags",
        "edits": {
            '<tr{mark}><td>{escape(dish["name"])}</td><td>€{dish["price_cents"] / 100:.2f}</td></tr>': '<tr{mark}><td>{escape(dish["name"])}<td>€{dish["price_cents"] / 100:.2f}'
        },
    },
    "background-of-cells": {
        "why": "the class within :is()",
        "edits": {"tr.veg {{ color: #2e7d32; }}": ":is(.veg) > td {{ background: #e8f5e9; }}"},
    },
}
NEAR_MISSES = {
    "wide-letters": {
        "why": "names in full-width letters",
        "edits": {
            'escape(dish["name"])': 'escape(dish["name"]).translate({101: 0xFF45, 111: 0xFF4F})'
        },
    },
    "highest-price-first": {
        "why": "highest price first",
        "edits": {"key=lambda d: d['price_cents'])": "key=lambda d: -d['price_cents'])"},
    },
    "sign-behind": {
        "why": "the euro sign behind the price",
        "edits": {'€{dish["price_cents"] / 100:.2f}': '{dish["price_cents"] / 100:.2f} €'},
    },
    "vegetarians-exchanged": {
        "why": "marks the other dishes",
        "edits": {"if dish['vegetarian'] else": "if not dish['vegetarian'] else"},
    },
    "links-in-other-order": {
        "why": "the links in reverse order",
        "edits": {
            "for c in menu['categories'])\nsections": "for c in menu['categories'][::-1])\nsections"
        },
    },
    "font-from-elsewhere": {
        "why": "loads a font from elsewhere",
        "edits": {
            "<style>\n": '<link rel="stylesheet" href="https://fonts.example.com/css?family=Lora">\n<style>\n'
        },
    },
    "headings-exchanged": {
        "why": "column heads exchanged",
        "edits": {"<th>Dish</th><th>Price</th>": "<th>Price</th><th>Dish</th>"},
    },
    "links-to-next": {
        "why": "each link leads to another section",
        "edits": {'href="#{escape(c["slug"])}"': 'href="#{escape(menu["categories"][0]["slug"])}"'},
    },
    "veg-without-style": {
        "why": "no style for veg",
        "edits": {"tr.veg {{ color: #2e7d32; }}\n": ""},
    },
    "other-class": {
        "why": "another class",
        "edits": {'class="veg"': 'class="vegetarian"', "tr.veg": "tr.vegetarian"},
    },
    "comma": {
        "why": "a decimal comma",
        "edits": {
            '€{dish["price_cents"] / 100:.2f}': '€{dish["price_cents"] // 100},{dish["price_cents"] % 100:02d}'
        },
    },
    "two-headings": {
        "why": "two headings of the first order",
        "edits": {"<nav>": "<h1>Menu</h1>\n<nav>"},
    },
    "nav-below": {
        "why": "the links below the sections",
        "edits": {"<nav>\n{links}\n</nav>\n{sections}": "{sections}\n<nav>\n{links}\n</nav>"},
    },
    "no-language": {"why": "no language", "edits": {'<html lang="en">': "<html>"}},
    "border-alone": {
        "why": "a border's colour alone",
        "edits": {
            "tr.veg {{ color: #2e7d32; }}": "tr.veg {{ border-left: 4px solid; border-color: #2e7d32; }}"
        },
    },
    "hover-alone": {
        "why": "a colour under the pointer alone",
        "edits": {"tr.veg {{ color: #2e7d32; }}": "tr.veg:hover {{ color: #2e7d32; }}"},
    },
    "another-class-styled": {
        "why": "the colour goes to another class",
        "edits": {"tr.veg {{ color: #2e7d32; }}": "tr.veg-row {{ color: #2e7d32; }}"},
    },
    "others-marked-too": {
        "why": "the class on all rows of a table, too",
        "edits": {
            "<tr><th>Dish</th><th>Price</th></tr>": '<tr class="veg"><th>Dish</th><th>Price</th></tr>'
        },
    },
}
