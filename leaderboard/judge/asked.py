"""The maintainers' form: which judge, which run or board, and at which ceiling."""

from __future__ import annotations

from typing import Any

from django import forms

from leaderboard.judge import actions
from leaderboard.models import Judge, Judging, Run, Suite
from leaderboard.money.ceiling import LEAST_TOKENS, MOST_TOKENS, AskedCeiling


class AskForm(forms.Form):
    """Either a run or a suite is named."""

    judge = forms.ModelChoiceField(Judge.objects.all(), empty_label=None)
    run = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False, label="Run number")
    suite = forms.ModelChoiceField(
        Suite.objects.none(), required=False, label="or every run on the board of"
    )
    ceiling_tokens = forms.IntegerField(
        min_value=LEAST_TOKENS,
        max_value=MOST_TOKENS,
        required=False,
        label="Tokens per run, at most",
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
        ceiling = AskedCeiling(tokens=facts["ceiling_tokens"])
        if facts["run"]:
            return [
                actions.judge_run(facts["judge"], facts["run"], ceiling=ceiling, asked_by=asked_by)
            ]
        return actions.judge_board(
            facts["judge"], facts["suite"], ceiling=ceiling, asked_by=asked_by
        )
