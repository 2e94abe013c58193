"""Addresses of a viewer: those of the site, with its results first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import include, path

from leaderboard.models import Run
from leaderboard.views.board import board


def first_page(request: HttpRequest) -> HttpResponse:
    """The run, if there is one only; else the board of all."""
    runs = list(Run.objects.order_by("pk")[:2])
    return redirect(runs[0]) if len(runs) == 1 else board(request)


urlpatterns = [path("", first_page, name="first-page"), path("", include("leaderboard.urls"))]

handler400 = "leaderboard.views.static_pages.bad_request"
handler404 = "leaderboard.views.static_pages.not_found"
handler500 = "leaderboard.views.static_pages.server_error"
