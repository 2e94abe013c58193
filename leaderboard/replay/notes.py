"""Notes and labels that readers pin to steps: who sees them, and how many there may be."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db import transaction

from leaderboard.ledger.public_names import public_name
from leaderboard.models import Attempt, StepNote, clean

MAX_TEXT_CHARS = 2_000
MAX_OF_AUTHOR = 100  # of one account at one attempt
MAX_SHOWN = 500

Record = dict[str, object]


class NoteForm(forms.Form):
    """A note on a step of the try that is shown."""

    step = forms.IntegerField(min_value=1, max_value=65_535)
    label = forms.CharField(max_length=40, required=False)
    text = forms.CharField(
        max_length=MAX_TEXT_CHARS, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, attempt: Attempt, try_number: int, author: Any, data: Any = None) -> None:
        super().__init__(data)
        self.attempt, self.try_number, self.author = attempt, try_number, author

    def clean_step(self) -> int:
        index = int(self.cleaned_data["step"])
        if not self.attempt.steps.filter(try_number=self.try_number, index=index).exists():
            raise forms.ValidationError(f"This try has no step {index}.")
        return index

    def clean(self) -> dict[str, Any]:
        facts = super().clean() or self.cleaned_data
        for name in ("label", "text"):
            facts[name] = clean(facts.get(name, "")).strip()
        if not facts["label"] and not facts["text"] and not self.errors:
            raise forms.ValidationError("Write a note, or give a label.")
        return facts

    def save(self) -> StepNote | None:
        """The stored note; None, and an error, where the account has as many here as it may."""
        facts = self.cleaned_data
        with transaction.atomic():
            of_author = StepNote.objects.filter(attempt=self.attempt, author_id=self.author.pk)
            if of_author.count() >= MAX_OF_AUTHOR:
                self.add_error(
                    None, f"You have {MAX_OF_AUTHOR} notes on this attempt: delete one first."
                )
                return None
            return StepNote.objects.create(
                attempt=self.attempt,
                try_number=self.try_number,
                index=facts["step"],
                author_id=self.author.pk,
                label=facts["label"],
                text=facts["text"],
            )


def visible_notes(attempt: Attempt, user: Any) -> list[StepNote]:
    """Notes that the reader may see: all for the run's owner and maintainers, else their own."""
    if not user.is_authenticated:
        return []
    notes = StepNote.objects.filter(attempt=attempt).select_related("author")
    if not user.is_staff and attempt.run.entry.owner_id != user.pk:
        notes = notes.filter(author_id=user.pk)
    return list(notes[:MAX_SHOWN])


def record_notes(notes: list[StepNote]) -> list[Record]:
    """Notes as exports have them."""
    return [
        {
            "step": note.index,
            "try": note.try_number,
            "label": note.label,
            "text": note.text,
            "author": public_name(note.author_id),
            "at": note.created_at.isoformat(),
        }
        for note in notes
    ]
