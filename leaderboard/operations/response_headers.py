"""Headers that Django does not set: of security on every response, and for search engines."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

GetResponse = Callable[[HttpRequest], HttpResponse]

NEEDED_BY_NO_PAGE = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture",
    "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "idle-detection",
    "local-fonts", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "usb",
    "window-management", "xr-spatial-tracking",
)  # fmt: skip
# Tasks, trajectories and their files: what a model that read it could recite.
CONVERSATIONS = re.compile(
    r"/(?:runs/\d+/(?:tasks|export)/|files/|frames/|failures|tasks/[^/]+/[^/]+|api/)"
)
PERMISSIONS = ", ".join(f"{name}=()" for name in NEEDED_BY_NO_PAGE)


def add_headers(get_response: GetResponse) -> GetResponse:
    """Middleware: Permissions-Policy, HSTS where the site is served over TLS, and privacy."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Permissions-Policy", PERMISSIONS)
        if CONVERSATIONS.match(request.path_info):
            response.setdefault("X-Robots-Tag", "noindex, noarchive")
        if settings.SECURE_HSTS_SECONDS:
            # Django's own asks whether the request was secure, which a proxy in front hides.
            age = f"max-age={settings.SECURE_HSTS_SECONDS}"
            response.setdefault("Strict-Transport-Security", age)
        if is_personal(request) and "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True)
        return response

    return respond


def is_personal(request: HttpRequest) -> bool:
    """True if the response can hold what only this visitor is allowed to see."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
