"""The API's description as OpenAPI 3.1, made from the views themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.authentication import SCHEME, TokenAuthentication
from leaderboard.api.base import Api
from leaderboard.api.board_fields import BoardRowSerializer
from leaderboard.api.errors import INVALID, PROBLEM_TYPE, ErrorAnswer, body_of
from leaderboard.api.idempotency import HEADER
from runner.contract import Fault

OURS = {
    "fault": {
        "type": "string",
        "enum": [fault.value for fault in Fault],
        "description": "Whose fault it is.",
    },
    "code": {"type": "string", "description": "A stable word for programs."},
    "what": {"type": "string", "description": "What happened, one sentence."},
    "next_step": {"type": "string", "description": "What to do about it."},
    "fields": {
        "type": "object",
        "description": "The invalid fields or parameters, each with its reason.",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    },
}
PROBLEM = {
    "type": {
        "type": "string",
        "format": "uri-reference",
        "description": "Address that identifies the kind of problem; it ends with the code.",
    },
    "title": {"type": "string", "description": "The kind of problem in a few words."},
    "status": {"type": "integer", "minimum": 400, "maximum": 599},
    "detail": {"type": "string", "description": "What happened, and what to do about it."},
    "instance": {
        "type": "string",
        "format": "uri-reference",
        "description": "The address that was requested.",
    },
}
LEGACY = {
    "type": "object",
    "deprecated": True,
    "description": "The same members as before problem details; removed with version 2.",
    "required": list(OURS),
    "properties": OURS,
}
ERROR = {
    "type": "object",
    "description": "A problem as in RFC 9457, with members of our own.",
    "required": [*PROBLEM, *OURS, "error"],
    "properties": {**PROBLEM, **OURS, "error": LEGACY},
}
UNCHANGED = {"description": "It is what If-None-Match names by its ETag."}
ERROR_EXAMPLE = body_of(
    ErrorAnswer(INVALID, 400, {"sampling.top_p": ["A valid number is required."]}), "/api/v1/runs/"
)
# Fields of a board's row that are there if the suite or the address gives rise to them.
SOMETIMES = frozenset(n for n, field in BoardRowSerializer().fields.items() if not field.required)
ERRORS = {
    "400": "Some of the values sent are not valid; “fields” says which.",
    "401": "A token is needed, or the one sent is unknown or revoked.",
    "403": "Only the run's owner, or a maintainer, can do this.",
    "404": "There is nothing at this address, or it is somebody else's private run.",
    "405": "This address does not allow that method.",
    "406": "The API answers in JSON only.",
    "409": "Not possible now: there is nothing to retry, or today's submissions are used up.",
    "413": "The body is too large.",
    "415": "The API reads JSON only.",
    "422": "The Idempotency-Key was used for another request.",
    "429": "Too many requests; the Retry-After header says how many seconds to wait.",
    "500": "Something broke on our side; it was written to the log.",
    "503": "Part of the site is unavailable; try again later.",
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Description of the way to sign in."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        about = "A token created at /account/tokens/."
        return {"type": "http", "scheme": SCHEME.lower(), "description": about}


def add_errors(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """The one shape of errors, under each operation: a hook of the generator."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    schema = {"$ref": "#/components/schemas/Error"}
    content = {PROBLEM_TYPE: {"schema": schema, "example": ERROR_EXAMPLE}}
    for path in result.get("paths", {}).values():
        if "get" in path:
            path["get"]["responses"].setdefault("304", UNCHANGED)
    for operation in operations_of(result):
        for status, description in ERRORS.items():
            if status == "422" and not is_repeatable(operation):
                continue
            answer: dict[str, Any] = {"description": description, "content": content}
            if status == "429":
                answer["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
            operation["responses"].setdefault(status, answer)
    return result


def is_repeatable(operation: dict[str, Any]) -> bool:
    """True if the operation takes an Idempotency-Key."""
    return any(part["name"] == HEADER for part in operation.get("parameters", ()))


def require_answers(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Every field of an answer is always there: a hook of the generator."""
    for name, part in result.get("components", {}).get("schemas", {}).items():
        if "properties" in part and not name.endswith("Request"):
            part["required"] = [field for field in part["properties"] if field not in SOMETIMES]
    row = result.get("components", {}).get("schemas", {}).get("BoardRow")
    if row:
        row["additionalProperties"] = {
            "type": ["number", "null"],
            "description": "Rate in a category of the suite, null of fewer than 20 tasks; how many "
            "passed; or its number of tasks.",
        }
    return result


def require_bodies(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """A body with a member that is required is required itself: a hook of the generator."""
    for operation in operations_of(result):
        body = operation.get("requestBody", {})
        if any(one.get("schema", {}).get("required") for one in body.get("content", {}).values()):
            body["required"] = True
    return result


def add_summaries(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """A line for each operation, the first sentence said of it: a hook of the generator."""
    for operation in operations_of(result):
        about = " ".join(operation.get("description", "").split())
        operation.setdefault("summary", re.split(r"[.;:] |\.$", about, maxsplit=1)[0])
    return result


def operations_of(description: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in description.get("paths", {}).values():
        yield from (part for part in path.values() if isinstance(part, dict))


@cache
def description() -> dict[str, Any]:
    """The whole description; it changes with the code alone."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


class Schema(Api):
    """The description itself."""

    http_method_names = ["get", "head"]
    schema = None

    def get(self, request: Request) -> Response:
        return Response(description())
