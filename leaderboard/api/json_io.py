"""Bodies of the API as strict JSON: those of requests bounded, those of answers for any reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.utils.encoders import JSONEncoder

MAX_BODY_BYTES = 256 * 1024


class JsonTooLarge(APIException):
    """Refusal of a request body past the size limit (413)."""

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
            raise JsonTooLarge
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError from None


class JsonRenderer(BaseRenderer):
    """UTF-8; a lone surrogate, which UTF-8 cannot say, stays an escape. DRF's own raises there."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if data is None:
            return b""
        text = json.dumps(data, cls=JSONEncoder, ensure_ascii=False, allow_nan=False)
        return text.encode(errors="backslashreplace")
