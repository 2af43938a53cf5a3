"""The application factory: a Flask application around a wired service."""

from __future__ import annotations

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from service.api.blueprints import register_api
from service.api.current import KEY
from service.api.limits import limit_requests
from service.api.metrics import add_metrics
from service.api.requests import surround_requests
from service.context import Context
from service.web.blueprints import register_web


class Json(DefaultJSONProvider):
    """JSON in the order it was written in, and in UTF-8 rather than in escapes."""

    sort_keys = False
    ensure_ascii = False


def create_app(context: Context) -> Flask:
    """The application that answers for this service: the API under `/v1`, pages for people,
    health.
    """
    app = Flask("service", static_folder=None, template_folder=None)
    app.json = Json(app)
    app.extensions[KEY] = context
    app.url_map.strict_slashes = False
    surround_requests(app)
    register_api(app)
    add_metrics(app)
    register_web(app, context.settings)
    limit_requests(app, context.settings)
    return app
