# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Make a self-contained web page out of a menu; some names hold characters special to HTML."""

import itertools
import json
import random
from pathlib import Path

from runner.checks import Case
from runner.checks.inputs import build
from runner.checks.text import documents, page_styles, self_contained

TITLE = "A restaurant's menu as a web page"
CATEGORY = "software"
QUERY = """
Make a static web page ./output/menu.html from ./data/menu.json. Please keep to this structure:
- a complete HTML5 document (doctype, <html lang="en">, <meta charset="utf-8">), with the restaurant's name as <title> and as the only <h1>;
- one <section> per category in the file's order, its id being the category's "slug", with the category's name as <h2> and after it a <table> with a header row of the two cells Dish and Price and one row per dish;
- dishes that are not available are left out; within a category the dishes are sorted by price, cheapest first (the file's order where prices are equal);
- names appear on the page exactly as in the file, whatever characters they hold; the file gives prices in cents, show them like €7.50;
- rows of vegetarian dishes have the class "veg", other rows do not;
- above the sections a <nav> with one link per category to its section, showing the category's name, in the same order;
- all style in one <style> element in the head; there "veg" rows get a text or background colour of your choice. No scripts, and nothing loaded from anywhere else.
"""
INPUTS = ["menu.json"]
OUTPUTS = ["menu.html"]


RESTAURANTS = ["Salt & Ember", "Fig & Thyme", "Oak & Anchor"]
# slug: heading, lowest and highest price in cents, names; those with a fish or an animal are marked
CATEGORIES = {
    "starters": (
        "Starters & Soups",
        500,
        1300,
        [
            "Leek soup",
            "Burrata <small plate>",
            "*Pickled herring",
            'Chef\'s "secret" salad',
            "Bread & butter",
        ],
    ),
    "mains": (
        "Mains",
        1200,
        2900,
        [
            "Pasta <al dente>",
            "*Beef & ale pie",
            "Mushroom risotto",
            '*Trout "à la meunière"',
            "*Lamb <48 h>",
            "Chickpea curry",
        ],
    ),
    "sweets": (
        "Sweets",
        450,
        1100,
        [
            "Crème brûlée",
            "Plum & almond tart",
            "Cheese <b>board</b>",
            "Sorbet of the day",
            "*Jelly & cream",
        ],
    ),
    "snacks": (
        "Bar Snacks",
        300,
        900,
        ["Olives", "*Ham & cheese toast", "Chips <large>", "*Prawn crackers", '"Angry" nuts'],
    ),
}


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    slugs = rng.sample(list(CATEGORIES), 4)
    categories = [draw_category(rng, slug) for slug in slugs]
    menu = {"restaurant": rng.choice(RESTAURANTS), "currency": "EUR", "categories": categories}
    build.write_json(data / "menu.json", menu)
    return {}


def draw_category(rng: random.Random, slug: str) -> dict:
    """Dishes in an order that is not sorted by price, two at one price, one not available."""
    title, low, high, names = CATEGORIES[slug]
    while True:
        dishes = [draw_dish(rng, name, low, high) for name in rng.sample(names, len(names))]
        twin, other, missing = rng.sample(dishes, 3)
        twin["price_cents"] = other["price_cents"]
        missing["available"] = False
        category = {"slug": slug, "name": title, "dishes": dishes}
        if served(category) != [dish for dish in dishes if dish["available"]]:
            return category


def draw_dish(rng: random.Random, name: str, low: int, high: int) -> dict:
    return {
        "name": name.lstrip("*"),
        "price_cents": rng.randrange(low, high, 10),
        "vegetarian": not name.startswith("*"),
        "available": True,
    }


def check(case: Case) -> None:
    menu = json.loads((case.data / "menu.json").read_text("utf-8"))
    page = documents.html(case, "menu.html")
    check_document(case, page, menu)
    check_sections(case, page, menu)
    check_style(case, page)
    check_self_contained(case, page)


def text_of(element) -> str:
    return documents.exact(element.get_text()) if element is not None else "nothing"


def expect(case: Case, name: str, actual, expected) -> None:
    case.equal(name, actual, expected, "menu.html")


def check_document(case: Case, page, menu: dict) -> None:
    source = (case.output / "menu.html").read_text("utf-8", "replace").lstrip("\ufeff \t\r\n")
    case.expect(
        "doctype",
        source[:15].lower() == "<!doctype html>",
        "<!doctype html>",
        source[:15],
        "menu.html",
    )
    expect(case, "language", page.html.get("lang"), "en")
    charset = page.find("meta", charset=True)
    expect(case, "charset", charset["charset"].lower() if charset else "none", "utf-8")
    expect(case, "title", text_of(page.title), menu["restaurant"])
    expect(case, "h1", [text_of(heading) for heading in page.find_all("h1")], [menu["restaurant"]])
    links = [
        (link.get("href", ""), text_of(link))
        for nav in page.find_all("nav")
        for link in nav.find_all("a")
    ]
    expect(case, "navigation", links, [("#" + c["slug"], c["name"]) for c in menu["categories"]])
    nav, section = page.find("nav"), page.find("section")
    above = nav is not None and section is not None and section in nav.find_all_next("section")
    expect(case, "navigation is above the sections", above, True)


def check_sections(case: Case, page, menu: dict) -> None:
    sections = page.find_all("section")
    slugs = [section.get("id") for section in sections]
    case.demand(
        "sections",
        slugs == [c["slug"] for c in menu["categories"]],
        [c["slug"] for c in menu["categories"]],
        slugs,
        "menu.html",
    )
    for section, category in zip(sections, menu["categories"], strict=True):
        slug = category["slug"]
        expect(
            case,
            f"{slug}: heading",
            [text_of(h) for h in section.find_all("h2")],
            [category["name"]],
        )
        expect_rows(case, slug, *rows_found_and_wanted(section, category))
        expect(case, f"{slug}: vegetarian rows", *veg_found_and_wanted(section, category))


def expect_rows(case: Case, slug: str, found: list, wanted: list) -> None:
    """The rows of a category; the message names the first that differs."""
    pairs = itertools.zip_longest(found, wanted, fillvalue=["nothing"])
    here, there = next(((a, b) for a, b in pairs if a != b), (found, wanted))
    message = (
        f"menu.html, {slug}: expected the row {' · '.join(there)}, found {' · '.join(here)}."
        if found != wanted
        else ""
    )
    case.equal(f"{slug}: rows", found, wanted, "menu.html", message)


def served(category: dict) -> list:
    dishes = [dish for dish in category["dishes"] if dish["available"]]
    return sorted(dishes, key=lambda dish: dish["price_cents"])


def rows_found_and_wanted(section, category: dict) -> tuple:
    tables = documents.html_tables(section)
    found = [
        [cells[0], cells[1].replace("€ ", "€")] if len(cells) == 2 else cells
        for t in tables
        for cells in t
    ]
    wanted = [
        [documents.exact(d["name"]), f"€{d['price_cents'] / 100:.2f}"] for d in served(category)
    ]
    return found, [["Dish", "Price"], *wanted]


def veg_found_and_wanted(section, category: dict) -> tuple:
    rows = [row for row in section.find_all("tr") if "veg" in (row.get("class") or [])]
    wanted = [documents.exact(d["name"]) for d in served(category) if d["vegetarian"]]
    return [text_of(row.find(["td", "th"])) for row in rows], wanted


def check_style(case: Case, page) -> None:
    styles = page.find_all("style")
    inside = len(styles) == 1 and styles[0].find_parent("head") is not None
    case.expect("one style element in the head", inside, "1", len(styles), "menu.html")
    rows = page.select("section tr")
    veg = [row for row in rows if "veg" in (row.get("class") or [])]
    others = [row for row in rows if row not in veg and row.find("td")]
    coloured = page_styles.are_coloured_apart(page, veg, others)
    case.expect(
        "veg rows are coloured",
        coloured,
        "a text or background colour for the rows of class veg, and not for others",
        "there" if coloured else "none",
        "menu.html",
    )


def check_self_contained(case: Case, page) -> None:
    inline = [element.name for element in page.find_all(style=True)]
    found = self_contained.foreign_parts(page) + inline
    expect(case, "nothing loaded, no scripts, no style elsewhere", found, [])


REFERENCE = {
    "cells": [
        "import json\n"
        "menu = json.load(open('./data/menu.json', encoding='utf-8'))\n"
        "print(menu['restaurant'], menu['currency'])\n"
        "for c in menu['categories']:\n"
        "    print(c['slug'], c['name'])\n"
        "    for d in c['dishes']:\n"
        "        print('   ', d)",
        "from html import escape\n"
        "def row(dish):\n"
        "    mark = ' class=\"veg\"' if dish['vegetarian'] else ''\n"
        '    return f\'<tr{mark}><td>{escape(dish["name"])}</td><td>€{dish["price_cents"] / 100:.2f}</td></tr>\'\n'
        "def section(category):\n"
        "    dishes = sorted((d for d in category['dishes'] if d['available']), key=lambda d: d['price_cents'])\n"
        "    rows = '\\n'.join(row(d) for d in dishes)\n"
        '    return (f\'<section id="{escape(category["slug"])}">\\n<h2>{escape(category["name"])}</h2>\\n<table>\\n\'\n'
        "            f'<tr><th>Dish</th><th>Price</th></tr>\\n{rows}\\n</table>\\n</section>')\n"
        "links = '\\n'.join(f'<a href=\"#{escape(c[\"slug\"])}\">{escape(c[\"name\"])}</a>' for c in menu['categories'])\n"
        "sections = '\\n'.join(section(c) for c in menu['categories'])\n"
        "name = escape(menu['restaurant'])\n"
        "page = f'''<!DOCTYPE html>\n"
        '<html lang="en">\n'
        "<head>\n"
        '<meta charset="utf-8">\n'
        "<title>{name}</title>\n"
        "<style>\n"
        "body {{ font-family: Georgia, serif; max-width: 40rem; margin: 2rem auto; }}\n"
        "td:last-child {{ text-align: right; }}\n"
        "tr.veg {{ color: #2e7d32; }}\n"
        "</style>\n"
        "</head>\n"
        "<body>\n"
        "<h1>{name}</h1>\n"
        "<nav>\n{links}\n</nav>\n"
        "{sections}\n"
        "</body>\n"
        "</html>\n"
        "'''\n"
        "open('./output/menu.html', 'w', encoding='utf-8').write(page)\n"
        "print(page[:900])",
        "from bs4 import BeautifulSoup\n"
        "soup = BeautifulSoup(page, 'html5lib')\n"
        "for s in soup.find_all('section'):\n"
        "    print(s['id'], [td.get_text() for td in s.find_all('td')])",
    ],
    "answer": "The page is saved as ./output/menu.html: one section per category, dishes sorted by price, no scripts and nothing external.",
}
WRONG = {
    "names-not-escaped": {
        "why": "pastes the names into the page as they are, so what stands in < > vanishes",
        "cells": [
            "import json\n"
            "menu = json.load(open('./data/menu.json', encoding='utf-8'))\n"
            'out = f\'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{menu["restaurant"]}</title><style>.veg {{ color: green }}</style></head><body><h1>{menu["restaurant"]}</h1><nav>\'\n'
            "out += ''.join(f'<a href=\"#{c[\"slug\"]}\">{c[\"name\"]}</a>' for c in menu['categories']) + '</nav>'\n"
            "for c in menu['categories']:\n"
            '    out += f\'<section id="{c["slug"]}"><h2>{c["name"]}</h2><table><tr><th>Dish</th><th>Price</th></tr>\'\n'
            "    for d in sorted((d for d in c['dishes'] if d['available']), key=lambda d: d['price_cents']):\n"
            "        veg = ' class=\"veg\"' if d['vegetarian'] else ''\n"
            '        out += f\'<tr{veg}><td>{d["name"]}</td><td>€{d["price_cents"] / 100:.2f}</td></tr>\'\n'
            "    out += '</table></section>'\n"
            "open('./output/menu.html', 'w', encoding='utf-8').write(out + '</body></html>')"
        ],
        "answer": "The menu page is saved as ./output/menu.html.",
    },
    "unsorted": {
        "why": "keeps the file's order of dishes",
        "cells": [
            "import json\n"
            "from html import escape as e\n"
            "menu = json.load(open('./data/menu.json', encoding='utf-8'))\n"
            "n = e(menu['restaurant'])\n"
            'out = f\'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{n}</title><style>.veg {{ color: green }}</style></head><body><h1>{n}</h1><nav>\'\n'
            "out += ''.join(f'<a href=\"#{c[\"slug\"]}\">{e(c[\"name\"])}</a>' for c in menu['categories']) + '</nav>'\n"
            "for c in menu['categories']:\n"
            '    out += f\'<section id="{c["slug"]}"><h2>{e(c["name"])}</h2><table><tr><th>Dish</th><th>Price</th></tr>\'\n'
            "    for d in c['dishes']:\n"
            "        if d['available']:\n"
            "            veg = ' class=\"veg\"' if d['vegetarian'] else ''\n"
            '            out += f\'<tr{veg}><td>{e(d["name"])}</td><td>€{d["price_cents"] / 100:.2f}</td></tr>\'\n'
            "    out += '</table></section>'\n"
            "open('./output/menu.html', 'w', encoding='utf-8').write(out + '</body></html>')"
        ],
        "answer": "Saved ./output/menu.html with all categories.",
    },
    "short-prices": {
        "why": "shows €7.5 for 750 cents and leaves unavailable dishes in",
        "cells": [
            "import json\n"
            "from html import escape as e\n"
            "menu = json.load(open('./data/menu.json', encoding='utf-8'))\n"
            "n = e(menu['restaurant'])\n"
            'out = f\'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{n}</title><style>.veg {{ color: green }}</style></head><body><h1>{n}</h1><nav>\'\n'
            "out += ''.join(f'<a href=\"#{c[\"slug\"]}\">{e(c[\"name\"])}</a>' for c in menu['categories']) + '</nav>'\n"
            "for c in menu['categories']:\n"
            '    out += f\'<section id="{c["slug"]}"><h2>{e(c["name"])}</h2><table><tr><th>Dish</th><th>Price</th></tr>\'\n'
            "    for d in sorted(c['dishes'], key=lambda d: d['price_cents']):\n"
            "        veg = ' class=\"veg\"' if d['vegetarian'] else ''\n"
            '        out += f\'<tr{veg}><td>{e(d["name"])}</td><td>€{d["price_cents"] / 100}</td></tr>\'\n'
            "    out += '</table></section>'\n"
            "open('./output/menu.html', 'w', encoding='utf-8').write(out + '</body></html>')"
        ],
        "answer": "The page is ready: ./output/menu.html.",
    },
}
