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
