"""Authentication of a request: anonymous, or the owner of a token."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.request import Request

from leaderboard.accounts.tokens import find_token
from leaderboard.api.throttling import BadTokenThrottle
from leaderboard.models import ApiToken

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer pyb_…`. Cookies are not looked at, so nothing can be forged."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, ApiToken] | None:
        header = request.headers.get("Authorization", "")
        if not header.strip():
            return None
        scheme, _, text = header.partition(" ")
        token = find_token(text.strip()) if scheme.lower() == SCHEME.lower() else None
        if token is None:
            throttle = BadTokenThrottle()
            if not throttle.allow_request(request):
                raise Throttled(throttle.wait())
            raise AuthenticationFailed("This token is unknown, or was revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="PyBench"'


def owner_of(request: Request) -> AbstractBaseUser:
    """The user of a request that requires a token."""
    if not isinstance(request.user, AbstractBaseUser):
        raise NotAuthenticated
    return request.user
