"""The API against its own description: no server error, no answer that it does not describe."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
import schemathesis.checks
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase
from pytest_django.fixtures import Settings
from schemathesis import GenerationMode

from leaderboard.api.schema import description, operations_of
from leaderboard.disputes.dispute import make_dispute
from leaderboard.models import Artifact, Erratum, Rejudgement, Run, Suite
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.judging import judged_as, make_judge, store_verdicts
from leaderboard.tests.support.rows import make_board, make_private_run
from pybench_site.wsgi import application

pytestmark = pytest.mark.django_db

FEW = hypothesis.settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
PLAIN = {"Accept-Encoding": "identity"}  # the in-process client unpacks nothing
# A suite that is not installed, or an address that is not public, is described all the same.
UNDECIDED = [schemathesis.checks.positive_data_acceptance]


@pytest.fixture(autouse=True)
def unthrottled(settings: Settings) -> Iterator[None]:
    settings.API_REQUESTS_PER_MINUTE = {"stranger": 10**6, "token": 10**6, "write": 10**6}
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def kept_connection() -> Iterator[None]:
    """Each request closes the database before and after it, which here all of them share."""
    for moment in (request_started, request_finished):
        moment.disconnect(close_old_connections)
    yield
    for moment in (request_started, request_finished):
        moment.connect(close_old_connections)


def load() -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/schema/", application)


def list_operations(mode: GenerationMode) -> Iterator[tuple[Any, Any]]:
    """Each operation and the requests that are made up for it."""
    for found in load().get_all_operations():
        operation = found.ok()
        yield operation, operation.as_strategy(generation_mode=mode)


def real_ids(owner: User, owner_run: Run) -> dict[str, Any]:
    """Ids of existing rows, for the places in the addresses."""
    attempt = owner_run.attempts.order_by("pk")[0]
    artifact = Artifact.objects.filter(attempt=attempt).exclude(blob=None)[0]
    return {
        "run_id": owner_run.pk,
        "attempt_id": attempt.pk,
        "artifact_id": artifact.pk,
        "task_id": attempt.task_id,
        "dispute_id": make_dispute(owner, attempt, 0, "Why?").pk,
        "slug": owner_run.entry.slug,
        "reference": Suite.objects.all()[0].name,
    }


def test_whatever_is_asked_as_described_is_answered_as_described() -> None:
    make_board()
    headers = Caller(make_user()).headers_sent | PLAIN
    for _, cases in list_operations(GenerationMode.POSITIVE):

        @FEW
        @hypothesis.given(case=cases)
        def ask(case: Any) -> None:
            case.call_and_validate(headers=headers, excluded_checks=UNDECIDED)

        ask()


def test_whatever_is_asked_otherwise_is_refused_as_described() -> None:
    make_board()
    headers, refused = Caller(make_user()).headers_sent | PLAIN, set()
    for _, cases in list_operations(GenerationMode.NEGATIVE):

        @FEW
        @hypothesis.given(case=cases)
        def ask(case: Any) -> None:
            case.call_and_validate(headers=headers)
            refused.add(case.operation.label)

        with contextlib.suppress(hypothesis.errors.Unsatisfiable):  # it takes nothing
            ask()
    assert {"GET /api/v1/runs/", "POST /api/v1/runs/", "GET /api/v1/tasks/"} <= refused


def test_whatever_is_asked_of_what_there_is_too() -> None:
    owner = make_user()
    run = make_private_run(owner)
    judging = store_verdicts(make_judge(), run, judged_as(run, ["pass"]))
    erratum = Erratum.objects.create(suite=run.suite, reason="Strict.", tasks={"key": ["a", "b"]})
    Rejudgement.objects.create(erratum=erratum, attempt=run.attempts.all()[0], before=True)
    ids = {**real_ids(owner, run), "judging_id": judging.pk, "label": "pass"}
    ids["erratum_id"] = erratum.pk
    headers = Caller(owner).headers_sent | PLAIN
    for operation, cases in list_operations(GenerationMode.POSITIVE):
        if "{" not in operation.path:
            continue

        @FEW
        @hypothesis.given(case=cases)
        def ask(case: Any) -> None:
            case.path_parameters = {name: ids[name] for name in case.path_parameters}
            answer = case.call_and_validate(headers=headers)
            assert answer.status_code in (200, 201, 403, 404, 409)

        ask()


def test_the_description_is_openapi_3_1_and_leaves_nothing_out() -> None:
    answer = Client().get("/api/v1/schema/")
    assert answer.json()["openapi"] == "3.1.0"
    operations = list(operations_of(description()))
    assert len(operations) == 50
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    for operation in operations:
        assert operation["tags"]
        assert operation["description"], operation["operationId"]
        assert {"404", "429"} <= set(operation["responses"])


def test_the_page_tells_every_operation_and_names_no_other_host() -> None:
    assert Client().get("/api/v1/")["Location"] == "/api/v1/docs/"
    answer = Client().get("/api/v1/docs/")
    page = answer.content.decode()
    for operation in operations_of(description()):
        assert f'id="{operation["operationId"]}"' in page
    assert "http://testserver/api/v1/board/" in page
    assert 'src="http' not in page
    assert 'href="http' not in page
    assert "style=" not in page
