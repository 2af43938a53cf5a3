"""`overland api`: the API alone, served by gunicorn, with the settings of the service; `overland
openapi`: its description.
"""

from __future__ import annotations

import resource
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from setproctitle import setproctitle

from service import parts
from service.app import app_of, described, with_context
from service.commands.databases import end_unless_usable, settings_or_end, tell
from service.config import Settings
from service.heartbeats import API, beat_beside
from service.logs import MORE_FILES, configure, logging_settings
from service.rowless import records_of_parts
from service.serving.worker import LoopWorker
from service.store.database import database_of
from service.warming import collect_seldom, freeze, preload
from service.wiring import fork_server, wire_api

SWITCH_SECONDS: Final = 0.02
"""Python's thread switch interval: requests are short, and a switch costs more than waiting."""
HANGING_SECONDS: Final = 60
"""A process that answers nothing for so long, or takes so long to start, is replaced."""
OTHERS: Final = 200
"""Open files besides the connections of clients: database, Redis, libraries, logs."""
LEAST: Final = 10
"""So many connections are held also where too few files may be open."""


@click.command()
def api() -> None:
    """Serve the API alone, without workers; `overland run` starts everything."""
    settings = settings_or_end()
    database = database_of(settings)
    end_unless_usable(database)
    database.dispose()
    preload()
    app = described(app_of(settings))
    freeze()
    serve(app, settings)


def serve(app: Flask, settings: Settings) -> None:
    """Serves the API until SIGTERM or Ctrl-C. The process must have no thread and no connection."""
    Server(settings, partial(application, app, settings)).run()


def application(app: Flask, settings: Settings) -> Flask:
    """The API in a process that answers requests, which has no thread and no connection yet."""
    server = fork_server(API, settings)
    configure(settings.log_format, settings.log_level)
    context = wire_api(settings, server)
    parts.tell(records_of_parts(context))
    beat_beside(context, API, threading.Event())
    return with_context(app, context)


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn with the settings of the service; ``make`` is called in each of its processes."""

    def __init__(self, settings: Settings, make: Callable[[], Flask]) -> None:
        self._settings, self._make = settings, make
        super().__init__()

    def load_config(self) -> None:
        settings = self._settings
        bracketed = f"[{settings.host}]" if ":" in settings.host else settings.host
        values = {
            "bind": f"{bracketed}:{settings.port}",
            "worker_class": LoopWorker,
            "workers": settings.api_processes,
            "threads": settings.api_threads,
            "worker_connections": settings.api_connections,
            "graceful_timeout": 5,
            "timeout": HANGING_SECONDS,
            "keepalive": 15,  # also the time in which the next header of a connection has to be complete
            "proc_name": "overland-api",
            "control_socket_disable": True,
            "logconfig_dict": logging_settings(settings.log_format, settings.log_level),
            "on_starting": _fitted,
            "post_fork": lambda server, worker: setproctitle("overland api"),
            "post_worker_init": _loaded,
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._make()


def _fitted(server: Any) -> None:
    """Has the processes hold no more connections than they may have files open."""
    server.cfg.set("worker_connections", raise_limit(server.cfg.worker_connections, server.log.warning))


def raise_limit(connections: int, warn: Callable[[str], object]) -> int:
    """Raises the limit of open files as far as allowed; warns where it stays too low. Returns how
    many of these connections it allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHERS
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard >= 0 else wanted, hard))
        except (ValueError, OSError) as error:
            warn(f"The limit of open files cannot be raised: {error}.")
    if soft >= wanted or not 0 <= hard < wanted:
        return connections
    warn(
        f"A process of the API may have {hard} files open, but needs {wanted} for {connections} connections, so it"
        f" holds fewer: {MORE_FILES}, or lower OVERLAND_API_CONNECTIONS."
    )
    return max(LEAST, hard - OTHERS)


def _loaded(worker: object) -> None:
    """Looks for reference cycles seldom, once the application is loaded."""
    collect_seldom()
    sys.setswitchinterval(SWITCH_SECONDS)


@click.command()
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("openapi/openapi.json"),
    show_default=True,
    help="Where to write it.",
)
def openapi(file: Path) -> None:
    """Write the OpenAPI document from the code."""
    from service.api.openapi import openapi_text

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(openapi_text(), encoding="utf-8")
    tell(f"Written: {file}")
