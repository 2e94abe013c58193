"""Log records as lines of JSON, for whoever collects them: one object per record on stderr."""

from __future__ import annotations

import re
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

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
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def json_logging(level: str) -> dict[str, Any]:
    """Django's LOGGING for JSON lines; Celery keeps a root logger that has a handler."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "pybench_site.json_logs.json_formatter"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["lines"], "level": level},
    }
