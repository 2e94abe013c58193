"""Addresses: never reused, never broken."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("", include("leaderboard.urls")),
]

handler400 = "leaderboard.views.pages.bad_request"
handler404 = "leaderboard.views.pages.not_found"
handler500 = "leaderboard.views.pages.server_error"
