"""Submission of an endpoint by a program; it takes the same fields as the site's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard.api.base import Strict
from leaderboard.api.suites import SuiteReferenceField
from leaderboard.models import Entry
from leaderboard.money.ceiling import LEAST_DOLLARS, LEAST_TOKENS, MOST_DOLLARS, MOST_TOKENS
from leaderboard.submissions.endpoint_policy import submission_policy
from leaderboard.submissions.submission import Submission
from runner import submission_fields as fields
from runner.contract import ActionFormat, ProblemError
from runner.endpoint.address_policy import MAX_URL_CHARS, check_url
from runner.endpoint.extras import extra_body, extra_headers


class SamplingSerializer(Strict):
    """Sampling of replies; omitted fields take the endpoint's own default."""

    temperature = serializers.FloatField(required=False, **fields.TEMPERATURE.bounds)
    top_p = serializers.FloatField(required=False, **fields.TOP_P.bounds)
    max_tokens = serializers.IntegerField(
        required=False, **fields.MAX_TOKENS.bounds, help_text="Of one reply."
    )


@extend_schema_field({"type": "object", "additionalProperties": True})
class AnyFieldsField(serializers.DictField):
    """An object whose fields may hold any JSON."""


class SubmissionSerializer(Strict):
    """An endpoint, facts about its model, and what is to be run."""

    suite = SuiteReferenceField()
    base_url = serializers.CharField(
        max_length=MAX_URL_CHARS,
        help_text="Base URL of an OpenAI-compatible API, such as https://api.your-host.com/v1.",
    )
    model = serializers.CharField(
        max_length=fields.MAX_MODEL_CHARS, help_text="Model ID at the endpoint."
    )
    name = serializers.CharField(
        max_length=fields.MAX_NAME_CHARS, help_text="The name on the board."
    )
    api_key = serializers.CharField(
        required=False, allow_blank=True, max_length=fields.MAX_KEY_CHARS, write_only=True
    )
    action_format = serializers.ChoiceField(
        [f.value for f in ActionFormat],
        required=False,
        help_text="How the model hands over code; “fenced” by default.",
    )
    sampling = SamplingSerializer(required=False)
    stream = serializers.BooleanField(
        required=False, help_text="Ask for replies as a stream; true by default."
    )
    extra_body = AnyFieldsField(
        child=serializers.JSONField(allow_null=True),
        required=False,
        write_only=True,
        help_text="Extra request fields, merged into every request; fields that the run sets "
        "are refused. Stored encrypted; the model's page shows their names, never their values.",
    )
    extra_headers = serializers.DictField(
        child=serializers.CharField(max_length=extra_headers.MAX_CHARS),
        required=False,
        write_only=True,
        help_text="Extra headers of every request to the endpoint, name by name. None that the "
        "request itself decides (Authorization, Host, cookies …). Stored encrypted; the model's "
        "page shows their names, never their values.",
    )
    preflight = serializers.BooleanField(
        required=False,
        write_only=True,
        help_text="Check the endpoint before anything is queued; true by default.",
    )
    attempts_per_task = serializers.IntegerField(
        required=False, **fields.ATTEMPTS_PER_TASK.bounds, help_text="1 by default."
    )
    concurrency = serializers.IntegerField(
        required=False,
        **fields.CONCURRENCY.bounds,
        help_text="Attempts played in parallel; 2 by default.",
    )
    ceiling_tokens = serializers.IntegerField(
        required=False,
        write_only=True,
        min_value=LEAST_TOKENS,
        max_value=MOST_TOKENS,
        help_text="The run stops once no further reply fits, prompts and replies counted; "
        "it can be resumed with a higher ceiling.",
    )
    ceiling_dollars = serializers.FloatField(
        required=False,
        write_only=True,
        min_value=LEAST_DOLLARS,
        max_value=MOST_DOLLARS,
        help_text="Instead of tokens, for a model that the price book has.",
    )
    fresh_seed = serializers.BooleanField(
        required=False,
        write_only=True,
        help_text="Make the inputs from a new seed that nobody has seen; false by default. "
        "Such a run is on no board and is not compared with others.",
    )
    organisation = serializers.CharField(
        required=False, allow_blank=True, max_length=fields.MAX_ORGANISATION_CHARS
    )
    parameters_b = serializers.FloatField(
        required=False,
        allow_null=True,
        **fields.PARAMETERS_B.bounds,
        help_text="Billions of parameters.",
    )
    weights = serializers.ChoiceField(Entry.Weights.choices, required=False)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=fields.MAX_DESCRIPTION_CHARS
    )
    is_public = serializers.BooleanField(
        required=False, help_text="False by default: it can be published later."
    )

    def to_internal_value(self, data: Any) -> Any:
        """Names a base URL that is refused beside all else that is wrong; alone it has a code."""
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            wrong: Any = error.detail
            if isinstance(data, Mapping) and "base_url" in data and "base_url" not in wrong:
                try:
                    check_url(str(data["base_url"]), submission_policy())
                except ProblemError as refused:
                    wrong = {**wrong, "base_url": [refused.problem.sentence]}
            raise serializers.ValidationError(wrong) from None

    def validate_extra_body(self, value: Any) -> dict[str, Any]:
        try:
            return extra_body.check(value)
        except ProblemError as error:
            raise serializers.ValidationError(error.problem.sentence) from None

    def validate_extra_headers(self, value: Any) -> dict[str, str]:
        try:
            return extra_headers.check(value)
        except ProblemError as error:
            raise serializers.ValidationError(error.problem.sentence) from None


def submission_of(checked: Mapping[str, Any]) -> Submission:
    """Translate the serializer's checked data into the form's fields."""
    facts = {name: value for name, value in checked.items() if name != "preflight"}
    if "action_format" in facts:
        facts["action_format"] = ActionFormat(facts["action_format"])
    return Submission(**facts)
