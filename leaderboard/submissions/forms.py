"""The form of a submission: what may be said, and what is said back when it cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone

from leaderboard.models import Entry, Run, Suite
from leaderboard.money.ceiling import (
    LEAST_DOLLARS,
    LEAST_TOKENS,
    MOST_DOLLARS,
    MOST_TOKENS,
    AskedCeiling,
    settle_on,
)
from leaderboard.money.lookup import find_price
from leaderboard.money.providers import provider_of
from leaderboard.submissions.endpoint_policy import submission_policy
from leaderboard.submissions.past_runs import describe_suites
from leaderboard.submissions.submission import Submission, require_sendable
from runner import submission_fields as fields
from runner.contract import ActionFormat, ProblemError
from runner.endpoint.address_policy import MAX_URL_CHARS, check_url
from runner.endpoint.extras import extra_headers
from runner.endpoint.extras.extra_body import MAX_CHARS as MAX_EXTRA_CHARS
from runner.endpoint.extras.extra_body import read as read_extra_body

FORMATS = [
    (ActionFormat.FENCED.value, "fenced: a ```python block in the reply"),
    (ActionFormat.TOOLS.value, "tools: a call of the tool execute_python"),
    (ActionFormat.MARKERS.value, "markers: <|execute_start|> … <|execute_end|>"),
]
FIRST_FIELDS = ("base_url", "api_key", "model", "name", "suite")
SECRETS = ("api_key", "extra_body", "extra_headers")


class SuiteField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Suites to choose from, each with its size and what a run of it usually takes."""

    words: Mapping[int, str] = {}

    def label_from_instance(self, suite: Suite) -> str:
        return self.words.get(suite.pk, str(suite))


class HeaderLines(forms.Textarea):
    """A text area that shows headers by their names; values go into it and never come out."""

    def format_value(self, value: Any) -> str:
        return extra_headers.mask(str(value or ""))


class SubmissionForm(forms.Form):
    """A submission; the key is taken in and never shown again."""

    base_url = forms.CharField(
        label="Base URL",
        max_length=MAX_URL_CHARS,
        help_text="Base URL of an OpenAI-compatible API, such as https://api.your-host.com/v1.",
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=fields.MAX_KEY_CHARS,
        strip=True,
        help_text="Stored encrypted, sent only to this endpoint, never shown again.",
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "off"}),
    )
    model = forms.CharField(
        label="Model",
        max_length=fields.MAX_MODEL_CHARS,
        help_text="Model ID at the endpoint.",
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "autocomplete": "off", "list": "listed-models"}
        ),
    )
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=fields.MAX_NAME_CHARS,
        help_text="Name on the board. Leave empty to use the model ID.",
    )
    action_format = forms.ChoiceField(
        label="Action format",
        choices=FORMATS,
        initial=ActionFormat.FENCED.value,
        help_text="How the model hands over code.",
    )
    temperature = forms.FloatField(
        label="Temperature",
        required=False,
        **fields.TEMPERATURE.bounds,
        help_text="Left out of the request when empty.",
    )
    top_p = forms.FloatField(label="Top p", required=False, **fields.TOP_P.bounds)
    max_tokens = forms.IntegerField(
        label="Max tokens per reply", required=False, **fields.MAX_TOKENS.bounds
    )
    stream = forms.BooleanField(
        label="Stream replies",
        required=False,
        initial=True,
        help_text="Switch it off if the endpoint cannot stream.",
    )
    extra_body = forms.CharField(
        label="Extra request fields (JSON)",
        required=False,
        max_length=MAX_EXTRA_CHARS,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
        help_text="A JSON object that is merged into every request, such as "
        '{"reasoning_effort": "low"}. Stored encrypted; the model’s page shows the names of the '
        "fields, never their values.",
    )
    extra_headers = forms.CharField(
        label="Extra headers",
        required=False,
        max_length=2 * extra_headers.MAX_CHARS,
        strip=True,
        widget=HeaderLines(attrs={"rows": 2, "spellcheck": "false", "autocomplete": "off"}),
        help_text="A “Name: value” on each line, sent with every request. Stored encrypted; "
        "the model’s page shows their names, never their values.",
    )
    suite = SuiteField(
        label="Suite", queryset=Suite.objects.none(), empty_label=None, to_field_name="pk"
    )
    attempts_per_task = forms.IntegerField(
        label="Attempts per task",
        **fields.ATTEMPTS_PER_TASK.bounds,
        initial=fields.USUAL_ATTEMPTS,
        help_text="With more than one, the run shows pass@k and the spread between attempts.",
    )
    concurrency = forms.IntegerField(
        label="Concurrency",
        **fields.CONCURRENCY.bounds,
        initial=fields.USUAL_CONCURRENCY,
        help_text="Attempts played in parallel.",
    )
    fresh_seed = forms.BooleanField(
        label="Fresh instances",
        required=False,
        help_text="Inputs from a new seed that nobody has seen. Such a run is on no board and "
        "is not compared with others; it is shown on its own page only.",
    )
    ceiling_tokens = forms.IntegerField(
        label="Ceiling in tokens",
        required=False,
        min_value=LEAST_TOKENS,
        max_value=MOST_TOKENS,
        help_text="The run stops there, prompts and replies counted; you can raise it and resume.",
    )
    ceiling_dollars = forms.FloatField(
        label="Ceiling in dollars",
        required=False,
        min_value=LEAST_DOLLARS,
        max_value=MOST_DOLLARS,
        help_text="Instead of tokens, for a model that the price book has.",
    )
    organisation = forms.CharField(
        label="Organisation", required=False, max_length=fields.MAX_ORGANISATION_CHARS
    )
    parameters_b = forms.FloatField(
        label="Parameters in billions", required=False, **fields.PARAMETERS_B.bounds
    )
    weights = forms.ChoiceField(
        label="Weights", choices=Entry.Weights.choices, initial=Entry.Weights.UNKNOWN
    )
    description = forms.CharField(
        label="Description",
        required=False,
        max_length=fields.MAX_DESCRIPTION_CHARS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What a reader should know: quantisation, server, prompt template.",
    )
    visibility = forms.ChoiceField(
        label="Visibility",
        choices=[
            ("private", "private: only you, until you publish it"),
            ("public", "public from the start"),
        ],
        initial="private",
    )

    def __init__(
        self, *args: Any, kept_headers: Mapping[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kept_headers = kept_headers or {}  # which the draft has for this address
        suites = runnable_suites()
        field: SuiteField = self.fields["suite"]  # type: ignore[assignment]
        field.words, field.queryset = describe_suites(suites), suites

    def clean_base_url(self) -> str:
        try:
            return check_url(self.cleaned_data["base_url"], submission_policy())
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

    def clean_extra_headers(self) -> dict[str, str]:
        try:
            said = extra_headers.read(self.cleaned_data["extra_headers"])
            return extra_headers.keep(said, self.kept_headers)
        except ProblemError as error:
            raise ValidationError(error.problem.sentence) from None

    def clean(self) -> dict[str, Any] | None:
        """Name the entry after its model where no name was given."""
        said = self.cleaned_data
        if "name" in said and not said["name"].strip():
            said["name"] = str(said.get("model", ""))[: fields.MAX_NAME_CHARS]
        self.check_ceiling(said)
        return said

    def check_ceiling(self, said: Mapping[str, Any]) -> None:
        """Refuse a ceiling that cannot be kept; the message is at its field."""
        asked = AskedCeiling(said.get("ceiling_tokens"), said.get("ceiling_dollars"))
        if not asked or "model" not in said or "base_url" not in said:
            return
        price = find_price(provider_of(said["base_url"]), said["model"], timezone.now().date())
        try:
            settle_on(asked, price, said.get("max_tokens"))
        except ProblemError as error:
            field = "ceiling_dollars" if asked.dollars is not None else "ceiling_tokens"
            self.add_error(field, error.problem.sentence)

    @property
    def folded(self) -> list[str]:
        """Names of the fields that are shown only on demand."""
        return [name for name in self.fields if name not in FIRST_FIELDS]

    def has_changed_from_new(self, name: str) -> bool:
        """True if a field shows another value than in a form that nobody filled in."""
        field = self.fields[name]
        return bool(field.has_changed(field.initial, self[name].value()))

    @property
    def typed(self) -> dict[str, Any]:
        """Each field of a posted form as it was typed, right or wrong; never the key."""
        return {name: self[name].data for name in self.fields if name != "api_key"}

    @property
    def partial_facts(self) -> dict[str, Any]:
        """The data of a form that was refused, as far as each field is right."""
        facts = {name: value for name, value in self.cleaned_data.items() if name not in SECRETS}
        if "suite" in facts:
            facts["suite"] = facts["suite"].pk
        return {**facts, "is_partial": True}

    @property
    def facts(self) -> dict[str, Any]:
        """The form's data for a draft: everything but its secrets, as JSON can hold it."""
        facts = {name: value for name, value in self.cleaned_data.items() if name not in SECRETS}
        return {**facts, "suite": facts["suite"].pk}


KEY_AGAIN = "Enter the key again: it was not stored."


class ResumeForm(forms.Form):
    """Changes with which a paused or stopped run goes on; an empty field changes nothing."""

    api_key = forms.CharField(
        label="API key",
        required=False,
        max_length=fields.MAX_KEY_CHARS,
        strip=True,
        widget=forms.PasswordInput,
    )
    ceiling_tokens = forms.IntegerField(
        label="Ceiling in tokens", required=False, min_value=LEAST_TOKENS, max_value=MOST_TOKENS
    )
    ceiling_dollars = forms.FloatField(
        label="Ceiling in dollars", required=False, min_value=LEAST_DOLLARS, max_value=MOST_DOLLARS
    )
    concurrency = forms.IntegerField(
        label="Attempts in parallel", required=False, **fields.CONCURRENCY.bounds
    )
    max_tokens = forms.IntegerField(
        label="Max tokens per reply", required=False, **fields.MAX_TOKENS.bounds
    )
    stream = forms.TypedChoiceField(
        label="Stream replies",
        required=False,
        choices=[("", "no change"), ("on", "on"), ("off", "off")],
        coerce=lambda word: word == "on",
        empty_value=None,
    )

    def __init__(self, run: Run, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="resume-%s")
        known = {"concurrency": run.concurrency, "max_tokens": run.sampling.get("max_tokens")}
        for name, value in known.items():
            self.fields[name].widget.attrs["placeholder"] = value or "not set"
        key = self.fields["api_key"]
        key.label = f"Another API key for {run.entry.endpoint.base_url}, checked first"
        key.widget.attrs["autocomplete"] = "off"

    @property
    def sentences(self) -> list[str]:
        """The errors, each with the label of its field."""
        wrong = self.errors.items()
        of_fields = [
            f"{self[name].label}: {e}" for name, each in wrong if name != "__all__" for e in each
        ]
        return [*self.non_field_errors(), *of_fields]

    def refuse(self, sentence: str) -> None:
        """Say why the run does not go on. A key is never sent back, so it has to come again."""
        self.add_error(None, sentence)
        if self.data.get("api_key"):
            self.add_error("api_key", KEY_AGAIN)

    def clean(self) -> dict[str, Any]:
        if self.errors and self.data.get("api_key"):
            self.add_error("api_key", KEY_AGAIN)
        return self.cleaned_data


def runnable_suites() -> Any:
    return Suite.objects.filter(is_recorded=False).order_by("-pk")


def submission_of(
    facts: dict[str, Any],
    api_key: str,
    extra_body: Mapping[str, Any] | None = None,
    extra_headers: Mapping[str, str] | None = None,
) -> Submission:
    """The submission that a draft holds. Suite.DoesNotExist when its suite is gone."""
    copied = ("base_url", "model", "name", "attempts_per_task", "concurrency", "organisation")
    return Submission(
        **{name: facts[name] for name in copied},
        suite=runnable_suites().get(pk=facts["suite"]),
        api_key=api_key,
        stream=facts.get("stream", True),
        fresh_seed=facts.get("fresh_seed", False),
        extra_body=extra_body or {},
        extra_headers=extra_headers or {},
        action_format=ActionFormat(facts["action_format"]),
        sampling={name: facts[name] for name in fields.SAMPLING},
        ceiling_tokens=facts.get("ceiling_tokens"),
        ceiling_dollars=facts.get("ceiling_dollars"),
        parameters_b=facts["parameters_b"],
        weights=facts["weights"],
        description=facts["description"],
        is_public=facts["visibility"] == "public",
    )
