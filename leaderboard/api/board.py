"""The board: the same records that its page and its json and csv twins show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.listing import Api
from leaderboard.api.suites import SuiteReferenceField, reference_of
from leaderboard.board_records import list_records
from leaderboard.board_rows import load_board
from leaderboard.models import Suite


class BoardQuery(serializers.Serializer[Any]):
    suite = SuiteReferenceField(required=False)


class BoardSerializer(serializers.Serializer[Any]):
    """The board of one suite version: ranked runs, those without a place, scripted baselines."""

    suite = serializers.CharField(help_text="name@version")
    rows = serializers.ListField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text="As in board.json; rates are shares of 1, what is unknown is null.",
    )


class BoardOfSuite(Api):
    """The board of a suite version; of the newest suite when none is named."""

    query_class = BoardQuery

    @extend_schema(
        tags=["Board"],
        operation_id="board_retrieve",
        parameters=[BoardQuery],
        responses=BoardSerializer,
    )
    def get(self, request: Request) -> Response:
        suite = self.asked.get("suite") or Suite.objects.order_by("is_recorded", "-pk").first()
        if suite is None:
            raise Http404
        board = load_board(suite, suite.tasks.count())
        ranked = sorted(board.ranked, key=lambda row: (row.rank or 0, row.run.pk))
        records = list_records(replace(board, ranked=ranked))
        return Response({"suite": reference_of(suite), "rows": records})
