"""Structured logs: one event per line, from structlog and from libraries that use logging."""

from __future__ import annotations

import codecs
import io
import logging
import logging.config
import re
import sys
from collections.abc import Callable, MutableMapping
from typing import Any, Final, TextIO

import structlog

from service.config import LogFormat
from service.output import Output

QUIET = ("rq", "werkzeug", "urllib3", "alembic", "mail", "imapclient")
"""Libraries whose messages below WARNING are not logged; ``mail`` is aiosmtpd's, with addresses."""
STANDARD_OUTPUT = 1
AGAIN_SECONDS: Final = 60.0
MORE_FILES: Final = "raise the limit (ulimit -Hn, LimitNOFILE of systemd, ulimits of compose)"
CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that steer a terminal, end a line, or turn the direction of writing."""


def configure(log_format: LogFormat, level: str) -> None:
    """Logs the events of this process from ``level`` on to standard output. Our own do not pass
    through `logging`, which takes longer than making the line.
    """
    _skip_caller_details()
    logging.config.dictConfig(logging_settings(log_format, level))
    handler = next(each for each in logging.getLogger().handlers if isinstance(each, LineHandler))
    structlog.configure(
        processors=[*_shared(), *_ending(log_format)],
        logger_factory=lambda *names: Lines(handler.write, *names),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
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
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_ending(log_format)],
            }
        },
        "filters": {"files": {"()": FilesFilter}},
        "handlers": {"out": {"()": LineHandler, "formatter": "events"}},
        "root": {"handlers": ["out"], "level": level},
        "loggers": {name: {"level": quiet} for name in QUIET}
        | {
            "flufl.bounce": {"level": "CRITICAL"},  # it logs each error that a damaged bounce leads to
            "asyncio": {"filters": ["files"]},
            "gunicorn.error": {"handlers": [], "propagate": True},
            "gunicorn.access": {"handlers": [], "level": "WARNING"},
        },
    }


class FilesFilter(logging.Filter):
    """Says once a minute that too many files are open, and what to do, where asyncio says it with a
    traceback a hundred times a second.
    """

    _said_at = float("-inf")

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged."""
        if not str(record.msg).startswith("socket.accept() out of system resource"):
            return True
        if abs(record.created - self._said_at) < AGAIN_SECONDS:
            return False
        self._said_at = record.created
        record.exc_info = None
        record.msg = f"No more files may be opened, so new connections wait: {MORE_FILES}."
        return True


class LineHandler(logging.Handler):
    """Writes events to the standard output; whoever logs never waits for its reader."""

    def __init__(self) -> None:
        super().__init__()
        self._output = Output(STANDARD_OUTPUT, self._dropped)
        self.write = self._output.write

    def emit(self, record: logging.LogRecord) -> None:
        """Writes an event, or drops it where too many wait for the reader."""
        try:
            self.write(self.format(record))
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Waits at most two seconds for the reader."""
        self._output.flush()

    def _dropped(self, number: int) -> str:
        event = {"name": __name__, "levelno": logging.WARNING, "levelname": "WARNING", "msg": dropped_lines(number)}
        return self.format(logging.makeLogRecord(event))


class Lines:
    """What a logger of structlog writes to: the lines of all levels go to ``write``."""

    def __init__(self, write: Callable[[str], None], name: str = "") -> None:
        self.name = name
        self.debug = self.info = self.warning = self.error = self.critical = write


def dropped_lines(number: int) -> str:
    """What the log says of lines that it lacks."""
    return f"{'1 line was' if number == 1 else f'{number} lines were'} dropped, because nobody read the log"


def _skip_caller_details() -> None:
    """Keeps logging from looking up line, thread and process, which our formats do not show."""
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def _shared() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _ending(log_format: LogFormat) -> list[Any]:
    if log_format == "json":
        without_values = structlog.tracebacks.ExceptionDictTransformer(
            show_locals=False
        )  # local variables may hold secrets
        return [structlog.processors.ExceptionRenderer(without_values), structlog.processors.JSONRenderer()]
    colours = sys.stdout.isatty()
    return [_escape, structlog.dev.ConsoleRenderer(colors=colours, pad_event_to=0, exception_formatter=_traceback)]


def _escape(logger: object, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escapes control characters: what a client sent must not reach a terminal, or begin a line."""
    return {key: CONTROLS.sub(_escaped, value) if isinstance(value, str) else value for key, value in event.items()}


def _traceback(output: TextIO, exc_info: Any) -> None:
    plain = io.StringIO()
    structlog.dev.plain_traceback(plain, exc_info)
    output.write("\n".join(CONTROLS.sub(_escaped, line) for line in plain.getvalue().split("\n")))


def _escaped(control: re.Match[str]) -> str:
    return codecs.unicode_escape_encode(control[0])[0].decode("ascii")  # a codec by name is read from a file
