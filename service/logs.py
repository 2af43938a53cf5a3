"""Structured logs: one event per line, for people or machines, from structlog and from libraries
that use logging.
"""

import logging
import logging.config
import sys
from typing import Any

import structlog

from service.config import LogFormat

QUIET = ("rq", "werkzeug", "urllib3", "alembic", "aiosmtpd")
"""Libraries whose messages below WARNING are not logged."""


def configure(log_format: LogFormat, level: str) -> None:
    """Logs all events of this process from ``level`` on to standard output, in ``log_format``."""
    _skip_caller_details()
    logging.config.dictConfig(logging_settings(log_format, level))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logging_settings(log_format: LogFormat, level: str) -> dict[str, Any]:
    """The configuration of ``configure`` as a `logging` dictionary, for gunicorn, which sets up its
    logging itself. gunicorn's access log is off, as the application logs requests.
    """
    quiet = "WARNING" if level in ("DEBUG", "INFO") else level
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "events": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _shared(),
                "processors": _ending(log_format),
            }
        },
        "handlers": {"out": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "events"}},
        "root": {"handlers": ["out"], "level": level},
        "loggers": {name: {"level": quiet} for name in QUIET}
        | {
            "gunicorn.error": {"handlers": [], "propagate": True},
            "gunicorn.access": {"handlers": [], "level": "WARNING"},
        },
    }


def _skip_caller_details() -> None:
    """Keeps logging from looking up line, thread and process of each event, which our formats do
    not show (Python's logging cookbook, "Optimization").
    """
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def _shared() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _ending(log_format: LogFormat) -> list[Any]:
    forget = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    if log_format == "json":
        without_values = structlog.tracebacks.ExceptionDictTransformer(
            show_locals=False
        )  # local variables may hold secrets
        return [forget, structlog.processors.ExceptionRenderer(without_values), structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [
        forget,
        structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), pad_event_to=0, exception_formatter=plain),
    ]
