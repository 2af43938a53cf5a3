"""What a request works with: the wired service, kept in the application."""

from __future__ import annotations

from typing import cast

from flask import current_app

from service.context import Context

KEY = "overland"


def context() -> Context:
    """The wired service behind the application that answers this request."""
    return cast("Context", current_app.extensions[KEY])
