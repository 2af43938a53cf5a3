"""The context of the service, which the application keeps for its requests."""

from __future__ import annotations

from typing import cast

from flask import current_app

from service.context import Context

KEY = "overland"


def context() -> Context:
    """The context of the application that handles this request."""
    return cast("Context", current_app.extensions[KEY])
