"""The committed Plotly bundle: what was built, whole, enough for the charts, served small."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from leaderboard.tests.support.chart_cases import charts_of

FOLDER = Path(settings.BASE_DIR) / "static" / "vendor" / "plotly"
BUNDLE = FOLDER / "plotly.min.js"


def read_digests() -> dict[str, str]:
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


@pytest.mark.parametrize("name", ["plotly.min.js", "plotly.min.js.br", "plotly.css", "LICENSE.txt"])
def test_the_file_is_the_one_that_was_built(name: str) -> None:
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == read_digests()[name]


def test_the_bundle_draws_every_kind_of_trace_in_use() -> None:
    """A kind that is missing raises no error: it draws empty axes or something else."""
    bundled = set(re.findall(r'moduleType:"trace",name:"(\w+)"', BUNDLE.read_text("utf-8")))
    used = {
        trace["type"]
        for case in ("full", "one", "many")
        for chart in charts_of(case).values()
        for trace in chart.figure["data"]
    }
    assert used == bundled == {"scatter", "heatmap"}


def test_the_style_sheet_has_no_address_outside() -> None:
    styles = (FOLDER / "plotly.css").read_text("utf-8")
    assert ".js-plotly-plot .plotly .main-svg" in styles
    assert "//" not in styles.replace("/*", "").replace("http://www.w3.org", "")
    assert "@import" not in styles


def test_the_licence_names_what_is_bundled() -> None:
    licence = (FOLDER / "LICENSE.txt").read_text("utf-8")
    for package in ("plotly.js 4.1.1 (MIT)", "@plotly/d3", "d3-format", "culori", "gl-mat4"):
        assert package in licence


@pytest.mark.django_db  # closing the response looks after the connections
def test_the_bundle_is_served_compressed(client: Client) -> None:
    """Through the site's own middleware, from the compressed file beside it."""
    address = f"{settings.STATIC_URL}vendor/plotly/plotly.min.js"
    response = client.get(address, headers={"accept-encoding": "gzip, deflate, br"})
    assert response.status_code == 200
    assert response["Content-Encoding"] == "br"
    assert response["Content-Type"].startswith("text/javascript")
    assert int(response["Content-Length"]) == (FOLDER / "plotly.min.js.br").stat().st_size
    assert int(response["Content-Length"]) < 400_000
    response.close()
