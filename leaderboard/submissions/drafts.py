"""Drafts of submissions: kept with their key, and fit to be queued or not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from leaderboard.accounts import quotas
from leaderboard.models import AccountUse, Draft
from leaderboard.queue import clock, preflights
from leaderboard.queue.messages import send_preflight_draft
from leaderboard.storage import encryption
from leaderboard.submissions.forms import SubmissionForm
from leaderboard.submissions.local_servers import local_port, ports_at_work
from runner.contract import refusal

AGAIN_AFTER = timedelta(seconds=5)  # a draft, whose owner asks
MAX_DRAFTS = 20  # of one account
LIST_AGAIN_AFTER = timedelta(seconds=3)  # since any endpoint of the same user was asked


@transaction.atomic
def save_draft(
    owner: AbstractBaseUser,
    facts: Mapping[str, Any],
    api_key: str,
    draft: Draft | None = None,
    extra_body: Mapping[str, Any] | None = None,
    extra_headers: Mapping[str, str] | None = None,
) -> Draft:
    """Keep what the form said; an empty key keeps the one that is stored."""
    preflights.forget_old()
    if draft is None:
        draft = Draft(owner_id=owner.pk)
        for old in Draft.objects.filter(owner_id=owner.pk)[MAX_DRAFTS - 1 :]:
            old.delete()
    elif not is_for(draft, facts.get("base_url")) and not api_key:
        draft.encrypted_key = b""  # a key is never sent to another address than it was given for
    draft.facts, draft.report, draft.asked_at = dict(facts), {}, None
    draft.encrypted_extra = encryption.encrypt_object(extra_body or {})
    draft.encrypted_headers = encryption.encrypt_headers(extra_headers or {})
    if api_key:
        draft.encrypted_key = encryption.encrypt(api_key)
    draft.save()
    return draft


def keep_refused(
    owner: AbstractBaseUser, form: SubmissionForm, draft: Draft | None
) -> Draft | None:
    """Keep the key of a form that was refused, encrypted and for this address alone.

    Where the address itself was refused, the key is for the one that comes in its place. Returns
    the draft that holds it; without a new key or another address nothing is written.
    """
    said = form.cleaned_data
    api_key, base_url = said.get("api_key", ""), said.get("base_url", "")
    headers = said_headers(form, draft)
    if not (api_key or headers or (base_url and draft)):
        return draft
    if draft and not api_key and not has_news(draft, base_url, headers):
        return draft
    if draft and not base_url and draft.facts.get("base_url"):
        draft = None  # its address and key stay as they are
    facts, extra_body = form.partial_facts, said.get("extra_body")
    return save_draft(owner, facts, api_key, draft, extra_body, headers)


def said_headers(form: SubmissionForm, draft: Draft | None) -> Mapping[str, str]:
    """The form's headers; those that the draft keeps where the form's cannot be read."""
    said: Mapping[str, str] | None = form.cleaned_data.get("extra_headers")
    return headers_for(draft, form.cleaned_data.get("base_url", "")) if said is None else said


def has_news(draft: Draft, base_url: str, headers: Mapping[str, str]) -> bool:
    """True if a form names another address than its draft, or other headers."""
    return draft.facts.get("base_url") != base_url or headers != headers_for(draft, base_url)


def ask_for_models(owner: AbstractBaseUser, form: SubmissionForm, draft: Draft | None) -> Draft:
    """Keep what a form says so far, and ask a worker for the models that its endpoint lists.

    A draft that was checked is left alone: the list goes with an unfinished one, of which a user
    has one. ProblemError while another of the user's drafts is looked at, or while a run is at
    work at a port of this machine.
    """
    said = form.cleaned_data
    api_key = said.get("api_key") or key_for(draft, said["base_url"])
    if draft is None or draft.is_complete:
        unfinished = Draft.objects.filter(owner_id=owner.pk, facts__is_partial=True)
        draft = unfinished.first()
    if was_asked_lately(owner):
        raise refusal(
            "asked_lately",
            "You have just requested a model list.",
            "Try again in a few seconds, or type the model's name.",
        )
    if local_port(said["base_url"]) in ports_at_work():
        raise refusal(
            "endpoint_at_work",
            "A run or a check is using this server; one more request could break off its replies.",
            "Type the model's name.",
        )
    extras = said.get("extra_body"), said_headers(form, draft)
    quotas.require(owner, AccountUse.Kind.CHECK)
    kept = save_draft(owner, form.partial_facts, api_key, draft, *extras)
    ask_for_draft(kept)
    return kept


@transaction.atomic
def ask_for_draft(draft: Draft) -> bool:
    """Ask a worker for a draft's preflight once the transaction is committed.

    False while the owner waits for one, or just got one. Raises ProblemError when the account has
    no check of an endpoint left.
    """
    quotas.lock(draft.owner)
    now = clock.now()
    if draft.asked_at and now - draft.asked_at < AGAIN_AFTER:
        return False
    awaited = Draft.objects.filter(report={}, asked_at__gt=now - preflights.PATIENCE)
    if draft.is_complete:  # a list of models that is under way stands in no check's way
        # A fact that is absent is NULL, which `exclude` would take for a list as well.
        awaited = awaited.filter(Q(facts__is_partial__isnull=True) | Q(facts__is_partial=False))
    if awaited.filter(owner_id=draft.owner_id).exists():
        return False
    quotas.use(draft.owner, AccountUse.Kind.CHECK)
    draft.report, draft.asked_at, draft.answered_at = {}, now, None
    draft.save(update_fields=["report", "asked_at", "answered_at"])
    transaction.on_commit(lambda: send_preflight_draft(draft.pk))
    return True


def was_asked_lately(owner: AbstractBaseUser) -> bool:
    """True if a worker looks at one of the user's drafts now, or was asked a moment ago."""
    now = clock.now()
    lately = Q(asked_at__gt=now - LIST_AGAIN_AFTER)
    awaited = Q(report={}, asked_at__gt=now - preflights.PATIENCE)
    return Draft.objects.filter(lately | awaited, owner_id=owner.pk).exists()


def is_for(draft: Draft, base_url: object) -> bool:
    """True if what the draft keeps was given for this address, or with one that was refused."""
    return draft.facts.get("base_url") in (base_url, None, "")


def key_for(draft: Draft | None, base_url: str) -> str:
    """The key that a draft keeps for this address; "" for any other address."""
    if draft is None or not is_for(draft, base_url):
        return ""
    return encryption.decrypt(draft.encrypted_key)


def headers_for(draft: Draft | None, base_url: str) -> dict[str, str]:
    """The extra headers that a draft keeps for this address; none for any other."""
    if draft is None or not is_for(draft, base_url):
        return {}
    return encryption.decrypt_headers(draft.encrypted_headers)


def require_usable(draft: Draft) -> None:
    """ProblemError unless a preflight found that a run can succeed."""
    if not draft.is_usable:
        raise refusal(
            "preflight_not_passed",
            "The preflight has not found this endpoint usable.",
            "Fix what the preflight reports, then check again.",
        )
