"""Errors of the API as problem details (RFC 9457): whose fault, what happened, what to do next."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from http import HTTPStatus
from math import ceil
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from leaderboard.api.json_io import JsonRenderer
from pybench_site.database import is_unavailable
from pybench_site.logs import current_id
from runner.contract import Fault, Problem, ProblemError

log = logging.getLogger(__name__)

ROOT_FIELD = "request"  # under which stands what concerns no field in particular
MAX_SENTENCE_CHARS = 500
MAX_PATH_CHARS = 500  # of the address in “instance”
RETRY_AFTER_S = 10  # where the database is busy
API = "/api/"
PROBLEM_TYPE = "application/problem+json"
TYPES = "/api/v1/docs/#problem-"  # and the code: the address of a problem's type

# Asked rightly, but not as things stand.
CONFLICTS = (
    "run_cancelled",
    "run_refused",
    "run_uploaded",
    "run_forked",
    "published_too_often",
    "nothing_to_execute",
    "upload_quota_used_up",
    "upload_under_way",
    "nothing_void",
    "quota_used_up",
    "checks_under_way",
    "still_stopping",
    "not_cancelled",
    "nothing_open",
    "not_under_way",
    "not_paused",
    "run_is_public",
    "ceiling_reached",
    "ceiling_too_small",
    "unpriced_ceiling",
    "idempotency_key_under_way",
    "dispute_repeated",
    "judged_again",
    "disputes_used_up",
    "endpoint_checks_used_up",
    "disputes_full",
    "ruled_meanwhile",
    "no_file_taken",
    "empty_file",
    "nothing_to_dispute",
    "run_not_over",
    "nothing_to_judge",
    "run_is_private",
    "judge_is_outdated",
    "judging_is_open",
    "no_reference",
    "other_manifest",
    "findings_not_equal",
)
STATUSES: Mapping[str, int] = {
    **dict.fromkeys(CONFLICTS, HTTPStatus.CONFLICT),
    "idempotency_key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
    "maintainers_only": HTTPStatus.FORBIDDEN,
    "upload_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "dispute_file_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "upload_refused": HTTPStatus.UNPROCESSABLE_ENTITY,
    "upload_empty": HTTPStatus.UNPROCESSABLE_ENTITY,
    "upload_unreadable": HTTPStatus.UNPROCESSABLE_ENTITY,
}

NOT_FOUND = Problem(
    Fault.SUBMITTER,
    "not_found",
    "There is nothing at this address.",
    "Check the address, which ends with a slash; what it names may also be private or withdrawn.",
)
BROKEN = Problem(
    Fault.US,
    "our_failure",
    "Something broke on our side.",
    "It was written to the log; try again in a minute.",
)
DATABASE_BUSY = Problem(
    Fault.US,
    "database_busy",
    "The database is busy, and did not serve this request in time.",
    "Send it again in a few seconds.",
)
INVALID = Problem(
    Fault.SUBMITTER,
    "invalid",
    "Some of the values sent are not valid.",
    "“fields” says which and why.",
)
UNREADABLE = Problem(
    Fault.SUBMITTER, "unreadable", "This request could not be read.", "Send it as the docs say."
)

# By the code of REST framework's exceptions: what happened, and what to do.
WORDS: Mapping[str, tuple[str, str]] = {
    "not_authenticated": (
        "This needs a token.",
        "Create one at /account/tokens/ and send it as “Authorization: Bearer …”.",
    ),
    "authentication_failed": (
        "This token is unknown, or was revoked.",
        "Create a new one at /account/tokens/, or read public runs without one.",
    ),
    "permission_denied": ("Permission denied.", "Only the run's owner can do this."),
    "method_not_allowed": (
        "This address does not allow that method.",
        "The Allow header lists the methods that it allows.",
    ),
    "not_acceptable": ("JSON only.", "Ask for application/json."),
    "unsupported_media_type": ("JSON only.", "Send application/json."),
    "too_large": ("The body is too large.", "Send 256 KB at most."),
    "parse_error": ("The body is not valid JSON.", "Send a JSON object, in UTF-8."),
}
TOO_LARGE = Problem(Fault.SUBMITTER, "too_large", *WORDS["too_large"])
NOT_ALLOWED = Problem(Fault.SUBMITTER, "method_not_allowed", *WORDS["method_not_allowed"])
TYPED = (INVALID, UNREADABLE, NOT_FOUND, BROKEN, DATABASE_BUSY)


@dataclass(frozen=True)
class ErrorAnswer:
    """An error as it is answered."""

    problem: Problem
    status: int
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def answer_error(error: Exception, context: Mapping[str, Any]) -> Response:
    """The answer to anything that a view raised. What nobody foresaw is logged, with its trace."""
    path = getattr(context.get("request"), "path", "")
    refusal = refusal_of(error)
    if refusal is None:
        log.exception("the API failed at %s", path or "?")
        refusal = failure_of(error)
    response = Response(body_of(refusal, path), refusal.status, content_type=PROBLEM_TYPE)
    for name, value in refusal.headers.items():
        response[name] = value
    return response


def failure_of(error: BaseException | None) -> ErrorAnswer:
    """The answer to our own failure, with the id by which the log knows this request."""
    headers = dict[str, str]()
    problem, status = BROKEN, HTTPStatus.INTERNAL_SERVER_ERROR
    if is_unavailable(error):
        problem, status = DATABASE_BUSY, HTTPStatus.SERVICE_UNAVAILABLE
        headers["Retry-After"] = str(RETRY_AFTER_S)
    next_step = f"{problem.next_step} Its request is {current_id()}."
    return ErrorAnswer(replace(problem, next_step=next_step), status, headers=headers)


def answer_program(request: HttpRequest, answer: ErrorAnswer) -> HttpResponse:
    """The same answer where no view of the API was reached."""
    content = JsonRenderer().render(body_of(answer, request.path))
    return HttpResponse(
        content, status=answer.status, content_type=PROBLEM_TYPE, headers=answer.headers
    )


def gone_problem(sentence: str) -> Problem:
    """The problem at an address whose feature was removed."""
    return Problem(Fault.SUBMITTER, "gone", sentence, "The changelog says in which version.")


def is_for_programs(request: HttpRequest) -> bool:
    """True for an address of the API, whose errors are no pages."""
    return request.path_info.startswith(API)


def body_of(refusal: ErrorAnswer, path: str) -> dict[str, Any]:
    """The members of RFC 9457 and ours; “error” repeats ours as they were before."""
    problem = refusal.problem
    ours = {**asdict(problem), "fields": dict(refusal.fields)}
    return {
        "type": f"{TYPES}{problem.code}",
        "title": problem.code.replace("_", " ").capitalize(),
        "status": int(refusal.status),
        "detail": problem.sentence,
        "instance": quote(path[:MAX_PATH_CHARS], safe="/:@", errors="replace"),
        **ours,
        "error": ours,
    }


def refusal_of(error: Exception) -> ErrorAnswer | None:
    """The answer to an error that can be expected; None for any other."""
    if isinstance(error, ProblemError):
        return ErrorAnswer(error.problem, status_of(error.problem))
    if isinstance(error, exceptions.ValidationError):
        return ErrorAnswer(INVALID, HTTPStatus.BAD_REQUEST, flatten(error.detail))
    if isinstance(error, Http404 | exceptions.NotFound):
        return ErrorAnswer(NOT_FOUND, HTTPStatus.NOT_FOUND)
    if isinstance(error, exceptions.Throttled):
        return throttled(error)
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, exceptions.APIException):
        return known(error)
    if isinstance(error, RequestDataTooBig):
        return ErrorAnswer(TOO_LARGE, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if isinstance(error, SuspiciousOperation):
        return ErrorAnswer(UNREADABLE, HTTPStatus.BAD_REQUEST)
    return None


def list_types() -> list[tuple[str, str]]:
    """Codes that every address can answer, each with its sentence: where “type” leads."""
    plain = {problem.code: problem.sentence for problem in TYPED}
    worded = {code: " ".join(sentences) for code, sentences in WORDS.items()}
    return sorted({**plain, **worded}.items())


def status_of_form(problem: Problem | None) -> int:
    """Status of a page that shows a form, again where it was refused."""
    return HTTPStatus.OK if problem is None else status_of(problem, HTTPStatus.UNPROCESSABLE_ENTITY)


def status_of(problem: Problem, otherwise: int = HTTPStatus.BAD_REQUEST) -> int:
    if problem.fault is Fault.US:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return STATUSES.get(problem.code, otherwise)


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


def throttled(error: exceptions.Throttled) -> ErrorAnswer:
    wait_s = ceil(getattr(error, "wait", None) or 1)
    allowed = settings.API_REQUESTS_PER_MINUTE
    problem = Problem(
        Fault.SUBMITTER,
        "too_many_requests",
        "Too many requests came from here within a minute.",
        f"Wait {wait_s} s. In a minute {allowed['stranger']} are answered without a token, "
        f"{allowed['token']} with one, and {allowed['write']} that change something.",
    )
    return ErrorAnswer(problem, HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(wait_s)})


def known(error: exceptions.APIException) -> ErrorAnswer:
    """An error that REST framework itself found, in our words."""
    code = error.default_code if error.default_code in WORDS else "refused"
    what, next_step = WORDS.get(code, (str(error.detail)[:MAX_SENTENCE_CHARS], "See the docs."))
    fault = Fault.US if error.status_code >= 500 else Fault.SUBMITTER
    challenge = getattr(error, "auth_header", None)
    headers = {"WWW-Authenticate": challenge} if challenge else {}
    return ErrorAnswer(Problem(fault, code, what, next_step), error.status_code, headers=headers)
