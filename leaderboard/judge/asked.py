"""The maintainers' form: which judge, which run or board, and at which ceiling."""

from __future__ import annotations

from typing import Any

from django import forms

from leaderboard.judge import actions
from leaderboard.models import Judge, Judging, Run, Suite
from leaderboard.money.ceiling import (
    LEAST_DOLLARS,
    LEAST_TOKENS,
    MOST_DOLLARS,
    MOST_TOKENS,
    AskedCeiling,
)


class CeilingForm(forms.Form):
    """A ceiling in tokens or in dollars, or none."""

    ceiling_tokens = forms.IntegerField(
        min_value=LEAST_TOKENS,
        max_value=MOST_TOKENS,
        required=False,
        label="Tokens per run, at most",
    )
    ceiling_dollars = forms.FloatField(
        min_value=LEAST_DOLLARS,
        max_value=MOST_DOLLARS,
        required=False,
        label="or dollars per run, for a judge with a price",
    )

    @property
    def ceiling(self) -> AskedCeiling:
        """Once the form is valid."""
        facts = self.cleaned_data
        return AskedCeiling(facts["ceiling_tokens"], facts["ceiling_dollars"])


class AskForm(CeilingForm):
    """Either a run or a suite is named."""

    field_order = ("judge", "run", "suite")
    judge = forms.ModelChoiceField(Judge.objects.all(), empty_label=None)
    run = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False, label="Run number")
    suite = forms.ModelChoiceField(
        Suite.objects.none(), required=False, label="or every run on the board of"
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        suites = self.fields["suite"]
        assert isinstance(suites, forms.ModelChoiceField)
        suites.queryset = Suite.objects.shown().order_by("-pk")

    def clean_run(self) -> Run | None:
        number = self.cleaned_data["run"]
        if number is None:
            return None
        run: Run | None = Run.objects.select_related("entry", "suite").filter(pk=number).first()
        if run is None:
            raise forms.ValidationError(f"There is no run {number}.")
        return run

    def clean(self) -> dict[str, Any]:
        facts = super().clean() or self.cleaned_data
        if not self.errors and bool(facts.get("run")) == bool(facts.get("suite")):
            raise forms.ValidationError("Name a run or a suite, one of the two.")
        return facts

    def save(self, asked_by: Any) -> list[Judging]:
        """Queue what was asked for. ProblemError where that cannot be."""
        facts = self.cleaned_data
        ceiling = self.ceiling
        if facts["run"]:
            return [
                actions.judge_run(facts["judge"], facts["run"], ceiling=ceiling, asked_by=asked_by)
            ]
        return actions.judge_board(
            facts["judge"], facts["suite"], ceiling=ceiling, asked_by=asked_by
        )
