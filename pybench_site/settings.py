"""Settings: safe defaults for one machine, everything else from the environment (PYBENCH_*)."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import secrets
import tempfile
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from pybench_site import database, production_checks
from pybench_site.logs import json_logging, text_logging
from pybench_site.schedule import every

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR = Path(env.str("PYBENCH_VAR", default=str(BASE_DIR / "var")))
VAR.mkdir(parents=True, exist_ok=True)


def local_secret(name: str) -> str:
    """A secret of this installation, made once and kept readable by its owner alone."""
    path = VAR / name
    if not path.exists():
        try:
            write_secret(path)
        except OSError as error:
            raise SystemExit(f"The secret {path} cannot be written: {error.strerror}.") from None
    return path.read_text()


def write_secret(path: Path) -> None:
    fd, draft = tempfile.mkstemp(dir=VAR, prefix=f".{path.name}-")  # mode 600
    try:
        with os.fdopen(fd, "w") as file:
            file.write(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):  # another process was faster: its secret counts
            os.link(draft, path)
    finally:
        Path(draft).unlink()


def local_field_key() -> str:
    """This installation's Fernet key: 32 bytes of its secret, in url-safe base64."""
    digest = hashlib.sha256(local_secret("field-key").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()


DEBUG = env.bool("PYBENCH_DEBUG", default=False)
SECRET_KEY = env.str("PYBENCH_SECRET_KEY", default="") or local_secret("secret-key")
ALLOWED_HOSTS = env.list("PYBENCH_HOSTS", default=["127.0.0.1", "localhost", "[::1]", "testserver"])
if _dangers := production_checks.find_dangers(
    production_checks.chosen_from(os.environ, ALLOWED_HOSTS, DEBUG)
):
    raise ImproperlyConfigured(production_checks.refusal(_dangers))
CSRF_TRUSTED_ORIGINS = env.list("PYBENCH_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "csp",
    "leaderboard",
]

MIDDLEWARE = [
    "leaderboard.operations.probe_middleware.answer_probes",
    "pybench_site.logs.give_id",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "leaderboard.operations.response_headers.add_headers",
    "leaderboard.views.conditional.tag_data",
    "csp.middleware.CSPMiddleware",
    "leaderboard.operations.bad_request_middleware.refuse_unreadable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "pybench_site.urls"
WSGI_APPLICATION = "pybench_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": database.read_database(env, VAR)}

STORAGES = {
    "default": {
        "BACKEND": "leaderboard.storage.synced_storage.SyncedFileSystemStorage",
        "OPTIONS": {"location": VAR / "files"},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Artifacts in an S3-compatible service instead; its library is an extra (requirements-s3.txt).
if S3_BUCKET := env.str("PYBENCH_S3_BUCKET", default=""):
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": env.str("PYBENCH_S3_ENDPOINT", default="") or None,
            "region_name": env.str("PYBENCH_S3_REGION", default="") or None,
            "access_key": env.str("PYBENCH_S3_KEY_ID", default="") or None,
            "secret_key": env.str("PYBENCH_S3_SECRET", default="") or None,
            "addressing_style": "path" if env.str("PYBENCH_S3_ENDPOINT", default="") else None,
            "default_acl": None,
            "file_overwrite": True,  # a name is the hash of its content
        },
    }
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served from where they lie, unless `collectstatic` has hashed and compressed them beforehand.
ARE_STATIC_FILES_COLLECTED = env.bool("PYBENCH_COLLECTED", default=False)
WHITENOISE_USE_FINDERS = not ARE_STATIC_FILES_COLLECTED
WHITENOISE_ALLOW_ALL_ORIGINS = False
if ARE_STATIC_FILES_COLLECTED:
    STORAGES["staticfiles"] = {"BACKEND": "pybench_site.static_storage.HashedModulesStorage"}

# A cell's code, output and answer are text in any language; the site itself speaks English.
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "pybench_site.formats"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Nothing but our own files. A replay adds frames and media (leaderboard/views/replay.py).
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

SUITES = Path(env.str("PYBENCH_SUITES", default=str(BASE_DIR / "suites")))

# Queue: the database is the truth, messages carry what workers do next. Times in seconds.
CELERY_BROKER_URL = env.str("PYBENCH_BROKER_URL", default=f"redis+socket://{VAR / 'redis.sock'}")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers and the sweeper wait for it for ever
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    "max_retries": 0,  # of sending: the sweep sends again
    "interval_start": 0,
    "interval_step": 0,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False  # the sweep sends again
CELERY_TASK_DEFAULT_QUEUE = "jobs"
CELERY_TASK_ROUTES = {
    "runner.play_attempt": {"queue": "attempts"},
    "runner.dispatch": {"queue": "attempts"},  # behind nothing that takes long
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = True  # a worker without a free thread leaves messages to others
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # what it keeps in a file may lie in the future
QUEUE_LEASE_S = env.float("PYBENCH_LEASE_S", default=60.0)  # renewed at a quarter of it
QUEUE_SWEEP_EVERY_S = env.float("PYBENCH_SWEEP_EVERY_S", default=2.0)
QUEUE_BACKOFF_S = env.list(
    "PYBENCH_BACKOFF_S", cast=float, default=[10.0, 30.0, 90.0, 300.0, 600.0]
)  # after a void try, and while an endpoint is away
LEAST_FREE_MB = env.int("PYBENCH_LEAST_FREE_MB", default=200)  # on a worker's disks, or it waits
# Tasks that people play by hand: sessions at once, of an account in 24 hours, and their minutes.
HAND_SESSIONS = 8
HAND_SESSIONS_PER_DAY = 40
HAND_MINUTES = 60
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "runner.sweep",
        "schedule": every(QUEUE_SWEEP_EVERY_S),
        # Those that no worker took are dropped at last, by clocks that may be a time zone apart.
        "options": {"expires": max(54_000.0, 10 * QUEUE_SWEEP_EVERY_S)},
    }
}

# For whoever watches: JSON lines instead of plain ones; health, readiness and metrics, which web
# processes answer beside their pages and workers on a port of their own.
LOG_FORMAT = env.str("PYBENCH_LOG", default="text")
LOGGING = json_logging() if LOG_FORMAT == "json" else text_logging()
METRICS_TOKEN = env.str("PYBENCH_METRICS_TOKEN", default="")
WORKER_HOST = env.str("PYBENCH_WORKER_HOST", default="127.0.0.1")
WORKER_PORT = env.int("PYBENCH_WORKER_PORT", default=0)  # 0: none

# Endpoint keys are encrypted with these Fernet keys, newest first.
FIELD_KEYS = env.list("PYBENCH_FIELD_KEYS", default=[]) or [local_field_key()]

# Manifests of runs and snapshots are signed with a key that is made of the first of these secrets;
# the others signed before. Public keys that are trusted no more: “base64@2026-11-23”.
EVIDENCE_KEYS = env.list("PYBENCH_EVIDENCE_KEYS", default=[]) or [local_secret("evidence-key")]
EVIDENCE_WITHDRAWN = env.list("PYBENCH_EVIDENCE_WITHDRAWN", default=[])

# Which addresses runs and preflights may call: public ones on these ports, over TLS unless plain
# http is allowed, and on this machine these ports (or ranges) alone. The scripted endpoints' port
# is for the site's own baselines, which operator commands start, never for a submission.
ENDPOINT_PORTS = env.list("PYBENCH_ENDPOINT_PORTS", cast=int, default=[443, 8000, 8080, 8443])
ENDPOINT_HTTP = env.bool("PYBENCH_ENDPOINT_HTTP", default=False)
ENDPOINT_LOOPBACK_PORTS = env.list("PYBENCH_LOOPBACK_PORTS", default=[])
SCRIPTED_PORT = env.int("PYBENCH_SCRIPTED_PORT", default=8001)

# Accounts: e-mail and password, a second factor by app; other providers where they are named.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
SOCIAL_PROVIDERS = env.list("PYBENCH_SOCIAL_PROVIDERS", default=[])  # such as "github", "google"
INSTALLED_APPS += [
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{name}" for name in SOCIAL_PROVIDERS),
]
MIDDLEWARE += [
    "allauth.account.middleware.AccountMiddleware",
    "leaderboard.visitors.page_limits.limit_pages",
]
SOCIALACCOUNT_PROVIDERS = {
    name: {
        "APPS": [
            {
                "client_id": env.str(f"PYBENCH_SOCIAL_{name.upper()}_ID"),
                "secret": env.str(f"PYBENCH_SOCIAL_{name.upper()}_SECRET"),
            }
        ]
    }
    for name in SOCIAL_PROVIDERS
}
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that ends elsewhere is refused by our form-action
ACCOUNT_ADAPTER = "leaderboard.accounts.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
# One machine sends no mail: there an address is confirmed by whoever reads its mail folder.
ACCOUNT_EMAIL_VERIFICATION = env.str("PYBENCH_EMAIL_VERIFICATION", default="optional")
ACCOUNT_EMAIL_SUBJECT_PREFIX = "PyBench: "
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "PyBench"
IS_HTTPS = env.bool("PYBENCH_HTTPS", default=False)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/submissions/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
# Browsers then refuse plain http to this host for so long, in seconds.
SECURE_HSTS_SECONDS = 2_592_000 if SESSION_COOKIE_SECURE else 0
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SESSION_COOKIE_SECURE else "http"  # of links in mails

# Mail: a folder of files on one machine, a server where one is named (smtp+tls://user:pw@host).
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = str(VAR / "mail")
DEFAULT_FROM_EMAIL = env.str("PYBENCH_MAIL_FROM", default="PyBench <pybench@localhost>")
EMAIL_TIMEOUT = 10  # seconds
IS_MAIL_SET_UP = bool(env.str("PYBENCH_MAIL_URL", default=""))
if IS_MAIL_SET_UP:
    vars().update(env.email_url("PYBENCH_MAIL_URL"))

# Limits. A settings module of the operator’s own, which begins with `from pybench_site.settings
# import *`, may set others. Runs that only infrastructure spoiled are not counted.
SEARCH_TIMEOUT_S = 2.0  # of one search for words
SUBMISSIONS_PER_DAY = env.int("PYBENCH_SUBMISSIONS_PER_DAY", default=10)
ENDPOINT_CHECKS_PER_DAY = 100
# Trajectories that an account brings in: a file's size, files and bytes in 24 hours, bytes kept.
UPLOAD_MB = 256
UPLOADS_PER_DAY = 50
UPLOAD_MB_PER_DAY = 1024
UPLOAD_KEPT_MB = 4096
UPLOAD_DAYS = 90  # then they are deleted
DISPUTES_PER_DAY = 20  # of an account
DRAFT_HOURS = 24  # then it is gone, and its key with it

# Counters of requests and of sign-ins live in the process's memory; several processes need one for
# all. Of more than these, a third is forgotten: a crowd of addresses must not push a counter out.
COUNTERS = "locmemcache://?max_entries=20000"
CACHES = {
    "default": env.cache_url("PYBENCH_CACHE_URL", default=COUNTERS),
    # What pages counted for whom under which filter: apart, so that it pushes out no counter.
    "counts": env.cache_url_config("locmemcache://counts?max_entries=400"),
}

# How many proxies in front append to X-Forwarded-For, which is believed that far and no further.
PROXIES = env.int("PYBENCH_PROXIES", default=0)

HUB_DATASETS: dict[str, str] = env.dict("PYBENCH_HUB_DATASETS", default={})  # by suite's name
DATA_LICENCE = "CC-BY-4.0"  # of dated snapshots
# CPU seconds of pages that one visitor may take at once, in each web process, and again a minute
# later. Visitors on this machine are not counted.
PAGE_CPU_S = 10.0

# The API: JSON alone, strangers may read, a token's owner may also write.
API_REQUESTS_PER_MINUTE = {"stranger": 120, "token": 600, "write": 30}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["leaderboard.api.authentication.TokenAuthentication"],
    "DEFAULT_RENDERER_CLASSES": ["leaderboard.api.json_io.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["leaderboard.api.json_io.JsonParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        f"leaderboard.api.throttling.{name}"
        for name in ("StrangerThrottle", "TokenThrottle", "WriteThrottle")
    ],
    "EXCEPTION_HANDLER": "leaderboard.api.errors.answer_error",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "PyBench",
    "DESCRIPTION": "The board, its runs and their trajectories, and how to submit an endpoint.",
    "VERSION": "1",
    "SERVERS": [{"url": "/", "description": "This site"}],
    "LICENSE": {"name": "MIT", "identifier": "MIT"},  # of the program
    "CONTACT": {"name": "The maintainers of this site"},
    "TAGS": [
        {"name": "Suites", "description": "Versions of the benchmark."},
        {"name": "Tasks", "description": "What a suite asks for."},
        {"name": "Entries", "description": "The models that were submitted."},
        {"name": "Ledger", "description": "Every act that a number rests on, in a hash chain."},
        {"name": "Board", "description": "The ranked table of a suite."},
        {"name": "Runs", "description": "An entry on a suite: submitted, watched, published."},
        {"name": "Attempts", "description": "One model at one task, its steps and its files."},
        {"name": "Disputes", "description": "Verdicts that somebody doubts, and the rulings."},
        {"name": "Errata", "description": "Corrected checks, and what they judged again."},
        {"name": "Judges", "description": "Language models as judges, and their trial."},
        {"name": "Uploads", "description": "Trajectories that an account brings in, privately."},
    ],
    "ENUM_NAME_OVERRIDES": {
        "ActionFormatEnum": ["fenced", "markers", "tools"],
        "GroupEnum": ["ranked", "unranked", "scripted", "human"],
    },
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "leaderboard.api.schema.require_answers",
        "leaderboard.api.schema.require_bodies",
        "leaderboard.api.schema.add_summaries",
        "leaderboard.api.schema.add_errors",
    ],
}
