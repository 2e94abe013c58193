"""Everything that can go wrong, in one shape: whose fault, what happened, what to do next."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from math import ceil
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from runner.contract import Fault, Problem, ProblemError

log = logging.getLogger(__name__)

ROOT_FIELD = "request"  # under which stands what concerns no field in particular
MAX_SENTENCE_CHARS = 500

# Asked rightly, but not as things stand.
CONFLICTS = frozenset(
    {"run_cancelled", "run_refused", "nothing_void", "quota_used_up", "checks_under_way"}
)

NOT_FOUND = Problem(
    Fault.SUBMITTER,
    "not_found",
    "There is nothing at this address.",
    "It was mistyped, or what it names is private or withdrawn; addresses end with a slash.",
)
BROKEN = Problem(
    Fault.US,
    "our_failure",
    "Something broke on our side.",
    "It was written to the log; try again in a minute.",
)
UNREADABLE = Problem(
    Fault.SUBMITTER, "unreadable", "This request could not be read.", "Send it as the docs say."
)

# By the code of REST framework's exceptions: what happened, and what to do.
WORDS: Mapping[str, tuple[str, str]] = {
    "not_authenticated": (
        "This needs a token.",
        "Make one at /account/tokens/ and send it as “Authorization: Bearer …”.",
    ),
    "authentication_failed": (
        "This token is unknown, or was revoked.",
        "Make a new one at /account/tokens/, or read public runs without one.",
    ),
    "permission_denied": ("This is not yours to do.", "Only a run's owner may."),
    "method_not_allowed": (
        "This address does not take that method.",
        "The Allow header says which it takes.",
    ),
    "not_acceptable": ("The API answers in JSON alone.", "Ask for application/json."),
    "unsupported_media_type": ("The API reads JSON alone.", "Send application/json."),
    "too_large": ("The body is too large.", "Send 256 KB at most."),
    "parse_error": ("The body is no valid JSON.", "Send a JSON object, in UTF-8."),
}


def answer_error(error: Exception, context: Mapping[str, Any]) -> Response:
    """The answer to anything that a view raised. What nobody foresaw is logged, with its trace."""
    if isinstance(error, ProblemError):
        return describe(error.problem, status_of(error.problem))
    if isinstance(error, exceptions.ValidationError):
        return answer_invalid(error)
    if isinstance(error, Http404 | exceptions.NotFound):
        return describe(NOT_FOUND, HTTPStatus.NOT_FOUND)
    if isinstance(error, exceptions.Throttled):
        return answer_throttled(error)
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, exceptions.APIException):
        return answer_known(error)
    if isinstance(error, SuspiciousOperation):
        return describe(UNREADABLE, HTTPStatus.BAD_REQUEST)
    log.exception("the API failed at %s", getattr(context.get("request"), "path", "?"))
    return describe(BROKEN, HTTPStatus.INTERNAL_SERVER_ERROR)


def describe(
    problem: Problem, status: int, fields: Mapping[str, Sequence[str]] | None = None
) -> Response:
    return Response(body_of(problem, fields), status=status)


def body_of(
    problem: Problem, fields: Mapping[str, Sequence[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """The one shape."""
    return {"error": {**asdict(problem), "fields": dict(fields or {})}}


def status_of(problem: Problem) -> int:
    if problem.fault is Fault.US:
        return HTTPStatus.SERVICE_UNAVAILABLE
    if problem.code in CONFLICTS:
        return HTTPStatus.CONFLICT
    return HTTPStatus.BAD_REQUEST


def answer_invalid(error: exceptions.ValidationError) -> Response:
    problem = Problem(
        Fault.SUBMITTER,
        "invalid",
        "Some of what was sent cannot be taken.",
        "“fields” says what and why.",
    )
    return describe(problem, HTTPStatus.BAD_REQUEST, flatten(error.detail))


def flatten(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Sentences by the dotted name of their field: {"sampling.top_p": ["…"]}."""
    if isinstance(detail, Mapping):
        found: dict[str, list[str]] = {}
        for name, part in detail.items():
            name = ROOT_FIELD if name == "non_field_errors" else str(name)
            found |= flatten(part, f"{path}.{name}" if path else name)
        return found
    if isinstance(detail, list):
        return {path or ROOT_FIELD: [str(part)[:MAX_SENTENCE_CHARS] for part in detail]}
    return {path or ROOT_FIELD: [str(detail)[:MAX_SENTENCE_CHARS]]}


def answer_throttled(error: exceptions.Throttled) -> Response:
    wait_s = ceil(getattr(error, "wait", None) or 1)
    allowed = settings.API_REQUESTS_PER_MINUTE
    problem = Problem(
        Fault.SUBMITTER,
        "too_many_requests",
        "More requests came from here within a minute than are answered.",
        f"Wait {wait_s} s. In a minute {allowed['stranger']} are answered without a token, "
        f"{allowed['token']} with one, and {allowed['write']} that change something.",
    )
    response = describe(problem, HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(wait_s)
    return response


def answer_known(error: exceptions.APIException) -> Response:
    """What REST framework itself found wrong, in our words."""
    code = error.default_code if error.default_code in WORDS else "refused"
    what, next_step = WORDS.get(code, (str(error.detail)[:MAX_SENTENCE_CHARS], "See the docs."))
    fault = Fault.US if error.status_code >= 500 else Fault.SUBMITTER
    response = describe(Problem(fault, code, what, next_step), error.status_code)
    challenge = getattr(error, "auth_header", None)
    if challenge:
        response["WWW-Authenticate"] = challenge
    return response
