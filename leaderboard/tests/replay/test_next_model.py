"""From one model's attempt to the next model's at the same task."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.models import Run, Suite
from leaderboard.tests.support.replay_pages import attempt_at, get
from leaderboard.tests.support.rows import finish_run, make_entry, make_run

pytestmark = pytest.mark.django_db


def played(suite: Suite, name: str, *, is_scripted: bool = False, is_public: bool = True) -> Run:
    entry = make_entry(name, is_scripted=is_scripted)
    return finish_run(make_run(suite, entry, is_public=is_public), 4)


def test_the_walk_goes_from_model_to_model_and_round_again(client: Client, suite: Suite) -> None:
    first, floor, second = (
        played(suite, "Aurora"),
        played(suite, "keyword-salad", is_scripted=True),
        played(suite, "<b>Borealis"),
    )
    assert floor.pk < second.pk
    again = finish_run(make_run(suite, first.entry), 2)
    here = attempt_at(again, "rotate-photo")
    there = attempt_at(second, "rotate-photo")
    body = get(client, here)
    assert f'<a class="model" href="{there.get_absolute_url()}"' in body
    assert "next model: &lt;b&gt;Borealis »" in body
    assert f'data-next-model="{attempt_at(first, "rotate-photo").get_absolute_url()}"' in get(
        client, there
    )


def test_nobody_is_led_to_what_they_may_not_see(client: Client, suite: Suite) -> None:
    here = attempt_at(played(suite, "Aurora"), "rotate-photo")
    played(suite, "Hidden", is_public=False)
    withdrawn = played(suite, "Gone")
    Run.objects.filter(pk=withdrawn.pk).update(withdrawn_at=timezone.now())
    make_run(suite, make_entry("Queued"))
    assert "next model:" not in get(client, here)
    assert "data-next-model" not in get(client, here)
