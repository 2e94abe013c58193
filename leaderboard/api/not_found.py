"""Answer of the API at an address that it does not have."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework.request import Request

from leaderboard.api.base import Api


class Unknown(Api):
    """Not found, whatever the method."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete", "options"]
    schema = None

    def refuse(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404

    get = post = put = patch = delete = options = refuse  # type: ignore[assignment]
