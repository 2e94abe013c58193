"""Plotly knows the rules of the traces that are drawn, and of no others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from leaderboard.charts.validators import DRAWN

ASK = """
import json, sys
sys.path.insert(0, {root!r})
from leaderboard.charts import validators
from plotly import graph_objects as go
from plotly.validator_cache import ValidatorCache

validators.load_drawn()
kinds = sorted({{name.partition(".")[0] for name in ValidatorCache._json_cache}})
refused = []
for trace, wrong in (
    (go.Scatter, {{"mode": "sideways"}}), (go.Heatmap, {{"zmin": "low"}}),
    (go.Scatterpolar, {{"hoveron": "nothing"}}), (go.Layout, {{"hovermode": "never"}}),
):
    try:
        trace(**wrong)
    except ValueError:
        refused.append(trace.__name__)
known = ValidatorCache._json_cache
validators.load_drawn()
print(json.dumps([kinds, refused, ValidatorCache._json_cache is known]))
"""


def test_rules_of_other_traces_are_not_kept() -> None:
    """In a process of its own: this one may have drawn already."""
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-c", ASK.format(root=root)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    kinds, refused, is_kept = json.loads(done.stdout)
    assert kinds == sorted(DRAWN)
    assert refused == ["Scatter", "Heatmap", "Scatterpolar", "Layout"]
    assert is_kept
