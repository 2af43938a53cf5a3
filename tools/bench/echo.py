"""The reference of the bench: a bare Flask application that returns the posted document, under the
same server as the API.
"""

from __future__ import annotations

from flask import Flask, Response, jsonify, request


def app() -> Flask:
    """The application, with one address."""
    echo = Flask("echo", static_folder=None, template_folder=None)

    @echo.post("/echo")
    def answer() -> Response:
        return jsonify(request.get_json())

    return echo
