"""What the bench compares with: a bare Flask application that answers the document it was sent,
under the same server as the API.
"""

from __future__ import annotations

from flask import Flask, Response, jsonify, request


def app() -> Flask:
    """The application: one address, and nothing behind it."""
    echo = Flask("echo", static_folder=None, template_folder=None)

    @echo.post("/echo")
    def answer() -> Response:
        return jsonify(request.get_json())

    return echo
