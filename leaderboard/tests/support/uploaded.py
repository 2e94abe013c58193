"""Uploads of small files, as a person or a program sends them."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from leaderboard.models import Run

CELL = "I look.\n```python\nprint(1)\n```"


def chat_line(index: str = "7", query: str = "Sum ./data/a.csv", **more: Any) -> str:
    """One attempt of two steps, as PyBench jsonl."""
    messages = [
        {"role": "user", "content": query},
        {"role": "assistant", "content": CELL},
        {"role": "user", "content": "1"},
        {"role": "assistant", "content": "Finished: it is 1."},
    ]
    return json.dumps({"messages": messages, "index": index, **more}, ensure_ascii=False)


def tarred(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send_file(
    user: User, content: bytes | str, name: str = "a.jsonl", title: str = ""
) -> HttpResponse:
    """The answer to the form of `/view/`."""
    data = content.encode() if isinstance(content, str) else content
    form = {"title": title, "file": SimpleUploadedFile(name, data)}
    answer: HttpResponse = signed_in(user).post("/view/", form)  # type: ignore[assignment]
    return answer


def bring(user: User, content: bytes | str, name: str = "a.jsonl", title: str = "") -> Run:
    """The run that the upload became."""
    answer = send_file(user, content, name, title)
    assert answer.status_code == 302, answer.content.decode()
    run: Run = Run.objects.filter(entry__owner=user).latest("pk")
    return run
