"""Parser of bodies that are the bytes of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, ClassVar

from rest_framework.parsers import BaseParser

from leaderboard.uploads.receive import MostBytes, ReceivedBody, receive_body

MAX_NAME_CHARS = 200


class UploadParser(BaseParser):
    """A body of any type as a file: its content decides."""

    media_type = "*/*"
    most: ClassVar[MostBytes | None] = None  # of an upload

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> ReceivedBody:
        request = (parser_context or {})["request"]
        length = str(request.META.get("CONTENT_LENGTH") or "")
        name = request.query_params.get("name", "")
        return receive_body(stream.read, length, name, self.most)
