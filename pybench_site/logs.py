"""Records of the log on stderr: lines of JSON for whoever collects them, or text for a reader.

Either way a page that fails leaves a traceback with the id of its request.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.typing import EventDict, Processor

GetResponse = Callable[[HttpRequest], HttpResponse]

# As the runner's and the queue's own sentences name what they are about.
IDS = re.compile(r"\b(run|attempt|try|draft|task|blob)=(\w+)")


def name_ids(_: Any, __: str, record: EventDict) -> EventDict:
    """Copy ids that the sentence names, such as `run=3`, into fields, unless they are there
    already."""
    for name, value in IDS.findall(str(record.get("event", ""))):
        record.setdefault(name, int(value) if value.isdecimal() else value)
    return record


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,  # the attempt that is played, whoever logs
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    name_ids,
]


def json_formatter() -> structlog.stdlib.ProcessorFormatter:
    return formatter(structlog.processors.JSONRenderer(ensure_ascii=False))


def text_formatter() -> structlog.stdlib.ProcessorFormatter:
    return formatter(structlog.dev.ConsoleRenderer(colors=False))


def formatter(renderer: Processor) -> structlog.stdlib.ProcessorFormatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            renderer,
        ],
    )


def json_logging() -> dict[str, Any]:
    """Django's LOGGING for JSON lines; Celery keeps a root logger that has a handler."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "pybench_site.logs.json_formatter"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["lines"], "level": "INFO"},
    }


def text_logging() -> dict[str, Any]:
    """Django's LOGGING for text: requests that failed. Celery writes a worker's own log."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"text": {"()": "pybench_site.logs.text_formatter"}},
        "handlers": {"text": {"class": "logging.StreamHandler", "formatter": "text"}},
        "loggers": {
            name: {"handlers": ["text"], "level": "ERROR", "propagate": False}
            for name in ("django.request", "leaderboard.api")
        },
    }


def give_id(get_response: GetResponse) -> GetResponse:
    """Middleware: the log's lines of a request have its id, a dozen hexadecimal digits."""

    def respond(request: HttpRequest) -> HttpResponse:
        with structlog.contextvars.bound_contextvars(request=secrets.token_hex(6)):
            return get_response(request)

    return respond


def current_id() -> str:
    """The id of the request that is being answered; "" where there is none."""
    return str(structlog.contextvars.get_contextvars().get("request", ""))
