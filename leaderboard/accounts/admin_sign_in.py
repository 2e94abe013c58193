"""The admin's door: the site's own sign-in, and a second factor where settings require one."""

from __future__ import annotations

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache


def close_other_doors(site: admin.AdminSite) -> None:
    """Let nobody into `site` by its own form, which knows neither limits nor second factors."""
    site.login = sign_in  # type: ignore[method-assign]
    site.has_permission = may_enter  # type: ignore[method-assign]


def may_enter(request: HttpRequest) -> bool:
    return is_maintainer(request) and not lacks_second_factor(request)


def is_maintainer(request: HttpRequest) -> bool:
    return bool(request.user.is_active and getattr(request.user, "is_staff", False))


def lacks_second_factor(request: HttpRequest) -> bool:
    return settings.IS_HTTPS and not is_mfa_enabled(request.user)


@never_cache
def sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """Lead to the site's sign-in, whatever is posted here; a maintainer to what is missing."""
    if not request.user.is_authenticated:
        target = get_next_redirect_url(request) or reverse("admin:index")
        return redirect_to_login(target, reverse("account_login"))
    if not is_maintainer(request):
        raise PermissionDenied
    if lacks_second_factor(request):
        words = "The admin needs a second factor. Set up an authenticator app, then open it again."
        messages.warning(request, words)
        return redirect("mfa_index")
    return redirect(get_next_redirect_url(request) or "admin:index")
