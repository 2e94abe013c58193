"""Keys of forms that were refused, and the endpoint's own list of models for the form."""

from __future__ import annotations

import json
import subprocess
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.handoff.preflights import DraftPreflight
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Draft, Run, Suite
from leaderboard.storage import encryption
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.submit_form import KEY, USABLE, filled_in, make_draft, text_of
from runner.cli.submit import parser

pytestmark = pytest.mark.django_db

HERE, ELSEWHERE = "http://127.0.0.1:8001/v1", "https://api.elsewhere.com/v1"


@pytest.fixture
def owner() -> User:
    return User.objects.create_user("ada", "ada@example.org")


def key_of(draft: Draft) -> str:
    draft.refresh_from_db()
    return encryption.decrypt(draft.encrypted_key)


def refuse(signed_in: Client, suite: Suite, address: str = "/submit/", **changes: object) -> Draft:
    """A post that is refused for its temperature, and the draft that keeps its key."""
    answer = signed_in.post(address, filled_in(suite, **{"temperature": "hot", **changes}))
    assert answer.status_code == 422
    assert KEY not in text_of(answer)
    return Draft.objects.latest("pk")


def test_refused_form_keeps_its_key(signed_in: Client, suite: Suite) -> None:
    draft = refuse(signed_in, suite)
    assert key_of(draft) == KEY
    assert KEY.encode() not in bytes(draft.encrypted_key)
    assert KEY not in json.dumps(draft.facts)
    page = text_of(signed_in.get(f"/submit/?draft={draft.pk}"))
    assert "A key is kept" in page
    assert KEY not in page
    answer = signed_in.post(f"/submit/?draft={draft.pk}", filled_in(suite, api_key=""))
    assert answer.status_code == 302
    assert key_of(draft) == KEY
    assert draft.is_complete
    assert draft.facts["model"] == "foo-70b"


def test_kept_key_is_forgotten_with_its_address(signed_in: Client, suite: Suite) -> None:
    draft = refuse(signed_in, suite)
    at = f"/submit/?draft={draft.pk}"
    refuse(signed_in, suite, at, api_key="", base_url=ELSEWHERE)
    assert key_of(draft) == ""
    refuse(signed_in, suite, at, api_key="", base_url=HERE)
    assert key_of(draft) == ""  # nor does it come back with the old address


@pytest.mark.parametrize("address", ["ftp://x", "localhost", ""])
def test_key_beside_a_refused_address_is_kept_for_the_next_one(
    signed_in: Client, suite: Suite, address: str
) -> None:
    draft = refuse(signed_in, suite, base_url=address)
    at = f"/submit/?draft={draft.pk}"
    assert "for the base URL that you enter next" in text_of(signed_in.get(at))
    assert signed_in.get("/submissions/").status_code == 200
    assert signed_in.post(at, filled_in(suite, api_key="")).status_code == 302
    spec = DraftPreflight(draft.pk).endpoint()
    assert spec is not None
    assert (spec.base_url, spec.api_key) == (HERE, KEY)
    refuse(signed_in, suite, at, api_key="", base_url=address)
    assert key_of(draft) == KEY
    assert signed_in.post(at, filled_in(suite, api_key="", base_url=ELSEWHERE)).status_code == 302
    assert key_of(draft) == ""  # by then it was given for one address


def test_kept_key_is_never_listed_with_at_another_address(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite)
    said = filled_in(suite, api_key="", base_url=ELSEWHERE, model="")
    Draft.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    answer = signed_in.post(f"/submit/models/?draft={draft.pk}", said)
    assert answer.status_code == 202
    spec = DraftPreflight(answer.json()["draft"]).endpoint()
    assert spec is not None
    assert (spec.base_url, spec.model, spec.api_key) == (ELSEWHERE, "", "")
    assert key_of(draft) == KEY


def test_strangers_reach_neither_key_nor_list(signed_in: Client, suite: Suite) -> None:
    draft = refuse(signed_in, suite)
    other = Client()
    other.force_login(User.objects.create_user("eve", "eve@example.org"))
    said = filled_in(suite, api_key="")
    for address in (f"/submit/?draft={draft.pk}", f"/submit/models/?draft={draft.pk}"):
        assert other.post(address, said).status_code == 404
    assert other.get(f"/submit/{draft.pk}/models/").status_code == 404
    assert Client().post("/submit/models/", said).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="ada"))
    assert strict.post("/submit/models/", said).status_code == 403
    assert key_of(draft) == KEY


def test_unfinished_draft_cannot_be_queued(signed_in: Client, suite: Suite) -> None:
    draft = refuse(signed_in, suite)
    Draft.objects.update(report=USABLE)
    assert "?draft=" in signed_in.get(draft.get_absolute_url())["Location"]
    signed_in.post(f"/submit/{draft.pk}/queue/")
    assert not Run.objects.exists()
    assert "unfinished" in text_of(signed_in.get("/submissions/"))


def test_sweep_deletes_kept_keys_that_are_old(
    signed_in: Client, suite: Suite, settings: Settings
) -> None:
    refuse(signed_in, suite)
    sweep_queue()
    assert Draft.objects.exists()
    Draft.objects.update(
        created_at=timezone.now() - timedelta(hours=settings.DRAFT_HOURS, minutes=1)
    )
    sweep_queue()
    assert not Draft.objects.exists()


def test_form_without_key_keeps_nothing(signed_in: Client, suite: Suite) -> None:
    for address in (HERE, "http://10.0.0.1/v1", ""):
        said = filled_in(suite, temperature="hot", api_key="", base_url=address)
        answer = signed_in.post("/submit/", said)
        assert answer.status_code == 422
    assert not Draft.objects.exists()


def test_name_left_empty_is_the_models(signed_in: Client, suite: Suite) -> None:
    assert make_draft(signed_in, suite, name=" ").facts["name"] == "foo-70b"
    assert make_draft(signed_in, suite, name="", model="m" * 300).facts["name"] == "m" * 200


def test_four_fields_are_enough(signed_in: Client, suite: Suite) -> None:
    page = text_of(signed_in.get("/submit/"))
    assert '<details class="more">' in page
    assert f"{suite.tasks.count()} tasks" in page
    page = text_of(signed_in.post("/submit/", filled_in(suite, temperature="hot")))
    assert '<details class="more" open>' in page


def test_list_of_models_comes_to_the_form(signed_in: Client, suite: Suite) -> None:
    said = filled_in(suite, model="", name="")
    answer = signed_in.post("/submit/models/", said)
    assert answer.status_code == 202
    assert KEY not in text_of(answer)
    where = answer.json()["address"]
    assert signed_in.get(where).status_code == 202
    again = signed_in.post("/submit/models/", said)
    assert again.status_code == 422
    assert "just requested a model list" in again.json()["said"]
    asked = DraftPreflight(answer.json()["draft"])
    spec = asked.endpoint()
    assert spec is not None
    assert (spec.model, spec.api_key) == ("", KEY)
    hostile = "</option><script>alert(1)</script>"
    asked.record({"checks": [], "measures": {}, "listed": ["large", hostile], "is_usable": True})
    assert signed_in.get(where).json() == {"models": ["large", hostile], "said": ""}
    page = text_of(signed_in.get(f"/submit/?draft={answer.json()['draft']}"))
    assert '<option value="large">' in page
    assert "<script>alert" not in page


def test_list_without_javascript_comes_with_a_reload(signed_in: Client, suite: Suite) -> None:
    answer = signed_in.post("/submit/", filled_in(suite, model="", act="list"))
    assert answer.status_code == 302
    assert "Reload this page" in text_of(signed_in.get(answer["Location"]))
    DraftPreflight(Draft.objects.get().pk).endpoint()
    Draft.objects.update(report={"checks": [], "listed": ["large"]})
    page = text_of(signed_in.get(answer["Location"]))
    assert "It lists" in page
    assert 'value="http://127.0.0.1:8001/v1"' in page


@pytest.mark.parametrize("address", ["http://10.0.0.1/v1", "", HERE])
def test_list_that_is_refused_keeps_the_key(
    signed_in: Client, suite: Suite, settings: Settings, address: str
) -> None:
    settings.ENDPOINT_CHECKS_PER_DAY = 0  # so that the right address is refused, too
    checked = make_draft(signed_in, suite, api_key="sk-checked")
    Draft.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    at = f"/submit/?draft={checked.pk}"
    answer = signed_in.post(at, filled_in(suite, base_url=address, act="list"))
    assert answer.status_code == 422
    kept = Draft.objects.latest("pk")
    assert f"/submit/?draft={kept.pk}" in text_of(answer)
    assert (key_of(kept), key_of(checked)) == (KEY, "sk-checked")
    assert checked.is_usable


@pytest.mark.parametrize("base_url", ["", "http://10.0.0.1/v1", "https://x.example:22/v1"])
def test_addresses_that_are_not_called_are_not_asked(
    signed_in: Client, suite: Suite, base_url: str
) -> None:
    answer = signed_in.post("/submit/models/", filled_in(suite, base_url=base_url))
    assert answer.status_code == 422
    assert answer.json()["said"]
    assert not Draft.objects.exists()


def test_ready_command_is_read_by_the_command_line(signed_in: Client, suite: Suite) -> None:
    evil = "-x'; rm -rf ~ #$(id)"
    draft = make_draft(
        signed_in, suite, model=evil, name="Foo", description="two\nlines", stream=""
    )
    page = text_of(signed_in.get(draft.get_absolute_url()))
    assert "Do the same from a shell" in page
    command = unescape(page.split('<pre tabindex="0">')[1].split("</pre>")[0])
    assert KEY not in command
    shown = command.replace(".venv/bin/pybench", "printf '%s\\0'", 1)
    said = subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True)
    words = said.stdout.split("\0")[:-1]
    assert words[0] == "submit"
    options = parser().parse_args(words[1:])
    assert (options.model, options.name, options.stream) == (evil, "Foo", False)
    assert options.api_key_env == "ENDPOINT_KEY"
    assert (options.base_url, options.attempts) == (HERE, 2)
    assert options.suite == "starter@1"  # an older version is not taken for the newest
    assert options.description == "two\nlines"


def test_command_with_invisible_letters_is_not_offered(signed_in: Client, suite: Suite) -> None:
    draft = make_draft(signed_in, suite, model="safe\u202etxt")
    assert "from your shell" not in text_of(signed_in.get(draft.get_absolute_url()))


def test_sign_in_says_first_what_an_account_is_for(suite: Suite) -> None:
    for path in ("/submit/", "/account/signup/"):
        page = text_of(Client().get(path, follow=True))
        assert page.index("An account is for submitting") < page.index('<form class="form narrow"')
        assert "please" not in page


def test_lists_of_a_day_are_counted_by_account(
    signed_in: Client, suite: Suite, owner: User, settings: Settings
) -> None:
    settings.ENDPOINT_CHECKS_PER_DAY = 2
    said = filled_in(suite, model="")
    for _ in range(2):
        assert signed_in.post("/submit/models/", said).status_code == 202
        Draft.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    refused = signed_in.post("/submit/models/", said)
    assert refused.status_code == 422
    assert "models listed 2 times in 24 hours" in refused.json()["said"]
    other = Client()
    other.force_login(make_user("bob"))
    assert other.post("/submit/models/", said).status_code == 202


def test_check_is_asked_for_while_a_list_is_under_way(signed_in: Client, suite: Suite) -> None:
    """The form lists models by itself while its user types, and a quick user does not wait."""
    assert signed_in.post("/submit/models/", filled_in(suite, model="")).status_code == 202
    answer = signed_in.post("/submit/", filled_in(suite), follow=True)
    assert "Checking the endpoint" in text_of(answer)
    assert Draft.objects.filter(report={}, asked_at__isnull=False).count() == 2
    other = signed_in.post("/submit/", filled_in(suite, name="Another"), follow=True)
    assert "Not checked yet" in text_of(other)  # one check at a time, as before
