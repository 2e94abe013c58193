"""The method page defines every word that the board and the failures use."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from leaderboard.failures.tags import TAGS

pytestmark = pytest.mark.django_db


def test_every_statistic_and_tag_is_defined(client: Client) -> None:
    page = unescape(client.get("/about/method/").content.decode())
    for word in ("Rank range", "Bracket", "Paired test", "Wilson", "fewer than 20 tasks"):
        assert word in page
    for tag in TAGS:
        assert tag.meaning in page
        assert f"?tag={tag.key}" in page
