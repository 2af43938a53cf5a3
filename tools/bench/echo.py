"""The reference of the bench: a bare Flask application that returns the posted document, under the
same server as the API: ``python -m tools.bench.echo``.
"""

from __future__ import annotations

import os

from flask import Flask, Response, jsonify, request

from service.commands.api import Server
from service.config import load


def app() -> Flask:
    """The application, with one address."""
    echo = Flask("echo", static_folder=None, template_folder=None)

    @echo.post("/echo")
    def answer() -> Response:
        return jsonify(request.get_json())

    return echo


if __name__ == "__main__":
    Server(load(os.environ), app).run()
