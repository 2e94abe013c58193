# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
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
}
NEAR_MISSES = {
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
}
GAMERS = {
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
}
