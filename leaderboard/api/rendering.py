"""Answers as JSON that any reader takes, whatever a model wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer
from rest_framework.utils.encoders import JSONEncoder

from leaderboard.exports.trajectory import SURROGATE


class JsonRenderer(BaseRenderer):
    """UTF-8; a lone surrogate, which UTF-8 cannot say, stays an escape."""

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
        return SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()
