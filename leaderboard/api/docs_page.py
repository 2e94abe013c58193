"""The API's description as a page, for people.

drf-spectacular's Redoc and Swagger pages need inline styles and scripts, which our
Content-Security-Policy refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from leaderboard.api.base import MAX_ID
from leaderboard.api.errors import list_types
from leaderboard.api.schema import ERRORS, description


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body."""

    name: str
    type: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class Operation:
    """Request that an address takes with one method."""

    name: str  # for the link to it
    method: str
    path: str
    text: str
    is_for_owners: bool
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    answer: tuple[Field, ...]


@csrf_exempt
@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """Contents of the API's root: its page."""
    return redirect("api-docs")


@csrf_exempt  # to refuse another method in the API's own words
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    groups: dict[str, list[Operation]] = {}
    for tag, operation in list_operations(description()):
        groups.setdefault(tag, []).append(operation)
    return render(
        request,
        "api/docs.html",
        {
            "groups": groups,
            "errors": ERRORS,
            "problems": list_types(),
            "allowed": settings.API_REQUESTS_PER_MINUTE,
        },
    )


def list_operations(schema: Mapping[str, Any]) -> Iterator[tuple[str, Operation]]:
    for path, methods in schema["paths"].items():
        for method, said in methods.items():
            yield said["tags"][0], read_operation(schema, path, method, said)


def read_operation(
    schema: Mapping[str, Any], path: str, method: str, said: Mapping[str, Any]
) -> Operation:
    answer = said["responses"].get("200") or said["responses"]["201"]
    return Operation(
        name=said["operationId"],
        method=method.upper(),
        path=path,
        text=said.get("description", ""),
        is_for_owners={} not in said.get("security", [{}]),
        parameters=tuple(
            Field(p["name"], type_of(schema, p["schema"]), p.get("required", False), text_of(p))
            for p in said.get("parameters", ())
        ),
        body=fields_of(schema, body_of(said.get("requestBody", {}))),
        answer=fields_of(schema, body_of(answer)),
    )


def body_of(said: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = said.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def fields_of(
    schema: Mapping[str, Any], body: Mapping[str, Any], prefix: str = ""
) -> tuple[Field, ...]:
    """The fields of an object, and under dotted names those of the objects in it.

    Of a page of rows they are those of a row.
    """
    body = follow(schema, body)
    if "results" in body.get("properties", {}):
        body = follow(schema, body["properties"]["results"]["items"])
    required, found = body.get("required", ()), []
    for name, part in body.get("properties", {}).items():
        kind = type_of(schema, part)
        found.append(Field(f"{prefix}{name}", kind, name in required, text_of(part)))
        found += fields_of(schema, inner_of(part), f"{prefix}{name}.")
    return tuple(found)


def inner_of(part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Schema that an object or a list of objects refers to; nothing for a plain value."""
    options = [part, part.get("items", {}), *part.get("allOf", ()), *part.get("oneOf", ())]
    return next((option for option in options if "$ref" in option), {})


def follow(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in part:
        return part
    found: Mapping[str, Any] = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
    return found


def type_of(schema: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """In a few words: "integer 1–200", "one of a, b", "list of string", "object or null"."""
    part = follow(schema, part)
    if "enum" in part:
        values = [str(value) for value in part["enum"] if value]
        return f"one of {', '.join(values)}" if values else ""
    for word in ("allOf", "oneOf", "anyOf"):
        if word in part:
            kinds = dict.fromkeys(type_of(schema, option) for option in part[word])
            return " or ".join(filter(None, kinds))
    if part.get("type") == "array":
        return f"list of {type_of(schema, part.get('items', {}))}"
    said = part.get("type", "any")
    words = " or ".join(said) if isinstance(said, list) else str(said)
    low, high = part.get("minimum"), part.get("maximum")
    is_bounded = low is not None and high is not None and high < MAX_ID
    return f"{words} {low:g} to {high:g}" if is_bounded else words


def text_of(part: Mapping[str, Any]) -> str:
    return str(part.get("description", ""))
