"""Verifications of a run: what `pybench verify --report` found."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api, Strict
from leaderboard.api.evidence import find_run
from leaderboard.evidence.verifications import (
    MAX_LINE_CHARS,
    MAX_LINES,
    list_verifications,
    note_verification,
)
from leaderboard.models import Run

MAX_ATTEMPTS = 100_000


class VerificationSerializer(serializers.Serializer[Any]):
    """A verification of the run's present manifest."""

    by = serializers.CharField(help_text="Public name of the account.")
    day = serializers.DateField()
    is_equal = serializers.BooleanField()
    is_own = serializers.BooleanField(help_text="Made by the run's owner: it does not count.")
    attempts = serializers.IntegerField(help_text="Attempts that were judged again.")
    differences = serializers.ListField(child=serializers.CharField())
    report_sha256 = serializers.CharField(
        help_text='SHA-256 of the report that the account has; "" for one of an older version.'
    )


class VerificationsSerializer(serializers.Serializer[Any]):
    """A run's verifications."""

    verified_by = serializers.IntegerField(help_text="Accounts but its owner that report it equal.")
    verifications = VerificationSerializer(many=True)


class FindingsSerializer(Strict):
    """Findings of one verification."""

    manifest_sha256 = serializers.RegexField(r"^[0-9a-f]{64}\Z")
    equal = serializers.BooleanField()
    attempts = serializers.IntegerField(min_value=0, max_value=MAX_ATTEMPTS)
    report_sha256 = serializers.RegexField(r"^[0-9a-f]{64}\Z")
    differences = serializers.ListField(
        child=serializers.JSONField(), max_length=MAX_LINES, required=False, default=list
    )

    def validate_differences(self, lines: list[Any]) -> list[str]:
        if not all(isinstance(line, str) and len(line) <= MAX_LINE_CHARS for line in lines):
            raise serializers.ValidationError(
                f"Give texts of at most {MAX_LINE_CHARS} characters each."
            )
        return lines


FINDINGS_BODY = {
    "type": "object",
    "additionalProperties": False,
    "required": ["manifest_sha256", "equal", "attempts", "report_sha256"],
    "properties": {
        "manifest_sha256": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of the statement that the manifest signs.",
        },
        "equal": {"type": "boolean"},
        "attempts": {
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_ATTEMPTS,
            "description": "Attempts that were judged again.",
        },
        "report_sha256": {
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of your report, as `verify --json` prints it.",
        },
        "differences": {
            "type": "array",
            "maxItems": MAX_LINES,
            "items": {"type": "string", "maxLength": MAX_LINE_CHARS},
        },
    },
}


class Verifications(Api):
    """Accounts that report a verification of a run on a machine of their own."""

    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        tags=["Runs"], operation_id="runs_verifications", responses=VerificationsSerializer
    )
    def get(self, request: Request, run_id: int) -> Response:
        """Verifications of the run's present manifest."""
        return self.answer(find_run(request.user, run_id))

    @extend_schema(
        tags=["Runs"],
        operation_id="runs_verify",
        request={"application/json": FINDINGS_BODY},
        responses=VerificationsSerializer,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Report what you found. Only equal findings of accounts but the owner's count."""
        run = find_run(request.user, run_id)
        sent = FindingsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        found, account = sent.validated_data, request.user
        assert isinstance(account, AbstractBaseUser)
        note_verification(
            run,
            account,
            found["manifest_sha256"],
            found["attempts"],
            found["differences"],
            found["equal"],
            found["report_sha256"],
        )
        return self.answer(find_run(request.user, run_id))

    def answer(self, run: Run) -> Response:
        told = {"verified_by": run.verified_by or 0, "verifications": list_verifications(run)}
        return Response(VerificationsSerializer(told).data)
