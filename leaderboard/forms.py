"""The form of a submission: what may be said, and what is said back when it cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from leaderboard.models import Entry, Suite
from leaderboard.outgoing import open_policy
from leaderboard.submissions import MAX_ATTEMPTS_PER_TASK
from leaderboard.submitting import SAMPLING, Submission, require_sendable
from runner.addresses import MAX_URL_CHARS, check_url
from runner.contract import ActionFormat, ProblemError
from runner.extra_body import MAX_CHARS as MAX_EXTRA_CHARS
from runner.extra_body import read as read_extra_body

FORMATS = [
    (ActionFormat.FENCED.value, "fenced: a ```python block in the reply"),
    (ActionFormat.TOOLS.value, "tools: a call of the tool execute_python"),
    (ActionFormat.MARKERS.value, "markers: <|execute_start|> … <|execute_end|>"),
]
MAX_FORM_CONCURRENCY = 16
MAX_KEY_CHARS = 4000
SECRETS = ("api_key", "extra_body")


class SubmissionForm(forms.Form):
    """A submission; the key is taken in and never shown again."""

    base_url = forms.CharField(
        label="Base URL",
        max_length=MAX_URL_CHARS,
        help_text="Of an OpenAI-compatible API, such as https://api.your-host.com/v1.",
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    model = forms.CharField(
        label="Model",
        max_length=300,
        help_text="What the endpoint calls it.",
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=MAX_KEY_CHARS,
        strip=True,
        help_text="Kept encrypted, sent to this endpoint alone, never shown again.",
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "off"}),
    )
    action_format = forms.ChoiceField(
        label="Action format", choices=FORMATS, help_text="How the model hands over code."
    )
    temperature = forms.FloatField(
        label="Temperature",
        required=False,
        min_value=0,
        max_value=2,
        help_text="Left out of the request when empty.",
    )
    top_p = forms.FloatField(label="Top p", required=False, min_value=0, max_value=1)
    max_tokens = forms.IntegerField(
        label="Tokens per reply", required=False, min_value=1, max_value=1_000_000
    )
    stream = forms.BooleanField(
        label="Ask for a stream",
        required=False,
        initial=True,
        help_text="Switch it off for an endpoint that only gives whole replies.",
    )
    extra_body = forms.CharField(
        label="Extra body",
        required=False,
        max_length=MAX_EXTRA_CHARS,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
        help_text="A JSON object that is merged into every request, such as "
        '{"reasoning_effort": "low"}. Kept encrypted; the names in it are shown with the entry, '
        "the values to nobody else.",
    )
    suite = forms.ModelChoiceField(
        label="Suite", queryset=Suite.objects.none(), empty_label=None, to_field_name="pk"
    )
    attempts_per_task = forms.IntegerField(
        label="Attempts per task",
        min_value=1,
        max_value=MAX_ATTEMPTS_PER_TASK,
        initial=1,
        help_text="With more than one, pass@k and the spread between attempts are shown.",
    )
    concurrency = forms.IntegerField(
        label="Concurrency",
        min_value=1,
        max_value=MAX_FORM_CONCURRENCY,
        initial=2,
        help_text="Attempts in flight at once.",
    )
    name = forms.CharField(
        label="Name", max_length=120, help_text="On the board, such as “Foo 70B Instruct”."
    )
    organisation = forms.CharField(label="Organisation", required=False, max_length=120)
    parameters_b = forms.FloatField(
        label="Parameters in billions", required=False, min_value=0.001, max_value=100_000
    )
    weights = forms.ChoiceField(
        label="Weights", choices=Entry.Weights.choices, initial=Entry.Weights.UNKNOWN
    )
    description = forms.CharField(
        label="Description",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What a reader should know: quantisation, server, prompt template.",
    )
    visibility = forms.ChoiceField(
        label="Visibility",
        choices=[
            ("private", "private: nobody but you, until you publish it"),
            ("public", "public from the start"),
        ],
        initial="private",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["suite"].queryset = runnable_suites()  # type: ignore[attr-defined]

    def clean_base_url(self) -> str:
        try:
            return check_url(self.cleaned_data["base_url"], open_policy())
        except ProblemError as error:
            raise ValidationError(error.problem.sentence) from None

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        try:
            require_sendable(key)
        except ProblemError as error:
            raise ValidationError(error.problem.sentence) from None
        return key

    def clean_extra_body(self) -> dict[str, Any]:
        try:
            return read_extra_body(self.cleaned_data["extra_body"])
        except ProblemError as error:
            raise ValidationError(error.problem.sentence) from None

    @property
    def facts(self) -> dict[str, Any]:
        """What was said, for a draft: everything but its secrets, as JSON can hold it."""
        facts = {name: value for name, value in self.cleaned_data.items() if name not in SECRETS}
        return {**facts, "suite": facts["suite"].pk}


def runnable_suites() -> Any:
    return Suite.objects.filter(is_recorded=False).order_by("-pk")


def submission_of(
    facts: dict[str, Any], api_key: str, extra_body: Mapping[str, Any] | None = None
) -> Submission:
    """The submission that a draft holds. Suite.DoesNotExist when its suite is gone."""
    copied = ("base_url", "model", "name", "attempts_per_task", "concurrency", "organisation")
    return Submission(
        **{name: facts[name] for name in copied},
        suite=runnable_suites().get(pk=facts["suite"]),
        api_key=api_key,
        stream=facts.get("stream", True),
        extra_body=extra_body or {},
        action_format=ActionFormat(facts["action_format"]),
        sampling={name: facts[name] for name in SAMPLING},
        parameters_b=facts["parameters_b"],
        weights=facts["weights"],
        description=facts["description"],
        is_public=facts["visibility"] == "public",
    )
