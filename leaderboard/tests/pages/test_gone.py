"""Addresses of removed features say that they were removed, and what there is instead."""

from __future__ import annotations

import pytest
from django.test import Client

# Address, and a word of the sentence.
GONE = (
    ("/failures/?rule=step+%3E+3", "filters"),
    ("/failures.json?rule=step+%3E+3", "filters"),
    ("/failures.csv?rule=step+%3E+3", "filters"),
    ("/runs/3/export/otel", "jsonl"),
    ("/runs/3/export/data-set?state=passed", "jsonl"),
    ("/runs/3/tasks/rotate-photo/export/session", "jsonl"),
    ("/runs/3/tasks/rotate-photo/export/notebook-zip", "jsonl"),
    ("/audits/", "link"),
    ("/audits/3/runs/3/", "link"),
    ("/account/auditors/", "link"),
    ("/runs/3/auditors/", "link"),
    ("/api/v1/audits/", "link"),
    ("/api/v1/audits/looks/", "link"),
    ("/api/v1/auditors/", "link"),
)


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "word"), GONE)
@pytest.mark.parametrize("method", ["get", "post"])
def test_removed_addresses_answer_410(client: Client, address: str, word: str, method: str) -> None:
    response = getattr(client, method)(address)
    assert response.status_code == 410
    is_page = response["Content-Type"].startswith("text/html")
    said = response.content.decode() if is_page else response.json()["detail"]
    assert is_page == ("api" not in address and ".json" not in address and ".csv" not in address)
    assert "removed" in said
    assert word in said
