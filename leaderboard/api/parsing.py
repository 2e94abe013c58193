"""Bodies as JSON, of a size that a submission may have."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MAX_BODY_BYTES = 256 * 1024


class TooLarge(APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"
    default_detail = "The body is too large."


class JsonParser(JSONParser):
    """Strict JSON: no NaN, no endless body, no bottomless nesting."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        request = (parser_context or {}).get("request")
        if request is not None and int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY_BYTES:
            raise TooLarge
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError from None
