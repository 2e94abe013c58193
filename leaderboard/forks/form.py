"""The form of a fork: one cell, what follows it, and an endpoint if one is asked."""

from __future__ import annotations

from typing import Any

from django import forms

from leaderboard.forks.plan import MAX_ANSWER_CHARS, MAX_CELL_CHARS, After, ForkPlan
from leaderboard.models import Attempt, Endpoint, clean, unpack
from runner.endpoint.address_policy import MAX_URL_CHARS
from runner.submission_fields import MAX_KEY_CHARS

PLAIN: dict[str, Any] = {"spellcheck": "false", "autocomplete": "off"}


class ForkForm(forms.Form):
    """A fork after one step; the key is taken in and never shown again."""

    after = forms.ChoiceField(
        label="What follows",
        choices=[
            (After.ASK.value, "ask an endpoint to go on"),
            (After.CELL_ASK.value, "run the cell, then ask an endpoint to go on"),
            (After.REST.value, "run the cell, then the other steps as recorded"),
            (After.END.value, "run the cell, then end with the answer below"),
        ],
        initial=After.ASK.value,
        help_text="The files that are left are checked in each case.",
        widget=forms.Select(),
    )
    code = forms.CharField(
        label="Next cell",
        required=False,
        strip=False,
        max_length=MAX_CELL_CHARS,
        help_text="Run in the state that the kept steps leave. It is first the next step as "
        "recorded. Left empty, none is run.",
        widget=forms.Textarea(attrs={"rows": 12, "class": "mono", **PLAIN}),
    )
    answer = forms.CharField(
        label="Final answer",
        required=False,
        max_length=MAX_ANSWER_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Only for the last of these choices.",
    )
    base_url = forms.CharField(
        label="Base URL",
        required=False,
        max_length=MAX_URL_CHARS,
        widget=forms.TextInput(attrs={"inputmode": "url", **PLAIN}),
    )
    model = forms.CharField(
        label="Model", required=False, max_length=300, widget=forms.TextInput(attrs=PLAIN)
    )
    api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=MAX_KEY_CHARS,
        help_text="Stored encrypted, sent only to this endpoint, never shown again.",
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "off"}),
    )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"].replace("\r\n", "\n")
        return clean(code) if code.strip() else ""

    def clean(self) -> dict[str, Any]:
        facts = super().clean() or self.cleaned_data
        if facts.get("after") in (After.ASK, After.CELL_ASK):
            for name in ("base_url", "model"):
                if name in facts and not facts[name]:
                    self.add_error(name, "An endpoint needs this.")
        return facts

    def plan(self, step: int) -> ForkPlan:
        facts = dict(self.cleaned_data)
        return ForkPlan(step=step, **{**facts, "after": After(facts["after"])})


def first_facts(attempt: Attempt, code: str) -> dict[str, Any]:
    """Values that a new form shows: the next step as recorded, and the endpoint of the run."""
    endpoint = Endpoint.objects.filter(entry=attempt.run.entry_id).first()
    is_known = endpoint is not None and not endpoint.is_nobody
    return {
        "code": code,
        "after": After.ASK if is_known else After.REST,
        "answer": unpack(attempt.closing).get("answer") or "",
        "base_url": endpoint.base_url if endpoint and is_known else "",
        "model": attempt.run.entry.model_name if is_known else "",
    }
