"""Settings of a viewer of results: a temporary site for one reader."""

from __future__ import annotations

from pybench_site.settings import *  # noqa: F403
from pybench_site.settings import BASE_DIR, DATABASES, INSTALLED_APPS, STORAGES, TEMPLATES, VAR

ALLOWED_HOSTS = ["127.0.0.1", "localhost"]

ROOT_URLCONF = "leaderboard.viewing.addresses"
MIDDLEWARE = [
    "pybench_site.logs.give_id",
    "leaderboard.viewing.guard.guard",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "leaderboard.operations.response_headers.add_headers",
    "leaderboard.views.conditional.tag_data",
    "csp.middleware.CSPMiddleware",
    "leaderboard.operations.bad_request_middleware.refuse_unreadable",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",  # which allauth asks for
]
TEMPLATES[0]["DIRS"] = [BASE_DIR / "leaderboard" / "viewing" / "templates", BASE_DIR / "templates"]

# Its database is always a new one.
MIGRATION_MODULES = {app.rpartition(".")[2]: None for app in INSTALLED_APPS}
# Gone with the folder at the end: nothing of it has to survive a power cut.
QUICKLY = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
DATABASES["default"]["OPTIONS"] = {**DATABASES["default"]["OPTIONS"], "init_command": QUICKLY}
STORAGES["default"] = {
    "BACKEND": "leaderboard.viewing.folder_storage.FolderStorage",
    "OPTIONS": {"location": VAR / "files"},
}
