"""The board's page and its rows."""

from __future__ import annotations

import re

from django.test import Client

from leaderboard.scoring.standings import refresh_changed

ROW = re.compile(
    r'<td class="num rank[^"]*">(.*?)</td>.*?<a href="(/runs/\d+/)"[^>]*><bdi>(.*?)</bdi>',
    re.DOTALL,
)


def get(client: Client, path: str = "/") -> str:
    """The page as it is once the sweep has placed the runs."""
    refresh_changed()
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def rows_of(page: str) -> list[tuple[str, str]]:
    """Place and name of each row in order; "" for a row without a place."""
    found = ROW.findall(page)
    return [("" if "dash" in place else place.strip(), name) for place, _, name in found]
