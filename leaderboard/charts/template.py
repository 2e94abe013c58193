"""The look that all charts share, as one Plotly template that a page carries once."""

from __future__ import annotations

from functools import cache
from typing import Any

from plotly import graph_objects as go
from plotly import io

LOOK = "pybench"  # its name among Plotly's templates
INK, SOFT, FAINT, LINE = "var(--ink)", "var(--ink-soft)", "var(--ink-faint)", "var(--line)"
SHEET, TINT, ACCENT = "var(--sheet)", "var(--tint-strong)", "var(--accent)"
EDGE = "var(--line-strong)"
CLEAR = "rgba(0, 0, 0, 0)"

AXIS = {
    "gridcolor": LINE,
    "linecolor": EDGE,
    "tickfont": {"color": SOFT},
}
TITLED_AXIS = AXIS | {
    "zerolinecolor": LINE,
    "title": {"standoff": 8, "font": {"color": FAINT, "size": 12}},
}
HOVER = "%{hovertext}<extra></extra>"


@cache
def template_json() -> dict[str, Any]:
    """The template, registered with Plotly. The reader's browser adds the page's font to it."""
    io.templates[LOOK] = go.layout.Template(
        layout={
            "font": {"size": 12, "color": SOFT},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "showlegend": False,
            "hovermode": "closest",
            "hoverlabel": {
                "bgcolor": SHEET,
                "bordercolor": EDGE,
                "align": "left",
                "font": {"color": INK},
            },
            "xaxis": TITLED_AXIS,
            "yaxis": TITLED_AXIS,
            "legend": {"font": {"color": SOFT}},
            "polar": {
                "bgcolor": CLEAR,
                "radialaxis": {**AXIS, "layer": "above traces"},
                "angularaxis": AXIS,
            },
        },
        data={
            "scatter": [{"hovertemplate": HOVER}],
            "heatmap": [{"showscale": False, "xgap": 1, "ygap": 1, "hoverongaps": False}],
        },
    )
    look: dict[str, Any] = io.templates[LOOK].to_plotly_json()
    return look
