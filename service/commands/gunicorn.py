"""The configuration module of gunicorn: its settings, computed from ours."""

import os
import sys
import threading
from typing import Any

from service import parts
from service.api.requests import KEY
from service.config import load
from service.garbage import collect_seldom
from service.heartbeats import API, beat_beside
from service.logs import logging_settings
from service.rowless import records_of_parts
from service.serving.descriptors import raise_limit

_settings = load(os.environ)

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
worker_class = "service.serving.worker.LoopWorker" if _settings.api_server == "loop" else "gthread"
workers = _settings.api_processes
threads = _settings.api_threads
worker_connections = _settings.api_connections
graceful_timeout = 5  # a stop does not wait for requests that wait for a verdict
timeout = max(60, _settings.start_seconds)  # also the time in which a worker has to start
keepalive = 15
proc_name = "overland-api"
control_socket_disable = True
logconfig_dict = logging_settings(_settings.log_format, _settings.log_level)


def post_fork(server: object, worker: object) -> None:
    """Lengthens Python's thread switch interval: requests are short, and a switch costs more than
    waiting.
    """
    sys.setswitchinterval(0.02)


def post_worker_init(worker: Any) -> None:
    """Looks for reference cycles seldom, once the application is loaded, and lets the API's heart
    beat.
    """
    collect_seldom()
    context = getattr(worker.app.wsgi(), "extensions", {}).get(KEY)  # benchmarks serve other applications
    if context is not None:
        parts.tell(records_of_parts(context))
        beat_beside(context, API, threading.Event())


def on_starting(server: Any) -> None:
    """Raises the limit of open files before the processes that answer requests are started."""
    raise_limit(_settings.api_connections, server.log.warning)
