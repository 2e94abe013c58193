"""The board: the same records that its page and its json and csv twins show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api
from leaderboard.api.board_fields import BoardRowSerializer
from leaderboard.api.suites import SuiteReferenceField
from leaderboard.board.queries import choose_suite, list_suites, load_board
from leaderboard.board.records import list_records
from leaderboard.board.task_parts import read_by
from leaderboard.models import Suite
from leaderboard.snapshots.facet_ranks import find_current, read_facet_ranks
from leaderboard.suites.seasons import choose_season, list_seasons
from leaderboard.suites.task_facets import FACETS, TITLES


class BoardQuery(serializers.Serializer[Any]):
    suite = SuiteReferenceField(required=False)
    season = serializers.CharField(
        required=False, help_text="Number of the season; the current one by default."
    )
    skill = serializers.CharField(
        required=False,
        max_length=40,
        help_text="Adds each row's rate and rank on the tasks with this skill, as `part_rate`, …",
    )
    file = serializers.CharField(
        required=False,
        max_length=40,
        help_text="The same for the tasks with this file type; with `skill`, for both.",
    )


class BoardSerializer(serializers.Serializer[Any]):
    """The board of one suite version: ranked runs, unranked runs, scripted baselines, people."""

    suite = serializers.CharField(help_text="name@version")
    rows = BoardRowSerializer(many=True, help_text="As in board.json.")
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="Sentences that say what was left out."
    )


class BoardOfSuite(Api):
    """The board of a suite version; of the one that the site opens with when none is named."""

    query_class = BoardQuery

    @extend_schema(
        tags=["Board"],
        operation_id="board_retrieve",
        parameters=[BoardQuery],
        responses=BoardSerializer,
    )
    def get(self, request: Request) -> Response:
        suite = self.asked.get("suite") or choose_suite(list_suites(), "")
        if suite is None:
            raise Http404
        season = choose_season(list_seasons(suite), self.asked.get("season", ""))
        board = load_board(suite, suite.tasks.count(), season.seed)
        if chosen := read_facets(suite, self.asked):
            kept = find_current(suite, season.number, bool(season.ended_on))
            places = read_facet_ranks(kept, chosen)
            board = read_by(board, suite, chosen, ", ".join(chosen.values()), places)
        records = list_records(replace(board, ranked=board.by_rank))
        return Response({"suite": suite.reference, "rows": records, "notes": board.notes})


def read_facets(suite: Suite, asked: Mapping[str, Any]) -> dict[str, str]:
    """The values that the address asks for. Raises ValidationError for one that no task has."""
    chosen = {facet: str(asked[facet]) for facet in FACETS if facet in asked}
    unknown = {
        facet: [f"No task of {suite.reference} has this {TITLES[facet]}."]
        for facet, value in chosen.items()
        if value not in suite.facets.get(facet, {})
    }
    if unknown:
        raise serializers.ValidationError(unknown)
    return chosen
