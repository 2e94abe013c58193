"""Rate limits: counted per address without a token, per user with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from leaderboard.visitors.client_address import client_address

if TYPE_CHECKING:
    from rest_framework.views import APIView

SAFE = ("GET", "HEAD", "OPTIONS")


class Throttle(SimpleRateThrottle):
    """So many requests in a minute as the settings allow its scope."""

    scope: str

    def get_rate(self) -> str:
        return f"{settings.API_REQUESTS_PER_MINUTE[self.scope]}/minute"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """None where this throttle has no say."""
        if not self.applies(request):
            return None
        user = request.user
        ident = user.pk if user.is_authenticated else client_address(request.META)
        return f"throttle-{self.scope}-{ident}"

    def applies(self, request: Request) -> bool:
        raise NotImplementedError


class StrangerThrottle(Throttle):
    """Limit for requests without a token, per address."""

    scope = "stranger"

    def applies(self, request: Request) -> bool:
        return not request.user.is_authenticated


class BadTokenThrottle(Throttle):
    """The strangers' limit for requests with a token that nobody has, counted among theirs."""

    scope = "stranger"

    def allow_request(self, request: Request, view: APIView | None = None) -> bool:
        return bool(super().allow_request(request, view))  # type: ignore[arg-type]  # not looked at

    def get_cache_key(self, request: Request, view: object) -> str:
        return f"throttle-{self.scope}-{client_address(request.META)}"


class TokenThrottle(Throttle):
    """Limit for requests with a token, per user."""

    scope = "token"

    def applies(self, request: Request) -> bool:
        return bool(request.user.is_authenticated)


class WriteThrottle(Throttle):
    """Limit for requests that change something."""

    scope = "write"

    def applies(self, request: Request) -> bool:
        return request.method not in SAFE
