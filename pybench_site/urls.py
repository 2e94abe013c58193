"""Addresses: never reused, never broken."""

from django.contrib import admin
from django.urls import include, path

from leaderboard.accounts.admin_sign_in import close_other_doors

# One sign-in for all: its limits and its second factor hold for maintainers as well.
admin.autodiscover()
close_other_doors(admin.site)

urlpatterns = [
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("", include("leaderboard.urls")),
]

handler400 = "leaderboard.views.static_pages.bad_request"
handler404 = "leaderboard.views.static_pages.not_found"
handler500 = "leaderboard.views.static_pages.server_error"
handler429 = "leaderboard.visitors.page_limits.too_many_forms"
