"""A social provider that is switched on by a setting: its button, and the first leg of its way."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import migrated_database
from leaderboard.tests.support.warm import run_python

ASK = """
import re
from django.test import Client
client = Client()
page = client.get("/account/login/")
for href, name in re.findall(r'<a class="button is-quiet" href="([^"]+)">([^<]+)</a>',
                             page.content.decode()):
    print("button", name, href.replace("&amp;", "&"))
    answer = client.get(href.replace("&amp;", "&"))
    print("leads", answer.status_code, answer.get("Location", ""))
for name in ("github", "google"):
    answer = client.get(f"/account/{name}/login/callback/?code=c&state=made-up")
    print("callback", name, answer.status_code)
"""


def ask(folder: Path, **settings: str) -> list[list[str]]:
    """Lines of the log-in page of a site with these settings."""
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        "PYBENCH_VAR": str(folder / "var"),
        # Whoever should try to leave this machine meets nobody.
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        **settings,
    }
    (folder / "site.sqlite3").write_bytes(migrated_database().read_bytes())
    done = run_python(["manage.py", "shell", "-c", ASK], environment)
    assert done.returncode == 0, done.stderr
    words = ("button", "leads", "callback")
    return [line.split() for line in done.stdout.splitlines() if line.startswith(words)]


def test_without_the_setting_no_button_is_shown(tmp_path: Path) -> None:
    assert ask(tmp_path) == [["callback", "github", "404"], ["callback", "google", "404"]]


@pytest.mark.parametrize(
    ("provider", "name", "host"),
    [("github", "GitHub", "github.com"), ("google", "Google", "accounts.google.com")],
)
def test_a_provider_that_is_switched_on_is_offered_and_leads_there(
    tmp_path: Path, provider: str, name: str, host: str
) -> None:
    prefix = f"PYBENCH_SOCIAL_{provider.upper()}"
    known = {f"{prefix}_ID": "id", f"{prefix}_SECRET": "secret"}
    button, leads, *callbacks = ask(tmp_path, PYBENCH_SOCIAL_PROVIDERS=provider, **known)
    assert button[1] == name
    assert leads[1] == "302"
    address = urlsplit(leads[2])
    asked = parse_qs(address.query)
    assert (address.scheme, address.hostname) == ("https", host)
    assert asked["client_id"] == ["id"]
    assert asked["redirect_uri"] == [f"http://testserver/account/{provider}/login/callback/"]
    assert asked["state"][0]
    assert "secret" not in leads[2]
    # An answer that nobody asked for lets nobody in.
    assert ["callback", provider, "401"] in callbacks
