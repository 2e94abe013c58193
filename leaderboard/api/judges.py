"""Judges: language models that give verdicts beside the checks, and labels by people."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.authentication import owner_of
from leaderboard.api.base import (
    MAX_ID,
    Api,
    ApiSet,
    Latest,
    LatestQuery,
    Listing,
    NumberedQuery,
    Strict,
)
from leaderboard.api.suites import SuiteReferenceField
from leaderboard.judge import actions
from leaderboard.judge.ceilings import ceiling_of
from leaderboard.judge.labels import LABELS, keep_label
from leaderboard.judge.trial import list_judges, try_judge
from leaderboard.judge.trial_record import record_trial
from leaderboard.models import Attempt, Judge, JudgeVerdict, Judging, Run
from leaderboard.money.ceiling import (
    LEAST_DOLLARS,
    LEAST_TOKENS,
    MOST_DOLLARS,
    MOST_TOKENS,
    AskedCeiling,
)
from runner.contract import JudgingState, refusal


class IntervalSerializer(serializers.Serializer[Any]):
    """A figure with its 95 % interval; a share is from 0 to 1."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ConfusionSerializer(serializers.Serializer[Any]):
    """Attempts by the judge's verdict and the truth that it is measured against."""

    true_pass = serializers.IntegerField()
    false_pass = serializers.IntegerField(help_text="The judge passes what fails.")
    false_fail = serializers.IntegerField(help_text="The judge fails what passes.")
    true_fail = serializers.IntegerField()
    sensitivity = IntervalSerializer(allow_null=True)
    specificity = IntervalSerializer(allow_null=True)


class TrialLineSerializer(ConfusionSerializer):
    """A judge against the strict check, on a group of attempts."""

    key = serializers.CharField()
    name = serializers.CharField()
    cannot_tell = serializers.IntegerField()
    judge_errors = serializers.IntegerField()
    pass_rate = IntervalSerializer(allow_null=True)
    agreement = IntervalSerializer(allow_null=True)
    kappa = IntervalSerializer(allow_null=True)


class PeopleSerializer(ConfusionSerializer):
    """A judge against labels by people, where those who labelled an attempt agree."""

    split_labels = serializers.IntegerField(help_text="Attempts on which people disagree.")


class MissedSerializer(serializers.Serializer[Any]):
    """Failed attempts with this first tag, and how many of them the judge passes."""

    tag = serializers.CharField()
    missed = serializers.IntegerField()
    failed = serializers.IntegerField()


class TrialSerializer(serializers.Serializer[Any]):
    """A judge and its trial on public runs."""

    judge = serializers.CharField()
    name = serializers.CharField()
    is_scripted = serializers.BooleanField(help_text="Fixed rules in the place of a model.")
    model = serializers.CharField()
    replied_as = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Verdicts by the model that the endpoint named; empty where it is the pinned one "
        "alone.",
    )
    form = serializers.CharField()
    takes_images = serializers.BooleanField()
    prompt_version = serializers.CharField()
    prompt_digest = serializers.CharField()
    digest = serializers.CharField(help_text="Of model, prompt and parameters.")
    overall = TrialLineSerializer()
    models = TrialLineSerializer(many=True)
    categories = TrialLineSerializer(many=True)
    languages = TrialLineSerializer(many=True)
    people = PeopleSerializer()
    corrected_pass_rate = IntervalSerializer(allow_null=True)
    missed = MissedSerializer(many=True)


@extend_schema(tags=["Judges"], parameters=[NumberedQuery])
class Judges(Listing):
    """Judges with their agreement with checks and people, on public runs."""

    serializer_class = TrialSerializer

    def get_queryset(self) -> Any:
        return [record_trial(try_judge(judge)) for judge in list_judges()]


class ForecastSerializer(serializers.Serializer[Any]):
    """Tokens that the judging takes, from a few of its attempts."""

    attempts = serializers.IntegerField(required=False)
    low = serializers.IntegerField()
    high = serializers.IntegerField()
    dollars = serializers.ListField(
        child=serializers.FloatField(),
        required=False,
        help_text="The least and the most, for a judge that the price book has.",
    )


class JudgingSerializer(serializers.ModelSerializer[Judging]):
    """A judge's verdicts on a run: how far they are."""

    judge = serializers.CharField(source="judge.slug")
    is_scripted = serializers.BooleanField(source="judge.is_scripted")
    state = serializers.ChoiceField([state.value for state in JudgingState])
    problem = serializers.CharField(help_text="Why it stopped, or rests; empty otherwise.")
    ceiling = serializers.IntegerField(
        allow_null=True, help_text="Tokens, or millionths of a dollar where `counts_money`."
    )
    spent = serializers.IntegerField(help_text="In the unit of the ceiling; tokens without one.")
    counts_money = serializers.SerializerMethodField()
    ceiling_used = serializers.SerializerMethodField(
        help_text="As in “$0.42 of $5.00”; empty without a ceiling."
    )
    forecast = serializers.SerializerMethodField()

    class Meta:
        model = Judging
        fields = (
            "id", "run", "judge", "is_scripted", "reference", "state", "problem", "ceiling",
            "spent", "counts_money", "ceiling_used", "forecast", "created_at", "finished_at",
        )  # fmt: skip

    def get_counts_money(self, judging: Judging) -> bool:
        return bool(judging.ceiling_prices)

    def get_ceiling_used(self, judging: Judging) -> str:
        use = ceiling_of(judging)
        return use.words if use else ""

    @extend_schema_field(ForecastSerializer(allow_null=True))
    def get_forecast(self, judging: Judging) -> dict[str, Any] | None:
        return judging.forecast or None


class JudgingQuery(LatestQuery):
    run = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    judge = serializers.SlugField(required=False, max_length=60)


class JudgingCeilingSerializer(Strict):
    """A ceiling in tokens or in dollars, or none."""

    ceiling_tokens = serializers.IntegerField(
        required=False, min_value=LEAST_TOKENS, max_value=MOST_TOKENS, help_text="Per run."
    )
    ceiling_dollars = serializers.FloatField(
        required=False,
        min_value=LEAST_DOLLARS,
        max_value=MOST_DOLLARS,
        help_text="Instead of tokens, for a judge that the price book has.",
    )

    @property
    def ceiling(self) -> AskedCeiling:
        facts = self.validated_data
        return AskedCeiling(facts.get("ceiling_tokens"), facts.get("ceiling_dollars"))


class AskSerializer(JudgingCeilingSerializer):
    """A judge, and either a run or a suite whose whole board is to be judged."""

    judge = serializers.SlugField(max_length=60)
    run = serializers.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    suite = SuiteReferenceField(required=False)


def judgings_for(user: Any) -> QuerySet[Judging]:
    """Of runs that `user` can read; maintainers see those of all."""
    found: QuerySet[Judging] = Judging.objects.select_related("judge")
    if getattr(user, "is_staff", False):
        return found
    return found.filter(run__in=Run.objects.visible_to(user).values("pk"))


def require_maintainer(request: Request) -> None:
    if not getattr(owner_of(request), "is_staff", False):
        raise refusal("maintainers_only", "Permission denied.", "Only a maintainer can do this.")


class Judgings(Listing):
    """Judges' work on runs, newest first."""

    serializer_class = JudgingSerializer
    query_class = JudgingQuery
    columns = {"run": "run", "judge": "judge__slug"}
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[Judging]:
        return judgings_for(self.request.user).filter(**self.wanted)

    def get_permissions(self) -> Any:
        return [IsAuthenticated()] if self.request.method == "POST" else super().get_permissions()

    @extend_schema(tags=["Judges"], operation_id="judgings_list", parameters=[JudgingQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        tags=["Judges"],
        operation_id="judgings_create",
        request=AskSerializer,
        responses={201: JudgingSerializer(many=True)},
    )
    def post(self, request: Request) -> Response:
        """Queue a judge's verdicts on a run or on a whole board; maintainers only.

        What is queued or done stays as it is; what stopped or failed goes on.
        """
        require_maintainer(request)
        sent = AskSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        facts = sent.validated_data
        if ("run" in facts) == ("suite" in facts):
            raise serializers.ValidationError({"run": ["Name a run or a suite, one of the two."]})
        judge = get_object_or_404(Judge, slug=facts["judge"])
        more: dict[str, Any] = {
            "ceiling": sent.ceiling,
            "asked_by": request.user,
        }
        if "run" in facts:
            runs = Run.objects.select_related("entry", "suite")
            judgings = [actions.judge_run(judge, get_object_or_404(runs, pk=facts["run"]), **more)]
        else:
            judgings = actions.judge_board(judge, facts["suite"], **more)
        return Response(JudgingSerializer(judgings, many=True).data, 201)


class JudgingActions(ApiSet):
    """Acts on a judge's work on a run."""

    permission_classes = (IsAuthenticated,)

    def find(self, request: Request, judging_id: int) -> Judging:
        require_maintainer(request)
        judging: Judging = get_object_or_404(judgings_for(request.user), pk=judging_id)
        return judging

    @extend_schema(
        tags=["Judges"], operation_id="judgings_stop", request=None, responses=JudgingSerializer
    )
    def stop(self, request: Request, judging_id: int) -> Response:
        """Ask the judge no more about this run; its verdicts stay. Maintainers only."""
        judging = self.find(request, judging_id)
        return Response(JudgingSerializer(actions.stop(judging.pk)).data)

    @extend_schema(
        tags=["Judges"],
        operation_id="judgings_resume",
        request=JudgingCeilingSerializer,
        responses=JudgingSerializer,
    )
    def resume(self, request: Request, judging_id: int) -> Response:
        """Go on with what has no verdict, at another ceiling if one is given. Maintainers only."""
        judging = self.find(request, judging_id)
        sent = JudgingCeilingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        actions.resume(judging.pk, ceiling=sent.ceiling, asked_by=request.user)
        judging.refresh_from_db()
        return Response(JudgingSerializer(judging).data)


class CriterionSerializer(serializers.Serializer[Any]):
    """A judge's answer to one criterion."""

    key = serializers.CharField()
    answer = serializers.CharField(help_text="yes, no or cannot tell")
    steps = serializers.ListField(child=serializers.IntegerField())
    why = serializers.CharField()


class JudgeVerdictSerializer(serializers.ModelSerializer[JudgeVerdict]):
    """A judge's verdict on one attempt."""

    verdict = serializers.CharField(help_text="pass, fail, cannot tell or judge error")
    criteria = CriterionSerializer(many=True, help_text="None in the pairwise form.")
    passed_check = serializers.BooleanField(
        source="attempt.passed", allow_null=True, help_text="Verdict of the strict check."
    )

    class Meta:
        model = JudgeVerdict
        fields = (
            "id", "attempt", "try_number", "verdict", "passed_check", "criteria", "reason",
            "problem", "replies", "replied_as", "prompt_tokens", "completion_tokens", "judged_at",
        )  # fmt: skip


class JudgeVerdicts(Listing):
    """Verdicts of one judging."""

    serializer_class = JudgeVerdictSerializer
    query_class = LatestQuery
    pagination_class = Latest

    def get_queryset(self) -> QuerySet[JudgeVerdict]:
        judging = get_object_or_404(judgings_for(self.request.user), pk=self.kwargs["judging_id"])
        found = judging.verdicts.filter(try_number=F("attempt__tries"))
        return found.select_related("attempt").defer("raw")

    @extend_schema(tags=["Judges"], operation_id="judgings_verdicts_list", parameters=[LatestQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Verdicts of a judge on a run, newest first."""
        return super().get(request, *args, **kwargs)


class LabelledSerializer(serializers.Serializer[Any]):
    """Sentence on what was done."""

    said = serializers.CharField()


class Label(Api):
    """Labels by people, against which judges are measured."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        tags=["Judges"],
        operation_id="attempts_label",
        parameters=[OpenApiParameter("label", str, OpenApiParameter.PATH, enum=LABELS)],
        request=None,
        responses=LabelledSerializer,
    )
    def post(self, request: Request, attempt_id: int, label: str) -> Response:
        """Label an attempt that has a verdict of its check, by your own reading.

        “none” takes your label back.
        """
        if label not in LABELS:
            raise Http404
        visible = Run.objects.visible_to(request.user).values("pk")
        found = Attempt.objects.filter(run__in=visible, passed__isnull=False)
        attempt = get_object_or_404(found, pk=attempt_id)
        return Response({"said": keep_label(attempt, owner_of(request), label)})
