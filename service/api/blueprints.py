"""Registers the resources of the API with an application, and its OpenAPI document at
`/openapi.json`.
"""

from __future__ import annotations

from flask import Flask, Response

from service.api import (
    addresses,
    awaiting,
    blocks,
    boards,
    calendar,
    chat,
    days_off,
    games,
    health,
    log,
    mails,
    matches,
    observation,
    offers,
    players,
    preferences,
    tokens,
    turns,
)
from service.api.openapi import Api, build_api

RESOURCES = (
    games,
    players,
    addresses,
    tokens,
    preferences,
    mails,
    blocks,
    awaiting,
    days_off,
    calendar,
    matches,
    offers,
    observation,
    turns,
    log,
    chat,
    boards,
    health,
)
"""In the order the documentation shows them."""


def register_api(app: Flask) -> Api:
    """Registers every resource and gives the Api, whose ``spec`` is then complete."""
    api = build_api(app)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)
    text: list[str] = []

    def get_openapi() -> Response:
        if not text:
            text.append(app.json.dumps(api.spec.to_dict()))
        return Response(text[0], content_type="application/json")

    app.add_url_rule("/openapi.json", "openapi", get_openapi)
    return api
