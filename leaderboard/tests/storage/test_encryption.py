"""Endpoint keys: unreadable at rest, readable by us, rotated without loss, said when lost."""

from __future__ import annotations

from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from leaderboard.models import Draft, Endpoint, Entry
from leaderboard.storage import encryption
from leaderboard.tests.support.rows import make_run, make_suite
from runner.contract import ProblemError

KEY = "sk-a-key-of-somebody"


def test_a_key_comes_back_and_is_not_stored_in_the_clear() -> None:
    stored = encryption.encrypt(KEY)
    assert KEY.encode() not in stored
    assert encryption.decrypt(stored) == KEY


def test_no_key_is_stored_as_nothing() -> None:
    assert encryption.encrypt("") == b""
    assert encryption.decrypt(b"") == ""


def test_an_old_field_key_still_opens_and_rotation_leaves_it_behind(
    settings: Settings,
) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FIELD_KEYS = [old]
    stored = encryption.encrypt(KEY)
    settings.FIELD_KEYS = [new, old]
    assert encryption.decrypt(stored) == KEY
    rotated = encryption.rotate(stored)
    settings.FIELD_KEYS = [new]
    assert encryption.decrypt(rotated) == KEY


def test_a_lost_field_key_is_said_in_a_sentence(settings: Settings) -> None:
    stored = encryption.encrypt(KEY)
    settings.FIELD_KEYS = [Fernet.generate_key().decode()]
    with pytest.raises(ProblemError, match="can no longer be decrypted") as error:
        encryption.decrypt(stored)
    assert error.value.__cause__ is None
    assert error.value.problem.code == "key_unreadable"


@pytest.mark.django_db
def test_the_command_rotates_every_stored_key_and_says_which_it_cannot_read(
    settings: Settings,
) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.FIELD_KEYS = [old]
    owner = User.objects.create_user("ada")
    entry = Entry.objects.create(slug="foo", name="Foo", model_name="foo")
    endpoint = Endpoint.objects.create(entry=entry, encrypted_key=encryption.encrypt(KEY))
    draft = Draft.objects.create(owner=owner, encrypted_key=encryption.encrypt(KEY))
    keyless = Draft.objects.create(owner=owner)
    run = make_run(make_suite(), entry)
    run.encrypted_new_key = encryption.encrypt(KEY)
    run.save()
    settings.FIELD_KEYS = [new, old]
    said = StringIO()
    call_command("rotate_keys", stdout=said)
    assert said.getvalue() == "3 keys are encrypted under the newest field key\n"
    settings.FIELD_KEYS = [new]
    for row in (endpoint, draft):
        row.refresh_from_db()
        assert encryption.decrypt(row.encrypted_key) == KEY
    run.refresh_from_db()
    assert encryption.decrypt(run.encrypted_new_key) == KEY
    keyless.refresh_from_db()
    assert bytes(keyless.encrypted_key) == b""
    settings.FIELD_KEYS = [Fernet.generate_key().decode()]
    with pytest.raises(CommandError, match="3 keys could not be decrypted"):
        call_command("rotate_keys", stdout=said)
    settings.FIELD_KEYS = [new]
    endpoint.refresh_from_db()
    assert encryption.decrypt(endpoint.encrypted_key) == KEY
