"""What a program sends to submit an endpoint; the form of the site asks the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from leaderboard.api.suites import SuiteReferenceField
from leaderboard.models import Entry
from leaderboard.submissions import MAX_ATTEMPTS_PER_TASK, MAX_CONCURRENCY
from leaderboard.submitting import Submission
from runner import extra_body
from runner.addresses import MAX_URL_CHARS
from runner.contract import ActionFormat, ProblemError

MAX_KEY_CHARS = 4000
MAX_DESCRIPTION_CHARS = 4000
MAX_REPLY_TOKENS = 1_000_000
MAX_PARAMETERS_B = 100_000.0


class Strict(serializers.Serializer[Any]):
    """Refuses fields that it does not know: a typo must not become a default."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(str(name)[:80] for name in set(data) - set(self.fields))
            if unknown:
                words = [f"There is no such field; known are {', '.join(sorted(self.fields))}."]
                raise serializers.ValidationError(dict.fromkeys(unknown, words))
        return super().to_internal_value(data)


class SamplingSerializer(Strict):
    """How replies are drawn; what is left out is the endpoint's own default."""

    temperature = serializers.FloatField(required=False, min_value=0, max_value=2)
    top_p = serializers.FloatField(required=False, min_value=0, max_value=1)
    max_tokens = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_REPLY_TOKENS, help_text="Of one reply."
    )


class SubmissionSerializer(Strict):
    """An endpoint, facts about its model, and what is to be run."""

    suite = SuiteReferenceField()
    base_url = serializers.CharField(
        max_length=MAX_URL_CHARS,
        help_text="Of an OpenAI-compatible endpoint, such as https://api.your-host.com/v1.",
    )
    model = serializers.CharField(max_length=300, help_text="What the endpoint calls it.")
    name = serializers.CharField(max_length=200, help_text="What the board calls it.")
    api_key = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_KEY_CHARS, write_only=True
    )
    action_format = serializers.ChoiceField(
        [f.value for f in ActionFormat],
        required=False,
        help_text="How the model hands over code; “fenced” if not said.",
    )
    sampling = SamplingSerializer(required=False)
    stream = serializers.BooleanField(
        required=False, help_text="Whether replies are asked for as a stream; true if not said."
    )
    extra_body = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        required=False,
        write_only=True,
        help_text="Merged into every request; what the run itself decides is refused. Kept "
        "encrypted; the names in it are told with the entry, the values never.",
    )
    preflight = serializers.BooleanField(
        required=False,
        write_only=True,
        help_text="Whether the endpoint is looked at before anything is queued; true if not said.",
    )
    attempts_per_task = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_ATTEMPTS_PER_TASK, help_text="1 if not said."
    )
    concurrency = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_CONCURRENCY,
        help_text="Attempts in flight at once; 2 if not said.",
    )
    organisation = serializers.CharField(required=False, allow_blank=True, max_length=200)
    parameters_b = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MAX_PARAMETERS_B,
        help_text="Billions of parameters.",
    )
    weights = serializers.ChoiceField(Entry.Weights.choices, required=False)
    description = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_DESCRIPTION_CHARS
    )
    is_public = serializers.BooleanField(
        required=False, help_text="False if not said: it can be published later."
    )

    def validate_extra_body(self, value: Any) -> dict[str, Any]:
        try:
            return extra_body.check(value)
        except ProblemError as error:
            raise serializers.ValidationError(error.problem.sentence) from None


def submission_of(checked: Mapping[str, Any]) -> Submission:
    """What the serializer checked, in the words of the form."""
    facts = {name: value for name, value in checked.items() if name != "preflight"}
    if "action_format" in facts:
        facts["action_format"] = ActionFormat(facts["action_format"])
    return Submission(**facts)
