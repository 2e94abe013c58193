"""The API's description as OpenAPI 3.1, made from the views themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.authentication import SCHEME, TokenAuthentication
from leaderboard.api.listing import Api
from runner.contract import Fault

ERROR = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["fault", "code", "what", "next_step", "fields"],
            "additionalProperties": False,
            "properties": {
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
                    "description": "What is wrong with which field or parameter.",
                    "additionalProperties": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}
ERRORS = {
    "400": "Something that was sent cannot be taken; “fields” says what.",
    "401": "A token is needed, or the one sent is unknown or revoked.",
    "403": "Only the run's owner may.",
    "404": "There is nothing at this address, or it is somebody else's private run.",
    "405": "This address does not take that method.",
    "406": "The API answers in JSON alone.",
    "409": "It cannot be done as things stand: nothing is void, or the day's submissions are used.",
    "413": "The body is too large.",
    "415": "The API reads JSON alone.",
    "429": "Too many requests; the Retry-After header says how many seconds to wait.",
    "503": "Something of ours is not available; try again later.",
}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description names the way to sign in."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        about = "A token made at /account/tokens/."
        return {"type": "http", "scheme": SCHEME.lower(), "description": about}


def add_errors(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """The one shape of errors, under each operation: a hook of the generator."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operation in operations_of(result):
        for status, description in ERRORS.items():
            answer: dict[str, Any] = {"description": description, "content": content}
            if status == "429":
                answer["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
            operation["responses"].setdefault(status, answer)
    return result


def require_answers(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Every field of an answer is always there: a hook of the generator."""
    for name, part in result.get("components", {}).get("schemas", {}).items():
        if "properties" in part and not name.endswith("Request"):
            part["required"] = list(part["properties"])
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
