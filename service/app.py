"""The application factory: a Flask application around a wired service."""

from __future__ import annotations

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from service.api.current import KEY
from service.api.limits import limit_requests
from service.api.metrics import add_metrics
from service.api.register import register_api
from service.api.requests import surround_requests
from service.web.register import register_web
from service.wiring import Overland


class Json(DefaultJSONProvider):
    """JSON in the order it was written in, and in UTF-8 rather than in escapes."""

    sort_keys = False
    ensure_ascii = False


def create_app(overland: Overland) -> Flask:
    """The application that answers for this service: the API under `/v1`, pages for people,
    health.
    """
    app = Flask("service", static_folder=None, template_folder=None)
    app.json = Json(app)
    app.extensions[KEY] = overland
    app.url_map.strict_slashes = False
    surround_requests(app)
    register_api(app)
    add_metrics(app)
    register_web(app, overland.settings)
    limit_requests(app, overland.settings)
    return app
