"""The application factory: a Flask application for a context."""

from __future__ import annotations

from functools import partial

import structlog
from flask import Flask
from flask.json.provider import DefaultJSONProvider

from engine import registry
from service.api.health import add_health
from service.api.limits import limit_requests
from service.api.openapi import DOCUMENT, register_api, served_text
from service.api.requests import KEY, add_request_hooks
from service.config import Settings
from service.context import Context
from service.forks import said_by_fork
from service.web.blueprints import register_web

log = structlog.get_logger("overland.games")


class Json(DefaultJSONProvider):
    """JSON that keeps the order of members, in UTF-8 without escapes."""

    sort_keys = False
    ensure_ascii = False


def create_app(context: Context) -> Flask:
    """Builds the application: the API under `/v1`, pages for browsers, health, metrics."""
    return with_context(app_of(context.settings), context)


def with_context(app: Flask, context: Context) -> Flask:
    """The application, which uses this context from now on."""
    app.extensions[KEY] = context
    return app


def described(app: Flask) -> Flask:
    """The application with its document, for processes to share: a fork makes it, so that nothing
    else of what that takes is kept.
    """
    app.extensions[DOCUMENT] = said_by_fork("overland openapi", partial(served_text, app))
    return app


def app_of(settings: Settings) -> Flask:
    """Builds the application without its context, for the processes that share it."""
    app = Flask("service", static_folder=None, template_folder=None)
    app.json = Json(app)
    app.url_map.strict_slashes = app.url_map.merge_slashes = False  # either would redirect to another address
    add_request_hooks(app)
    register_api(app)
    add_health(app)
    register_web(app, settings)
    limit_requests(app, settings)
    for each in registry.refused():
        log.error("game.refused", game=each.name, package=each.origin, reason=each.reason)
    return app
