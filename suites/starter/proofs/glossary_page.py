# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "columns-and-numbers": {
        "why": "columns, numbers and signs by its style, and colours under the pointer",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>nav ul {{columns: 3}} dl {{columns: 2; counter-reset: n}} dt::before {{counter-increment: n; content: counter(n) '. '}} dd::before {{content: '– '}} dd:hover {{background: #eef; padding: 2px}} a:hover {{color: #600}}</style>"
        },
    },
    "grid": {
        "why": "terms and definitions beside each other",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dl {{display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1rem}} dd {{margin: 0}} dt {{align-self: center; font-size: 1.3em}} ul {{display: flex; flex-wrap: wrap; gap: 1rem; list-style: none}}</style>"
        },
    },
    "sidebar": {
        "why": "a list of links that stays beside the text, and a dark ground",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body {{display: grid; grid-template-columns: 14rem 1fr; background: #1b1f24; color: #d8dee6; margin: 0}} h1 {{grid-column: 1 / 3}} nav {{position: sticky; top: 0; height: 100vh; overflow-y: auto}} a {{color: #8ab4f8}}</style>"
        },
    },
    "pane": {
        "why": "a page whose text scrolls in a pane of its own",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>html, body {{height: 100%; margin: 0; overflow: hidden}} dl {{height: 40vh; overflow-y: auto}} nav {{height: 30vh; overflow: auto}}</style>"
        },
    },
    "styled": {
        "why": "with a style sheet and a dark ground",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body {{ background: #222; color: #eee; font-size: 15px }} a {{ color: #9cf }}</style>",
        },
    },
    "wrapped": {
        "why": "the list within a main element",
        "edits": {
            "<dl>\n{items}\n</dl>": """<main><dl>
{items}
</dl></main>""",
        },
    },
    "end-tags-left-out": {
        "why": "HTML that leaves out optional end tags, capitals, single quotes",
        "edits": {
            '<dt id="{ids[k]}">{escape(entries[k][0])}</dt>': "<DT ID={ids[k]}>{escape(entries[k][0])}",
            '<dd>{escape(" ".join(entries[k][1]))}</dd>': '<DD>{escape(" ".join(entries[k][1]))}',
            "</body></html>": "",
        },
    },
    "groups-in-div": {
        "why": "each pair in a div, with numbers for signs",
        "edits": {
            '<dt id="{ids[k]}">': '<div class="entry"><dt id="{ids[k]}">',
            "</dd>": "</dd></div>",
            'page = f"""': 'items = items.replace("&lt;", "&#60;").replace("&amp;", "&#38;")\npage = f"""',
        },
    },
    "inner-emphasis": {
        "why": "terms in strong, definitions in paragraphs",
        "edits": {
            '">{escape(entries[k][0])}</dt>': '"><strong>{escape(entries[k][0])}</strong></dt>',
            '<dd>{escape(" ".join(entries[k][1]))}</dd>': '<dd><p>{escape(" ".join(entries[k][1]))}</p></dd>',
        },
    },
}
NEAR_MISSES = {
    "wide-letters": {
        "why": "terms in full-width letters",
        "edits": {
            '">{escape(entries[k][0])}</dt>': '">{escape(entries[k][0]).translate({97: 0xFF41, 101: 0xFF45})}</dt>'
        },
    },
    "order-reversed": {
        "why": "terms from Z to A",
        "edits": {
            "keys = sorted(entries)": "keys = sorted(entries, reverse=True)",
        },
    },
    "links-by-terms": {
        "why": "links to the terms as they are written",
        "edits": {
            'href="#{ids[k]}"': 'href="#{entries[k][0]}"',
        },
    },
    "style-from-elsewhere": {
        "why": "a style sheet imported from elsewhere",
        "edits": {
            "<title>{title}</title>": '<title>{title}</title><style>@import url("https://fonts.example.org/lora.css");</style>'
        },
    },
    "picture-behind": {
        "why": "a picture from elsewhere behind the page",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body {{ background: #fff url(https://example.org/paper.png) }}</style>"
        },
    },
    "script-in-a-link": {
        "why": "scripts in attributes",
        "edits": {'<a href="#{ids[k]}">': '<a href="#{ids[k]}" onclick="scrollTo(0, 0)">'},
    },
    "escaped-twice": {
        "why": "escapes the definitions twice",
        "edits": {
            '<dd>{escape(" ".join(entries[k][1]))}</dd>': '<dd>{escape(escape(" ".join(entries[k][1])))}</dd>'
        },
    },
    "underscores": {
        "why": "ids with underscores",
        "edits": {'key.replace(" ", "-")': 'key.replace(" ", "_")'},
    },
    "last-spelling": {
        "why": "the spelling of the last",
        "edits": {
            "entries.setdefault(current, (term, []))[1].append(definition.strip())": "entries[current] = (term, [*entries.get(current, (term, []))[1], definition.strip()])"
        },
    },
}
GAMERS = {
    "empty-after-a-click": {
        "why": "whoever follows a link sees nothing more",
        "edits": {
            "<title>{title}</title></head>": "<title>{title}</title><style>body:has(:target) dl {{ display: none }}</style></head>"
        },
    },
    "upside-down": {
        "why": "the list turned upside down by its style, each definition below another term",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dl {{display: flex; flex-direction: column-reverse}}</style>"
        },
    },
    "moved-by-one": {
        "why": "each term moved down by its style, to the next definition",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dl {{line-height: 20px}} dd {{margin: 0}} dt {{position: relative; top: 40px}}</style>"
        },
    },
    "denied-by-its-style": {
        "why": "the style writes “It is false that:” before each definition",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dd::before {{content: 'It is false that: '}}</style>"
        },
    },
    "transparent-letters": {
        "why": "all letters transparent",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body, body * {{color: transparent}}</style>"
        },
    },
    "white-cover": {
        "why": "a white sheet over the page",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body::after {{content: ''; position: fixed; inset: 0; background: white}}</style>"
        },
    },
    "moved-up": {
        "why": "the page moved up out of the window",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body {{position: absolute; top: -99999px}}</style>"
        },
    },
    "by-a-variable": {
        "why": "not displayed, by a variable of the style sheet",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>:root {{--d: none}} h1, nav, dl, section {{display: var(--d)}}</style>"
        },
    },
    "no-contrast": {
        "why": "a filter takes all contrast away",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>html {{filter: contrast(0)}} body {{background: white}}</style>"
        },
    },
    "scaled-to-nothing": {
        "why": "scaled to nothing",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dl, section {{transform: scale(0)}}</style>"
        },
    },
    "white-on-white": {
        "why": "the right page, white on white",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>body, a {{ color: #fff; background: #fff }}</style>",
        },
    },
    "not-displayed": {
        "why": "the right page, its list not displayed",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>dl {{ display: none }}</style>",
        },
    },
    "wide-window": {
        "why": "nothing is left of it in a window wider than 1600 pixels",
        "edits": {
            "</title></head>": "</title><style>@media (min-width: 1600px) {{ body {{ transform: scale(0) }} }}</style></head>",
        },
    },
    "dark-mode": {
        "why": "nothing is left of it where the reader's device is in dark mode",
        "edits": {
            "</title></head>": "</title><style>@media (prefers-color-scheme: dark) {{ body {{ clip-path: inset(100%) }} }}</style></head>",
        },
    },
    "telephone": {
        "why": "nothing is left of it on a telephone",
        "edits": {
            "</title></head>": "</title><style>@media (max-width: 600px) {{ body {{ transform: scale(0) }} }}</style></head>",
        },
    },
    "in-print": {
        "why": "nothing of it is printed",
        "edits": {
            "</title></head>": "</title><style>@media print {{ body {{ transform: scale(0) }} }}</style></head>",
        },
    },
    "blank-for-a-day": {
        "why": "an animation keeps all of it invisible for the first day",
        "edits": {
            "<title>{title}</title>": "<title>{title}</title><style>@keyframes x {{ from, to {{ visibility: hidden }} }} body, body * {{ animation: x 86400s 1 }}</style>",
        },
    },
    "denied-in-words": {
        "why": "before each term the page says that it is explained wrongly",
        "edits": {
            '<dt id="{ids[k]}">': '<div>The next term is explained wrongly. It is false that:</div><dt id="{ids[k]}">',
        },
    },
}
GAPS = {
    "blank-for-a-day": "A page is looked at after its animations and at two moments of endless ones, so what it shows in between, for however long, is not judged.",
    "denied-in-words": "The check looks at the parts that were asked for; sentences that stand beside them and take them back are not read.",
}
