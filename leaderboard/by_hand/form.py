"""The form of one reply: a cell, or the final answer."""

from __future__ import annotations

from typing import Any

from django import forms

MAX_CHARS = 100_000


class ReplyForm(forms.Form):
    """Next reply of a person."""

    index = forms.IntegerField(min_value=1, max_value=10_000, widget=forms.HiddenInput())
    text = forms.CharField(
        label="Next cell, or your final answer",
        strip=False,
        max_length=MAX_CHARS,
        widget=forms.Textarea(
            attrs={"rows": 8, "class": "mono", "spellcheck": "false", "autocomplete": "off"}
        ),
    )
    act = forms.ChoiceField(choices=[("run", "run"), ("answer", "answer")])

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not text.strip():
            raise forms.ValidationError("Type a cell or an answer.")
        return text

    @property
    def facts(self) -> dict[str, Any]:
        said = self.cleaned_data
        return {"index": said["index"], "text": said["text"], "is_answer": said["act"] == "answer"}
