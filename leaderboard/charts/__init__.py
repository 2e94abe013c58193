"""Charts of the board: rows in, figures for Plotly and their tables out; no database, no page.

Colours are the names of the site's tokens, `var(--ink)`, which static/js/charts.js resolves for
the theme of the reader. What all figures share in looks is one template, sent once with a page.
"""
