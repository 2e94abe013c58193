"""The submission's form as a browser fills it in, and what its page says."""

from __future__ import annotations

from django.http import HttpResponse
from django.test import Client

from leaderboard.models import Draft, Suite

KEY = "sk-the-key-of-a-submitter"
USABLE = {
    "checks": [
        {
            "name": "reachable",
            "title": "Reachable",
            "state": "ok",
            "said": "It answers.",
            "next_step": "",
        }
    ],
    "measures": {"turns": 2, "prompt_tokens": 284, "completion_tokens": 26, "reply_s": 0.4},
    "took_s": 1.2,
    "is_usable": True,
}


def filled_in(suite: Suite, /, **changes: object) -> dict[str, object]:
    return {
        "base_url": "http://127.0.0.1:8001/v1",
        "model": "foo-70b",
        "api_key": KEY,
        "action_format": "fenced",
        "temperature": "0.2",
        "top_p": "",
        "max_tokens": "2048",
        "stream": "on",
        "extra_body": "",
        "suite": suite.pk,
        "attempts_per_task": "2",
        "concurrency": "3",
        "name": "Foo 70B",
        "organisation": "Foo Inc",
        "parameters_b": "70",
        "weights": "open",
        "description": "Served with vLLM.",
        "visibility": "private",
        **changes,
    }


def make_draft(
    signed_in: Client, suite: Suite, report: object = USABLE, **changes: object
) -> Draft:
    answer = signed_in.post("/submit/", filled_in(suite, **changes))
    assert answer.status_code == 302, answer.content.decode()
    draft = Draft.objects.latest("pk")
    Draft.objects.filter(pk=draft.pk).update(report=report)
    draft.refresh_from_db()
    return draft


def text_of(answer: object) -> str:
    assert isinstance(answer, HttpResponse)
    return answer.content.decode()
