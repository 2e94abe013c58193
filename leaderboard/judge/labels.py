"""Labels by people on attempts: their own verdict, against which judges are measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from leaderboard.models import Attempt, HumanLabel, clean

MAX_WORDS_CHARS = 500
LABELS = ("pass", "fail", "none")


class LabelForm(forms.Form):
    """A reader's verdict on the try that counts."""

    label = forms.ChoiceField(choices=[(word, word) for word in LABELS])
    words = forms.CharField(max_length=MAX_WORDS_CHARS, required=False)

    def save(self, attempt: Attempt, author: Any) -> str:
        """As `keep_label` does it."""
        return keep_label(attempt, author, self.cleaned_data["label"], self.cleaned_data["words"])


def keep_label(attempt: Attempt, author: Any, label: str, words: str = "") -> str:
    """Keep the label in place of an earlier one, or take that back; returns a sentence on it."""
    if label == "none":
        HumanLabel.objects.filter(attempt=attempt, author_id=author.pk).delete()
        return "Your label is removed."
    HumanLabel.objects.update_or_create(
        attempt=attempt,
        author_id=author.pk,
        defaults={
            "try_number": attempt.counted_try,
            "passed": label == "pass",
            "words": clean(words).strip(),
        },
    )
    return f"Your label is kept: {label}."


@dataclass(frozen=True)
class LabelCount:
    """Labels of an attempt, and the reader's own."""

    passes: int
    fails: int
    own: HumanLabel | None = None

    @property
    def count(self) -> int:
        return self.passes + self.fails


def count_of(labels: Sequence[HumanLabel], user: Any) -> LabelCount:
    own = (one for one in labels if user.is_authenticated and one.author_id == user.pk)
    passes = sum(one.passed for one in labels)
    return LabelCount(passes, len(labels) - passes, next(own, None))


def labels_of(attempt: Attempt, user: Any) -> LabelCount:
    """Labels as people with an account see them. One query; none for others."""
    if not user.is_authenticated:
        return LabelCount(0, 0)
    rows = attempt.labels.filter(try_number=attempt.counted_try)
    return count_of(list(rows[:500]), user)
